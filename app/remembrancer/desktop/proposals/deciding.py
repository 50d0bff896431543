"""What the person decides about proposals, as deeds that can be undone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QObject, Signal

from remembrancer.core.errors import RemembrancerError
from remembrancer.core.proposal import Proposal
from remembrancer.desktop.deeds import WINDOW
from remembrancer.desktop.look.plain import number, translate
from remembrancer.desktop.proposals import words
from remembrancer.desktop.workbench import Workbench
from remembrancer.service.one_path import Secrets


@dataclass(frozen=True)
class Terms:
    """How a proposal is accepted: edits by place, places left out, revisions seen, secrets."""

    edits: Mapping[int, Mapping[str, Any]] = field(default_factory=dict[int, Mapping[str, Any]])
    without: frozenset[int] = frozenset()
    over: Mapping[int, int] = field(default_factory=dict[int, int])
    secrets: Secrets = Secrets.REFUSE


class Deciding(QObject):
    """Runs decisions. `decided` tells the ids that are done, `failed` (proposal, terms, error)."""

    decided = Signal(object)
    failed = Signal(object, object, object)

    def __init__(self, bench: Workbench, parent: QObject) -> None:
        super().__init__(parent)
        self._bench = bench

    def accept(self, proposal: Proposal, terms: Terms) -> None:
        """Accept one proposal."""
        desk = self._bench.library.proposals

        def work() -> Proposal:
            return desk.accept(
                proposal.id, edits=terms.edits, without=terms.without, over=terms.over,
                secrets=terms.secrets, **WINDOW,
            )  # fmt: skip

        def failed(error: RemembrancerError) -> None:
            self.failed.emit(proposal, terms, error)

        self._do(words.accepting(proposal), work, [proposal.id], failed)

    def refuse(self, proposal: Proposal, why: str = "") -> None:
        """Refuse one proposal, for a reason that its agent hears."""
        desk = self._bench.library.proposals

        def failed(error: RemembrancerError) -> None:
            self.failed.emit(proposal, Terms(), error)

        work = lambda: desk.refuse(proposal.id, why=why, **WINDOW)  # noqa: E731
        self._do(words.refusing(proposal), work, [proposal.id], failed)

    def accept_all(self, ids: Sequence[int]) -> None:
        """Accept several; what cannot be stays, and is told."""
        desk = self._bench.library.proposals
        work = lambda: desk.accept_all(ids, **WINDOW)  # noqa: E731
        self._several(words.accepting_all(len(ids)), work, ids)

    def refuse_all(self, ids: Sequence[int], why: str = "") -> None:
        """Refuse several, for a reason that their agents hear."""
        desk = self._bench.library.proposals
        work = lambda: desk.refuse_all(ids, why=why, **WINDOW)  # noqa: E731
        self._several(words.refusing_all(len(ids)), work, ids)

    def take_back(self, proposal: Proposal) -> None:
        """Let a decided proposal wait again: what was decided with it comes back, too."""
        library = self._bench.library
        name = translate("Proposals", "Take back the decision about “{0}”")

        def done(batch: int | None) -> None:
            if batch is not None:
                self._bench.deeds.undo_batch(batch, name.format(words.label(proposal.subject)))

        def work() -> int | None:
            line = library.proposals.decision(proposal.id)
            return None if line is None else line.batch

        self._bench.background.run(work, done, owner=self)

    def _several(self, name: str, work: Callable[[], dict[int, str]], ids: Sequence[int]) -> None:
        def done(failed: dict[int, str]) -> None:
            self.decided.emit([i for i in ids if i not in failed])
            if failed:
                text = translate("Proposals", "{0} of {1} could not be decided. The first: {2}")
                first = next(iter(failed.values()))
                told = text.format(number(len(failed)), number(len(ids)), first)
                self._bench.tell(told, "warning")

        self._bench.deeds.do(name, work, done, owner=self)

    def _do(
        self, name: str, work: Callable[[], Proposal], ids: list[int],
        failed: Callable[[RemembrancerError], None],
    ) -> None:  # fmt: skip
        self._bench.deeds.do(name, work, lambda _made: self.decided.emit(ids), failed, self)
