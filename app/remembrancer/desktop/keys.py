"""The help page of keys, made from the table of actions."""

from __future__ import annotations

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QDialog, QHeaderView, QTableView, QVBoxLayout, QWidget

from remembrancer.desktop.actions import Actions
from remembrancer.desktop.look.plain import translate

_Index = QModelIndex | QPersistentModelIndex


class KeysModel(QAbstractTableModel):
    """Every row of the table that has a key: where it works, its name, its keys."""

    def __init__(self, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = [
            (s.id.split(".")[0].capitalize(), s.name, ", ".join(s.keys))
            for s in actions.specs.values()
            if s.keys
        ]

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 3

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> str | None:
        shown = role == Qt.ItemDataRole.DisplayRole and index.isValid()
        return self._rows[index.row()][index.column()] if shown else None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> str | None:
        if role != Qt.ItemDataRole.DisplayRole or orientation is not Qt.Orientation.Horizontal:
            return None
        return (translate("Keys", "Where"), translate("Keys", "What"), translate("Keys", "Key"))[
            section
        ]


class KeysDialog(QDialog):
    """Shows which key does what."""

    def __init__(self, actions: Actions, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(translate("Keys", "Keyboard shortcuts"))
        self.resize(460, 560)
        table = QTableView()
        table.setAccessibleName(translate("Keys", "Keyboard shortcuts"))
        table.setModel(KeysModel(actions, self))
        table.verticalHeader().hide()
        table.setShowGrid(False)
        table.setSelectionMode(QTableView.SelectionMode.NoSelection)
        table.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        QVBoxLayout(self).addWidget(table)
