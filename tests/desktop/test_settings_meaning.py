"""The search by meaning in Settings, driven by keys, with models of a few lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from notation import build
from remembrancer.core.author import PERSON
from remembrancer.core.models import BOTH, E5, USE
from remembrancer.desktop.look import theme
from remembrancer.desktop.look.plain import number
from remembrancer.desktop.settings import meaning_words as words
from remembrancer.desktop.settings.meaning_section import Found, MeaningSection
from remembrancer.desktop.settings.pane import SettingsPane
from remembrancer.desktop.window import Window
from remembrancer.service import meaning_settings
from remembrancer.service.library import Library
from remembrancer.service.meaning import MeaningState, Standing

from .conftest import settle
from .small_model import SECONDS, Lengths, end, give
from .speaking import nameless

COMMAND = 'pip install "remembrancer[meaning]"'


@pytest.fixture
def models() -> list[Lengths]:
    """The models that are installed: a test adds to them or takes them away."""
    return [Lengths(USE)]


@pytest.fixture
def library(store_path: Path, clock: Callable[[], int], models: list[Lengths]) -> Iterator[Library]:
    with Library.open(store_path, clock) as opened:
        give(opened, models)
        build(opened, "ann: tea is hot; bob: rain again; ann: she bought a car")
        yield opened


@pytest.fixture
def section(
    window: Window, qtbot: QtBot, library: Library, models: list[Lengths]
) -> Iterator[MeaningSection]:
    yield opened(window, qtbot)
    end(library, models)


def opened(window: Window, qtbot: QtBot) -> MeaningSection:
    window.go("settings")
    settle(window, qtbot)
    pane = window.pane("settings")
    assert isinstance(pane, SettingsPane)
    return pane.meaning


def told(section: MeaningSection, sentence: str, qtbot: QtBot) -> None:
    """Wait until the section says so of itself, without anybody asking it."""
    qtbot.waitUntil(lambda: section.state.text() == sentence, timeout=10_000)


def press(section: MeaningSection, window: Window, qtbot: QtBot) -> None:
    qtbot.keyClick(section.on, Qt.Key.Key_Space)
    settle(window, qtbot)


def test_at_first_it_is_off_and_nothing_was_loaded(
    section: MeaningSection, library: Library
) -> None:
    assert not section.on.isChecked()
    assert section.on.isEnabled()
    assert section.state.text() == "Off: memories are found by their words alone"
    installed = "Installed model: Universal Sentence Encoder, 16 languages"
    assert section.installed.text() == installed
    assert not section.bar.isVisible()
    assert not section.command.isVisible()
    assert library.meaning.state.standing is Standing.OFF


def test_switched_on_it_reads_the_memories_and_says_when_it_is_ready(
    section: MeaningSection, window: Window, qtbot: QtBot, models: list[Lengths]
) -> None:
    models[0].gate.clear()
    press(section, window, qtbot)
    told(section, "0 of 3 memories read", qtbot)
    assert section.bar.isVisible()
    assert (section.bar.value(), section.bar.maximum()) == (0, 3)
    models[0].gate.set()
    told(section, "Ready: 3 memories can be found by what they mean", qtbot)
    assert not section.bar.isVisible()
    assert meaning_settings.now().on


def test_what_is_written_later_is_told_of_without_being_asked_for(
    section: MeaningSection, window: Window, qtbot: QtBot, library: Library
) -> None:
    press(section, window, qtbot)
    told(section, "Ready: 3 memories can be found by what they mean", qtbot)
    qtbot.waitUntil(lambda: not section._look.isActive())
    build(library, "bob: snow and ice")
    library.meaning.wake()
    told(section, "Ready: 4 memories can be found by what they mean", qtbot)


def test_it_is_switched_off_by_the_same_key(
    section: MeaningSection, window: Window, qtbot: QtBot, library: Library
) -> None:
    press(section, window, qtbot)
    press(section, window, qtbot)
    assert section.state.text() == "Off: memories are found by their words alone"
    assert not library.meaning.ready
    assert not meaning_settings.now().on


def test_without_a_model_the_command_that_installs_one_can_be_copied(
    section: MeaningSection, window: Window, qtbot: QtBot, models: list[Lengths]
) -> None:
    kept = models.pop()
    section = opened(window, qtbot)
    assert not section.on.isEnabled()
    assert section.command.isVisible()
    section.command.setFocus()
    qtbot.keyClick(section.command, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(section.command, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == COMMAND
    qtbot.keyClick(section.command, Qt.Key.Key_X)
    assert section.command.text() == COMMAND
    models.append(kept)
    section = opened(window, qtbot)
    assert section.on.isEnabled()
    assert not section.command.isVisible()


def test_what_was_switched_on_before_its_model_went_away_can_be_switched_off(
    section: MeaningSection, window: Window, qtbot: QtBot, library: Library, models: list[Lengths]
) -> None:
    models.clear()
    library.meaning.switch(True, PERSON)
    section = opened(window, qtbot)
    assert section.state.text() == "Switched on, but no model is installed"
    press(section, window, qtbot)
    assert not section.on.isEnabled()
    assert section.state.text().startswith("Off")


def test_of_several_models_one_is_chosen_by_keys(
    section: MeaningSection, window: Window, qtbot: QtBot, library: Library, models: list[Lengths]
) -> None:
    models.insert(0, Lengths(E5))
    section = opened(window, qtbot)
    assert section.model.isVisible()
    assert section.installed.text().endswith("Another one reads all memories anew.")
    assert section.model.current() == E5
    press(section, window, qtbot)
    told(section, "Ready: 3 memories can be found by what they mean", qtbot)
    assert library.meaning.state.model == E5
    qtbot.keyClick(section.model, Qt.Key.Key_Down)
    settle(window, qtbot)
    told(section, "Ready: 3 memories can be found by what they mean", qtbot)
    assert library.meaning.state.model == USE
    assert opened(window, qtbot).model.current() == USE


def test_a_model_that_fails_is_told_in_a_sentence_and_tried_again(
    section: MeaningSection, window: Window, qtbot: QtBot, models: list[Lengths]
) -> None:
    models[0].broken = True
    press(section, window, qtbot)
    told(section, words.state(MeaningState(Standing.FAILED)), qtbot)
    assert section.again.isVisible()
    models[0].broken = False
    qtbot.keyClick(section.again, Qt.Key.Key_Space)
    told(section, "Ready: 3 memories can be found by what they mean", qtbot)
    assert not section.again.isVisible()


def test_nothing_is_looked_at_while_the_section_is_out_of_sight(
    section: MeaningSection, window: Window, qtbot: QtBot, models: list[Lengths]
) -> None:
    models[0].gate.clear()
    press(section, window, qtbot)
    told(section, "0 of 3 memories read", qtbot)
    assert section._look.interval() >= 500
    window.go("memories")
    qtbot.waitUntil(lambda: not section._look.isActive())
    models[0].gate.set()
    assert window.library.meaning.settle(SECONDS)
    settle(window, qtbot)
    assert not section._look.isActive()
    assert opened(window, qtbot).state.text().startswith("Ready: 3 memories")


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        (MeaningState(Standing.MAKING, USE, 0, 1), "0 of 1 memory read"),
        (
            MeaningState(Standing.MAKING, USE, 1_234, 10_000),
            "{0} of {1} memories read",
        ),
        (MeaningState(Standing.READY, USE), "Ready: there is no memory yet"),
        (
            MeaningState(Standing.READY, USE, 1, 1),
            "Ready: 1 memory can be found by what it means",
        ),
        (MeaningState(Standing.LOADING, USE), "The model is being loaded…"),
    ],
)
def test_numbers_are_told_as_they_are_said(state: MeaningState, sentence: str) -> None:
    # Only with the application is it known how the reader's country writes numbers.
    assert words.state(state) == sentence.format(number(1_234), number(10_000))


@pytest.mark.parametrize("standing", list(Standing))
def test_every_control_has_a_name_in_every_state_and_both_themes(
    section: MeaningSection, window: Window, qapp: QApplication, standing: Standing
) -> None:
    names = () if standing is Standing.NOT_INSTALLED else (BOTH, E5, USE)
    section._show(Found(names, True, names[0] if names else "", MeaningState(standing, "", 1, 3)))
    assert section.state.text()
    for name in ("dark", "light"):
        theme.apply(qapp, name)
        assert nameless(section) == []


def test_long_names_of_models_leave_the_columns_as_wide_as_they_were(
    section: MeaningSection, window: Window, qtbot: QtBot
) -> None:
    wide = section.width()
    section._show(Found((BOTH, E5, USE), True, USE, MeaningState(Standing.FAILED, USE)))
    settle(window, qtbot)
    assert section.width() == wide
    assert section.again.mapTo(section, section.again.rect().topRight()).x() < wide


def test_the_section_is_walked_by_the_tab_key(
    section: MeaningSection, window: Window, qtbot: QtBot
) -> None:
    state = MeaningState(Standing.FAILED)
    section._show(Found((BOTH, E5, USE), True, BOTH, state))
    section.on.setFocus()
    for here, following in ((section.on, section.model), (section.model, section.again)):
        assert QApplication.focusWidget() is here
        qtbot.keyClick(here, Qt.Key.Key_Tab)
        assert QApplication.focusWidget() is following
