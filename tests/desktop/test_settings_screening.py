"""Secrets in Settings, driven by keys: found, masked, kept on purpose, brought back, forgotten."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from notation import WINDOW, build
from remembrancer.core.memory import Draft, Memory
from remembrancer.desktop.look import theme
from remembrancer.desktop.settings.pane import SettingsPane
from remembrancer.desktop.settings.screening_section import ScreeningSection
from remembrancer.desktop.window import Window
from remembrancer.service.library import Library
from remembrancer.service.one_path import Secrets

from .conftest import settle
from .speaking import nameless

# Put together at run time, so that none stands in this file.
TOKEN = "gh" + "p_" + "aB3dE6" * 6
PHRASE = "Zq7" + "kLp2xVt9"


def app() -> QApplication:
    found = QApplication.instance()
    assert isinstance(found, QApplication)
    return found


@pytest.fixture
def stored(library: Library) -> list[Memory]:
    """Two memories with secrets from the time before anything was screened."""
    build(library, "nas: two disks")
    texts = (f"use {TOKEN} for the backup", f"Das Kennwort der Tür lautet {PHRASE}")
    found = [
        library.memories.remember(Draft(t, "nas"), secrets=Secrets.KEEP, **WINDOW) for t in texts
    ]
    store = library._store
    store.write(lambda: store.connections.sql("DELETE FROM spared"))
    return found


@pytest.fixture
def section(stored: list[Memory], window: Window, qtbot: QtBot) -> ScreeningSection:
    return opened(window, qtbot)


def opened(window: Window, qtbot: QtBot) -> ScreeningSection:
    window.go("settings")
    settle(window, qtbot)
    pane = window.pane("settings")
    assert isinstance(pane, SettingsPane)
    return pane.screening


def press(button: QPushButton, window: Window, qtbot: QtBot) -> None:
    qtbot.keyClick(button, Qt.Key.Key_Space)
    settle(window, qtbot)


def scan(section: ScreeningSection, window: Window, qtbot: QtBot) -> None:
    press(section.scan, window, qtbot)
    qtbot.waitUntil(lambda: section.scan.isVisible() and not section._look.isActive())
    settle(window, qtbot)


def rows(section: ScreeningSection) -> list[str]:
    model = section.model
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def grab(section: ScreeningSection, name: str) -> None:
    folder = os.environ.get("PICTURES")
    if folder:
        section.grab().save(str(Path(folder) / f"{name}.png"))


def test_before_a_scan_there_is_only_the_button_for_one(section: ScreeningSection) -> None:
    assert section.state.text() == "Not scanned yet"
    assert not section.table.isVisible()
    assert not section.mask_all.isVisible()
    assert not section.forget.isVisible()
    grab(section, "empty-light")


def test_a_scan_lists_what_it_finds_with_masked_excerpts(
    section: ScreeningSection, window: Window, qtbot: QtBot
) -> None:
    scan(section, window, qtbot)
    assert section.state.text() == "2 found (now)"
    assert rows(section) == [
        "m-2: text, earlier revisions; github token; use [REDACTED:github_token] for the backup",
        "m-3: text, earlier revisions; labelled secret; "
        "Das Kennwort der Tür lautet [REDACTED:labelled_secret]",
    ]
    assert not section.mask_chosen.isEnabled()
    assert nameless(section) == []
    for name in ("light", "dark"):
        theme.apply(app(), name)
        section.table.selectRow(0)
        grab(section, f"found-{name}")
    theme.apply(app(), "light")


def test_chosen_ones_are_masked_and_undo_brings_them_back(
    section: ScreeningSection, window: Window, qtbot: QtBot, library: Library
) -> None:
    scan(section, window, qtbot)
    section.table.selectRow(0)
    press(section.mask_chosen, window, qtbot)
    assert library.memories.get(2).content == "use [REDACTED:github_token] for the backup"
    assert library.memories.get(3).content.endswith(PHRASE)
    assert section.model.rowCount() == 1
    assert section.bring_back.isVisible()
    grab(section, "masked-light")
    window.deeds.undo()
    settle(window, qtbot)
    assert library.memories.get(2).content == f"use {TOKEN} for the backup"


def test_all_are_masked_and_the_button_brings_them_back(
    section: ScreeningSection, window: Window, qtbot: QtBot, library: Library
) -> None:
    scan(section, window, qtbot)
    press(section.mask_all, window, qtbot)
    assert section.result.isVisible()
    assert not section.table.isVisible()
    press(section.bring_back, window, qtbot)
    qtbot.waitUntil(lambda: not section._look.isActive())
    settle(window, qtbot)
    assert TOKEN in library.memories.get(2).content
    assert not section.bring_back.isVisible()


def test_what_is_kept_on_purpose_is_not_found_again(
    section: ScreeningSection, window: Window, qtbot: QtBot
) -> None:
    scan(section, window, qtbot)
    section.table.selectAll()
    press(section.keep, window, qtbot)
    assert section.model.rowCount() == 0
    scan(section, window, qtbot)
    assert section.state.text() == "Nothing found that looks like a secret (now)"


def test_forgetting_for_good_asks_first(
    section: ScreeningSection, window: Window, qtbot: QtBot, library: Library
) -> None:
    scan(section, window, qtbot)
    press(section.mask_all, window, qtbot)
    answer(section, window, qtbot, "Cancel")
    assert library.screening.sealed()
    answer(section, window, qtbot, "Forget for good")
    assert library.screening.sealed() == []
    assert TOKEN.encode() not in library.path.read_bytes()
    assert not section.forget.isVisible()


def answer(section: ScreeningSection, window: Window, qtbot: QtBot, words: str) -> None:
    press(section.forget, window, qtbot)
    box = section.findChild(QMessageBox)
    assert box is not None
    button = next(b for b in box.buttons() if b.text().replace("&", "") == words)
    qtbot.keyClick(button, Qt.Key.Key_Space)
    settle(window, qtbot)
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
