"""Secrets that a scan found, in the order in which they were found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from remembrancer.core.screening import Finding
from remembrancer.desktop.look.plain import one_line, tooltip
from remembrancer.desktop.settings import screening_words as words

_Index = QModelIndex | QPersistentModelIndex
FINDING_ROLE = int(Qt.ItemDataRole.UserRole) + 1


class FindingModel(QAbstractTableModel):
    """One column; what is shown already keeps its row while more is found."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.findings: tuple[Finding, ...] = ()

    def show(self, findings: Sequence[Finding]) -> None:
        """Show these; what was shown already keeps its row, and stays chosen."""
        before, after = self.findings, tuple(findings)
        if before == after[: len(before)]:
            if len(after) > len(before):
                self.beginInsertRows(QModelIndex(), len(before), len(after) - 1)
                self.findings = after
                self.endInsertRows()
            return
        self.beginResetModel()
        self.findings = after
        self.endResetModel()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.findings)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 1

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        finding = self.findings[index.row()]
        if role == FINDING_ROLE:
            return finding
        if role == Qt.ItemDataRole.ToolTipRole:
            return tooltip(f"{finding.label}\n{finding.excerpt}")
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return _spoken(finding)
        return None


def _spoken(finding: Finding) -> str:
    told = words.place(finding), words.sort(finding.kind), one_line(finding.excerpt, 160)
    return "; ".join(told)
