"""The rows of the command palette as a list model, and how one of them is painted."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    Qt,
)
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from remembrancer.desktop.look import fonts, paint
from remembrancer.desktop.palette_rows import Row

_Index = QModelIndex | QPersistentModelIndex
HEIGHT = 38
_ICON = 16


class PaletteModel(QAbstractTableModel):
    """One column of rows; `show` exchanges them all."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: list[Row] = []

    def show(self, rows: list[Row]) -> None:
        """Show these rows instead."""
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 1

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.rows[index.row()].name
        spoken = role == Qt.ItemDataRole.AccessibleTextRole
        return self.rows[index.row()].spoken() if spoken else None


class PaletteDelegate(QStyledItemDelegate):
    """Icon, name, and at the right the key, or why it is not possible now."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        row = index.model().rows[index.row()]  # type: ignore[attr-defined]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(option.rect).adjusted(1.5, 1.5, -1.5, -1.5)  # type: ignore[attr-defined]
        if option.state & QStyle.StateFlag.State_Selected:  # type: ignore[attr-defined]
            paint.rounded(painter, rect, 7, fill="sel", line="accent")
        _paint_row(painter, rect, row)
        painter.restore()


def _paint_row(painter: QPainter, rect: QRectF, row: Row) -> None:
    small, ink = fonts.font(12), "muted" if row.hindrance else "text"
    middle = rect.center().y()
    paint.symbol(painter, QPointF(rect.left() + 10, middle - _ICON / 2), row.icon, ink, _ICON)
    right = " · ".join(part for part in (row.hindrance or row.group, row.key) if part)
    width = min(paint.advance(right, small) + 1, rect.width() / 2)
    at_right = QRectF(rect.right() - 12 - width, rect.top(), width, rect.height())
    paint.words(painter, at_right, paint.elided(right, small, width), small, "muted")
    room = QRectF(rect.left() + 38, rect.top(), at_right.left() - rect.left() - 54, rect.height())
    normal = fonts.font(13)
    paint.words(painter, room, paint.elided(row.name, normal, room.width()), normal, ink)
