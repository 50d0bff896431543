"""Whoever cannot see the window hears what each control is."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from remembrancer.core.author import PERSON
from remembrancer.core.memory import Draft
from remembrancer.desktop.window import Window
from remembrancer.service.library import Library

from .conftest import settle

CONTROLS = (
    QAbstractButton, QAbstractItemView, QAbstractSpinBox, QComboBox, QLineEdit, QPlainTextEdit,
)  # fmt: skip


@pytest.mark.parametrize("place", ["recall", "agents", "settings"])
def test_every_control_has_a_name(
    place: str, window: Window, qtbot: QtBot, library: Library
) -> None:
    library.memories.remember(Draft("It is grey."), author=PERSON, origin="test")
    library.agents.add("cursor", author=PERSON, origin="test")
    window.go(place)
    settle(window, qtbot)
    assert [type(w).__name__ for w in controls(window.pane(place)) if not name(w)] == []


def controls(pane: QWidget) -> list[QWidget]:
    found = [w for w in pane.findChildren(QWidget) if isinstance(w, CONTROLS)]
    return [w for w in found if w.isVisibleTo(pane) and not is_inner(w)]


def is_inner(widget: QWidget) -> bool:
    """Whether Qt made it as a part of another control, which has the name."""
    return isinstance(widget.parentWidget(), CONTROLS)


def name(widget: QWidget) -> str:
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.text(QAccessible.Text.Name) if interface is not None else ""
