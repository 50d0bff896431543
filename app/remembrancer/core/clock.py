"""The time, as everything inside counts it: integer microseconds since the epoch, UTC."""

from __future__ import annotations

import time
from collections.abc import Callable

SECOND = 1_000_000
MINUTE = 60 * SECOND
DAY = 86_400 * SECOND

Clock = Callable[[], int]


def now() -> int:
    """Microseconds since the epoch, UTC."""
    return time.time_ns() // 1_000


def milliseconds(at: int | None) -> int | None:
    """Microseconds as the milliseconds that some dialects speak; None stays None."""
    return None if at is None else at // 1_000
