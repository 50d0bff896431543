"""What a person decides about one memory, as deeds with names that can be undone."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from remembrancer.core.author import PERSON
from remembrancer.core.memory import Edit, Memory, Status
from remembrancer.desktop.deeds import WINDOW
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.workbench import Workbench
from remembrancer.service.backups_cleaning import Cleaned

LATER_DAYS = 7
_SHOWN = 48

Done = Callable[[Memory], None]


class Decisions:
    """Each decision is made against the revision the person saw; `done` gets the memory after."""

    def __init__(self, bench: Workbench, owner: QObject) -> None:
        self._bench = bench
        self._desk = bench.library.memories
        self._owner = owner

    def verify(self, memory: Memory, done: Done) -> None:
        """Still true: as of now."""
        self._revise(translate("Decisions", "Verify"), memory, Edit(verified=True), done)

    def archive(self, memory: Memory, done: Done) -> None:
        """No longer true: out of every default view."""
        edit = Edit(status=Status.ARCHIVED)
        self._revise(translate("Decisions", "Archive"), memory, edit, done)

    def revive(self, memory: Memory, done: Done) -> None:
        """Back into view."""
        edit = Edit(status=Status.ACTIVE)
        self._revise(translate("Decisions", "Bring back"), memory, edit, done)

    def pin(self, memory: Memory, done: Done) -> None:
        """Pinned, or loose again."""
        name = "Unpin" if memory.pinned else "Pin"
        self._revise(translate("Decisions", name), memory, Edit(pinned=not memory.pinned), done)

    def later(self, memory: Memory, done: Done, *, days: int = LATER_DAYS) -> None:
        """Not now: due again in some days."""

        def work() -> Memory:
            return self._desk.postpone(memory.id, days, expected=memory.revision, **WINDOW)

        self._do(translate("Decisions", "Put off"), memory, work, done)

    def delete(self, memory: Memory, done: Done) -> None:
        """A tombstone, which undo brings back."""

        def work() -> Memory:
            return self._desk.delete(memory.id, expected=memory.revision, **WINDOW)

        self._do(translate("Decisions", "Delete"), memory, work, done)

    def restore(self, memory: Memory, revision: int, done: Done) -> None:
        """The words and fields of an earlier revision, as a new one."""

        def work() -> Memory:
            return self._desk.restore(memory.id, revision, expected=memory.revision, **WINDOW)

        name = translate("Decisions", "Restore r{0} of").format(revision)
        self._do(name, memory, work, done)

    def purge(
        self, memory: Memory, done: Callable[[Cleaned | None], None], *, backups: bool = False
    ) -> None:
        """Forgotten for good, with `backups` there too; there is no way back, so it is no deed."""

        def work() -> Cleaned | None:
            self._desk.purge(memory.id, **WINDOW)
            return self._bench.library.backups.forget(memory.id, PERSON) if backups else None

        self._bench.background.run(work, done, owner=self._owner)

    def _revise(self, name: str, memory: Memory, edit: Edit, done: Done) -> None:
        def work() -> Memory:
            return self._desk.revise(memory.id, edit, expected=memory.revision, **WINDOW)

        self._do(name, memory, work, done)

    def _do(self, name: str, memory: Memory, work: Callable[[], Memory], done: Done) -> None:
        said = f"{name} “{memory.headline(_SHOWN)}”"
        self._bench.deeds.do(said, work, done, owner=self._owner)
