"""Whoever was told that something is kept finds it, although the writers were killed."""

from __future__ import annotations

from pathlib import Path

import pytest

from faults import killing
from faults.length import at_length, broken
from faults.shim import missing

pytestmark = pytest.mark.skipif(missing() is not None, reason="writers are forked on Linux")


def test_four_writers_killed_at_any_moment_lose_nothing(tmp_path: Path) -> None:
    rows = killing.measure(tmp_path, rounds=3)
    assert broken(rows, but=("kill -9: slowest",)) == []


@at_length
def test_a_thousand_rounds_of_killing_lose_nothing(tmp_path: Path) -> None:
    assert broken(killing.measure(tmp_path, rounds=1_000)) == []
