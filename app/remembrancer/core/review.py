"""The rules of review: which memories may no longer be true, and why."""

from __future__ import annotations

from enum import StrEnum

from remembrancer.core.clock import DAY
from remembrancer.core.memory import LATEST, Memory

REVIEW_DAYS = 90
LOW_CONFIDENCE = 0.5


class Reason(StrEnum):
    """Why a memory is due; the words are the ones agents know."""

    EXPIRED = "Expired"
    NOT_VERIFIED = "Not verified"
    OVERDUE = "Review overdue"
    LOW_CONFIDENCE = "Low confidence"


def reasons(memory: Memory, now: int, days: int = REVIEW_DAYS) -> tuple[Reason, ...]:
    """Why `memory` is due at `now` (microseconds); `days` is the interval where it has none."""
    since = memory.updated_at if memory.verified_at is None else memory.verified_at
    interval = (memory.review_days or days) * DAY
    found = (
        (Reason.EXPIRED, memory.expired(now)),
        (Reason.NOT_VERIFIED, memory.verified_at is None),
        (Reason.OVERDUE, now - since > interval),
        (Reason.LOW_CONFIDENCE, memory.confidence < LOW_CONFIDENCE),
    )
    return tuple(reason for reason, holds in found if holds)


def due_at(memory: Memory, days: int = REVIEW_DAYS) -> int:
    """The moment (microseconds) from which `memory` is due: `reasons` is not empty after it.

    One number, so that an index can answer "what is due"; 0 means it always was.
    """
    if memory.verified_at is None or memory.confidence < LOW_CONFIDENCE:
        due = 0
    else:
        due = memory.verified_at + (memory.review_days or days) * DAY + 1
        due = min(due, memory.expires_at or LATEST)
    return max(due, memory.postponed_until or 0)
