"""Entities as a list model: by name, page after page as the view comes to them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from remembrancer.core.entity import Entity
from remembrancer.core.errors import RemembrancerError
from remembrancer.desktop.background import Background
from remembrancer.desktop.entities import words
from remembrancer.desktop.entities.reading import Wanted, look_again
from remembrancer.desktop.look.plain import one_line
from remembrancer.service.library import Library

_Index = QModelIndex | QPersistentModelIndex
ENTITY_ROLE = int(Qt.ItemDataRole.UserRole) + 1
PAGE = 100
_name = attrgetter("name")


class EntityModel(QAbstractTableModel):
    """One column of entities, sorted by name. `loaded` tells that the list was read anew,

    `failed` why it could not be.
    """

    loaded = Signal()
    failed = Signal(object)

    def __init__(self, library: Library, background: Background, parent: QObject) -> None:
        super().__init__(parent)
        self._library = library
        self._background = background
        self._rows: list[Entity] = []
        self._names: dict[int, str] = {}
        self._wanted = Wanted()
        self._next: tuple[Wanted, int] | None = None
        self._whole = True
        self._reading = False

    # --- what is shown

    @property
    def wanted(self) -> Wanted:
        """What the list shows, or will show once it is read."""
        return self._next[0] if self._next else self._wanted

    def show(self, wanted: Wanted) -> None:
        """Show these entities instead, from the first page on."""
        self._read(wanted, PAGE)

    def reload(self) -> None:
        """Read as much as is shown anew."""
        self._read(self.wanted, max(PAGE, len(self._rows)))

    def look_at(self, entity_ids: Iterable[int]) -> None:
        """Read these entities anew: their rows change, come or go; the other rows stay."""
        wanted, ids = self.wanted, list(entity_ids)

        def done(found: list[tuple[int, Entity | None]]) -> None:
            if wanted == self._wanted:
                for entity_id, entity in found:
                    self._put(entity_id, entity)

        self._background.run(lambda: look_again(self._library, wanted, ids), done, owner=self)

    def entity(self, row: int) -> Entity | None:
        """The entity at a row."""
        return self._rows[row] if 0 <= row < len(self._rows) else None

    def row_of(self, entity_id: int) -> int:
        """Where an entity stands; -1 when it is not among the rows read so far."""
        name = self._names.get(entity_id)
        return -1 if name is None else self._place(name)

    # --- Qt's questions

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 1

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        maker = _ROLES.get(role)
        return maker(self._rows[index.row()]) if maker and index.isValid() else None

    def canFetchMore(self, parent: _Index) -> bool:
        return not (parent.isValid() or self._whole or self._reading)

    def fetchMore(self, parent: _Index) -> None:
        if not self.canFetchMore(parent):
            return
        wanted, after = self._wanted, self._rows[-1].name
        self._reading = True
        self._background.run(
            lambda: self._library.map.entities(wanted.words, wanted.type, PAGE, after),
            self._append,
            self._not_read,
            self,
        )

    # --- inside

    def _read(self, wanted: Wanted, limit: int) -> None:
        """Read from the beginning; while a reading is under way, only the last wish counts."""
        self._next = (wanted, limit)
        if not self._reading:
            self._read_next()

    def _read_next(self) -> None:
        if self._next is None:
            return
        wanted, limit = self._next
        self._reading = True

        def done(found: list[Entity]) -> None:
            self._reading = False
            if self._next != (wanted, limit):
                self._read_next()
                return
            self._next = None
            self._replace(wanted, found, len(found) < limit)

        self._background.run(
            lambda: self._library.map.entities(wanted.words, wanted.type, limit),
            done,
            self._not_read,
            self,
        )

    def _not_read(self, error: RemembrancerError) -> None:
        """Leave the list as it is; the next wish tries again."""
        self._reading, self._next = False, None
        self.failed.emit(error)

    def _replace(self, wanted: Wanted, found: list[Entity], whole: bool) -> None:
        self.beginResetModel()
        self._wanted, self._rows, self._whole = wanted, found, whole
        self._names = {e.id: e.name for e in found}
        self.endResetModel()
        self.loaded.emit()

    def _append(self, found: list[Entity]) -> None:
        self._reading = False
        if self._next is not None:
            self._read_next()
            return
        last = self._rows[-1].name if self._rows else ""
        fresh = [e for e in found if e.name > last and e.id not in self._names]
        self._whole = len(found) < PAGE
        if fresh:
            start = len(self._rows)
            self.beginInsertRows(QModelIndex(), start, start + len(fresh) - 1)
            self._rows += fresh
            self._names.update((e.id, e.name) for e in fresh)
            self.endInsertRows()

    def _put(self, entity_id: int, entity: Entity | None) -> None:
        row = self.row_of(entity_id)
        if entity is None:
            self._remove(row)
        elif row >= 0:
            self._move(row, entity)
        elif self._whole or (self._rows and entity.name < self._rows[-1].name):
            self._insert(entity)

    def _remove(self, row: int) -> None:
        if row < 0:
            return
        self.beginRemoveRows(QModelIndex(), row, row)
        del self._names[self._rows.pop(row).id]
        self.endRemoveRows()

    def _insert(self, entity: Entity) -> None:
        row = self._place(entity.name)
        self.beginInsertRows(QModelIndex(), row, row)
        self._rows.insert(row, entity)
        self._names[entity.id] = entity.name
        self.endInsertRows()

    def _move(self, row: int, entity: Entity) -> None:
        """Put the new state of a row where its name belongs; a chosen row stays chosen."""
        target = self._place(entity.name)
        place = target - 1 if target > row else target
        if place != row:
            parent = QModelIndex()
            self.beginMoveRows(parent, row, row, parent, target)
            self._rows.insert(place, self._rows.pop(row))
        self._rows[place] = entity
        self._names[entity.id] = entity.name
        if place != row:
            self.endMoveRows()
        self.dataChanged.emit(self.index(place, 0), self.index(place, 0))

    def _place(self, name: str) -> int:
        return bisect_left(self._rows, name, key=_name)


_ROLES: dict[int, Callable[[Entity], Any]] = {
    Qt.ItemDataRole.DisplayRole: lambda entity: one_line(entity.name),
    Qt.ItemDataRole.AccessibleTextRole: words.spoken,
    ENTITY_ROLE: lambda entity: entity,
}
