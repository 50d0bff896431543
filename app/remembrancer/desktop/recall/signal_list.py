"""How a score taken apart is painted: words at the left, bars and numbers at the right."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem, QWidget

from remembrancer.desktop.look import fonts, paint
from remembrancer.desktop.look.cards import CARD_ROLE, CardDelegate, RowList, paint_row_ground
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.recall.signal_model import SignalFace, SignalModel

ROW, TOTAL = 25, 31
_NUMBER, _GAP = 66.0, 12.0  # pixels across
_BAR, _SHARE = 110.0, 0.2  # pixels of a bar at most, and of the row
_THIN = 5.0


class SignalDelegate(CardDelegate):
    """Paints a `SignalFace`."""

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        return QSize(240, ROW)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        face = index.data(CARD_ROLE)
        if not isinstance(face, SignalFace):
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(option.rect)  # type: ignore[attr-defined]
        state = option.state  # type: ignore[attr-defined]
        paint_row_ground(painter, rect.adjusted(1.5, 1.5, -1.5, -1.5), state)
        _paint_row(painter, rect.adjusted(10, 0, -10, 0), face)
        painter.restore()


def _paint_row(painter: QPainter, rect: QRectF, face: SignalFace) -> None:
    font = fonts.font(12, fonts.SEMIBOLD if face.total else fonts.NORMAL)
    if face.total:
        line = QRectF(rect.left(), rect.top() + 0.5, rect.width(), 1)
        paint.rounded(painter, line, 0, fill="line")
    ink = "accent" if face.other is not None else "text"
    number = QRectF(rect.right() - _NUMBER, rect.top(), _NUMBER, rect.height())
    paint.words(painter, number, face.value, font, "text", paint.RIGHT)
    room = rect.width() - _NUMBER - _GAP
    if face.bar is not None:
        wide = min(_BAR, rect.width() * _SHARE)
        room -= wide + _GAP
        left = number.left() - _GAP - wide
        _paint_bar(painter, QRectF(left, rect.center().y() - _THIN / 2, wide, _THIN), face.bar)
    words = QRectF(rect.left(), rect.top(), room, rect.height())
    paint.words(painter, words, face.text, font, ink)


def _paint_bar(painter: QPainter, track: QRectF, share: float) -> None:
    """What adds fills from the left, what takes away from the right in another colour."""
    paint.rounded(painter, track, _THIN / 2, fill="track")
    wide = track.width() * min(abs(share), 1.0)
    if wide < 1:
        return
    start = track.left() if share > 0 else track.right() - wide
    filled = QRectF(start, track.top(), wide, _THIN)
    paint.rounded(painter, filled, _THIN / 2, fill="accent" if share > 0 else "warn")


class SignalList(RowList):
    """A score taken apart; as high as its rows. `wanted` tells the memory that a row leads to."""

    wanted = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(translate("Recall", "What the score is made of"), ROW, parent)
        self._model = SignalModel()
        self.setModel(self._model)
        self.setItemDelegate(SignalDelegate(parent=self))
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setStyleSheet("QTableView { background: transparent; border: none }")
        self.opened.connect(lambda: self._follow(self.currentIndex().row()))

    def show_rows(self, rows: list[SignalFace]) -> None:
        """Show these rows instead."""
        self._model.show(rows)
        heights = [TOTAL if face.total else ROW for face in rows]
        for place, height in enumerate(heights):
            self.setRowHeight(place, height)
        self.setFixedHeight(sum(heights) + 2)

    def signals(self) -> SignalModel:
        """The rows."""
        return self._model

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and index == self.currentIndex():
            self._follow(index.row())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        face = self._model.face(self.indexAt(event.position().toPoint()).row())
        leads = face is not None and face.other is not None
        hand, arrow = Qt.CursorShape.PointingHandCursor, Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(hand if leads else arrow)

    def _follow(self, row: int) -> None:
        face = self._model.face(row)
        if face is not None and face.other is not None:
            self.wanted.emit(face.other)
