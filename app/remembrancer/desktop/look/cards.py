"""A list of cards: what a card shows, how it is painted, and the view that carries many of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from remembrancer.desktop.look import fonts, icons, paint, theme
from remembrancer.desktop.look.plain import one_line, translate

if TYPE_CHECKING:
    from collections.abc import Iterator

CARD_ROLE = int(Qt.ItemDataRole.UserRole) + 1
CARD_HEIGHT, COMPACT_HEIGHT = 126, 76

_CHIP = 19.0
_SURE, _UNSURE = 0.6, 0.4


@dataclass(frozen=True)
class CardFace:
    """What a card shows. All words are ready for the reader; `kind` also chooses the colours.

    `reason_tone` is a token (bad, warn, muted, ok), `reason_icon` the name of an icon, `confidence`
    between 0 and 1 or None where nobody said. `kind_text` is the kind in the reader's language.
    """

    kind: str
    title: str
    reason: str = ""
    reason_tone: str = "muted"
    reason_icon: str = ""
    agent: str = ""
    age: str = ""
    confidence: float | None = None
    pinned: bool = False
    badges: tuple[str, ...] = ()
    kind_text: str = ""

    def spoken(self) -> str:
        """The card as one line for a screen reader: what a model gives as AccessibleTextRole."""
        return ", ".join(one_line(part) for part in self._parts() if part)

    def _parts(self) -> Iterator[str]:
        yield self.kind_text or self.kind
        yield self.title
        yield self.reason
        yield self.agent
        yield self.age
        if self.confidence is not None:
            yield translate("Card", "confidence {0}").format(percent(self.confidence))
        if self.pinned:
            yield translate("Card", "pinned")
        yield from self.badges


def percent(share: float) -> str:
    """A share between 0 and 1 as words, such as "46 %"."""
    return f"{share * 100:.0f} %"


class CardDelegate(QStyledItemDelegate):
    """Paints the `CardFace` that the model gives under `CARD_ROLE`."""

    def __init__(self, compact: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._compact = compact

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        return QSize(240, COMPACT_HEIGHT if self._compact else CARD_HEIGHT)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        face = index.data(CARD_ROLE)
        rect = QRectF(option.rect).adjusted(12.5, 4.5, -8.5, -4.5)  # type: ignore[attr-defined]
        state = option.state  # type: ignore[attr-defined]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_ground(painter, rect, state)
        # A row that has not been read yet is an empty card rather than an error.
        if isinstance(face, CardFace):
            chosen = bool(state & QStyle.StateFlag.State_Selected)
            draw = _paint_compact if self._compact else _paint_full
            draw(painter, rect.adjusted(14, 10, -14, -10), face, chosen)
        painter.restore()


def paint_ground(
    painter: QPainter, rect: QRectF, state: QStyle.StateFlag, rest: str = "panel"
) -> None:
    """The ground of a card; `rest` is its colour when it is neither chosen nor pointed at."""
    chosen, here, under = _ways(state)
    fill = "sel" if chosen else "hover" if under else rest
    line = "accent" if here else "selline" if chosen else "line"
    paint.rounded(painter, rect, 10, fill, line, 1.4 if chosen or here else 1.0)


def paint_row_ground(painter: QPainter, rect: QRectF, state: QStyle.StateFlag) -> None:
    """The ground of a row of a `RowList`: none while it is neither chosen nor pointed at."""
    chosen, here, under = _ways(state)
    if chosen or here or under:
        fill = "sel" if chosen else "hover" if under else None
        line = "accent" if here else "selline" if chosen else "hover"
        paint.rounded(painter, rect, 9, fill, line, 1.4 if chosen or here else 1.0)


def _ways(state: QStyle.StateFlag) -> tuple[bool, bool, bool]:
    """Whether a row is chosen, has the keyboard, is under the pointer."""
    flags = QStyle.StateFlag
    return (
        bool(state & flags.State_Selected),
        bool(state & flags.State_HasFocus),
        bool(state & flags.State_MouseOver),
    )


def _paint_full(painter: QPainter, rect: QRectF, face: CardFace, chosen: bool) -> None:
    end = _paint_corner(painter, rect, face)
    left = _paint_chip(painter, rect.topLeft(), face)
    _paint_badges(painter, QRectF(left, rect.top(), end - left - 8, _CHIP), face.badges)
    title = QRectF(rect.left(), rect.top() + 23, rect.width(), 40)
    paint.paragraph(painter, title, one_line(face.title), _title_font(chosen), "text", 2)
    reason = QRectF(rect.left(), rect.bottom() - 37, rect.width(), 18)
    _paint_reason(painter, reason, face)
    foot = QRectF(rect.left(), rect.bottom() - 17, rect.width(), 18)
    if face.confidence is not None:
        _paint_confidence(painter, foot, face.confidence, 72)
    _paint_agent(painter, foot, face.agent, rect.width() - 120)


def _paint_compact(painter: QPainter, rect: QRectF, face: CardFace, chosen: bool) -> None:
    end = _paint_corner(painter, rect, face)
    title = QRectF(rect.left(), rect.top() - 1, end - rect.left() - 10, 20)
    paint.words(painter, title, one_line(face.title), _title_font(chosen), "text")
    foot = QRectF(rect.left(), rect.bottom() - 18, rect.width(), _CHIP)
    left = _paint_chip(painter, foot.topLeft(), face)
    end = rect.right()
    if face.confidence is not None:
        end = _paint_confidence(painter, foot, face.confidence, 44)
    line = QRectF(left + 4, foot.top(), end - left - 14, foot.height())
    if face.reason:
        left = _paint_reason(painter, line, face)
    else:
        left = _paint_agent(painter, line, face.agent, line.width())
    _paint_badges(
        painter, QRectF(left + 10, line.top(), line.right() - left - 10, _CHIP), face.badges
    )


def _title_font(chosen: bool) -> QFont:
    return fonts.font(13, fonts.SEMIBOLD if chosen else fonts.MEDIUM)


def _paint_corner(painter: QPainter, rect: QRectF, face: CardFace) -> float:
    """The age, and a pin before it, at the upper right; returns where they begin."""
    age = QRectF(rect.left(), rect.top(), rect.width(), _CHIP)
    paint.words(painter, age, face.age, fonts.font(11), "faint", paint.RIGHT)
    start = rect.right() - paint.advance(face.age, fonts.font(11))
    if not face.pinned:
        return start
    paint.symbol(painter, QPointF(start - 19, rect.top() + 3), "pin", "accent", 13, 2)
    return start - 19


def _paint_chip(painter: QPainter, at: QPointF, face: CardFace) -> float:
    """The kind on its ground; returns where the next thing may begin."""
    ink, ground = theme.current().kind(face.kind)
    return _paint_pill(painter, at, face.kind_text or face.kind, ink, ground)


def _paint_badges(painter: QPainter, rect: QRectF, badges: tuple[str, ...]) -> None:
    """As many badges as there is room for."""
    worn, left = theme.current(), rect.left()
    for badge in badges:
        text = one_line(badge, 40)
        if left + paint.advance(text, _chip_font()) + 16 > rect.right():
            return
        at = QPointF(left, rect.top())
        left = _paint_pill(painter, at, text, worn.color("muted"), worn.color("key"))


def _chip_font() -> QFont:
    return fonts.font(11, fonts.SEMIBOLD)


def _paint_pill(painter: QPainter, at: QPointF, text: str, ink: QColor, ground: QColor) -> float:
    pill = QRectF(at.x(), at.y(), paint.advance(text, _chip_font()) + 16, _CHIP)
    paint.rounded(painter, pill, _CHIP / 2, fill=ground)
    paint.words(painter, pill, text, _chip_font(), ink, paint.CENTRE)
    return pill.right() + 6


def _paint_reason(painter: QPainter, rect: QRectF, face: CardFace) -> float:
    """Why the card is in the list; returns where the words end."""
    text, font, left = one_line(face.reason, 200), fonts.font(12), rect.left()
    if face.reason_icon:
        at = QPointF(left, rect.center().y() - 7)
        paint.symbol(painter, at, face.reason_icon, face.reason_tone, 14, 2)
        left += 20
    rest = QRectF(left, rect.top(), rect.right() - left, rect.height())
    paint.words(painter, rest, text, font, face.reason_tone)
    return min(rest.right(), left + paint.advance(text, font))


def _paint_agent(painter: QPainter, rect: QRectF, agent: str, width: float) -> float:
    """Who wrote it, with an icon; returns where the words end."""
    if not agent:
        return rect.left()
    text, font = one_line(agent, 60), fonts.font(11)
    at = QPointF(rect.left(), rect.center().y() - 6.5)
    paint.symbol(painter, at, icons.for_agent(agent), "muted", 13, 2)
    rest = QRectF(rect.left() + 19, rect.top(), width - 19, rect.height())
    paint.words(painter, rest, text, font, "muted")
    return min(rest.right(), rest.left() + paint.advance(text, font))


def _paint_confidence(painter: QPainter, rect: QRectF, share: float, width: float) -> float:
    """A bar of `width` and the share in words at the right of `rect`; returns where it begins."""
    share = min(1.0, max(0.0, share))
    paint.words(painter, rect, percent(share), fonts.font(11), "muted", paint.RIGHT)
    track = QRectF(rect.right() - 38 - width, rect.center().y() - 2.5, width, 5)
    paint.rounded(painter, track, 2.5, fill="track")
    tone = "ok" if share > _SURE else "warn" if share > _UNSURE else "bad"
    filled = QRectF(track.left(), track.top(), width * share, track.height())
    paint.rounded(painter, filled, 2.5, fill=tone)
    return track.left()


class CardList(QTableView):
    """A column of cards that stays quick with a million rows.

    A table with one column and rows of one height: Qt then needs no look at rows that are out of
    sight. The model gives a `CardFace` under `CARD_ROLE`, and words under DisplayRole and
    AccessibleTextRole. Return and a double click give `activated`.
    """

    def __init__(
        self,
        name: str,
        compact: bool = False,
        many: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        """`name` is for screen readers; `many` lets the person choose more than one card."""
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setItemDelegate(CardDelegate(compact, self))
        self._set_up_rows(COMPACT_HEIGHT if compact else CARD_HEIGHT)
        self._set_up_choosing(many)

    def _set_up_rows(self, height: int) -> None:
        rows, columns = self.verticalHeader(), self.horizontalHeader()
        rows.hide()
        columns.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setMinimumSectionSize(height)
        rows.setDefaultSectionSize(height)
        columns.setStretchLastSection(True)
        self.setShowGrid(False)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def _set_up_choosing(self, many: bool) -> None:
        modes = QAbstractItemView.SelectionMode
        self.setSelectionMode(modes.ExtendedSelection if many else modes.SingleSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        # Tab leaves the list; the arrow keys move inside it.
        self.setTabKeyNavigation(False)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_Hover)

    def choose_row(self, row: int) -> None:
        """Make `row` the current and chosen one, and bring it into sight."""
        self.selectRow(row)
        self.scrollTo(self.model().index(row, 0))


class RowList(CardList):
    """The same for rows that a delegate of the pane paints, `height` pixels each.

    `opened` tells that the person pressed Return or clicked twice.
    """

    opened = Signal()

    def __init__(self, name: str, height: int, parent: QWidget | None = None) -> None:
        super().__init__(name, compact=True, parent=parent)
        rows = self.verticalHeader()
        rows.setMinimumSectionSize(height)
        rows.setDefaultSectionSize(height)
        self.setMouseTracking(True)
        self.doubleClicked.connect(lambda _index: self.opened.emit())

    def begin(self) -> None:
        """Take the keyboard, to the first row when none is the current one."""
        if not self.model().rowCount():
            return
        if not self.currentIndex().isValid():
            self.choose_row(0)
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.opened.emit()
        else:
            super().keyPressEvent(event)
