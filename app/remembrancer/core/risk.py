"""Which due memory is looked at first: what does most harm when it is wrong."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from remembrancer.core.author import PERSON
from remembrancer.core.clock import DAY
from remembrancer.core.kinds import Kind
from remembrancer.core.review import LOW_CONFIDENCE


class Cause(StrEnum):
    """What makes a due memory more urgent than another."""

    CONTRADICTED = "contradicted"
    SERVED = "served"
    EXPIRED = "expired"
    DOUBTED = "doubted"
    NEVER_VERIFIED = "never verified"
    ONLY_AN_AGENT = "only an agent verified it"
    BINDING = "binding"
    AGE = "age"


WEIGHTS: dict[Cause, float] = {
    Cause.CONTRADICTED: 40,
    Cause.SERVED: 30,
    Cause.EXPIRED: 25,
    Cause.DOUBTED: 15,
    Cause.AGE: 15,
    Cause.NEVER_VERIFIED: 10,
    Cause.ONLY_AN_AGENT: 8,
    Cause.BINDING: 8,
}
_MUCH_SERVED = 64  # times from which more makes no difference
_FADES = 30  # days after which having been served counts half
_OLD = 365  # days from which older makes no difference


@dataclass(frozen=True, slots=True)
class Standing:
    """What is known cheaply about a due memory. Times are microseconds.

    `served` counts how often agents were given it, `served_at` is the last time; `against` counts
    the active memories that say something else under the same key where both apply.
    """

    id: int
    kind: str
    confidence: float
    pinned: bool | int
    expires_at: int | None
    verified_at: int | None
    verified_by: str | None
    updated_at: int
    due_at: int
    served: int = 0
    served_at: int = 0
    against: int = 0


@dataclass(frozen=True, slots=True)
class Factor:
    """One cause: how much of it there is (times, days or per cent), and its points."""

    cause: Cause
    amount: int
    points: float


def factors(standing: Standing, now: int) -> tuple[Factor, ...]:
    """What makes a memory urgent at `now`, the weightiest first.

    The score is the sum of the points; each cause gives its weight times a share from 0 to 1:

        contradicted     1 when at least one memory contradicts it
        served           log2(1 + times) / log2(1 + 64), halved for every 30 days since the last
        expired          1 when its expiry has passed
        doubted          (0.5 - confidence) / 0.5, below a confidence of 0.5
        age              days since it was verified (by nobody: written) / 365
        never verified   1 when nobody ever verified it
        only an agent    1 when an agent verified it last, and not the person
        binding          1 when it is pinned or a constraint, which agents have to follow
    """
    found = (_factor(cause, *share(standing, now)) for cause, share in _SHARES.items())
    return tuple(sorted((f for f in found if f.points > 0), key=lambda f: -f.points))


def score(standing: Standing, now: int) -> float:
    """How urgent a memory is: the sum of its factors' points."""
    shares = ((WEIGHTS[cause], share(standing, now)[1]) for cause, share in _SHARES.items())
    return sum(weight * min(max(share, 0.0), 1.0) for weight, share in shares)


def ranked(standings: list[Standing], now: int) -> list[int]:
    """The ids of these memories, the most urgent first; among equals the longest due."""
    order = sorted(standings, key=lambda s: (-round(score(s, now), 3), s.due_at, s.id))
    return [standing.id for standing in order]


def _factor(cause: Cause, amount: float, share: float) -> Factor:
    return Factor(cause, int(amount), round(WEIGHTS[cause] * min(max(share, 0.0), 1.0), 2))


def _contradicted(s: Standing, _now: int) -> tuple[float, float]:
    return s.against, float(s.against > 0)


def _served(s: Standing, now: int) -> tuple[float, float]:
    fresh = 0.5 ** (max(now - s.served_at, 0) / DAY / _FADES)
    return s.served, math.log2(1 + s.served) / math.log2(1 + _MUCH_SERVED) * fresh


def _expired(s: Standing, now: int) -> tuple[float, float]:
    past = s.expires_at is not None and s.expires_at <= now
    return (now - (s.expires_at or now)) / DAY, float(past)


def _doubted(s: Standing, _now: int) -> tuple[float, float]:
    return round(s.confidence * 100), (LOW_CONFIDENCE - s.confidence) / LOW_CONFIDENCE


def _age(s: Standing, now: int) -> tuple[float, float]:
    days = (now - (s.verified_at or s.updated_at)) / DAY
    return days, days / _OLD


def _never(s: Standing, _now: int) -> tuple[float, float]:
    return 0, float(s.verified_at is None)


def _only_agent(s: Standing, _now: int) -> tuple[float, float]:
    other = s.verified_at is not None and s.verified_by not in (None, PERSON.name)
    return 0, float(other)


def _binding(s: Standing, _now: int) -> tuple[float, float]:
    return 0, float(s.pinned or s.kind == Kind.CONSTRAINT)


_SHARES = {
    Cause.CONTRADICTED: _contradicted,
    Cause.SERVED: _served,
    Cause.EXPIRED: _expired,
    Cause.DOUBTED: _doubted,
    Cause.AGE: _age,
    Cause.NEVER_VERIFIED: _never,
    Cause.ONLY_AN_AGENT: _only_agent,
    Cause.BINDING: _binding,
}
