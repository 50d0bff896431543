"""A list of cards: painted from what the model gives, quick with a million rows, used by keys."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QAccessible, QColor, QImage
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from remembrancer.desktop.look import theme
from remembrancer.desktop.look.cards import CARD_ROLE, COMPACT_HEIGHT, CardFace, CardList

FACES = (
    CardFace(
        "preference",
        "Prefers pnpm over npm",
        reason="Contradicts a note from yesterday",
        reason_tone="bad",
        reason_icon="git-compare-arrows",
        agent="cursor",
        age="94 d",
        confidence=0.46,
        pinned=True,
        badges=("atlas-api",),
    ),
    CardFace("fact", "Staging listens on port 5433", agent="claude-code", confidence=0.9),
    CardFace("lesson", "Never <b>deploy</b> on Friday", confidence=0.1, kind_text="Lehre"),
)


class Faces(QAbstractTableModel):
    """Cards for `rows` rows, the faces taken in turn."""

    def __init__(self, rows: int = len(FACES)) -> None:
        super().__init__()
        self._rows = rows
        self.asked = 0

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else self._rows

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 1

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = 0) -> Any:
        self.asked += 1
        face = FACES[index.row() % len(FACES)]
        if role == CARD_ROLE:
            return face
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return face.spoken()
        return face.title if role == Qt.ItemDataRole.DisplayRole else None


@pytest.fixture
def model() -> Faces:
    return Faces()


@pytest.fixture
def cards(qtbot: QtBot, model: Faces) -> CardList:
    return shown(qtbot, model)


def shown(qtbot: QtBot, model: Faces, compact: bool = False, many: bool = False) -> CardList:
    made = CardList("Memories", compact, many)
    qtbot.addWidget(made)
    made.setModel(model)
    made.resize(420, 400)
    made.show()
    return made


def colors_in(image: QImage) -> set[str]:
    return {
        image.pixelColor(x, y).name()
        for x in range(0, image.width(), 1)
        for y in range(0, image.height(), 2)
    }


def test_the_model_of_the_tests_is_a_proper_one(model: Faces) -> None:
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)


def test_each_card_shows_its_kind_and_its_confidence_in_colour(cards: CardList) -> None:
    seen, worn = colors_in(cards.grab().toImage()), theme.current()
    expected = [worn.kind(face.kind)[1] for face in FACES]
    expected += [worn.color(token) for token in ("ok", "warn", "bad", "track", "panel")]
    assert [color.name() for color in expected if color.name() not in seen] == []


def test_the_chosen_card_lies_on_another_ground(cards: CardList) -> None:
    chosen = theme.current().color("sel").name()
    assert chosen not in colors_in(cards.grab().toImage())
    cards.choose_row(1)
    assert chosen in colors_in(cards.grab().toImage())


def test_arrow_keys_move_and_return_opens(cards: CardList, qtbot: QtBot) -> None:
    cards.choose_row(0)
    qtbot.keyClick(cards, Qt.Key.Key_Down)
    assert cards.currentIndex().row() == 1
    with qtbot.waitSignal(cards.activated):
        qtbot.keyClick(cards, Qt.Key.Key_Return)
    qtbot.keyClick(cards, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    assert cards.currentIndex().row() == 2


def test_one_card_is_chosen_at_a_time_unless_many_may_be(qtbot: QtBot, model: Faces) -> None:
    for many, count in ((False, 1), (True, 2)):
        cards = shown(qtbot, model, many=many)
        cards.choose_row(0)
        qtbot.keyClick(cards, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
        assert len(cards.selectionModel().selectedRows()) == count


def test_a_screen_reader_hears_the_whole_card(cards: CardList) -> None:
    table = QAccessible.queryAccessibleInterface(cards)
    assert table.text(QAccessible.Text.Name) == "Memories"
    heard = [
        table.child(number).text(QAccessible.Text.Name) for number in range(table.childCount())
    ]
    assert (
        "preference, Prefers pnpm over npm, Contradicts a note from yesterday, cursor, 94 d,"
        " confidence 46 %, pinned, atlas-api"
    ) in heard


def test_compact_cards_are_lower_and_draw_the_same_things(qtbot: QtBot, model: Faces) -> None:
    cards = shown(qtbot, model, compact=True)
    assert cards.rowHeight(0) == COMPACT_HEIGHT
    assert theme.current().kind("preference")[1].name() in colors_in(cards.grab().toImage())


def test_a_row_that_is_not_read_yet_is_an_empty_card(qtbot: QtBot) -> None:
    class Late(Faces):
        def data(self, index: QModelIndex | QPersistentModelIndex, role: int = 0) -> Any:
            return None

    cards = shown(qtbot, Late())
    image = cards.grab().toImage()
    assert image.pixelColor(200, 60) == QColor(theme.current().color("panel"))


def test_a_million_rows_are_not_looked_at_one_by_one(qtbot: QtBot) -> None:
    model = Faces(1_000_000)
    cards = shown(qtbot, model)
    cards.grab()
    cards.choose_row(999_999)
    cards.grab()
    assert model.asked < 2_000


def test_no_header_takes_room(cards: CardList) -> None:
    assert cards.horizontalHeader().isHidden()
    assert cards.verticalHeader().isHidden()
    assert cards.columnWidth(0) == cards.viewport().width()
