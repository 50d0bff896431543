"""One sitting of review: what was decided about which memory, and what was taken back again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Choice(StrEnum):
    """What a person decides about one memory."""

    VERIFY = "verify"
    CORRECT = "correct"
    ARCHIVE = "archive"
    DELETE = "delete"
    LATER = "later"
    MERGE = "merge"


@dataclass(frozen=True)
class Decided:
    """One decision: about which memory, and the batch of its deed in the journal."""

    choice: Choice
    memory_id: int
    batch: int


class Session:
    """Begins with the first decision and ends when it is cleared."""

    def __init__(self) -> None:
        self._made: list[Decided] = []
        self._back: list[Decided] = []

    def add(self, decided: Decided) -> None:
        """A decision was made."""
        self._made.append(decided)

    def turned(self, memory_ids: Iterable[int]) -> None:
        """Deeds about these memories were undone, or, where the last was undone already, redone."""
        for memory_id in memory_ids:
            if not (_move(memory_id, self._made, self._back)):
                _move(memory_id, self._back, self._made)

    def clear(self) -> None:
        """The sitting is over."""
        self._made.clear()
        self._back.clear()

    @property
    def begun(self) -> bool:
        """Whether there is a decision that stands."""
        return bool(self._made)

    def memory_ids(self) -> list[int]:
        """The memories that were decided about, each once, in the order of the first decision."""
        return list(dict.fromkeys(d.memory_id for d in self._made))

    def batches(self) -> list[int]:
        """The deeds that stand, by their batches."""
        return [d.batch for d in self._made]

    def counts(self) -> dict[Choice, int]:
        """How many memories came to which end: a corrected one counts as that, verified or not."""
        ends: dict[int, Choice] = {}
        for decided in self._made:
            corrected = ends.get(decided.memory_id) is Choice.CORRECT
            if not (corrected and decided.choice is Choice.VERIFY):
                ends[decided.memory_id] = decided.choice
        counted = Counter(ends.values())
        return {choice: counted[choice] for choice in Choice if counted[choice]}


def _move(memory_id: int, source: list[Decided], target: list[Decided]) -> bool:
    """Move the last decision about a memory from one list to the other, if there is one."""
    places = [n for n, decided in enumerate(source) if decided.memory_id == memory_id]
    if places:
        target.append(source.pop(places[-1]))
    return bool(places)
