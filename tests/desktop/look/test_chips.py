"""Chips and segments are chosen by mouse and by arrow keys, and tell which one it was."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractButton, QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from remembrancer.desktop.look.buttons import ChipRow, Choice, KeyButton, SegmentedControl
from remembrancer.desktop.look.chips import ChipSpec
from remembrancer.desktop.look.flow import FlowLayout

CHIPS = [ChipSpec("all", "All", 23), ChipSpec("stale", "Stale", 11), ChipSpec("weak", "Weak")]


@pytest.fixture
def row(show: Callable[[QWidget], None]) -> ChipRow:
    made = ChipRow(CHIPS, name="Filters")
    show(made)
    return made


def test_the_first_chip_is_on_at_the_beginning(row: ChipRow) -> None:
    assert row.keys_on() == ["all"]


def test_pressing_a_chip_chooses_it_alone_and_tells_its_key(row: ChipRow, qtbot: QtBot) -> None:
    with qtbot.waitSignal(row.chosen) as told:
        qtbot.mouseClick(row.chip("stale"), Qt.MouseButton.LeftButton)
    assert told.args == ["stale"]
    assert row.keys_on() == ["stale"]


def test_arrow_keys_go_from_chip_to_chip(row: ChipRow, qtbot: QtBot) -> None:
    row.chip("all").setFocus()
    with qtbot.waitSignal(row.chosen) as told:
        qtbot.keyClick(row.chip("all"), Qt.Key.Key_Right)
    assert told.args == ["stale"]
    assert QApplication.focusWidget() is row.chip("stale")


def test_choosing_from_the_program_tells_nothing(row: ChipRow, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(row.chosen):
        row.choose("weak")
    assert row.keys_on() == ["weak"]


def test_a_screen_reader_hears_the_count_and_whether_a_chip_is_on(row: ChipRow) -> None:
    face = QAccessible.queryAccessibleInterface(row.chip("all"))
    assert face.text(QAccessible.Text.Name) == "All, 23"
    assert face.state().checked
    assert face.role() in (QAccessible.Role.RadioButton, QAccessible.Role.CheckBox)


def test_new_counts_are_shown(row: ChipRow) -> None:
    row.set_counts({"stale": "1000+", "nobody": 3})
    assert [row.chip(key).count_text() for key in ("all", "stale", "weak")] == ["23", "1000+", ""]


def test_other_chips_keep_what_was_on(row: ChipRow) -> None:
    row.choose("stale")
    row.set_chips([ChipSpec("new", "New"), ChipSpec("stale", "Stale", 2)])
    assert row.keys_on() == ["stale"]
    row.set_chips([ChipSpec("new", "New"), ChipSpec("old", "Old")])
    assert row.keys_on() == ["new"]


def test_chips_that_may_be_on_together_are_switched_one_by_one(qtbot: QtBot) -> None:
    row = ChipRow(CHIPS, exclusive=False)
    qtbot.addWidget(row)
    assert row.keys_on() == []
    for key in ("weak", "all"):
        qtbot.mouseClick(row.chip(key), Qt.MouseButton.LeftButton)
    assert row.keys_on() == ["all", "weak"]


def test_chips_that_may_be_on_together_are_all_reached_by_tab(
    qtbot: QtBot, show: Callable[[QWidget], None]
) -> None:
    row = ChipRow(CHIPS, exclusive=False)
    show(row)
    row.chip("all").setFocus()
    for key in (Qt.Key.Key_Space, Qt.Key.Key_Tab, Qt.Key.Key_Tab, Qt.Key.Key_Space):
        qtbot.keyClick(QApplication.focusWidget(), key)
    assert row.keys_on() == ["all", "weak"]


def test_tab_leaves_a_row_of_which_one_is_on_after_one_step(
    qtbot: QtBot, show: Callable[[QWidget], None]
) -> None:
    window, row, after = QWidget(), ChipRow(CHIPS), KeyButton("check", "After")
    column = QVBoxLayout(window)
    column.addWidget(row)
    column.addWidget(after)
    show(window)
    row.chip("all").setFocus()
    qtbot.keyClick(row.chip("all"), Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is after


def test_a_narrow_row_goes_on_in_a_second_line(row: ChipRow) -> None:
    wide, narrow = row.heightForWidth(600), row.heightForWidth(120)
    assert wide == 28
    assert narrow > 2 * wide


def test_a_hidden_widget_takes_no_room_in_a_line(qtbot: QtBot) -> None:
    place = QWidget()
    qtbot.addWidget(place)
    flow = FlowLayout(place, gap=10)
    for hidden in (False, True, False):
        box = QWidget(place)
        box.setFixedSize(50, 20)
        flow.addWidget(box)
        box.setHidden(hidden)
    flow.setGeometry(QRect(0, 0, 200, 40))
    assert flow.sizeHint().width() == 110
    assert [flow.itemAt(number).geometry().left() for number in (0, 2)] == [0, 60]  # type: ignore[union-attr]


def test_a_segment_is_chosen_and_told(qtbot: QtBot, show: Callable[[QWidget], None]) -> None:
    control = SegmentedControl([("kind", "Kind"), ("scope", "Scope")], "Colour by")
    show(control)
    assert control.current() == "kind"
    kind = next(button for button in control.findChildren(QAbstractButton) if button.isChecked())
    kind.setFocus()
    with qtbot.waitSignal(control.chosen) as told:
        qtbot.keyClick(kind, Qt.Key.Key_Right)
    assert told.args == ["scope"]
    assert control.current() == "scope"
    with pytest.raises(KeyError):
        control.choose("colour")


def test_a_choice_gives_the_key_behind_its_words(qtbot: QtBot) -> None:
    choice = Choice([("en", "English"), ("de", "Deutsch")], "Language")
    qtbot.addWidget(choice)
    choice.choose("de")
    choice.grab()
    assert (choice.current(), choice.currentText()) == ("de", "Deutsch")
    with pytest.raises(KeyError):
        choice.choose("fr")
