"""The memories place: every memory in a list, filtered by words; beside it the chosen one."""

from __future__ import annotations

from array import array
from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QTimer
from PySide6.QtWidgets import QHBoxLayout, QMessageBox, QStackedWidget, QVBoxLayout, QWidget

from remembrancer.core.filters import Filter, from_query
from remembrancer.core.memory import Memory, Status
from remembrancer.core.query import parse
from remembrancer.desktop.feed import Changes
from remembrancer.desktop.look.buttons import KeyButton, PillButton
from remembrancer.desktop.look.cards import CardList
from remembrancer.desktop.look.labels import EmptyState, Label
from remembrancer.desktop.look.plain import number, translate
from remembrancer.desktop.memories.filters import FilterBar
from remembrancer.desktop.memory.decisions import Decisions
from remembrancer.desktop.memory.detail import MemoryDetail
from remembrancer.desktop.memory.editor import MemoryEditor
from remembrancer.desktop.memory_model import MemoryModel
from remembrancer.desktop.pane import Pane
from remembrancer.desktop.workbench import Workbench

_PAUSE = 120  # milliseconds without a key press before a search begins


class MemoriesPane(Pane):
    """The list holds ids alone, so that a million memories scroll like ten."""

    def __init__(self, bench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(bench, parent)
        self._asked = 0
        self._new = 0
        self._decisions = Decisions(bench, self)
        self._wanted: int | None = None
        self._build()
        self._buttons()
        self._connect()
        self.load()

    # --- what is shown

    def load(self) -> None:
        """Ask the store for what the search box says."""
        self._asked += 1
        asked, chosen = self._asked, self._chosen()
        self._new = 0
        self.pill.hide()

        def done(ids: array[int]) -> None:
            if asked == self._asked:
                self._show(ids)

        self.bench.background.run(lambda: self.bench.library.memories.ids(chosen), done, owner=self)

    def open(self, **what: object) -> None:
        """`memory_id` shows that memory, `new` a form (about `entity`), `query` a search."""
        if what.get("new"):
            entity = what.get("entity")
            self.write_new(str(entity) if entity is not None else None)
        elif isinstance(memory_id := what.get("memory_id"), int):
            self._go_to(memory_id)
        elif isinstance(query := what.get("query"), str):
            self.filters.set_text(query)
        else:
            self.list.setFocus()

    def find(self) -> None:
        self.filters.focus()

    def pose(self) -> None:
        """Stand at the first memory that has a history, for a picture."""
        if self.model.rowCount():
            self.list.choose_row(0)

    def changed(self, changes: Changes) -> None:
        ids = changes.memory_ids()
        self.model.refresh(ids)
        shown = self.detail.memory
        if shown is not None and shown.id in ids:
            self._show_again(shown.id)
        mine = {x.subject_id for x in changes.lines if x.author_kind == "person"}
        unseen = [i for i in ids if self.model.row_of(i) < 0]
        if changes.many or any(i in mine for i in unseen):
            self._reload_quietly()
        elif unseen:
            self._new += len(unseen)
            said = translate("Memories", "{0} new or changed — show").format(self._new)
            self.pill.announce(said)

    def may_leave(self) -> bool:
        if self._editing and self.editor.is_dirty():
            said = translate("Memories", "Save or cancel your words first.")
            self.bench.tell(said, "warning")
            return False
        return True

    # --- deeds

    def edit(self) -> None:
        """Edit the chosen memory."""
        if self.detail.memory is not None:
            self.editor.edit(self.detail.memory)
            self.right.setCurrentWidget(self.editor)

    def write_new(self, entity: str | None = None) -> None:
        """Write a new memory."""
        if self.may_leave():
            self.editor.write_new(entity)
            self.right.setCurrentWidget(self.editor)

    def verify(self) -> None:
        """Say that the chosen memory is still true."""
        self._decide(self._decisions.verify, Status.ACTIVE)

    def archive(self) -> None:
        """Hide the chosen memory from every default view."""
        self._decide(self._decisions.archive, Status.ACTIVE)

    def revive(self) -> None:
        """Bring an archived or deleted memory back."""
        self._decide(self._decisions.revive, Status.ARCHIVED, Status.DELETED)

    def pin(self) -> None:
        """Pin the chosen memory, or let it loose."""
        self._decide(self._decisions.pin, Status.ACTIVE)

    def delete(self) -> None:
        """Make a tombstone of the chosen memory; undo brings it back."""
        memory = self.detail.memory
        if memory is not None and memory.status is not Status.DELETED:
            self._decisions.delete(memory, lambda after: self._gone(after.id))

    def purge(self) -> None:
        """Ask, then forget the chosen memory for good."""
        memory = self.detail.memory
        if memory is None:
            return
        box = QMessageBox(self)
        box.setWindowTitle(translate("Memories", "Forget for good"))
        asked = "Forget m-{0} and its history for good? This cannot be undone."
        box.setText(translate("Memories", asked).format(memory.id))
        yes = box.addButton(translate("Memories", "Forget"), QMessageBox.ButtonRole.DestructiveRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        yes.clicked.connect(
            lambda: self._decisions.purge(memory, lambda _none: self._gone(memory.id))
        )
        box.open()

    # --- inside

    def _decide(
        self, decision: Callable[[Memory, Callable[[Memory], None]], None], *standing: Status
    ) -> None:
        memory = self.detail.memory
        if memory is not None and memory.status in standing:
            decision(memory, self._shown_after)

    def _chosen(self) -> Filter:
        return from_query(parse(self.filters.text()), self.bench.library.clock())

    def _show(self, ids: array[int]) -> None:
        kept = self.detail.memory.id if self.detail.memory is not None else None
        wanted, self._wanted = self._wanted if self._wanted is not None else kept, None
        self.model.show(ids)
        text = translate("Memories", "{0} memories").format(number(len(ids)))
        self.count.setText(text if len(ids) != 1 else translate("Memories", "1 memory"))
        row = self.model.row_of(wanted) if wanted is not None else 0
        if not self._editing and not (wanted is not None and row < 0):
            self._stand_at(max(row, 0) if ids else -1)

    def _stand_at(self, row: int) -> None:
        if row >= 0:
            self.list.choose_row(row)
            self._row_changed(self.model.index(row, 0))
            return
        self.detail.memory = None
        self._say_empty()
        self.right.setCurrentWidget(self.empty)

    def _say_empty(self) -> None:
        say = translate
        if self.filters.text().strip():
            hint = say("Memories", "Try fewer words, or state:all for archived ones too.")
            self.empty.show_state("search", say("Memories", "Nothing found"), hint)
            return
        hint = say("Memories", "Import a file, connect an agent, or write the first one.")
        heading, button = say("Memories", "No memories yet"), say("Memories", "New memory")
        self.empty.show_state("library", heading, hint, button)

    def _reload_quietly(self) -> None:
        self._asked += 1
        asked, chosen = self._asked, self._chosen()
        top = self.list.verticalScrollBar().value()

        def done(ids: array[int]) -> None:
            if asked == self._asked:
                self._show(ids)
                self.list.verticalScrollBar().setValue(top)

        self.bench.background.run(lambda: self.bench.library.memories.ids(chosen), done, owner=self)

    def _go_to(self, memory_id: int) -> None:
        row = self.model.row_of(memory_id)
        if row >= 0:
            self._stand_at(row)
            return
        self._wanted = memory_id
        self.right.setCurrentWidget(self.detail)
        self._show_again(memory_id)

    def _show_again(self, memory_id: int) -> None:
        found = self.bench.library.memories.several([memory_id])
        if not found:
            return
        self.detail.show_memory(found[0])
        self._name_buttons(found[0])
        if self._editing:
            self.editor.changed_elsewhere(found[0])

    def _row_changed(self, index: QModelIndex) -> None:
        memory = self.model.memory(index.row())
        if memory is None or (self._editing and self.editor.is_dirty()):
            return
        self.right.setCurrentWidget(self.detail)
        self.detail.show_memory(memory)
        self._name_buttons(memory)

    def _shown_after(self, memory: Memory) -> None:
        self.detail.show_memory(memory)
        self._name_buttons(memory)
        self.model.refresh([memory.id])

    def _gone(self, memory_id: int) -> None:
        row = self.model.row_of(memory_id)
        if row >= 0:
            self.model.remove(row)
            self._stand_at(min(row, self.model.rowCount() - 1))

    def _saved(self, memory: Memory) -> None:
        self.right.setCurrentWidget(self.detail)
        self._shown_after(memory)
        self._wanted = memory.id
        self._reload_quietly()
        self.list.setFocus()

    def _cancelled(self) -> None:
        self.right.setCurrentWidget(self.detail if self.detail.memory is not None else self.empty)
        self.list.setFocus()

    @property
    def _editing(self) -> bool:
        return self.right.currentWidget() is self.editor

    def _restore(self, revision: int) -> None:
        if self.detail.memory is not None:
            self._decisions.restore(self.detail.memory, revision, self._shown_after)

    def _name_buttons(self, memory: Memory) -> None:
        active = memory.status is Status.ACTIVE
        self.buttons["memory.verify"].setVisible(active)
        self.buttons["memory.archive"].setVisible(active)
        self.buttons["memory.revive"].setVisible(not active)
        self.buttons["memory.delete"].setVisible(memory.status is not Status.DELETED)
        pin = ("pin-off", "Unpin") if memory.pinned else ("pin", "Pin")
        self.buttons["memory.pin"].set_label(translate("Memories", pin[1]), pin[0])

    def _build(self) -> None:
        self.model = MemoryModel(self.bench.library, self)
        self.list = CardList(translate("Memories", "Memories"), compact=True)
        self.list.setModel(self.model)
        self.filters = FilterBar(self.bench)
        self.count = Label("", "small")
        self.pill = PillButton("")
        self.pill.hide()
        self.new_button = KeyButton("plus", translate("Memories", "New"))
        self.detail = MemoryDetail(self.bench)
        self.editor = MemoryEditor(self.bench)
        self.empty = EmptyState("library", "")
        self.right = QStackedWidget()
        for page in (self.detail, self.editor, self.empty):
            self.right.addWidget(page)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._left())
        row.addWidget(self.right, 1)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE)

    def _left(self) -> QWidget:
        head = QHBoxLayout()
        head.addWidget(Label(translate("Memories", "Memories"), "pane"))
        head.addWidget(self.count, 1)
        head.addWidget(self.new_button)
        above = QVBoxLayout()
        above.setContentsMargins(12, 0, 12, 0)
        above.setSpacing(10)
        above.addLayout(head)
        above.addWidget(self.filters)
        above.addWidget(self.pill)
        left = QWidget()
        left.setFixedWidth(432)
        column = QVBoxLayout(left)
        column.setContentsMargins(4, 16, 0, 0)
        column.setSpacing(10)
        column.addLayout(above)
        column.addWidget(self.list, 1)
        return left

    def _buttons(self) -> None:
        """The buttons of the detail, each with the key that does the same."""
        self.buttons: dict[str, KeyButton] = {}
        for id_, slot in (
            ("memory.edit", self.edit),
            ("memory.verify", self.verify),
            ("memory.archive", self.archive),
            ("memory.revive", self.revive),
            ("memory.pin", self.pin),
            ("memory.delete", self.delete),
        ):
            spec, key = self.bench.actions.specs[id_], self.bench.actions.key(id_)
            button = KeyButton(spec.icon, spec.name, key)
            button.clicked.connect(slot)
            self.buttons[id_] = button
            self.detail.buttons.addWidget(button)
            self.bench.actions.bind(id_, self, lambda s=slot: None if self._editing else s())
        self.detail.buttons.addStretch(1)
        self.bench.actions.bind("memory.compare", self, self.detail.compare)
        self.bench.actions.bind("memory.purge", self, self.purge)

    def _connect(self) -> None:
        self.list.selectionModel().currentRowChanged.connect(self._row_changed)
        self.list.activated.connect(lambda _index: self.edit())
        self._pause.timeout.connect(self.load)
        self.filters.changed.connect(self._pause.start)
        self.pill.clicked.connect(self.load)
        self.new_button.clicked.connect(lambda: self.write_new())
        self.editor.saved.connect(self._saved)
        self.editor.cancelled.connect(self._cancelled)
        self.detail.restore_wanted.connect(self._restore)
        self.empty.pressed.connect(lambda: self.write_new())
