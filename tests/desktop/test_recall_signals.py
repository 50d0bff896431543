"""The recall place says by which signals an answer was found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from notation import build
from remembrancer.core.author import PERSON
from remembrancer.core.models import USE
from remembrancer.desktop.recall import words
from remembrancer.desktop.recall.head import RecallHead
from remembrancer.desktop.recall.pane import RecallPane
from remembrancer.desktop.window import Window
from remembrancer.service.library import Library
from remembrancer.service.meaning import MeaningState, Standing

from .conftest import settle
from .small_model import SECONDS, Lengths, end, give


@pytest.fixture
def model() -> Lengths:
    return Lengths(USE)


@pytest.fixture
def library(store_path: Path, clock: Callable[[], int], model: Lengths) -> Iterator[Library]:
    with Library.open(store_path, clock) as opened:
        give(opened, [model])
        build(opened, "ann: tea is hot; bob: rain again")
        yield opened


@pytest.fixture
def told(
    window: Window, qtbot: QtBot, library: Library, model: Lengths
) -> Iterator[Callable[[str], str]]:
    """Asks for words and reads the line."""

    def ask(query: str) -> str:
        window.go("recall", query=query)
        pane = window.pane("recall")
        assert isinstance(pane, RecallPane)
        qtbot.waitUntil(pane.still)
        settle(window, qtbot)
        head = pane.findChild(RecallHead)
        assert isinstance(head, RecallHead)
        return head.signals.text()

    yield ask
    end(library, [model])


def test_while_meaning_is_off_it_is_words_only(told: Callable[[str], str]) -> None:
    assert told("tea") == "Words only"


def test_while_meaning_is_made_its_share_is_told_and_then_that_it_took_part(
    told: Callable[[str], str], library: Library, model: Lengths, qtbot: QtBot
) -> None:
    model.gate.clear()
    library.meaning.switch(True, PERSON)
    qtbot.waitUntil(lambda: library.meaning.state.standing is Standing.MAKING)
    assert told("tea") == "Words; meaning is still being made: 0 %"
    model.gate.set()
    assert library.meaning.settle(SECONDS)
    assert told("rain") == "Words and meaning"


def test_a_model_that_fails_takes_no_part(
    told: Callable[[str], str], library: Library, model: Lengths, qtbot: QtBot
) -> None:
    model.broken = True
    library.meaning.switch(True, PERSON)
    qtbot.waitUntil(lambda: library.meaning.state.standing is Standing.FAILED)
    assert told("tea") == "Words only; the model for meaning cannot be used"


def test_without_words_nothing_is_said(told: Callable[[str], str]) -> None:
    assert told("tea") != ""
    assert told(" ") == ""


def test_a_share_is_never_rounded_up_to_all() -> None:
    state = MeaningState(Standing.MAKING, USE, 9_999, 10_000)
    assert words.signals(state) == "Words; meaning is still being made: 99 %"


@pytest.mark.parametrize("standing", list(Standing))
def test_every_state_has_words(standing: Standing) -> None:
    assert words.signals(MeaningState(standing)).startswith("Words")
