"""`recall` at the command line tells what each score is made of."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from notation import build
from remembrancer.__main__ import main
from remembrancer.doors.asking import signals
from remembrancer.service.library import Library
from remembrancer.service.meaning import MeaningState, Standing


@pytest.fixture
def store(library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REMEMBRANCER_HOME", str(tmp_path / "home"))
    build(library, "nas: the backups run on 10.0.0.1; nas: two disks")
    return library.path


def test_json_has_the_signals_and_the_standing_of_each_hit(
    store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["recall", "backup 10.0.0.1", "--json", "--store", str(store)]) == 0
    [first, *_] = json.loads(capsys.readouterr().out)
    assert {"reasons", "score", "mandatory", "applicability"} <= first.keys()
    assert all(each.keys() == {"signal", "amount", "asked", "seen"} for each in first["signals"])
    kinds = {each["signal"] for each in first["signals"]}
    assert {"words", "phrase"} <= kinds
    relevance = sum(each["amount"] for each in first["signals"])
    assert (1 + relevance) * first["standing"] == pytest.approx(first["score"])


def test_in_plain_text_the_signals_are_told_when_asked_for(
    store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["recall", "backup 10.0.0.1", "--store", str(store)]
    assert main(words) == 0
    told = capsys.readouterr().out
    assert "standing" not in told
    assert "Found by" not in told
    assert main([*words, "--explain"]) == 0
    told = capsys.readouterr().out
    assert "backup: as a word, backups" in told
    assert "Exactly 10.0.0.1" in told
    assert "standing: confidence +0.015, freshness +0.0" in told
    assert "score: (1 +" in told
    assert told.endswith("Found by: words only.\n")


@pytest.mark.parametrize("standing", list(Standing))
def test_by_which_signals_it_was_found_is_told_for_every_state_of_meaning(
    standing: Standing,
) -> None:
    told = signals(MeaningState(standing, "a model", 2, 5))
    assert told.startswith("words")
    assert ("40 %" in told) == (standing is Standing.MAKING)
