"""The real window over a real store: what the tests of the places stand on."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from remembrancer.desktop.look import fonts, theme
from remembrancer.desktop.preferences import PreferenceFile
from remembrancer.desktop.window import Window
from remembrancer.service.library import Library


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own for settings, tokens and backups."""
    monkeypatch.setenv("REMEMBRANCER_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def window(qtbot: QtBot, qapp: QApplication, library: Library, home: Path) -> Iterator[Window]:
    """The window, open on `library`, without a host; its threads end with the test."""
    before = set(threading.enumerate())
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    fonts.load(qapp)
    theme.apply(qapp, "light")
    preferences = PreferenceFile()
    preferences.change(serve=False)
    opened = Window(library, preferences)
    with qtbot.waitActive(opened):
        opened.show()
        opened.activateWindow()
    settle(opened, qtbot)
    yield opened
    settle(opened, qtbot)
    opened.shut()
    opened.hide()
    opened.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    ours = {t for t in threading.enumerate() if not t.name.startswith("store-")}
    assert {t.name for t in ours - before} <= {"QThread", "Dummy-1"}, "a thread outlived the window"


def settle(window: Window, qtbot: QtBot) -> None:
    """Wait until the window has done and shown everything that is under way."""

    def idle() -> bool:
        window.feed.look()
        QApplication.processEvents()
        return window.background.idle

    for _ in range(3):  # what comes back may ask for more
        qtbot.waitUntil(idle, timeout=10_000)
    if not window.isActiveWindow():  # the window of the test before may have taken the keys along
        with qtbot.waitActive(window):
            window.activateWindow()
