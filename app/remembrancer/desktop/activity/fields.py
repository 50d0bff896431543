"""The small table of the fields that a line changed."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QRectF,
    Qt,
)
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView, QWidget

from remembrancer.desktop.activity.changes import Field
from remembrancer.desktop.look import fonts, paint, theme
from remembrancer.desktop.look.plain import tooltip, translate

_Index = QModelIndex | QPersistentModelIndex
ROW_HEIGHT, HEAD_HEIGHT = 26, 26
MOST_ROWS = 6


class FieldsModel(QAbstractTableModel):
    """Name, value before where there was one, value after."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._fields: tuple[Field, ...] = ()
        self._compared = False

    def show(self, fields: Sequence[Field]) -> None:
        """Show these fields instead."""
        self.beginResetModel()
        self._fields = tuple(fields)
        self._compared = any(f.before is not None for f in fields)
        self.endResetModel()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._fields)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._heads())

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> str | None:
        if not index.isValid():
            return None
        field = self._fields[index.row()]
        cells = (
            (field.name, field.before, field.after)
            if self._compared
            else (
                field.name,
                field.after,
            )
        )
        text = cells[index.column()] or ""
        if role == Qt.ItemDataRole.ToolTipRole:
            return tooltip(text)
        return text if role == Qt.ItemDataRole.DisplayRole else None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> str | None:
        if role != Qt.ItemDataRole.DisplayRole or orientation is not Qt.Orientation.Horizontal:
            return None
        return self._heads()[section]

    def _heads(self) -> tuple[str, ...]:
        name = translate("Activity", "Field")
        if self._compared:
            return name, translate("Activity", "Before"), translate("Activity", "After")
        return name, translate("Activity", "Value")


class _Heads(QHeaderView):
    """Column names in the look of captions, with a fine line below."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setFixedHeight(HEAD_HEIGHT)
        self.setSectionsClickable(False)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:  # type: ignore[override]
        text = str(self.model().headerData(section, Qt.Orientation.Horizontal))
        place = QRectF(rect)
        ground = QRectF(place.left(), place.bottom() - 1, place.width(), 1)
        painter.fillRect(place, theme.current().color("panel"))
        paint.rounded(painter, ground, 0, fill="line")
        inside = place.adjusted(3, 0, -3, -2)
        paint.words(painter, inside, text, fonts.font(11, fonts.SEMIBOLD), "faint")


class FieldsTable(QTableView):
    """Shows fields, as high as they are, up to six; hidden when there are none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.fields = FieldsModel(self)
        self.setModel(self.fields)
        self.setAccessibleName(translate("Activity", "Changed fields"))
        self.setObjectName("fields")
        self.setFont(fonts.font(12))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalHeader(_Heads(self))
        rows, columns = self.verticalHeader(), self.horizontalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setMinimumSectionSize(ROW_HEIGHT)
        rows.setDefaultSectionSize(ROW_HEIGHT)
        columns.setStretchLastSection(True)

    def show_fields(self, fields: Sequence[Field]) -> None:
        """Show these fields."""
        self.fields.show(fields)
        self.setColumnWidth(0, 130)
        if self.fields.columnCount() == 3:
            self.setColumnWidth(1, 220)
        shown = min(len(fields), MOST_ROWS)
        self.setFixedHeight(shown * ROW_HEIGHT + HEAD_HEIGHT)
        self.setVisible(bool(fields))
