"""Words are shown as they are written; banners, empty states and badges say what they should."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from remembrancer.desktop.look import theme
from remembrancer.desktop.look.badges import Badge, KindBadge, LeadLabel
from remembrancer.desktop.look.buttons import IconButton
from remembrancer.desktop.look.labels import (
    ROLES,
    Banner,
    Card,
    ElidedLabel,
    EmptyState,
    Label,
    Message,
    Separator,
)

MARKUP = "<b>bold</b> & <img src='file:///etc/passwd'>"


@pytest.mark.parametrize("role", ROLES)
def test_markup_in_a_label_is_shown_and_not_followed(qtbot: QtBot, role: str) -> None:
    label = Label(MARKUP, role)
    qtbot.addWidget(label)
    assert label.textFormat() == Qt.TextFormat.PlainText
    assert label.text() == MARKUP
    assert label.grab().toImage() != Label("bold", role).grab().toImage()


def test_hidden_characters_in_a_label_are_spelled_out(qtbot: QtBot) -> None:
    label = Label("a\u202eb")
    qtbot.addWidget(label)
    assert label.text() == "a⟨RLO⟩b"


def test_a_label_that_is_cut_has_the_rest_in_its_tooltip(qtbot: QtBot) -> None:
    label = ElidedLabel("a rather long title <i>of</i> a memory")
    qtbot.addWidget(label)
    label.resize(60, 20)
    label.grab()
    assert "&lt;i&gt;of" in label.toolTip()
    label.resize(600, 20)
    label.grab()
    assert label.toolTip() == ""


def test_a_kind_badge_wears_the_colours_of_its_kind(qtbot: QtBot) -> None:
    badge = KindBadge("lesson")
    qtbot.addWidget(badge)
    assert badge.colors() == theme.current().kind("lesson")
    badge.show_kind("fact", "Tatsache")
    assert (badge.text(), badge.colors()) == ("Tatsache", theme.current().kind("fact"))
    assert badge.grab().toImage().pixelColor(6, 11) == theme.current().kind("fact")[1]


def test_a_badge_grows_with_its_words(qtbot: QtBot) -> None:
    badge = Badge("a")
    qtbot.addWidget(badge)
    small = badge.sizeHint().width()
    badge.setText("a much longer scope")
    assert badge.sizeHint().width() > small


def test_text_with_a_bold_beginning_takes_the_height_it_needs(qtbot: QtBot) -> None:
    label = LeadLabel()
    qtbot.addWidget(label)
    label.show_text("Not saved.", "words " * 30 + MARKUP, "bad")
    assert label.text().startswith("Not saved. words")
    assert label.heightForWidth(200) > label.heightForWidth(800) > 10


def test_a_banner_is_hidden_until_it_has_something_to_say(qtbot: QtBot) -> None:
    banner = Banner()
    qtbot.addWidget(banner)
    assert banner.isHidden()
    banner.show_message(Message("warning", "The last backup is old.", lead="Careful."))
    assert not banner.isHidden()
    assert banner.accessibleName() == "Careful. The last backup is old."


@pytest.mark.parametrize("tone", ["info", "warning", "bad", "ok"])
def test_each_answer_of_a_banner_tells_its_key(qtbot: QtBot, tone: str) -> None:
    banner = Banner(Message(tone, "Changed.", buttons=(("compare", "Compare"), ("keep", "Keep"))))
    qtbot.addWidget(banner)
    banner.show()
    told: list[str] = []
    banner.pressed.connect(told.append)
    for button in banner.findChildren(QPushButton):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert told == ["compare", "keep"]


def test_a_new_message_takes_the_place_of_the_former_answers(qtbot: QtBot) -> None:
    banner = Banner(Message("info", "One.", buttons=(("a", "A"), ("b", "B"), ("c", "C"))))
    qtbot.addWidget(banner)
    banner.show_message(Message("ok", "Two.", buttons=(("d", "D"),)))
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert [button.text() for button in banner.findChildren(QPushButton)] == ["D"]


def test_a_banner_with_four_answers_is_refused(qtbot: QtBot) -> None:
    banner = Banner()
    qtbot.addWidget(banner)
    with pytest.raises(ValueError, match="three"):
        banner.show_message(Message("info", "x", buttons=(("a", "A"),) * 4))


def test_dismissing_a_banner_hides_it_and_says_so(qtbot: QtBot) -> None:
    banner = Banner(Message("info", "x"))
    qtbot.addWidget(banner)
    banner.show()
    [close] = banner.findChildren(IconButton)
    with qtbot.waitSignal(banner.dismissed):
        qtbot.mouseClick(close, Qt.MouseButton.LeftButton)
    assert banner.isHidden()


def test_an_empty_state_shows_only_what_it_was_given(qtbot: QtBot) -> None:
    state = EmptyState("inbox", "Nothing to review")
    qtbot.addWidget(state)
    [button] = state.findChildren(QPushButton)
    assert button.isHidden()
    state.show_state("search", "Nothing found", "Try other words.", "Show all")
    state.show()
    with qtbot.waitSignal(state.pressed):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_the_sentence_of_an_empty_state_is_not_cut(qtbot: QtBot) -> None:
    state = EmptyState("inbox", "Nothing to review", "several words that need two lines " * 3)
    qtbot.addWidget(state)
    state.resize(420, 400)
    state.show()
    sentence = next(label for label in state.findChildren(Label) if label.wordWrap())
    qtbot.waitUntil(lambda: sentence.height() >= sentence.heightForWidth(sentence.width()))


def test_cards_and_lines_are_drawn_in_the_colours_of_the_theme(qtbot: QtBot) -> None:
    card, line = Card(), Separator(upright=True)
    for widget in (card, line):
        qtbot.addWidget(widget)
        widget.resize(40, 40)
    worn = theme.current()
    assert card.grab().toImage().pixelColor(20, 20) == worn.color("panel")
    assert line.grab().toImage().pixelColor(0, 20) == worn.color("line")
