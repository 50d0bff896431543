"""What the person does, one after the other, and taking it back: undo and redo with names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from PySide6.QtCore import QObject, Signal

from remembrancer.core.author import PERSON
from remembrancer.core.errors import Conflict, RemembrancerError
from remembrancer.desktop.background import Background
from remembrancer.service.desk import Doing
from remembrancer.service.library import Library

T = TypeVar("T")
KEPT = 100

WINDOW: Doing = {"author": PERSON, "origin": "window"}
_UNDO: Doing = {"author": PERSON, "origin": "undo"}


@dataclass(frozen=True)
class Done:
    """A deed that can be taken back: its name for the menu, and its batch in the journal."""

    name: str
    batch: int


class Deeds(QObject):
    """Runs the person's deeds in the background and remembers them for undo and redo.

    Undo is a deed too: it puts back what stood before, unless somebody changed it since; then
    `refused` tells which deed and why, and `overrule` does it all the same.
    """

    changed = Signal()
    did = Signal(object)
    refused = Signal(object, object)

    def __init__(self, library: Library, background: Background, parent: QObject) -> None:
        super().__init__(parent)
        self._library = library
        self._background = background
        self._undo: list[Done] = []
        self._redo: list[Done] = []

    def do(
        self,
        name: str,
        work: Callable[[], T],
        done: Callable[[T], None] | None = None,
        failed: Callable[[RemembrancerError], None] | None = None,
        owner: QObject | None = None,
    ) -> None:
        """Run a deed named `name` (as the menu shows it: "Verify “…”") in the background."""

        def finish(answer: tuple[T, int | None]) -> None:
            result, batch = answer
            if batch is not None:
                self._keep(self._undo, Done(name, batch))
                self._redo.clear()
                self.did.emit(self._undo[-1])
                self.changed.emit()
            if done is not None:
                done(result)

        self._background.run(lambda: self._work(work), finish, failed, owner)

    @property
    def next_undo(self) -> Done | None:
        """What undo would take back."""
        return self._undo[-1] if self._undo else None

    @property
    def next_redo(self) -> Done | None:
        """What redo would do again."""
        return self._redo[-1] if self._redo else None

    def undo(self) -> None:
        """Take the last deed back."""
        if self._undo:
            self._turn(self._undo, self._redo, force=False)

    def redo(self) -> None:
        """Do again what was taken back last."""
        if self._redo:
            self._turn(self._redo, self._undo, force=False)

    def overrule(self, deed: Done) -> None:
        """Take a deed back although it was changed since."""
        self._undo.append(deed)
        self._turn(self._undo, self._redo, force=True)

    def undo_batch(self, batch: int, name: str) -> None:
        """Take any deed of the journal back, as a deed of the person that can be undone."""
        deed = Done(name, batch)

        def failed(error: RemembrancerError) -> None:
            self.refused.emit(deed, error)

        self.do(name, lambda: self._library.journal.undo(batch, **_UNDO), failed=failed)

    def _turn(self, source: list[Done], target: list[Done], *, force: bool) -> None:
        deed = source.pop()
        self.changed.emit()

        def work() -> int:
            return self._library.journal.undo(deed.batch, force=force, **_UNDO)

        def done(batch: int) -> None:
            self._keep(target, Done(deed.name, batch))
            self.changed.emit()

        def failed(error: RemembrancerError) -> None:
            if not isinstance(error, Conflict):
                source.append(deed)
            self.refused.emit(deed, error)
            self.changed.emit()

        self._background.run(work, done, failed)

    def _work(self, work: Callable[[], T]) -> tuple[T, int | None]:
        before = self._library.journal.head()
        result = work()
        mine = self._library.journal.newest(1, author=PERSON.name)
        return result, mine[0].batch if mine and mine[0].sequence > before else None

    @staticmethod
    def _keep(deeds: list[Done], deed: Done) -> None:
        deeds.append(deed)
        del deeds[:-KEPT]
