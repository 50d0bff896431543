"""The judge in Settings, driven by keys, against a real server on loopback."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from judge_server import MODEL, Exchange, JudgeServer
from remembrancer import places
from remembrancer.core.author import PERSON
from remembrancer.core.judging import JudgeState, Standing
from remembrancer.desktop.look import theme
from remembrancer.desktop.settings import judge_words
from remembrancer.desktop.settings.judge_section import JudgeSection
from remembrancer.desktop.settings.pane import SettingsPane
from remembrancer.desktop.window import Window
from remembrancer.service.judge import Trial
from remembrancer.service.judge_endpoint import Failure
from remembrancer.service.library import Library

from .conftest import settle
from .speaking import nameless

KEY = "sk-example-1234567890"


@pytest.fixture(autouse=True)
def _no_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [n for n in os.environ if n.startswith("MEMORY_FC_")]:
        monkeypatch.delenv(name)


@pytest.fixture
def section(window: Window, qtbot: QtBot) -> JudgeSection:
    return opened(window, qtbot)


@pytest.fixture
def server() -> Iterator[JudgeServer]:
    with JudgeServer(["FORTSCHRITT"]) as running:
        yield running


def opened(window: Window, qtbot: QtBot) -> JudgeSection:
    window.go("settings")
    settle(window, qtbot)
    pane = window.pane("settings")
    assert isinstance(pane, SettingsPane)
    return pane.judge


def enter(field: QLineEdit, text: str, window: Window, qtbot: QtBot) -> None:
    """Type into a field, as a person does, and leave it."""
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    settle(window, qtbot)


def tried(section: JudgeSection, window: Window, qtbot: QtBot) -> str:
    """Press the button that tries, and wait for what it says."""
    with qtbot.waitSignal(section.trial.ended, timeout=10_000):
        qtbot.keyClick(section.attempt, Qt.Key.Key_Space)
        settle(window, qtbot)
    settle(window, qtbot)
    return section.result.accessibleName()


def test_at_first_nothing_is_set_up_and_nothing_can_be_tried(section: JudgeSection) -> None:
    assert section.state.text() == "Not set up: address and model are missing"
    assert not section.attempt.isEnabled()
    assert not section.forget.isEnabled()
    assert section.key.placeholderText() == "none is kept"
    assert not section.leaving.isVisible()


def test_what_is_typed_is_kept_and_makes_it_ready(
    section: JudgeSection, window: Window, qtbot: QtBot, library: Library, server: JudgeServer
) -> None:
    enter(section.address, server.address, window, qtbot)
    assert section.state.text() == "Not set up: the model is missing"
    enter(section.model, MODEL, window, qtbot)
    assert section.state.text() == "Ready"
    assert section.attempt.isEnabled()
    settings = library.judge.settings()
    assert (settings.address, settings.model) == (server.address, MODEL)
    assert server.exchanges == []


def test_a_key_is_kept_and_never_shown_again(
    section: JudgeSection, window: Window, qtbot: QtBot, server: JudgeServer
) -> None:
    enter(section.address, server.address, window, qtbot)
    enter(section.key, KEY, window, qtbot)
    assert section.key.echoMode() is QLineEdit.EchoMode.Password
    assert section.key.text() == ""
    assert section.key.placeholderText() == "one is kept; type another to replace it"
    (file,) = places.token_folder().iterdir()
    assert KEY in file.read_text()
    qtbot.keyClick(section.forget, Qt.Key.Key_Space)
    settle(window, qtbot)
    assert section.key.placeholderText() == "none is kept"
    assert not file.exists()


def test_what_cannot_be_an_address_is_said_in_a_sentence_and_left_standing(
    section: JudgeSection, window: Window, qtbot: QtBot, library: Library
) -> None:
    enter(section.address, "ftp://host", window, qtbot)
    told = section.result.accessibleName()
    assert told == "Only an address that begins with http:// or https:// can be used."
    assert section.address.text() == "ftp://host"
    assert library.judge.settings().address == ""
    enter(section.address, "http://127.0.0.1:1", window, qtbot)
    assert not section.result.isVisible()
    assert library.judge.settings().address == "http://127.0.0.1:1"


def test_an_address_elsewhere_says_that_texts_leave_the_machine(
    section: JudgeSection, window: Window, qtbot: QtBot
) -> None:
    enter(section.address, "https://api.example.org/v1", window, qtbot)
    assert section.leaving.text().endswith("the texts named below leave yours.")
    assert section.leaving.isVisible()
    enter(section.address, "http://192.168.0.7:8000", window, qtbot)
    assert section.leaving.text().endswith("not encrypted on the way.")
    enter(section.address, "http://localhost:8000", window, qtbot)
    assert not section.leaving.isVisible()


def test_a_trial_says_what_the_judge_answered(
    section: JudgeSection, window: Window, qtbot: QtBot, server: JudgeServer
) -> None:
    enter(section.address, server.address, window, qtbot)
    enter(section.model, MODEL, window, qtbot)
    told = tried(section, window, qtbot)
    assert told == "It answered. Of two sentences of ours it says: progress."
    assert section.attempt.isEnabled()


def test_a_trial_takes_what_is_typed_and_not_yet_left(
    section: JudgeSection, window: Window, qtbot: QtBot, server: JudgeServer
) -> None:
    enter(section.address, server.address, window, qtbot)
    enter(section.model, "missing", window, qtbot)
    section.model.setFocus()
    section.model.selectAll()
    qtbot.keyClicks(section.model, MODEL)
    assert tried(section, window, qtbot).startswith("It answered.")
    assert server.questions[0].body["model"] == MODEL


def test_a_trial_that_fails_says_why_and_the_judge_is_left_alone(
    section: JudgeSection, window: Window, qtbot: QtBot, server: JudgeServer
) -> None:
    enter(section.address, server.address, window, qtbot)
    enter(section.model, "missing", window, qtbot)
    told = tried(section, window, qtbot)
    assert told == "The server does not list this model. Check its name."
    assert section.state.text().startswith("Left alone for another ")
    assert section.attempt.isEnabled()


def test_while_a_slow_server_is_tried_the_window_does_its_work(
    section: JudgeSection, window: Window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMORY_FC_FRIST", "20")

    def when_released(exchange: Exchange) -> None:
        exchange.released.wait()
        exchange.say("UNABHAENGIG")

    with JudgeServer([when_released]) as server:
        enter(section.address, server.address, window, qtbot)
        enter(section.model, MODEL, window, qtbot)
        with qtbot.waitSignal(section.trial.ended, timeout=10_000):
            qtbot.keyClick(section.attempt, Qt.Key.Key_Space)
            settle(window, qtbot)
            assert section.result.accessibleName() == "Asking…"
            assert not section.attempt.isEnabled()
            window.go("memories")
            settle(window, qtbot)
            server.released.set()
        settle(window, qtbot)
    assert section.result.accessibleName().endswith("it says: independent.")


def test_a_lock_is_counted_down(section: JudgeSection) -> None:
    section._show_state(JudgeState(Standing.LOCKED, seconds=12))
    section._tick.timeout.emit()
    assert section.state.text() == "Left alone for another 11 s after a failure"


def test_the_judge_is_switched_off_and_on_by_its_box(
    section: JudgeSection, window: Window, qtbot: QtBot, library: Library, server: JudgeServer
) -> None:
    library.judge.set_address(server.address, PERSON)
    library.judge.set_model(MODEL, PERSON)
    qtbot.keyClick(section.off, Qt.Key.Key_Space)
    settle(window, qtbot)
    assert section.state.text() == "Switched off: nobody is asked"
    assert not section.attempt.isEnabled()
    assert library.judge.state().standing is Standing.SWITCHED_OFF
    qtbot.keyClick(section.off, Qt.Key.Key_Space)
    settle(window, qtbot)
    assert section.state.text() == "Ready"


def test_what_the_environment_sets_is_shown_and_cannot_be_edited(
    window: Window, qtbot: QtBot, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    for end in ("URL", "MODELL", "SCHLUESSEL", "AUS"):
        monkeypatch.setenv(f"MEMORY_FC_{end}", "http://127.0.0.1:1" if end == "URL" else "given")
    section = opened(window, qtbot)
    assert section.address.text() == "http://127.0.0.1:1"
    assert section.model.text() == "given"
    assert section.key.text() == ""
    assert section.key.placeholderText() == "set by the environment"
    assert section.fixed.text() == (
        "Set by the environment and not to be changed here: MEMORY_FC_URL, MEMORY_FC_MODELL, "
        "MEMORY_FC_SCHLUESSEL, MEMORY_FC_AUS"
    )
    assert not section.off.isEnabled()
    assert not section.forget.isEnabled()
    for field in (section.address, section.model, section.key):
        enter(field, "other", window, qtbot)
    assert section.address.text() == "http://127.0.0.1:1"
    assert list(places.token_folder().glob("*")) == []


def test_what_is_sent_is_said_with_the_bounds_that_count(
    window: Window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMORY_FC_ZEICHEN", "120")
    section = opened(window, qtbot)
    told = " ".join(label.text() for label in section.sent)
    assert "at most 120 characters, secrets masked" in told
    assert "no dates, no ids, no entity, no tags" in told
    assert "up to 5 pairs" in told


def test_every_control_has_a_name_in_both_themes(
    section: JudgeSection, window: Window, qtbot: QtBot, qapp: QApplication
) -> None:
    enter(section.address, "http://192.168.0.7:8000", window, qtbot)
    for name in ("dark", "light"):
        theme.apply(qapp, name)
        assert nameless(section) == []


def test_the_section_is_walked_by_the_tab_key(
    section: JudgeSection, window: Window, qtbot: QtBot
) -> None:
    enter(section.address, "http://127.0.0.1:1", window, qtbot)
    enter(section.model, "m", window, qtbot)
    enter(section.key, KEY, window, qtbot)
    section.address.setFocus()
    order = [section.address, section.model, section.key, section.forget, section.off]
    for here, following in zip(order, [*order[1:], section.attempt], strict=True):
        assert QApplication.focusWidget() is here
        qtbot.keyClick(here, Qt.Key.Key_Tab)
        assert QApplication.focusWidget() is following


@pytest.mark.parametrize("failure", list(Failure))
def test_every_failure_has_a_sentence(failure: Failure) -> None:
    tone, sentence = judge_words.trial(Trial(failure=failure, status=401))
    assert tone == "bad"
    assert sentence.endswith((".", "?"))
    assert "{" not in sentence


@pytest.mark.parametrize("standing", list(Standing))
def test_every_state_has_a_sentence_and_a_mark(standing: Standing) -> None:
    state = JudgeState(standing, seconds=3)
    assert judge_words.state(state)
    assert judge_words.mark(state)[1] in ("ok", "warn", "faint")


def test_an_answer_without_a_verdict_is_a_warning() -> None:
    assert judge_words.trial(Trial())[0] == "warning"
