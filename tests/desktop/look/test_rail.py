"""The rail leads to the places of the window, by mouse and by keyboard."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget
from pytestqt.qtbot import QtBot

from remembrancer.desktop.look.rail import Rail, RailButton, RailEntry, ServerCard

PLACES = [
    RailEntry("review", "inbox", "Review"),
    RailEntry("memories", "library", "Memories"),
    RailEntry("graph", "waypoints", "Graph"),
]


@pytest.fixture
def rail(show: Callable[[QWidget], None]) -> Rail:
    made = Rail("Remembrancer", PLACES, RailEntry("settings", "settings", "Settings"))
    made.resize(208, 600)
    show(made)
    return made


def button(rail: Rail, key: str) -> RailButton:
    return next(b for b in rail.findChildren(RailButton) if b.entry.key == key)


def name(widget: QAbstractButton) -> str:
    return QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)


def test_pressing_a_place_chooses_it_and_tells_its_key(rail: Rail, qtbot: QtBot) -> None:
    rail.choose("review")
    with qtbot.waitSignal(rail.chosen) as told:
        qtbot.mouseClick(button(rail, "graph"), Qt.MouseButton.LeftButton)
    assert told.args == ["graph"]
    assert rail.current() == "graph"


def test_arrow_keys_go_from_place_to_place(rail: Rail, qtbot: QtBot) -> None:
    rail.choose("review")
    button(rail, "review").setFocus()
    with qtbot.waitSignal(rail.chosen) as told:
        qtbot.keyClick(button(rail, "review"), Qt.Key.Key_Down)
    assert told.args == ["memories"]
    assert QApplication.focusWidget() is button(rail, "memories")


def test_settings_are_a_place_too(rail: Rail, qtbot: QtBot) -> None:
    with qtbot.waitSignal(rail.chosen) as told:
        qtbot.keyClick(button(rail, "settings"), Qt.Key.Key_Space)
    assert told.args == ["settings"]


def test_choosing_from_the_program_tells_nothing(rail: Rail, qtbot: QtBot) -> None:
    assert rail.current() == ""
    with qtbot.assertNotEmitted(rail.chosen):
        rail.choose("memories")
    assert rail.current() == "memories"


def test_a_screen_reader_hears_numbers_and_the_live_dot(rail: Rail) -> None:
    rail.set_badge("review", 23)
    rail.set_live("graph", True)
    assert [name(button(rail, place.key)) for place in PLACES] == [
        "Review, 23",
        "Memories",
        "Graph, active",
    ]


@pytest.mark.parametrize("nothing", [0, "", None])
def test_a_number_goes_away_again(rail: Rail, nothing: int | str | None) -> None:
    rail.set_badge("review", "1000+")
    rail.set_badge("review", nothing)
    assert name(button(rail, "review")) == "Review"


def test_numbers_and_dots_are_drawn(rail: Rail) -> None:
    plain = rail.grab().toImage()
    rail.set_badge("review", 23)
    numbered = rail.grab().toImage()
    rail.set_live("graph", True)
    assert plain != numbered != rail.grab().toImage()


def test_the_servers_card_says_its_state_and_can_be_pressed(rail: Rail, qtbot: QtBot) -> None:
    assert not rail.findChildren(ServerCard)[0].isVisible()
    rail.set_server("ok", "MCP server on", ["2 agents connected", "last write 12 s ago"])
    card = rail.findChildren(ServerCard)[0]
    assert name(card) == "MCP server on. 2 agents connected. last write 12 s ago"
    with qtbot.waitSignal(rail.server_pressed):
        qtbot.keyClick(card, Qt.Key.Key_Space)
