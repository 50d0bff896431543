"""No file whatever gets anything but a report or a sentence, and a dry run tells the same."""

from __future__ import annotations

from faults import files


def test_spoilt_files_are_reported_or_refused_and_leave_the_store_sound() -> None:
    seen = files.tried(30)
    assert seen.wrong == []
    assert 0 < seen.refused < seen.examples
