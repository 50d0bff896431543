"""The command palette finds actions, memories and entities, does them, and says why not."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from remembrancer.core.author import PERSON
from remembrancer.core.memory import Draft
from remembrancer.desktop.palette import Palette
from remembrancer.desktop.preferences import PreferenceFile
from remembrancer.desktop.window import Window
from remembrancer.service.library import Library

from .conftest import settle
from .speaking import nameless


def opened(window: Window, qtbot: QtBot) -> Palette:
    window.actions_table["view.palette"].trigger()
    palette = window.findChild(Palette)
    assert palette is not None
    QAbstractItemModelTester(palette.model, palette.model)
    qtbot.waitUntil(palette.isVisible)
    return palette


def test_a_few_letters_and_return_lead_to_a_place_and_that_is_remembered(
    window: Window, qtbot: QtBot
) -> None:
    palette = opened(window, qtbot)
    assert nameless(palette) == []
    qtbot.keyClicks(palette.box, "go graf")
    chosen = palette.chosen()
    assert chosen is not None
    assert (chosen.id, chosen.key) == ("go.graph", "Ctrl+3")
    qtbot.keyClick(palette.box, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.place == "graph")
    assert PreferenceFile().now.palette == ["go.graph"]


def test_what_is_not_possible_now_says_why_and_does_nothing(window: Window, qtbot: QtBot) -> None:
    palette = opened(window, qtbot)
    hindered = {row.id: row.hindrance for row in palette._actions}
    assert hindered["edit.undo"] == "Nothing to undo"
    assert hindered["graph.fit"] == "Only in Graph"
    assert hindered["go.graph"] == ""
    palette.box.setText("show everything")
    qtbot.keyClick(palette.box, Qt.Key.Key_Return)
    assert palette.isVisible()
    assert palette.hint.text() == "Only in Graph"
    palette.reject()


def test_memories_and_entities_are_found_by_typing(
    library: Library, window: Window, qtbot: QtBot
) -> None:
    library.memories.remember(Draft("The share is called zebra"), author=PERSON, origin="test")
    palette = opened(window, qtbot)
    palette.box.setText("zebra")
    qtbot.waitUntil(lambda: any(r.id == "memory:1" for r in palette.model.rows), timeout=5_000)
    palette.reject()


def test_f6_moves_between_rail_and_place(window: Window, qtbot: QtBot) -> None:
    window.go("memories")
    settle(window, qtbot)
    seen: list[bool] = []
    for _ in range(4):
        window.actions_table["view.area"].trigger()
        focused = QApplication.focusWidget()
        seen.append(focused is not None and window.rail.isAncestorOf(focused))
    assert True in seen
    assert False in seen
