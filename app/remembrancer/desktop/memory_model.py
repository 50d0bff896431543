"""Memories as a list model: every id at once, eight bytes each, and the rows by pages on demand."""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from remembrancer.core.memory import Memory
from remembrancer.core.review import Reason
from remembrancer.desktop import words
from remembrancer.desktop.look.cards import CARD_ROLE, CardFace
from remembrancer.desktop.look.plain import one_line
from remembrancer.desktop.memory import flags
from remembrancer.service.library import Library

_Index = QModelIndex | QPersistentModelIndex
MEMORY_ROLE = CARD_ROLE + 1
PAGE = 64
PAGES = 40


def face(memory: Memory, reasons: Iterable[Reason], now: int) -> CardFace:
    """A memory as a card."""
    first = next(iter(reasons), None)
    tone, icon = words.REASON_LOOK[first] if first else ("ok", "circle-check")
    when = memory.verified_at or memory.updated_at
    verified = words.translate("Card", "Verified {0} ago").format(words.age(when, now))
    return CardFace(
        kind=memory.kind,
        title=memory.headline(200),
        reason=words.due(memory, first, now) if first else verified,
        reason_tone=tone,
        reason_icon=icon,
        agent=memory.author,
        age=words.age(memory.updated_at, now),
        confidence=memory.confidence,
        pinned=memory.pinned,
        badges=(*flags.badges(memory), *([memory.entity] if memory.entity else [])),
    )


class MemoryModel(QAbstractTableModel):
    """One column of cards. `data` fetches one page of rows when the view reaches it."""

    def __init__(self, library: Library, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._library = library
        self._ids: array[int] = array("q")
        self._pages: OrderedDict[int, list[Memory | None]] = OrderedDict()

    def show(self, ids: array[int]) -> None:
        """Show these memories instead."""
        self.beginResetModel()
        self._ids = ids
        self._pages.clear()
        self.endResetModel()

    def refresh(self, memory_ids: Iterable[int]) -> None:
        """Read these memories anew where they are shown; their places stay as they are."""
        wanted = set(memory_ids)
        for number in list(self._pages):
            rows = self._pages[number]
            if any(m is not None and m.id in wanted for m in rows):
                del self._pages[number]
                first, last = number * PAGE, min((number + 1) * PAGE, len(self._ids)) - 1
                self.dataChanged.emit(self.index(first, 0), self.index(last, 0))

    def remove(self, row: int) -> None:
        """Take one row out of the list (it is decided, or no longer matches)."""
        self.beginRemoveRows(QModelIndex(), row, row)
        del self._ids[row]
        self._pages.clear()
        self.endRemoveRows()

    def insert(self, row: int, memory_id: int) -> None:
        """Put one memory into the list (a decision was taken back)."""
        self.beginInsertRows(QModelIndex(), row, row)
        self._ids.insert(row, memory_id)
        self._pages.clear()
        self.endInsertRows()

    def memory(self, row: int) -> Memory | None:
        """The memory at a row; None when it was forgotten meanwhile."""
        if not 0 <= row < len(self._ids):
            return None
        number, place = divmod(row, PAGE)
        return self._page(number)[place]

    def unshown(self, memory_ids: Iterable[int]) -> set[int]:
        """Those of these memories that the list does not hold; one pass, however many are asked."""
        wanted = set(memory_ids)
        return wanted - wanted.intersection(self._ids)

    def row_of(self, memory_id: int) -> int:
        """Where a memory stands; -1 when it is not shown."""
        try:
            return self._ids.index(memory_id)
        except ValueError:
            return -1

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._ids)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 1

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        maker = _ROLES.get(role)
        if maker is None or not index.isValid():
            return None
        memory = self.memory(index.row())
        return None if memory is None else maker(self, memory)

    def card(self, memory: Memory) -> CardFace:
        """The card of a memory as of now."""
        return face(memory, self._library.review.reasons(memory), self._library.clock())

    def _page(self, number: int) -> list[Memory | None]:
        page = self._pages.get(number)
        if page is None:
            ids = self._ids[number * PAGE : (number + 1) * PAGE]
            found = {m.id: m for m in self._library.memories.several(ids)}
            page = self._pages[number] = [found.get(i) for i in ids]
            if len(self._pages) > PAGES:
                self._pages.popitem(last=False)
        self._pages.move_to_end(number)
        return page


_ROLES: dict[int, Callable[[MemoryModel, Memory], Any]] = {
    Qt.ItemDataRole.DisplayRole: lambda _, memory: one_line(memory.headline(200)),
    Qt.ItemDataRole.AccessibleTextRole: lambda model, memory: model.card(memory).spoken(),
    CARD_ROLE: lambda model, memory: model.card(memory),
    MEMORY_ROLE: lambda _, memory: memory,
}
