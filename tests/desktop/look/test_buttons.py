"""Buttons are pressed by mouse and by keyboard, and say what they do to a screen reader."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractButton, QApplication
from pytestqt.qtbot import QtBot

from remembrancer.desktop.look import theme
from remembrancer.desktop.look.buttons import IconButton, KeyButton, LinkButton, PillButton

MAKERS: list[Callable[[], QAbstractButton]] = [
    lambda: KeyButton("check", "Still true", "Y", primary=True),
    lambda: KeyButton("pencil", "Edit", "E"),
    lambda: IconButton("x", "Close"),
    lambda: IconButton("x", "Close", flat=True),
    lambda: LinkButton("Compare"),
    lambda: PillButton("2 new — show"),
]


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("by", ["mouse", "Space"])
def test_a_button_is_pressed_by_mouse_and_by_keyboard(
    qtbot: QtBot, make: Callable[[], QAbstractButton], by: str
) -> None:
    button = make()
    qtbot.addWidget(button)
    button.show()
    with qtbot.waitSignal(button.clicked):
        if by == "mouse":
            qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        else:
            qtbot.keyClick(button, Qt.Key.Key_Space)


@pytest.mark.parametrize("make", MAKERS)
def test_a_button_has_a_name_and_is_a_button_for_a_screen_reader(
    qtbot: QtBot, make: Callable[[], QAbstractButton]
) -> None:
    button = make()
    qtbot.addWidget(button)
    face = QAccessible.queryAccessibleInterface(button)
    assert face.role() == QAccessible.Role.Button
    assert face.text(QAccessible.Text.Name) in (
        "Still true",
        "Edit",
        "Close",
        "Compare",
        "2 new — show",
    )


@pytest.mark.parametrize("make", MAKERS)
def test_a_button_is_drawn_in_every_state(
    qtbot: QtBot, app: QApplication, make: Callable[[], QAbstractButton]
) -> None:
    button = make()
    qtbot.addWidget(button)
    light = button.grab().toImage()
    button.setDown(True)
    button.setFocus()
    button.grab()
    button.setEnabled(False)
    button.grab()
    theme.apply(app, "dark")
    assert button.grab().toImage() != light


def test_an_icon_button_without_a_name_is_refused() -> None:
    with pytest.raises(ValueError, match="needs a name"):
        IconButton("x", " ")


def test_the_words_of_a_key_button_can_change_and_make_room(qtbot: QtBot) -> None:
    button = KeyButton("pencil", "Edit", "E")
    qtbot.addWidget(button)
    before = button.sizeHint().width()
    button.set_label("Edit & save", key="Ctrl+Return")
    assert button.sizeHint().width() > before
    assert button.accessibleName() == "Edit & save"


def test_a_pill_without_words_hides_and_comes_back_with_some(qtbot: QtBot) -> None:
    pill = PillButton()
    qtbot.addWidget(pill)
    assert pill.isHidden()
    pill.announce("3 new — show")
    assert not pill.isHidden()
