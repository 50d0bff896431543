"""The memories of one entity as cards that keep their places while others change them."""

from __future__ import annotations

from array import array
from dataclasses import replace

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QStackedLayout, QWidget

from remembrancer.core.memory import Memory
from remembrancer.desktop.entities.words import quoted
from remembrancer.desktop.look.cards import CardFace, CardList
from remembrancer.desktop.look.labels import EmptyState
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.memory_model import MemoryModel
from remembrancer.service.library import Library

ONE_BY_ONE = 40  # beyond so many new or gone rows the list is shown anew


class MemoriesView(QWidget):
    """Cards of memories. `opened` tells the id of one, `new_wanted` asks for another."""

    opened = Signal(int)
    new_wanted = Signal()

    def __init__(self, library: Library, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = _Model(library, self)
        self.cards = _Cards(translate("Entities", "Memories of the entity"), compact=True)
        self.cards.setModel(self.model)
        self.cards.opened.connect(self._open)
        self._ids: array[int] = array("q")
        self._empty = EmptyState("library", "")
        self._empty.pressed.connect(self.new_wanted)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self.cards)
        self._pages.addWidget(self._empty)

    def show_ids(self, name: str, ids: array[int], same_entity: bool) -> None:
        """Show these memories of the entity `name`; rows of the `same_entity` keep their places."""
        if not same_entity:
            self.model.show(array("q", ids))
            self.cards.scrollToTop()
            self._ids = array("q", ids)
        else:
            self._merge(ids)
        self._pages.setCurrentIndex(0 if ids else 1)
        self._empty.show_state(
            "library",
            translate("Entities", "Nothing is remembered yet"),
            translate("Entities", "Agents have nothing to recall about {0}.").format(quoted(name)),
            translate("Entities", "New memory"),
        )

    def holds(self, memory_ids: frozenset[int]) -> bool:
        """Whether one of these memories is shown."""
        return any(self.model.row_of(i) >= 0 for i in memory_ids)

    def _merge(self, ids: array[int]) -> None:
        """Take out what is gone and put what is new on top; the rest is not moved."""
        wanted, had = set(ids), set(self._ids)
        gone, new = had - wanted, [i for i in ids if i not in had]
        if len(gone) + len(new) > ONE_BY_ONE:
            place = self.cards.verticalScrollBar().value()
            self._ids = array("q", ids)
            self.model.show(array("q", ids))
            self.cards.verticalScrollBar().setValue(place)
            return
        for memory_id in gone:
            self.model.remove(self.model.row_of(memory_id))
            self._ids.remove(memory_id)
        for memory_id in reversed(new):
            self.model.insert(0, memory_id)
            self._ids.insert(0, memory_id)

    def _open(self, row: int) -> None:
        memory = self.model.memory(row)
        if memory is not None:
            self.opened.emit(memory.id)


class _Model(MemoryModel):
    """Cards that show tags where others show the entity, which is the same on all of these."""

    def card(self, memory: Memory) -> CardFace:
        return replace(super().card(memory), badges=memory.tags)


class _Cards(CardList):
    """Cards of which Return or a double click opens one."""

    opened = Signal(int)

    def __init__(self, name: str, compact: bool) -> None:
        super().__init__(name, compact)
        self.doubleClicked.connect(self._tell)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self._tell(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def _tell(self, index: QModelIndex) -> None:
        self.opened.emit(index.row())
