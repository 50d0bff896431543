"""The desk for review: what is due, why, in which order, and how a decision moves the next date."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Unpack

from remembrancer.core import review as rules
from remembrancer.core import risk, scheduling
from remembrancer.core.author import PERSON, Author
from remembrancer.core.errors import BadValue
from remembrancer.core.filters import Filter, Order, State
from remembrancer.core.memory import Memory
from remembrancer.core.policy import person_only
from remembrancer.core.review import Reason
from remembrancer.core.risk import Factor
from remembrancer.core.scheduling import Steps
from remembrancer.service import review_pace
from remembrancer.service.desk import Doing, Ground
from remembrancer.service.one_path import Ledger
from remembrancer.service.review_session import TakenBack, take_back

COUNT_BOUND = 1_000
RANKED = 2_000  # of the longest due memories, among which the most urgent are looked for


@dataclass(frozen=True)
class Outlook:
    """Days until a memory is asked about again: as it is, once confirmed, once corrected."""

    now: int
    confirmed: int
    corrected: int


class ReviewDesk:
    """Reads the queue by indexes and ranks its head; deciding is the memories' desk."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._store = ground.store
        self._rows = ground.store.reviewing

    # --- what is due

    def queue(self, limit: int = 50, after: Memory | None = None) -> list[Memory]:
        """The memories that are due, the longest first, past the one given."""
        position = (-1, -1) if after is None else (after.due_at, after.id)
        with self._store.reading():
            return self._store.memories.due_after(self._ground.clock(), position, limit)

    def ordered(self, reason: Reason | None = None) -> array[int]:
        """Everything that waits for the person (or is due for a reason), the most urgent first.

        Ranked are the 2,000 longest due, and 1,000 each of what was served last, is pinned, a
        constraint, or expired; the rest follows, the longest due first. See `core.risk`.
        """
        now = self._ground.clock()
        with self._store.reading():
            found = self._waiting(reason, now)
            head = self._candidates(now)
            if reason is not None:
                known = set(found)
                head = [i for i in head if i in known]
            first = risk.ranked(self._rows.standings(head), now)
        ahead = set(first)
        return array("q", (*first, *(i for i in found if i not in ahead)))

    def waits(self, ids: Iterable[int]) -> set[int]:
        """Those of these memories that wait for the person now."""
        now, days = self._ground.clock(), self._ground.review_days()
        with self._store.reading():
            return self._rows.waiting(sorted(ids), now, days)

    def count(self, bound: int = COUNT_BOUND) -> int:
        """How many wait for the person; counting stops at `bound`."""
        now, days = self._ground.clock(), self._ground.review_days()
        with self._store.reading():
            return self._rows.count(now, days, bound)

    def counts(self, bound: int = COUNT_BOUND) -> dict[Reason, int]:
        """How many are due for each reason; counting each stops at `bound`."""
        now = self._ground.clock()
        with self._store.reading():
            return {
                r: self._store.memories.count(Filter(state=State.REVIEW, reason=r), now, bound)
                for r in Reason
            }

    # --- why, and what then

    def reasons(self, memory: Memory) -> tuple[Reason, ...]:
        """Why a memory is due now."""
        return rules.reasons(memory, self._ground.clock(), self._ground.review_days())

    def why(self, memory_id: int) -> tuple[Factor, ...]:
        """Why a memory stands where it does in the queue, the weightiest cause first."""
        with self._store.reading():
            found = self._rows.standings([memory_id])
        return risk.factors(found[0], self._ground.clock()) if found else ()

    def served(self, ids: Sequence[int]) -> dict[int, tuple[int, int]]:
        """memory id -> (times served to agents, last when in microseconds)."""
        with self._store.reading():
            return self._rows.served(ids)

    def outlook(self, memory: Memory) -> Outlook:
        """What confirming and correcting would do to the interval of a memory."""
        days = self._ground.review_days()
        chosen = scheduling.steps_of(memory, self.steps())
        now = self._ground.clock()
        confirmed = scheduling.confirmed_days(memory, now, chosen, days) or days
        corrected = scheduling.shorter(memory, chosen, days)
        return Outlook(memory.review_days or days, confirmed, corrected)

    def undo_session(self, batches: Iterable[int], **doing: Unpack[Doing]) -> TakenBack:
        """Take back the deeds of a session in one deed; what changed since stays as it is."""
        person_only(doing["author"], "undo a deed")
        days, chosen = self._ground.review_days(), list(batches)

        def work(ledger: Ledger) -> TakenBack:
            return take_back(ledger, chosen, days)

        return self._ground.path.walk(work, reason="Undo of a review", **doing)

    # --- what the person chooses

    def interval(self) -> int:
        """Days until a verified memory without an interval of its own is due again."""
        return self._ground.review_days()

    def set_interval(self, days: int, author: Author) -> None:
        """Set that interval and move what is due by it."""
        person_only(author, "change the review interval")
        if not 1 <= days <= 36_500:
            raise BadValue("The review interval must be 1 to 36,500 days.")
        self._store.write(lambda: self._respread(days))

    def steps(self) -> dict[str, Steps]:
        """The steps (days) by which confirming lengthens an interval: by kind, or `EVERY`."""
        return review_pace.steps(self._store)

    def set_steps(self, kind: str, steps: Steps, author: Author = PERSON) -> None:
        """Choose the steps of a kind, or of every kind (`EVERY`); none: as every kind has them.

        They hold from the next decision on and move nothing that is stored, so the journal, which
        tells what happened to memories, has no line of it.
        """
        person_only(author, "change the steps of review")
        kept = {**self.steps(), kind: scheduling.check_steps(steps)} if steps else self.steps()
        if not steps:
            kept.pop(kind, None)
        text = scheduling.write_steps(kept)
        self._store.write(lambda: self._store.extras.set_setting(review_pace.SETTING, text))

    # --- inside

    def _waiting(self, reason: Reason | None, now: int) -> array[int]:
        if reason is not None:
            chosen = Filter(state=State.REVIEW, reason=reason)
            return self._store.memories.ids(chosen, Order.DUE, now)
        return self._rows.all_due(now) + array("q", self._agents(now))

    def _candidates(self, now: int) -> list[int]:
        return [*self._rows.candidates(now, RANKED), *self._agents(now)]

    def _agents(self, now: int) -> list[int]:
        return self._rows.only_agents(now, self._ground.review_days(), RANKED)

    def _respread(self, days: int) -> None:
        self._store.extras.set_setting("review_days", str(days))
        self._store.memories.respread_due(days, rules.LOW_CONFIDENCE)
