"""What can be told of a store without changing anything: whether it may be opened, and how."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from remembrancer.core.caution import Caution
from remembrancer.store import faults, holding, looking, opening


@dataclass(frozen=True, slots=True)
class Inspection:
    """`damage` is what is wrong with the file, in sentences; `version` is that of its tables.

    `left` says that the last program that had it open ended in the middle.
    """

    damage: list[str] = field(default_factory=list[str])
    version: int | None = None
    known: int = 0
    left: bool = False
    cautions: list[Caution] = field(default_factory=list[Caution])

    @property
    def older(self) -> bool:
        """Whether an earlier version wrote it, so that the next opening brings it up."""
        return self.version is not None and self.version < self.known


def inspect(store: Path) -> Inspection:
    """Look at a store that is there; raises StoreProblem where it is none or cannot be read."""
    store = store.resolve()
    cautions = opening.cautions(store)
    looking.look(store)
    with faults.named(store):
        try:
            found = looking.faults_of(store)
            if found:
                return Inspection([_worded(store, found)], cautions=cautions)
            version, known = opening.version_of(store), len(opening.migrations.STEPS)
        finally:
            looking.let_go(store)
    return Inspection([], version, known, holding.left_behind(store), cautions)


def _worded(store: Path, found: list[str]) -> str:
    more = f", and {len(found) - 1} more" if len(found) > 1 else ""
    return f"{store} is damaged: {found[0]}{more}."
