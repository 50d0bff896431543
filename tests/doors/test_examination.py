"""The doctor tells how far the search index is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from notation import build
from remembrancer.__main__ import main
from remembrancer.doors.examination import search_index
from remembrancer.service.indexing import IndexState
from remembrancer.service.library import Library


@pytest.fixture
def store(library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REMEMBRANCER_HOME", str(tmp_path / "home"))
    build(library, "nas: two disks")
    return library.path


def test_an_index_with_nothing_left_to_do_is_up_to_date(
    store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", "--json", "--store", str(store)]) == 0
    assert json.loads(capsys.readouterr().out)["facts"]["searchIndex"] == "up to date"
    assert main(["doctor", "--store", str(store)]) == 0
    assert "search index: up to date\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("state", "told"),
    [
        (IndexState(0, 0, False), "renewed to 0 %"),
        (IndexState(40, 100, False), "renewed to 40 %"),
        (IndexState(9_999, 10_000, False), "renewed to 99 %"),
        (IndexState(100, 100, True), "up to date"),
    ],
)
def test_the_share_is_told_while_it_is_renewed(state: IndexState, told: str) -> None:
    assert search_index(state).startswith(told)
