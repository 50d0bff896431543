"""A full disk is told as such, loses nothing, and is over once there is room."""

from __future__ import annotations

from pathlib import Path

from faults import full_disk
from faults.length import broken


def test_a_full_disk_loses_nothing_and_needs_no_restart(tmp_path: Path) -> None:
    rows = full_disk.measure(tmp_path)
    assert rows
    assert broken(rows) == []
