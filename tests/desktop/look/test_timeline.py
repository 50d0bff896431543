"""The timeline shows its rows in order, and a row is chosen by mouse and by keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from remembrancer.desktop.look.timeline import ROW_HEIGHT, Timeline, TimelineRow

ROWS = [
    TimelineRow("circle-dot", "Now", "Confirmed", "cursor", "+0 −0", "today", "accent"),
    TimelineRow("pencil", "r4", "Reworded", "you", "+2 −1", "19 June"),
    TimelineRow("sparkles", "r1", "Written\u202e from a chat", "cursor", "+4", "28 May"),
]


@pytest.fixture
def timeline(qtbot: QtBot) -> Timeline:
    made = Timeline("Revisions")
    qtbot.addWidget(made)
    made.set_rows(ROWS)
    made.resize(700, 200)
    made.show()
    return made


def test_the_model_is_a_proper_one_before_and_after_new_rows(timeline: Timeline) -> None:
    QAbstractItemModelTester(timeline.rows(), QAbstractItemModelTester.FailureReportingMode.Fatal)
    timeline.set_rows(ROWS[:1])
    timeline.set_rows(())
    assert timeline.rows().rowCount() == 0


def test_a_click_tells_the_number_of_the_row(timeline: Timeline, qtbot: QtBot) -> None:
    place = timeline.visualRect(timeline.rows().index(1)).center()
    with qtbot.waitSignal(timeline.chosen) as told:
        qtbot.mouseClick(timeline.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert told.args == [1]


def test_arrow_keys_move_and_return_tells_the_row(timeline: Timeline, qtbot: QtBot) -> None:
    timeline.setCurrentIndex(timeline.rows().index(0))
    qtbot.keyClick(timeline, Qt.Key.Key_Down)
    qtbot.keyClick(timeline, Qt.Key.Key_Down)
    with qtbot.waitSignal(timeline.chosen) as told:
        qtbot.keyClick(timeline, Qt.Key.Key_Return)
    assert told.args == [2]


def test_return_without_a_row_tells_nothing(qtbot: QtBot) -> None:
    empty = Timeline("Revisions")
    qtbot.addWidget(empty)
    with qtbot.assertNotEmitted(empty.chosen):
        qtbot.keyClick(empty, Qt.Key.Key_Return)


def test_a_screen_reader_hears_each_row_whole(timeline: Timeline) -> None:
    face = QAccessible.queryAccessibleInterface(timeline)
    assert face.text(QAccessible.Text.Name) == "Revisions"
    heard = [face.child(number).text(QAccessible.Text.Name) for number in range(face.childCount())]
    assert "r4, Reworded, you, +2 −1, 19 June" in heard
    assert "r1, Written⟨RLO⟩ from a chat, cursor, +4, 28 May" in heard


def test_the_list_asks_for_the_height_of_its_rows(timeline: Timeline) -> None:
    assert timeline.sizeHint().height() == 3 * ROW_HEIGHT


@pytest.mark.parametrize("width", [260, 440, 900])
def test_the_rows_are_drawn_at_every_width(timeline: Timeline, width: int) -> None:
    timeline.resize(width, 200)
    timeline.setCurrentIndex(timeline.rows().index(1))
    image = timeline.grab().toImage()
    assert image.width() == width
