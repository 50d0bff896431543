"""Each test of the blocks begins in the light theme, with the bundled typefaces."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from remembrancer.desktop.look import fonts, theme


@pytest.fixture
def app(qapp: QApplication) -> QApplication:
    return qapp


@pytest.fixture
def show(qtbot: QtBot) -> Callable[[QWidget], None]:
    """Shows a widget as the window that gets the keys."""

    def show_active(widget: QWidget) -> None:
        qtbot.addWidget(widget)
        with qtbot.waitActive(widget):
            widget.show()
            widget.activateWindow()

    return show_active


@pytest.fixture(autouse=True)
def _dressed(app: QApplication) -> None:
    # Widgets of the test before are gone for good, rather than dressed once more.
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    fonts.load(app)
    theme.apply(app, "light")
