"""The list of calls: two lines each, painted, in a view that stays quick with very many."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from remembrancer.core.author import AuthorKind
from remembrancer.desktop.activity import phrases
from remembrancer.desktop.activity.call import Call
from remembrancer.desktop.activity.model import CALL_ROLE, UNDONE_ROLE, WHEN_ROLE
from remembrancer.desktop.look import fonts, icons, paint
from remembrancer.desktop.look.cards import RowList, paint_row_ground
from remembrancer.desktop.look.plain import one_line, translate

ROW_HEIGHT = 64
_SIGN = 30.0

_Index = QModelIndex | QPersistentModelIndex


class CallRows(RowList):
    """The column of calls."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, ROW_HEIGHT, parent)
        self.setItemDelegate(_CallDelegate(self))


class _CallDelegate(QStyledItemDelegate):
    """Paints a call: who did what and when, and below it to what and through which door."""

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(240, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        call = index.data(CALL_ROLE)
        if not isinstance(call, Call):
            return
        rect = QRectF(option.rect).adjusted(12.5, 1.5, -8.5, -1.5)  # type: ignore[attr-defined]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_row_ground(painter, rect, option.state)  # type: ignore[attr-defined]
        _paint_sign(painter, rect, call)
        body = rect.adjusted(_SIGN + 22, 9, -12, -9)
        _paint_head(painter, body, call, index.data(WHEN_ROLE))
        _paint_foot(painter, body, call, bool(index.data(UNDONE_ROLE)))
        painter.restore()


def agent_icon(author: str, author_kind: str) -> str:
    """The icon of an author: a person and an importer have their own."""
    if author_kind == AuthorKind.PERSON:
        return "user"
    return "import" if author_kind == AuthorKind.IMPORTER else icons.for_agent(author)


def _paint_sign(painter: QPainter, rect: QRectF, call: Call) -> None:
    person = call.author_kind == AuthorKind.PERSON
    circle = QRectF(rect.left() + 10, rect.center().y() - _SIGN / 2, _SIGN, _SIGN)
    ground, ink = ("accentbg", "accenttext") if person else ("key", "muted")
    paint.rounded(painter, circle, _SIGN / 2, fill=ground)
    at = QPointF(circle.center().x() - 8, circle.center().y() - 8)
    paint.symbol(painter, at, agent_icon(call.author, call.author_kind), ink, 16, 2)


def _paint_head(painter: QPainter, rect: QRectF, call: Call, when: str) -> None:
    line = QRectF(rect.left(), rect.top(), rect.width(), 20)
    small = fonts.font(11)
    paint.words(painter, line, when, small, "faint", paint.RIGHT)
    room = line.adjusted(0, 0, -paint.advance(when, small) - 10, 0)
    who, bold = one_line(call.author, 60), fonts.font(13, fonts.SEMIBOLD)
    wide = min(paint.advance(who, bold), room.width() * 0.5)
    paint.words(painter, QRectF(room.left(), room.top(), wide, 20), who, bold, "text")
    rest = room.adjusted(wide + 5, 0, 0, 0)
    paint.words(painter, rest, call.done, fonts.font(13), "text")


def _paint_foot(painter: QPainter, rect: QRectF, call: Call, undone: bool) -> None:
    line = QRectF(rect.left(), rect.bottom() - 19, rect.width(), 19)
    text = translate("Activity", "taken back") if undone else phrases.origin(call.origin)
    tone = ("warnbg", "warn") if undone else ("key", "muted")
    font = fonts.font(10.5, fonts.SEMIBOLD)
    wide = paint.advance(text, font) + 14
    pill = QRectF(line.right() - wide, line.center().y() - 8.5, wide, 17)
    paint.rounded(painter, pill, 8.5, fill=tone[0])
    paint.words(painter, pill, text, font, tone[1], paint.CENTRE)
    room = line.adjusted(0, 0, -wide - 10, 0)
    paint.words(painter, room, call.about, fonts.font(12), "muted")
