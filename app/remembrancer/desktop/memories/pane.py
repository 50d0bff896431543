"""The memories place: every memory in a list, filtered by words; beside it the chosen one."""

from __future__ import annotations

from array import array

from PySide6.QtCore import QModelIndex, QTimer
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from remembrancer.core.filters import Filter, from_query
from remembrancer.core.memory import Memory
from remembrancer.core.query import parse
from remembrancer.desktop.feed import Changes
from remembrancer.desktop.look.buttons import KeyButton, PillButton
from remembrancer.desktop.look.cards import CardList
from remembrancer.desktop.look.labels import ElidedLabel, EmptyState, Label
from remembrancer.desktop.look.plain import number, translate
from remembrancer.desktop.memories.deeds import ChosenMemory
from remembrancer.desktop.memories.filters import FilterBar
from remembrancer.desktop.memory.desk import MemoryDesk
from remembrancer.desktop.memory_model import MemoryModel
from remembrancer.desktop.pane import Pane
from remembrancer.desktop.workbench import Workbench

_POSED = 60  # rows among which a picture chooses
_WIDEST, _NARROWEST = 432, 250
_PAUSE = 120  # milliseconds without a key press before a search begins


class MemoriesPane(Pane):
    """The list holds ids alone, so that a million memories scroll like ten."""

    def __init__(self, bench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(bench, parent)
        self._asked = 0
        self._new = 0
        self._wanted: int | None = None
        self._build()
        self.deeds = ChosenMemory(bench, self, self.desk, self._changed_by_me, self._gone)
        self._connect()
        self.load()

    # --- what is shown

    def load(self) -> None:
        """Ask the store for what the search box says; the list begins at its top."""
        self._new = 0
        self.pill.hide()
        self._read(None)

    def open(self, **what: object) -> None:
        """`memory_id` shows that memory, `new` a form (about `entity`), `query` a search."""
        if what.get("new"):
            entity = what.get("entity")
            self.desk.write_new(str(entity) if entity is not None else None)
        elif isinstance(memory_id := what.get("memory_id"), int):
            self._go_to(memory_id)
        elif isinstance(query := what.get("query"), str):
            self.filters.set_text(query)
        else:
            self.list.setFocus()

    def focus_search(self) -> None:
        self.filters.focus()

    def pose(self) -> None:
        """Show what the latest revision of a memory changed, for a picture."""
        rows = range(min(self.model.rowCount(), _POSED))
        told = [(m.revision > 1, len(m.content), r) for r in rows if (m := self.model.memory(r))]
        if told:
            self.list.choose_row(max(told)[2])
            QTimer.singleShot(0, self.desk.detail.show_changes)

    def changed(self, changes: Changes) -> None:
        ids = changes.memory_ids()
        self.model.refresh(ids)
        self.desk.look_again(ids)
        mine = {x.subject_id for x in changes.lines if x.author_kind == "person"}
        unseen = self.model.unshown(ids)
        if changes.many or unseen & mine:
            self._read(self.list.verticalScrollBar().value())
        elif unseen:
            self._new += len(unseen)
            said = translate("Memories", "{0} new or changed — show").format(self._new)
            self.pill.announce(said)

    def may_leave(self) -> bool:
        return self.desk.may_leave()

    # --- inside

    def _read(self, scrolled: int | None) -> None:
        """Read the ids; `scrolled` is where the list stood and shall stand again."""
        self._asked += 1
        asked, chosen = self._asked, self._chosen()

        def done(ids: array[int]) -> None:
            if asked == self._asked:
                self._show(ids)
                if scrolled is not None:
                    self.list.verticalScrollBar().setValue(scrolled)

        self.bench.background.run(lambda: self.bench.library.memories.ids(chosen), done, owner=self)

    def _chosen(self) -> Filter:
        return from_query(parse(self.filters.text()), self.bench.library.clock())

    def _show(self, ids: array[int]) -> None:
        kept = self.desk.memory.id if self.desk.memory is not None else None
        wanted, self._wanted = self._wanted if self._wanted is not None else kept, None
        self.model.show(ids)
        text = translate("Memories", "{0} memories").format(number(len(ids)))
        self.count.setText(text if len(ids) != 1 else translate("Memories", "1 memory"))
        row = self.model.row_of(wanted) if wanted is not None else 0
        if not self.desk.editing and not (wanted is not None and row < 0):
            self._stand_at(max(row, 0) if ids else -1)

    def _stand_at(self, row: int) -> None:
        if row >= 0:
            self.list.choose_row(row)
            self._row_changed(self.model.index(row, 0))
            return
        self._say_empty()
        self.desk.show_nothing()

    def _say_empty(self) -> None:
        say = translate
        if self.filters.text().strip():
            hint = say("Memories", "Try fewer words, or state:all for archived ones too.")
            self.empty.show_state("search", say("Memories", "Nothing found"), hint)
            return
        hint = say("Memories", "Import a file, connect an agent, or write the first one.")
        heading, button = say("Memories", "No memories yet"), say("Memories", "New memory")
        self.empty.show_state("library", heading, hint, button)

    def _go_to(self, memory_id: int) -> None:
        row = self.model.row_of(memory_id)
        if row >= 0:
            self._stand_at(row)
            return
        self._wanted = memory_id
        for memory in self.bench.library.memories.several([memory_id]):
            self.desk.show_memory(memory)

    def _row_changed(self, index: QModelIndex) -> None:
        memory = self.model.memory(index.row())
        if memory is not None:
            self.desk.show_memory(memory)

    def _changed_by_me(self, memory: Memory) -> None:
        self.desk.show_memory(memory)
        self.model.refresh([memory.id])

    def _gone(self, memory_id: int) -> None:
        row = self.model.row_of(memory_id)
        if row >= 0:
            self.model.remove(row)
            self._stand_at(min(row, self.model.rowCount() - 1))

    def _saved(self, memory: Memory) -> None:
        self.model.refresh([memory.id])
        self._wanted = memory.id
        self._read(self.list.verticalScrollBar().value())
        self.list.setFocus()

    def _build(self) -> None:
        self.model = MemoryModel(self.bench.library, self)
        self.list = CardList(translate("Memories", "Memories"), compact=True)
        self.list.setModel(self.model)
        self.filters = FilterBar(self.bench)
        self.count = ElidedLabel("", "small")
        self.pill = PillButton("")
        self.pill.hide()
        self.new_button = KeyButton("plus", translate("Memories", "New"))
        self.empty = EmptyState("library", "")
        self.desk = MemoryDesk(self.bench, self.empty)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._left(), 3)
        row.addWidget(self.desk, 5)
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
        left.setMinimumWidth(_NARROWEST)
        left.setMaximumWidth(_WIDEST)
        column = QVBoxLayout(left)
        column.setContentsMargins(4, 16, 0, 0)
        column.setSpacing(10)
        column.addLayout(above)
        column.addWidget(self.list, 1)
        return left

    def _connect(self) -> None:
        self.list.selectionModel().currentRowChanged.connect(self._row_changed)
        self.list.activated.connect(lambda _index: self.desk.edit())
        self._pause.timeout.connect(self.load)
        self.filters.changed.connect(self._pause.start)
        self.pill.clicked.connect(self.load)
        self.new_button.clicked.connect(lambda: self.desk.write_new())
        self.desk.saved.connect(self._saved)
        self.desk.closed.connect(self.list.setFocus)
        self.empty.pressed.connect(lambda: self.desk.write_new())
