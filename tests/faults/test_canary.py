"""A secret in every text of every door leaves no trace anywhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from faults.canary import measure


def test_a_secret_in_any_text_of_any_door_leaves_no_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REMEMBRANCER_HOME", str(tmp_path / "home"))
    for row in measure(tmp_path, most=1, cuts=(60, 500)):
        assert row.held, f"{row.what}: {row.seen[:2_000]}"


@pytest.mark.long
def test_no_sort_of_secret_leaves_one_wherever_it_is_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REMEMBRANCER_HOME", str(tmp_path / "home"))
    for row in measure(tmp_path, seed=2):
        assert row.held, f"{row.what}: {row.seen[:2_000]}"
