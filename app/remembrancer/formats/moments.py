"""Moments as files write them: seconds, milliseconds or microseconds, or an ISO text."""

from __future__ import annotations

from datetime import UTC, datetime

from remembrancer.core.memory import LATEST

# From here on a number is too large to be the unit before: 1e11 seconds is the year 5138.
_UNITS = ((1e11, 1_000_000), (1e14, 1_000), (1e17, 1))
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def moment(value: object) -> int | None:
    """Microseconds since the epoch; None when `value` is no moment from 1970 to 9999."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        found = _of_number(value)
    else:
        found = _of_text(value) if isinstance(value, str) else None
    return found if found is not None and 0 < found <= LATEST else None


def _of_number(value: float) -> int | None:
    if not 0 < value < 1e20:  # a NaN is not either
        return None
    for bound, factor in _UNITS:
        if value < bound:
            return round(value * factor)
    return int(value) // 1_000


def _of_text(text: str) -> int | None:
    try:
        at = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    if at.tzinfo is None:
        at = at.replace(tzinfo=UTC)
    passed = at - _EPOCH
    return (passed.days * 86_400 + passed.seconds) * 1_000_000 + passed.microseconds
