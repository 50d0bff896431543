"""Two texts face each other line by line, and the keys lead from change to change."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from remembrancer.core.diff import compare
from remembrancer.desktop.look import theme
from remembrancer.desktop.look.diff_side import new_line
from remembrancer.desktop.look.diff_view import DiffView
from remembrancer.desktop.look.markdown import blocks

OLD = "same\nthe old word\nstays\ngone\nend\n" + "tail\n" * 60 + "last old"
NEW = "same\nthe new word\nstays\nend\n" + "tail\n" * 60 + "last new " + "and much longer " * 20


@pytest.fixture
def view(show: Callable[[QWidget], None]) -> DiffView:
    made = DiffView()
    made.resize(700, 400)
    show(made)
    made.show_rows(compare(OLD, NEW), "Revision 1", "Now")
    return made


def picture(view: DiffView, rows: int) -> list[str]:
    """The signs and the lines of the first `rows` rows, both sides."""
    sides = view.sides()
    blocks = [
        [side.document().findBlockByNumber(row).text() for row in range(rows)] for side in sides
    ]
    return [
        f"{sides[0].sign_of(row):1}{blocks[0][row]} | {sides[1].sign_of(row):1}{blocks[1][row]}"
        for row in range(rows)
    ]


def words(view: DiffView) -> list[str]:
    return [label.text() for label in view.findChildren(QLabel) if label.isVisible()]


def colors_in(image: QImage) -> set[str]:
    size = image.size()
    return {
        image.pixelColor(x, y).name()
        for x in range(0, size.width(), 2)
        for y in range(0, size.height(), 2)
    }


def test_lines_face_each_other_with_signs_and_gaps(view: DiffView) -> None:
    assert picture(view, 5) == [
        " same |  same",
        "−the old word | +the new word",
        " stays |  stays",
        "−gone |  ",
        " end |  end",
    ]


def facing(view: DiffView) -> bool:
    """Whether each row begins at the same height on both sides."""
    left, right = (
        [
            side.document().documentLayout().blockBoundingRect(block).top()
            for block in blocks(side.document())
        ]
        for side in view.sides()
    )
    return left == pytest.approx(right)


@pytest.mark.parametrize("width", [700, 360, 1200])
def test_each_row_is_as_high_as_its_counterpart(view: DiffView, qtbot: QtBot, width: int) -> None:
    view.resize(width, 400)
    qtbot.waitUntil(lambda: facing(view))
    rows = [block.layout().lineCount() for block in blocks(view.sides()[1].document())]
    assert max(rows) > 1


def test_neighbouring_rows_that_differ_are_one_change(view: DiffView) -> None:
    assert view.change_count() == 3
    view.show_rows(compare("a\nb\nc", "x\ny\nc"), "", "")
    assert view.change_count() == 1


def test_the_keys_n_and_p_go_from_change_to_change(view: DiffView, qtbot: QtBot) -> None:
    places = []
    view.sides()[0].setFocus()
    for key in (Qt.Key.Key_N, Qt.Key.Key_N, Qt.Key.Key_N, Qt.Key.Key_N, Qt.Key.Key_P):
        qtbot.keyClick(QApplication.focusWidget(), key)
        places.append(view.current_change())
    assert places == [0, 1, 2, 2, 1]
    assert "Change 2 of 3" in words(view)


def test_going_to_a_change_brings_it_into_sight_on_both_sides(view: DiffView) -> None:
    for _ in range(3):
        view.next_change()
    for side in view.sides():
        assert 65 in [row for row, _ in side.visible_rows()]


def test_a_move_is_told(view: DiffView, qtbot: QtBot) -> None:
    with qtbot.waitSignal(view.moved) as told:
        view.next_change()
    assert told.args == [0]


def test_both_sides_scroll_as_one(view: DiffView) -> None:
    left, right = (side.verticalScrollBar() for side in view.sides())
    left.setValue(200)
    assert right.value() == 200
    right.setValue(90)
    assert left.value() == 90


def test_before_the_first_move_the_number_of_changes_is_shown(view: DiffView) -> None:
    assert "Changes: 3" in words(view)
    assert {"Revision 1", "Now"} <= set(words(view))


def test_two_equal_texts_are_said_to_be_the_same(view: DiffView) -> None:
    view.show_rows(compare("a", "a"), "r1", "r2")
    assert "These two are the same" in words(view)
    assert not any(side.isVisible() for side in view.sides())
    view.next_change()
    assert (view.change_count(), view.current_change()) == (0, -1)


@pytest.mark.parametrize("name", ["light", "dark"])
def test_rows_words_and_gaps_have_their_grounds(
    view: DiffView, app: QApplication, name: str
) -> None:
    theme.apply(app, name)
    worn = theme.current()
    left, right = (colors_in(side.grab().toImage()) for side in view.sides())
    assert {worn.color("delrow").name(), worn.color("delmark").name()} <= left
    assert {worn.color("addrow").name(), worn.color("addmark").name()} <= right
    assert worn.color("gap").name() in right


def test_the_current_change_has_a_bar_beside_it(view: DiffView) -> None:
    bar = theme.current().color("accent").name()
    assert bar not in colors_in(view.sides()[0].grab().toImage())
    view.next_change()
    assert bar in colors_in(view.sides()[0].grab().toImage())


def test_marks_stay_on_their_words_behind_emoji_and_hidden_characters() -> None:
    [row] = compare("👩 a\u202eb old end", "👩 a\u202eb new end")
    line = new_line(row)
    assert line.text == "👩 a⟨RLO⟩b new end"
    [(start, length)] = line.marks
    units = line.text.encode("utf-16-le")
    assert units[start * 2 : (start + length) * 2].decode("utf-16-le") == "new"


def test_a_line_with_a_return_inside_stays_one_row(view: DiffView) -> None:
    view.show_rows(compare("a\rb\nc", "a\rb\nd"), "", "")
    assert picture(view, 2) == [" a⏎b |  a⏎b", "−c | +d"]


def test_a_very_long_difference_is_shown_in_parts(view: DiffView) -> None:
    view.show_rows(compare("word\n" * 3_000, "word\n" * 2_999 + "other\n"), "", "")
    assert all(side.document().blockCount() <= 1_501 for side in view.sides())
    assert "other" not in view.sides()[1].toPlainText()
    view.next_change()
    assert "other" in view.sides()[1].toPlainText()
    view.turn_to(0)
    assert "other" not in view.sides()[1].toPlainText()


def test_an_endless_line_is_shown_in_rows_of_bounded_length(view: DiffView) -> None:
    view.show_rows(compare("x" * 30_000, "x" * 30_001), "", "")
    assert view.change_count() == 1
    for side in view.sides():
        block = side.document().begin()
        while block.isValid():
            assert block.length() <= 1_001
            block = block.next()
