"""What a screen reader finds: every control of every place has a name."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from remembrancer.core.author import PERSON
from remembrancer.core.memory import Draft
from remembrancer.desktop.window import PLACES, Window
from remembrancer.service.desk import Doing
from remembrancer.service.graph import NewEntity, Triple
from remembrancer.service.library import Library

from .conftest import settle

ME: Doing = {"author": PERSON, "origin": "test"}
CONTROLS = {
    QAccessible.Role.Button,
    QAccessible.Role.CheckBox,
    QAccessible.Role.RadioButton,
    QAccessible.Role.ComboBox,
    QAccessible.Role.EditableText,
    QAccessible.Role.SpinBox,
    QAccessible.Role.Table,
    QAccessible.Role.List,
    QAccessible.Role.Tree,
    QAccessible.Role.Slider,
    QAccessible.Role.Link,
}


@pytest.fixture
def filled(library: Library) -> Library:
    library.graph.create([NewEntity("nas", "device", ("has two disks",))], **ME)
    library.graph.create([NewEntity("router", "device")], **ME)
    library.graph.relate([Triple("router", "nas", "feeds")], **ME)
    library.memories.remember(Draft("The share is called backup", "nas"), **ME)
    library.agents.add("cursor", **ME)
    return library


def walk(widget: QWidget) -> Iterator[QWidget]:
    """Every widget that can be seen."""
    for child in widget.findChildren(QWidget):
        if child.isVisibleTo(widget):
            yield child


def spoken(widget: QWidget) -> tuple[QAccessible.Role, str]:
    """What kind of thing a screen reader says it is, and its name."""
    interface = QAccessible.queryAccessibleInterface(widget)
    assert isinstance(interface, QAccessibleInterface)
    return interface.role(), interface.text(QAccessible.Text.Name)


def nameless(window: Window) -> list[str]:
    found: list[str] = []
    for widget in walk(window):
        if widget.objectName().startswith("qt_") or type(widget).__name__ == "QScrollBar":
            continue
        inside = isinstance(widget.parent(), QWidget) and _is_part(widget)
        role, name = spoken(widget)
        focusable = widget.focusPolicy() & Qt.FocusPolicy.TabFocus == Qt.FocusPolicy.TabFocus
        if not inside and not name and (role in CONTROLS or focusable) and widget.isEnabled():
            found.append(f"{type(widget).__name__} in {type(widget.parent()).__name__} ({role})")
    return found


def _is_part(widget: QWidget) -> bool:
    """The line edit of a spin box, the clear button of a line edit: parts speak as their whole."""
    parent = widget.parent()
    kinds = ("QSpinBox", "QDoubleSpinBox", "QDateEdit", "QComboBox", "QLineEdit", "QTableView")
    return any(parent.inherits(kind) for kind in kinds) if parent is not None else False


@pytest.mark.parametrize("place", PLACES)
def test_every_control_of_a_place_has_a_name(
    filled: Library, window: Window, qtbot: QtBot, place: str
) -> None:
    window.go(place)
    settle(window, qtbot)
    window.pane(place).pose()
    settle(window, qtbot)
    assert nameless(window) == []


@pytest.mark.parametrize("place", PLACES)
def test_an_empty_store_opens_in_every_place(window: Window, qtbot: QtBot, place: str) -> None:
    window.go(place)
    settle(window, qtbot)
    assert window.place == place
    assert nameless(window) == []


def test_the_editor_names_every_field(filled: Library, window: Window, qtbot: QtBot) -> None:
    window.go("memories", new=True)
    settle(window, qtbot)
    assert nameless(window) == []


def test_the_walk_notices_a_control_without_a_name(window: Window, qtbot: QtBot) -> None:
    mute = QLineEdit(window.pane("review"))
    mute.show()
    assert nameless(window) == ["QLineEdit in ReviewPane (Role.EditableText)"]
