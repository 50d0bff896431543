"""The changes of one call, each with a box: what is not ticked is left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QListView, QWidget

from remembrancer.core.proposal import Change
from remembrancer.desktop.look import fonts, icons
from remembrancer.desktop.look.plain import one_line, tooltip, translate
from remembrancer.desktop.proposals import words

_Index = QModelIndex | QPersistentModelIndex
_ROW, _MOST = 30, 5


class TickModel(QAbstractListModel):
    """The changes; `left_out` are the places that are not ticked."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._changes: tuple[Change, ...] = ()
        self._out: set[int] = set()
        self.may_tick = True

    def show(self, changes: Sequence[Change], *, may_tick: bool) -> None:
        """Show these, all of them ticked."""
        self.beginResetModel()
        self._changes, self._out, self.may_tick = tuple(changes), set(), may_tick
        self.endResetModel()

    @property
    def left_out(self) -> frozenset[int]:
        """The places of the changes that the person does not want."""
        return frozenset(self._out)

    def toggle(self, row: int) -> None:
        """Take a change, or leave it out."""
        if self.may_tick and 0 <= row < len(self._changes):
            self._out ^= {row}
            self.dataChanged.emit(self.index(row, 0), self.index(row, 0))

    def tick_all(self) -> None:
        """Take every change."""
        for row in sorted(self._out):
            self.toggle(row)

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._changes)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        change = self._changes[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            text = translate("Proposals", "{0}: {1}")
            return text.format(words.deed(change), words.label(change))
        if role == Qt.ItemDataRole.DecorationRole:
            return icons.icon(*words.look(change))
        if role == Qt.ItemDataRole.ToolTipRole:
            return tooltip(one_line(words.label(change)))
        if role == Qt.ItemDataRole.CheckStateRole and self.may_tick:
            out = index.row() in self._out
            return Qt.CheckState.Unchecked if out else Qt.CheckState.Checked
        return None

    def setData(self, index: _Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole or not index.isValid() or not self.may_tick:
            return False
        if (Qt.CheckState(value) is Qt.CheckState.Unchecked) != (index.row() in self._out):
            self.toggle(index.row())
        return True

    def flags(self, index: _Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag
        if not index.isValid():
            return flags.NoItemFlags
        usual = flags.ItemIsEnabled | flags.ItemIsSelectable | flags.ItemNeverHasChildren
        return usual | flags.ItemIsUserCheckable if self.may_tick else usual


class TickList(QListView):
    """The list of them, as high as it needs to be; Space ticks, `left` wants out of it."""

    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.ticks = TickModel(self)
        self.setModel(self.ticks)
        self.setAccessibleName(translate("Proposals", "Changes of this call"))
        self.setFont(fonts.font(12))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setIconSize(QSize(15, 15))
        self.setUniformItemSizes(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setStyleSheet(_LOOK)

    def show_changes(self, changes: Sequence[Change], *, may_tick: bool) -> None:
        """Show the changes of a call; one alone needs no list."""
        self.ticks.show(changes, may_tick=may_tick)
        self.setFixedHeight(min(len(changes), _MOST) * _ROW + 4)
        self.setVisible(len(changes) > 1)
        self.setCurrentIndex(self.ticks.index(0, 0))

    def toggle_current(self) -> None:
        """Take the change that is looked at, or leave it out."""
        self.ticks.toggle(self.currentIndex().row())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() == Qt.Key.Key_Space:
            self.toggle_current()
        elif event.key() == Qt.Key.Key_A and event.modifiers() == _CONTROL:
            self.ticks.tick_all()
        else:
            super().keyPressEvent(event)


_CONTROL = Qt.KeyboardModifier.ControlModifier
_LOOK = """
QListView { background: transparent; border: none; outline: 0 }
QListView::item { height: 30px; padding: 0 6px; border-radius: 6px; color: palette(text) }
QListView::item:selected { background: palette(midlight); color: palette(text) }
"""
