"""The right side of a place: one memory that is read or edited, or a word why there is none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from remembrancer.core.memory import Memory
from remembrancer.desktop.look.buttons import KeyButton
from remembrancer.desktop.look.labels import EmptyState
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.memory.decisions import Decisions
from remembrancer.desktop.memory.detail import MemoryDetail
from remembrancer.desktop.memory.editor import MemoryEditor
from remembrancer.desktop.workbench import Workbench

Decision = Callable[[Memory, Callable[[Memory], None]], None]


class MemoryDesk(QStackedWidget):
    """Holds the detail, the editor and the empty state of a place.

    `saved(memory)` after an edit or a new memory, `closed()` when editing was given up,
    `shown(memory)` whenever the detail shows a memory.
    """

    saved = Signal(object)
    closed = Signal()
    shown = Signal(object)

    def __init__(self, bench: Workbench, empty: EmptyState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bench = bench
        self.decisions = Decisions(bench, self)
        self.detail = MemoryDetail(bench)
        self.editor = MemoryEditor(bench)
        self.empty = empty
        self.buttons: dict[str, KeyButton] = {}
        for page in (self.detail, self.editor, self.empty):
            self.addWidget(page)
        self.editor.saved.connect(self._saved)
        self.editor.cancelled.connect(self._cancelled)
        self.detail.restore_wanted.connect(self._restore)

    @property
    def memory(self) -> Memory | None:
        """The memory that is shown."""
        return self.detail.memory

    @property
    def editing(self) -> bool:
        """Whether the editor is open."""
        return self.currentWidget() is self.editor

    def show_memory(self, memory: Memory) -> None:
        """Show a memory; words that were not saved stay in sight instead."""
        self.detail.show_memory(memory)
        self.shown.emit(memory)
        if not (self.editing and self.editor.is_dirty()):
            self.setCurrentWidget(self.detail)

    def show_nothing(self) -> None:
        """Say why there is nothing to show."""
        self.detail.memory = None
        if not self.editing:
            self.setCurrentWidget(self.empty)

    def look_again(self, ids: Iterable[int]) -> None:
        """Read the shown memory anew when it is among these; an open editor is told."""
        memory = self.memory
        if memory is None or memory.id not in ids:
            return
        for found in self._bench.library.memories.several([memory.id]):
            self.detail.show_memory(found)
            self.shown.emit(found)
            if self.editing:
                self.editor.changed_elsewhere(found)

    def edit(self) -> None:
        """Edit the memory that is shown."""
        if self.memory is not None:
            self.editor.edit(self.memory)
            self.setCurrentWidget(self.editor)

    def write_new(self, entity: str | None = None) -> None:
        """Write a new memory, about an entity when one is named."""
        if self.may_leave():
            self.editor.write_new(entity)
            self.setCurrentWidget(self.editor)

    def may_leave(self) -> bool:
        """Whether nothing unsaved would be left behind; says so when something would."""
        if self.editing and self.editor.is_dirty():
            said = translate("Desk", "Save or cancel your words first.")
            self._bench.tell(said, "warning")
            return False
        return True

    def decide(self, decision: Decision, done: Callable[[Memory], None]) -> None:
        """Decide about the shown memory, unless it is being edited."""
        if self.memory is not None and not self.editing:
            decision(self.memory, done)

    def add_buttons(
        self, owner: QWidget, rows: Sequence[tuple[str, Callable[[], object]]], primary: str = ""
    ) -> None:
        """Add a button for each row of the table of actions, and bind its key within `owner`."""
        for id_, slot in rows:
            spec, key = self._bench.actions.specs[id_], self._bench.actions.key(id_)
            button = KeyButton(spec.icon, spec.name, key, primary=id_ == primary)
            button.clicked.connect(slot)
            self.buttons[id_] = button
            self.detail.buttons.addWidget(button)
            self._bench.actions.bind(id_, owner, lambda s=slot: None if self.editing else s())

    def _saved(self, memory: Memory) -> None:
        self.setCurrentWidget(self.detail)
        self.show_memory(memory)
        self.saved.emit(memory)

    def _cancelled(self) -> None:
        self.setCurrentWidget(self.detail if self.memory is not None else self.empty)
        self.closed.emit()

    def _restore(self, revision: int) -> None:
        if self.memory is not None:
            self.decisions.restore(self.memory, revision, self.show_memory)
