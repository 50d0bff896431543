"""Many sessions change the same memories and no change is written over another."""

from __future__ import annotations

from pathlib import Path

from faults import lost_updates
from faults.length import at_length, broken

TIMES = ("many sessions: slowest",)


def test_sessions_that_change_the_same_memories_lose_no_update(tmp_path: Path) -> None:
    assert broken(lost_updates.measure(tmp_path, sessions=8, changes=2), but=TIMES) == []


@at_length
def test_two_hundred_sessions_lose_no_update(tmp_path: Path) -> None:
    assert broken(lost_updates.measure(tmp_path), but=TIMES) == []
