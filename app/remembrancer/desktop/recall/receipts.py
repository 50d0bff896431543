"""To whom a memory was served, how often, and when last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QVBoxLayout

from remembrancer.desktop import words as all_words
from remembrancer.desktop.fields import ROW, table
from remembrancer.desktop.look.labels import Card, Label
from remembrancer.desktop.look.plain import number, one_line, translate

_Index = QModelIndex | QPersistentModelIndex
Receipt = tuple[str, int, int, int]  # agent, times, characters, last when in microseconds
SHOWN = 12  # agents
_HEAD = 30


class ReceiptModel(QAbstractTableModel):
    """A row an agent: its name, how often, how many characters, when last."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: Sequence[tuple[str, ...]] = ()

    def show(self, receipts: Sequence[Receipt], now: int) -> None:
        """Show these receipts instead."""
        self.beginResetModel()
        self._rows = [
            (one_line(agent, 60), times(served), number(size), all_words.moment(last, now))
            for agent, served, size, last in receipts[:SHOWN]
        ]
        self.endResetModel()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 4

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if index.isValid() and role == Qt.ItemDataRole.DisplayRole:
            return self._rows[index.row()][index.column()]
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal or role != Qt.ItemDataRole.DisplayRole:
            return None
        return (
            translate("Recall", "Agent"), translate("Recall", "Served"),
            translate("Recall", "Characters"), translate("Recall", "Last"),
        )[section]  # fmt: skip


def times(count: int) -> str:
    """How often."""
    if count == 1:
        return translate("Recall", "once")
    return translate("Recall", "{0} times").format(number(count))


class ReceiptsCard(Card):
    """The agents that a memory was served to, or a sentence that there was none."""

    def __init__(self) -> None:
        super().__init__()
        self.model = ReceiptModel()
        self.view = table(self.model, translate("Recall", "To whom it was served"))
        self.view.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.told = Label("", "muted", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 14)
        column.setSpacing(6)
        column.addWidget(Label(translate("Recall", "Served to agents"), "heading"))
        column.addWidget(self.told)
        column.addWidget(self.view)
        self.show_receipts((), 0)

    def show_receipts(self, receipts: Sequence[Receipt], now: int) -> None:
        """Show these; of many agents those that were served most."""
        self.model.show(receipts, now)
        self.view.setVisible(bool(receipts))
        self.view.setFixedHeight(_HEAD + ROW * min(len(receipts), SHOWN) + 2)
        self.told.setText(_told(receipts))
        self.told.setVisible(not receipts or len(receipts) > SHOWN)


def _told(receipts: Sequence[Receipt]) -> str:
    if not receipts:
        return translate("Recall", "No agent was served this memory so far.")
    more = len(receipts) - SHOWN
    if more == 1:
        return translate("Recall", "and 1 more agent")
    return translate("Recall", "and {0} more agents").format(more)
