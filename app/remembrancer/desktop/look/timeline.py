"""A list of what happened, one line each, strung on a thread: revisions, deeds, visits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from remembrancer.desktop.look import fonts, paint, theme
from remembrancer.desktop.look.plain import one_line

ROW_ROLE = int(Qt.ItemDataRole.UserRole) + 1
ROW_HEIGHT = 36
MOST_ROWS_WITHOUT_SCROLLING = 6

_KNOT = 11.0
_LEFT = 8.0
_ROOM_FOR_WHO, _ROOM_FOR_DELTA = 380, 520

_Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True)
class TimelineRow:
    """One line: an icon, a short label, what happened, who did it, by how much, and when.

    `delta` is such as "+2 −1"; `tone` is a token, "accent" for the present state.
    """

    icon: str
    label: str
    text: str
    who: str = ""
    delta: str = ""
    when: str = ""
    tone: str = "muted"

    def spoken(self) -> str:
        """The line for a screen reader."""
        parts = (self.label, self.text, self.who, self.delta, self.when)
        return ", ".join(one_line(part) for part in parts if part)


class TimelineModel(QAbstractListModel):
    """The rows of a timeline."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[TimelineRow, ...] = ()

    def set_rows(self, rows: Sequence[TimelineRow]) -> None:
        """Put these rows in place of the present ones."""
        self.beginResetModel()
        self._rows = tuple(rows)
        self.endResetModel()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{row.label} {one_line(row.text)}"
        return row.spoken() if role == Qt.ItemDataRole.AccessibleTextRole else None


class _TimelineDelegate(QStyledItemDelegate):
    """Paints a `TimelineRow`, and the thread to the rows before and after it."""

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(200, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        row: TimelineRow = index.data(ROW_ROLE)
        rect = QRectF(option.rect)  # type: ignore[attr-defined]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        _paint_ground(painter, rect, option.state)  # type: ignore[attr-defined]
        last = index.row() == index.model().rowCount() - 1
        _paint_thread(painter, rect, index.row() > 0, not last)
        _paint_knot(painter, QPointF(rect.left() + _LEFT + _KNOT, rect.center().y()), row)
        _paint_words(painter, rect.adjusted(_LEFT + 34, 0, -_LEFT, 0), row)
        painter.restore()


def _paint_ground(painter: QPainter, rect: QRectF, state: QStyle.StateFlag) -> None:
    chosen = bool(state & QStyle.StateFlag.State_Selected)
    here = bool(state & QStyle.StateFlag.State_HasFocus)
    under = bool(state & QStyle.StateFlag.State_MouseOver)
    if chosen or here or under:
        body = rect.adjusted(0.5, 2.5, -0.5, -2.5)
        fill = "sel" if chosen else "hover" if under else None
        paint.rounded(painter, body, 8, fill, "accent" if here else fill)


def _paint_thread(painter: QPainter, rect: QRectF, before: bool, after: bool) -> None:
    x, middle = rect.left() + _LEFT + _KNOT, rect.center().y()
    painter.setPen(QPen(theme.current().color("line"), 2))
    if before:
        painter.drawLine(QPointF(x, rect.top()), QPointF(x, middle - _KNOT - 3))
    if after:
        painter.drawLine(QPointF(x, middle + _KNOT + 3), QPointF(x, rect.bottom() + 1))


def _paint_knot(painter: QPainter, centre: QPointF, row: TimelineRow) -> None:
    now = row.tone == "accent"
    side = _KNOT * 2 - 1
    circle = QRectF(centre.x() - side / 2, centre.y() - side / 2, side, side)
    line = "selline" if now else "line"
    paint.rounded(painter, circle, side / 2, "accentbg" if now else "bg", line)
    corner = QPointF(centre.x() - 6.5, centre.y() - 6.5)
    paint.symbol(painter, corner, row.icon, row.tone, 13, 2)


def _paint_words(painter: QPainter, rect: QRectF, row: TimelineRow) -> None:
    """Label and text from the left; when, delta and who from the right, as far as they fit."""
    right = rect.right()
    right = _paint_column(painter, rect, right, 118, row.when, "faint", paint.RIGHT)
    if rect.width() > _ROOM_FOR_DELTA:
        right = _paint_delta(painter, rect, right, row.delta)
    if rect.width() > _ROOM_FOR_WHO:
        right = _paint_column(painter, rect, right, 96, row.who, "muted", paint.LEFT)
    label = one_line(row.label, 24)
    wide = max(34.0, paint.advance(label, fonts.font(12, fonts.SEMIBOLD)))
    place = QRectF(rect.left(), rect.top(), wide, rect.height())
    paint.words(painter, place, label, fonts.font(12, fonts.SEMIBOLD), "text")
    left = place.right() + 8
    place = QRectF(left, rect.top(), right - left - 12, rect.height())
    paint.words(painter, place, one_line(row.text), fonts.font(12), "text")


def _paint_column(
    painter: QPainter,
    rect: QRectF,
    right: float,
    width: float,
    text: str,
    tone: str,
    align: Qt.AlignmentFlag,
) -> float:
    place = QRectF(right - width, rect.top(), width, rect.height())
    paint.words(painter, place, one_line(text, 60), fonts.font(11.5), tone, align)
    return place.left()


def _paint_delta(painter: QPainter, rect: QRectF, right: float, delta: str) -> float:
    """What came in green and what went in red, each with its sign."""
    place, font = QRectF(right - 76, rect.top(), 76, rect.height()), fonts.font(11, mono=True)
    for part in delta.split()[:2]:
        tone = "ok" if part.startswith("+") else "bad" if part[0] in "-−" else "muted"
        tone = "faint" if part.lstrip("+-−") == "0" else tone
        paint.words(painter, place, part, font, tone)
        place = place.adjusted(paint.advance(part + " ", font), 0, 0, 0)
    return right - 76


class Timeline(QListView):
    """What happened, the newest first as a rule; `chosen` tells the number of a row."""

    chosen = Signal(int)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        """`name` is for screen readers."""
        super().__init__(parent)
        self.setAccessibleName(name)
        self._model = TimelineModel(self)
        self.setModel(self._model)
        self.setItemDelegate(_TimelineDelegate(self))
        self.setUniformItemSizes(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.viewport().setAutoFillBackground(False)
        self.clicked.connect(self._tell)

    def set_rows(self, rows: Sequence[TimelineRow]) -> None:
        """Show these rows in place of the present ones."""
        self._model.set_rows(rows)
        self.updateGeometry()

    def rows(self) -> TimelineModel:
        """The model behind the list."""
        return self._model

    def sizeHint(self) -> QSize:
        shown = min(self._model.rowCount(), MOST_ROWS_WITHOUT_SCROLLING)
        return QSize(360, shown * ROW_HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(200, min(self._model.rowCount(), 2) * ROW_HEIGHT)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        pressed = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
        if pressed and self.currentIndex().isValid():
            self._tell(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def _tell(self, index: QModelIndex) -> None:
        self.chosen.emit(index.row())
