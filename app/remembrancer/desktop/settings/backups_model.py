"""The backups as a table: when each was made, why, how many memories it holds, how large it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from remembrancer.desktop import words as all_words
from remembrancer.desktop.look import theme
from remembrancer.desktop.look.plain import tooltip, translate
from remembrancer.desktop.settings import backups_words as words
from remembrancer.service.backups_folder import Backup

_Index = QModelIndex | QPersistentModelIndex
_HEADINGS = ("Made", "Why", "Memories", "Size")
_NUMBERS = (2, 3)  # the columns that stand at the right


class BackupModel(QAbstractTableModel):
    """The newest first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.backups: list[Backup] = []

    def show(self, backups: Sequence[Backup]) -> None:
        """Show these; the same ones keep what is chosen."""
        if self.backups == list(backups):
            return
        self.beginResetModel()
        self.backups = list(backups)
        self.endResetModel()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.backups)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(_HEADINGS)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        backup = self.backups[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return _cells(backup)[index.column()]
        if role == Qt.ItemDataRole.ToolTipRole:
            return tooltip(backup.path.name)
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() in _NUMBERS:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.ForegroundRole and backup.look is None:
            return theme.current().color("faint")
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole and section in _NUMBERS:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return translate("Backups", _HEADINGS[section])


def _cells(backup: Backup) -> tuple[str, ...]:
    when = all_words.full_moment(backup.at)
    return when, words.reason(backup.why), words.memories(backup), words.size(backup.size)
