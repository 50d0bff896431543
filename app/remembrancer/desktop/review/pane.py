"""The review place: cards of what is due, the memory beside them, and one key a decision."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QHBoxLayout, QWidget

from remembrancer.core.filters import Filter, Order, State
from remembrancer.core.memory import Memory, Status
from remembrancer.core.review import Reason
from remembrancer.desktop.feed import Changes
from remembrancer.desktop.look.buttons import IconButton
from remembrancer.desktop.look.labels import EmptyState, Label
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.memory.desk import Decision, MemoryDesk
from remembrancer.desktop.memory_model import MemoryModel
from remembrancer.desktop.pane import Pane
from remembrancer.desktop.review.queue import Queue
from remembrancer.desktop.workbench import Workbench

_POSED = 60  # cards among which a picture chooses


class ReviewPane(Pane):
    """Goes through what is due. A decision moves on by itself and can be undone."""

    def __init__(self, bench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(bench, parent)
        self._reason: Reason | None = None
        self._asked = 0
        self._build()
        self._make_buttons()
        self._connect()
        self.load()

    # --- what is shown

    def load(self) -> None:
        """Read the queue anew and stand at its first card."""
        self._asked += 1
        asked = self._asked
        chosen = Filter(state=State.REVIEW, reason=self._reason)
        library = self.bench.library

        def done(ids: array[int]) -> None:
            if asked == self._asked:
                self._show(ids)
                self._recount()

        self.bench.background.run(lambda: library.memories.ids(chosen, Order.DUE), done, owner=self)

    def changed(self, changes: Changes) -> None:
        ids = changes.memory_ids()
        undone = {x.subject_id for x in changes.lines if x.origin == "undo"}
        self.model.refresh(ids)
        self.desk.look_again(ids)
        fresh = self._due(self.model.unshown(ids))
        back = fresh & undone
        if len(back) == 1:
            self._take_back(back.pop())
        elif back:
            self.load()
        elif changes.many or fresh:
            self.pill.announce(translate("Review", "New memories are due — show"))
        self._tell_place()

    def open(self, **what: object) -> None:
        self.list.setFocus()
        if not self.model.rowCount():
            self.load()

    def pose(self) -> None:
        """Stand at a memory that has gone through some revisions, for a picture."""
        rows = range(min(self.model.rowCount(), _POSED))
        told = [(m.revision, len(m.content), r) for r in rows if (m := self.model.memory(r))]
        if told:
            self.list.choose_row(max(told)[2])

    def may_leave(self) -> bool:
        return self.desk.may_leave()

    # --- decisions

    def verify(self) -> None:
        """Still true: as of now."""
        self._decide(self.desk.decisions.verify)

    def archive(self) -> None:
        """No longer true: out of every default view."""
        self._decide(self.desk.decisions.archive)

    def later(self) -> None:
        """Not now: due again in a week."""
        self._decide(self.desk.decisions.later)

    def next(self) -> None:
        """Go to the next card without deciding."""
        self._step(1)

    def previous(self) -> None:
        """Go back to the card before."""
        self._step(-1)

    # --- inside

    def _decide(self, decision: Decision) -> None:
        self.desk.decide(decision, lambda after: self._move_on(after.id))

    def _move_on(self, memory_id: int) -> None:
        """The card is decided: it goes, and the next one comes into its place."""
        row = self.model.row_of(memory_id)
        if row >= 0:
            self.model.remove(row)
            self._stand_at(min(row, self.model.rowCount() - 1))
            self._recount()

    def _take_back(self, memory_id: int) -> None:
        row = max(self.list.currentIndex().row(), 0)
        self.model.insert(row, memory_id)
        self._stand_at(row)

    def _stand_at(self, row: int) -> None:
        if row >= 0:
            self.list.choose_row(row)
            self._row_changed(self.model.index(row, 0))
        else:
            self.desk.show_nothing()
            self._tell_place()

    def _step(self, by: int) -> None:
        row = self.list.currentIndex().row() + by
        if 0 <= row < self.model.rowCount():
            self.list.choose_row(row)

    def _show(self, ids: array[int]) -> None:
        self.model.show(ids)
        self.pill.hide()
        self._stand_at(0 if ids else -1)

    def _recount(self) -> None:
        desk = self.bench.library.review
        self.bench.background.run(
            lambda: (desk.count(), desk.counts()),
            lambda found: self.queue.show_counts(*found),
            owner=self,
        )

    def _row_changed(self, index: QModelIndex) -> None:
        memory = self.model.memory(index.row())
        if memory is not None:
            self.desk.show_memory(memory)
            self._tell_place()

    def _tell_place(self) -> None:
        row, rows = self.list.currentIndex().row(), self.model.rowCount()
        place = translate("Review", "{0} of {1}").format(row + 1, rows)
        self.place.setText(place if rows else "")

    def _due(self, memory_ids: Iterable[int]) -> set[int]:
        """Those of these memories that are due now."""
        now = self.bench.library.clock()
        found = self.bench.library.memories.several(sorted(memory_ids))
        return {m.id for m in found if m.status is Status.ACTIVE and m.due_at <= now}

    def _saved(self, memory: Memory) -> None:
        self.list.setFocus()
        self.model.refresh([memory.id])
        if not self._due([memory.id]):
            self._move_on(memory.id)

    def _filter(self, key: str) -> None:
        self._reason = None if key == "all" else Reason[key]
        self.load()

    def _build(self) -> None:
        say = translate
        self.model = MemoryModel(self.bench.library, self)
        self.queue = Queue(self.model)
        self.list, self.chips, self.pill = self.queue.list, self.queue.chips, self.queue.pill
        hint = say("Review", "What agents write next will come here to be checked.")
        heading, button = say("Review", "Nothing is due"), say("Review", "Look at all memories")
        self.empty = EmptyState("circle-check", heading, hint, button)
        self.desk = MemoryDesk(self.bench, self.empty)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.queue, 3)
        row.addWidget(self.desk, 5)

    def _make_buttons(self) -> None:
        """The buttons of the detail, each with the key that does the same."""
        rows = (
            ("review.verify", self.verify),
            ("review.edit", self.desk.edit),
            ("review.archive", self.archive),
            ("review.later", self.later),
            ("review.next", self.next),
        )
        self.desk.add_buttons(self, rows, primary="review.verify")
        self.bench.actions.bind("review.previous", self, self.previous)
        corner = self.desk.detail.corner
        self.place = Label("", "small")
        corner.addWidget(self.place)
        for icon, name, slot in (
            ("chevron-up", translate("Review", "Previous"), self.previous),
            ("chevron-down", translate("Review", "Next"), self.next),
        ):
            arrow = IconButton(icon, name)
            arrow.clicked.connect(slot)
            corner.addWidget(arrow)

    def _connect(self) -> None:
        self.list.selectionModel().currentRowChanged.connect(self._row_changed)
        self.list.activated.connect(lambda _index: self.desk.edit())
        self.chips.chosen.connect(self._filter)
        self.pill.clicked.connect(self.load)
        self.desk.saved.connect(self._saved)
        self.desk.closed.connect(self.list.setFocus)
        self.empty.pressed.connect(lambda: self.bench.go("memories"))
