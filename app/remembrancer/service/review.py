"""The desk for review: what is due, why, and how much of it there is."""

from __future__ import annotations

from remembrancer.core import review as rules
from remembrancer.core.author import Author
from remembrancer.core.errors import BadValue
from remembrancer.core.filters import Filter, State
from remembrancer.core.memory import Memory
from remembrancer.core.policy import person_only
from remembrancer.core.review import Reason
from remembrancer.service.desk import Ground

COUNT_BOUND = 1_000


class ReviewDesk:
    """Reads the queue by an index over one moment a memory; deciding is the memories' desk."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._store = ground.store

    def queue(self, limit: int = 50, after: Memory | None = None) -> list[Memory]:
        """The memories that are due, the longest first, past the one given."""
        position = (-1, -1) if after is None else (after.due_at, after.id)
        with self._store.reading():
            return self._store.memories.due_after(self._ground.clock(), position, limit)

    def count(self, bound: int = COUNT_BOUND) -> int:
        """How many are due; counting stops at `bound`."""
        with self._store.reading():
            chosen = Filter(state=State.REVIEW)
            return self._store.memories.count(chosen, self._ground.clock(), bound)

    def counts(self, bound: int = COUNT_BOUND) -> dict[Reason, int]:
        """How many are due for each reason; counting each stops at `bound`."""
        now = self._ground.clock()
        with self._store.reading():
            return {
                r: self._store.memories.count(Filter(state=State.REVIEW, reason=r), now, bound)
                for r in Reason
            }

    def reasons(self, memory: Memory) -> tuple[Reason, ...]:
        """Why a memory is due now."""
        return rules.reasons(memory, self._ground.clock(), self._ground.review_days())

    def interval(self) -> int:
        """Days until a verified memory without an interval of its own is due again."""
        return self._ground.review_days()

    def set_interval(self, days: int, author: Author) -> None:
        """Set that interval and move what is due by it."""
        person_only(author, "change the review interval")
        if not 1 <= days <= 36_500:
            raise BadValue("The review interval must be 1 to 36,500 days.")
        self._store.write(lambda: self._respread(days))

    def _respread(self, days: int) -> None:
        self._store.extras.set_setting("review_days", str(days))
        self._store.memories.respread_due(days, rules.LOW_CONFIDENCE)
