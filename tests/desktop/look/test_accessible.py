"""Everything a person can use has a name that a screen reader can say."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from remembrancer.core.diff import compare
from remembrancer.desktop.look.browser import SafeBrowser
from remembrancer.desktop.look.buttons import (
    ChipRow,
    Choice,
    IconButton,
    KeyButton,
    LinkButton,
    PillButton,
    SegmentedControl,
)
from remembrancer.desktop.look.cards import CardList
from remembrancer.desktop.look.chips import ChipSpec
from remembrancer.desktop.look.diff_view import DiffView
from remembrancer.desktop.look.labels import Banner, EmptyState, Message
from remembrancer.desktop.look.rail import Rail, RailEntry
from remembrancer.desktop.look.timeline import Timeline, TimelineRow

_Role = QAccessible.Role
USABLE = {
    _Role.Button,
    _Role.CheckBox,
    _Role.RadioButton,
    _Role.ComboBox,
    _Role.EditableText,
    _Role.Table,
    _Role.List,
    _Role.ListItem,
}


def blocks() -> list[QWidget]:
    timeline = Timeline("Revisions")
    timeline.set_rows([TimelineRow("pencil", "r1", "Written")])
    diff = DiffView()
    diff.show_rows(compare("a", "b"), "old", "new")
    rail = Rail("R", [RailEntry("a", "inbox", "Review")], RailEntry("s", "settings", "Settings"))
    rail.set_server("ok", "Server on")
    return [
        KeyButton("check", "Still true", "Y", primary=True),
        IconButton("x", "Close"),
        LinkButton("Compare"),
        PillButton("2 new — show"),
        ChipRow([ChipSpec("all", "All", 3)], name="Filters"),
        SegmentedControl([("kind", "Kind"), ("scope", "Scope")], "Colour by"),
        Choice([("en", "English")], "Language"),
        Banner(Message("info", "Changed.", buttons=(("compare", "Compare"),))),
        EmptyState("inbox", "Nothing", "Really.", "Show all"),
        rail,
        CardList("Memories"),
        SafeBrowser("Memory"),
        timeline,
        diff,
    ]


def walk(face: QAccessibleInterface) -> Iterator[QAccessibleInterface]:
    yield face
    for number in range(face.childCount()):
        child = face.child(number)
        if child and not child.state().invisible:
            yield from walk(child)


def test_everything_usable_has_a_name(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    for block in blocks():
        column.addWidget(block)
    window.show()
    usable = [
        face for face in walk(QAccessible.queryAccessibleInterface(window)) if face.role() in USABLE
    ]
    nameless = [
        (face.role().name, face.object().metaObject().className() if face.object() else "")
        for face in usable
        if not face.text(QAccessible.Text.Name)
    ]
    assert nameless == []
    assert len(usable) > 15
