"""Backups are sound and whole whatever goes on, and putting one back never leaves half a store."""

from __future__ import annotations

from pathlib import Path

from faults import backups
from faults.length import broken


def test_backups_are_whole_and_putting_one_back_is_all_or_nothing(tmp_path: Path) -> None:
    rows = backups.measure(tmp_path, backups=3, megabytes=0)
    assert rows
    assert broken(rows) == []
