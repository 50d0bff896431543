"""The journal as a list model: calls, newest first; what is new waits until it is let in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Signal,
)

from remembrancer.core.errors import RemembrancerError
from remembrancer.desktop import words
from remembrancer.desktop.activity.call import Call
from remembrancer.desktop.activity.reading import Page, Wanted, page
from remembrancer.desktop.background import Background
from remembrancer.service.library import Library

_Index = QModelIndex | QPersistentModelIndex
CALL_ROLE = int(Qt.ItemDataRole.UserRole) + 1
WHEN_ROLE = CALL_ROLE + 1
UNDONE_ROLE = CALL_ROLE + 2
FIRST_SCREEN = 25  # calls that are looked for without the person scrolling


class ActivityModel(QAbstractTableModel):
    """One column of calls. `loaded` tells that the list was read anew, `more` that it grew,

    `failed` why it could not be read.
    """

    loaded = Signal()
    failed = Signal(object)
    more = Signal()

    def __init__(self, library: Library, background: Background, parent: QObject) -> None:
        super().__init__(parent)
        self._library = library
        self._background = background
        self._calls: list[Call] = []
        self._waiting: list[Call] = []
        self._undone: set[int] = set()
        self._wanted = Wanted()
        self._next: Wanted | None = None
        self._before: int | None = None
        self._reading = False

    # --- what is shown

    @property
    def wanted(self) -> Wanted:
        """What the list shows, or will show once it is read."""
        return self._next or self._wanted

    @property
    def waiting(self) -> int:
        """How many new calls wait to be let in."""
        return len(self._waiting)

    @property
    def whole(self) -> bool:
        """Whether the list goes back to the beginning of the journal."""
        return self._before is None and not self._reading

    def show(self, wanted: Wanted) -> None:
        """Show these calls instead; while a reading is under way, only the last wish counts."""
        self._next = wanted
        if not self._reading:
            self._read()

    def add(self, calls: Iterable[Call]) -> None:
        """Take note of new calls, newest first; they wait."""
        known = {c.batch for c in self._calls[:1]} | {c.batch for c in self._waiting}
        newest = max(known, default=0)
        self._waiting[:0] = [c for c in calls if c.batch > newest]
        self._mark_undone()

    def let_in(self) -> None:
        """Put what waits on top."""
        fresh, self._waiting = self._waiting, []
        if not fresh:
            return
        self.beginInsertRows(QModelIndex(), 0, len(fresh) - 1)
        self._calls[:0] = fresh
        self.endInsertRows()
        self._mark_undone()

    def call(self, row: int) -> Call | None:
        """The call at a row."""
        return self._calls[row] if 0 <= row < len(self._calls) else None

    def row_of(self, batch: int) -> int:
        """Where a call stands; -1 when it is not among those read so far."""
        return next((row for row, c in enumerate(self._calls) if c.batch == batch), -1)

    def undone(self, batch: int) -> bool:
        """Whether a later call that is known took this one back."""
        return batch in self._undone

    # --- Qt's questions

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._calls)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 1

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        maker = _ROLES.get(role)
        return maker(self, self._calls[index.row()]) if maker and index.isValid() else None

    def canFetchMore(self, parent: _Index) -> bool:
        return not parent.isValid() and self._before is not None and not self._reading

    def fetchMore(self, parent: _Index) -> None:
        if self.canFetchMore(parent):
            self._ask(self._wanted, self._before, self._append)

    def when(self, call: Call) -> str:
        """When a call was, as the list says it."""
        return words.moment(call.at, self._library.clock())

    # --- inside

    def _ask(
        self, wanted: Wanted, before: int | None, done: Callable[[Wanted, Page], None]
    ) -> None:
        self._reading = True
        self._background.run(
            lambda: page(self._library, wanted, before),
            lambda found: self._answered(wanted, found, done),
            self._not_read,
            self,
        )

    def _not_read(self, error: RemembrancerError) -> None:
        """Leave the list as it is; the next wish tries again."""
        self._reading, self._next = False, None
        self.failed.emit(error)

    def _answered(self, wanted: Wanted, found: Page, done: Callable[[Wanted, Page], None]) -> None:
        self._reading = False
        if self._next is not None and (self._next != wanted or done == self._append):
            self._read()
        else:
            done(wanted, found)

    def _read(self) -> None:
        if self._next is not None:
            self._ask(self._next, None, self._replace)

    def _replace(self, wanted: Wanted, found: Page) -> None:
        self.beginResetModel()
        self._wanted, self._next = wanted, None
        self._calls, self._waiting, self._before = list(found.calls), [], found.before
        self._undone = undone(self._calls)
        self.endResetModel()
        self.loaded.emit()
        self._look_further()

    def _append(self, wanted: Wanted, found: Page) -> None:
        self._before = found.before
        start = len(self._calls)
        if found.calls:
            self.beginInsertRows(QModelIndex(), start, start + len(found.calls) - 1)
            self._calls += found.calls
            self.endInsertRows()
            self._mark_undone()
        self.more.emit()
        self._look_further()

    def _look_further(self) -> None:
        """Go on by itself while the first screen is not full, letting others work in between."""
        if self._before is not None and len(self._calls) < FIRST_SCREEN:
            QTimer.singleShot(0, self, lambda: self.fetchMore(QModelIndex()))

    def _mark_undone(self) -> None:
        before, self._undone = self._undone, undone([*self._waiting, *self._calls])
        for batch in before ^ self._undone:
            row = self.row_of(batch)
            if row >= 0:
                self.dataChanged.emit(self.index(row, 0), self.index(row, 0))


def undone(calls: Sequence[Call]) -> set[int]:
    """The batches that calls (newest first) took back and that nobody brought back since."""
    found: set[int] = set()
    for call in calls:
        if call.undoes is not None and call.batch not in found:
            found.add(call.undoes)
    return found


_ROLES: dict[int, Callable[[ActivityModel, Call], Any]] = {
    Qt.ItemDataRole.DisplayRole: lambda _, call: call.sentence(),
    Qt.ItemDataRole.AccessibleTextRole: lambda model, call: call.spoken(model.when(call)),
    CALL_ROLE: lambda _, call: call,
    WHEN_ROLE: lambda model, call: model.when(call),
    UNDONE_ROLE: lambda model, call: model.undone(call.batch),
}
