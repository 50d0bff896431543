"""The list of entities: one row each, painted, in a view that stays quick with very many."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from remembrancer.core.entity import Entity
from remembrancer.desktop.entities import words
from remembrancer.desktop.entities.model import ENTITY_ROLE
from remembrancer.desktop.look import fonts, paint, theme
from remembrancer.desktop.look.cards import RowList, paint_row_ground
from remembrancer.desktop.look.plain import number, one_line

ROW_HEIGHT = 54
_PILL = 17.0

_Index = QModelIndex | QPersistentModelIndex


class EntityRows(RowList):
    """The column of entities."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, ROW_HEIGHT, parent)
        self.painted = _EntityDelegate(self)
        self.setItemDelegate(self.painted)


class _EntityDelegate(QStyledItemDelegate):
    """Paints an entity: its name and number of memories, its type and scope below."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._colours: dict[str, int] = {}

    def number_types(self, types: Sequence[str]) -> None:
        """Give each type its colour, the most frequent first."""
        self._colours = {type_: place for place, type_ in enumerate(types)}

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(200, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        entity = index.data(ENTITY_ROLE)
        if not isinstance(entity, Entity):
            return
        rect = QRectF(option.rect).adjusted(12.5, 1.5, -8.5, -1.5)  # type: ignore[attr-defined]
        state = option.state  # type: ignore[attr-defined]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_row_ground(painter, rect, state)
        self._paint_sign(painter, rect, entity)
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        _paint_words(painter, rect.adjusted(38, 7, -12, -7), entity, chosen)
        painter.restore()

    def _paint_sign(self, painter: QPainter, rect: QRectF, entity: Entity) -> None:
        centre = QPointF(rect.left() + 20, rect.center().y())
        if entity.ghost:
            paint.symbol(painter, centre - QPointF(8, 8), "ghost", "faint", 16)
            return
        colour = theme.current().category(self._colours.get(entity.type, 7))
        paint.dot(painter, centre, 5, colour)


def _paint_words(painter: QPainter, rect: QRectF, entity: Entity, chosen: bool) -> None:
    count = "" if entity.ghost else number(entity.memories)
    top = QRectF(rect.left(), rect.top(), rect.width(), 18)
    paint.words(painter, top, count, fonts.font(12), "faint", paint.RIGHT)
    name = top.adjusted(0, 0, -paint.advance(count, fonts.font(12)) - 10, 0)
    weight = fonts.SEMIBOLD if chosen else fonts.MEDIUM
    ink = "muted" if entity.ghost else "text"
    paint.words(painter, name, one_line(entity.name), fonts.font(13, weight), ink)
    foot = QRectF(rect.left(), rect.bottom() - 18, rect.width(), 18)
    text = words.translate("Entities", "ghost") if entity.ghost else words.type_name(entity.type)
    scope = words.scope(entity.scope)
    room = foot.adjusted(0, 0, -_paint_pill(painter, foot, scope) if scope else 0, 0)
    paint.words(painter, room, text, fonts.font(11.5), "muted" if not entity.ghost else "faint")


def _paint_pill(painter: QPainter, rect: QRectF, text: str) -> float:
    """A badge at the right end of `rect`; returns the room that it takes."""
    font = fonts.font(10.5, fonts.SEMIBOLD)
    wide = paint.advance(text, font) + 14
    pill = QRectF(rect.right() - wide, rect.center().y() - _PILL / 2, wide, _PILL)
    paint.rounded(painter, pill, _PILL / 2, fill="accentbg")
    paint.words(painter, pill, text, font, "accenttext", paint.CENTRE)
    return wide + 8
