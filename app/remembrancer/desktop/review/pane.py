"""The review place: cards of what is due, the memory beside them, and one key a decision."""

from __future__ import annotations

from array import array
from collections.abc import Callable

from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from remembrancer.core.filters import Filter, Order, State
from remembrancer.core.memory import Memory, Status
from remembrancer.core.review import Reason
from remembrancer.desktop.feed import Changes
from remembrancer.desktop.look.buttons import IconButton, KeyButton, PillButton
from remembrancer.desktop.look.cards import CardList
from remembrancer.desktop.look.chips import ChipRow, ChipSpec
from remembrancer.desktop.look.labels import EmptyState, Label
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.memory.decisions import Decisions
from remembrancer.desktop.memory.detail import MemoryDetail
from remembrancer.desktop.memory.editor import MemoryEditor
from remembrancer.desktop.memory_model import MemoryModel
from remembrancer.desktop.pane import Pane
from remembrancer.desktop.workbench import Workbench

_BOUND = 1_000
_REASONS = {
    Reason.EXPIRED: "Expired",
    Reason.OVERDUE: "Overdue",
    Reason.NOT_VERIFIED: "Never verified",
    Reason.LOW_CONFIDENCE: "Low confidence",
}


class ReviewPane(Pane):
    """Goes through what is due. A decision moves on by itself and can be undone."""

    def __init__(self, bench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(bench, parent)
        self._reason: Reason | None = None
        self._asked = 0
        self._decisions = Decisions(bench, self)
        self._build()
        self._connect()
        self.load()

    # --- what is shown

    def load(self, keep: int | None = None) -> None:
        """Read the queue anew; `keep` is the memory to stay at."""
        self._asked += 1
        asked = self._asked
        chosen = Filter(state=State.REVIEW, reason=self._reason)
        desk = self.bench.library

        def work() -> tuple[array[int], dict[Reason, int], int]:
            return desk.memories.ids(chosen, Order.DUE), desk.review.counts(), desk.review.count()

        def done(found: tuple[array[int], dict[Reason, int], int]) -> None:
            if asked == self._asked:
                self._show(*found, keep)

        self.bench.background.run(work, done, owner=self)

    def changed(self, changes: Changes) -> None:
        mine = {x.subject_id for x in changes.lines if x.origin == "undo"}
        ids = changes.memory_ids()
        self.model.refresh(ids)
        shown = self.detail.memory
        if shown is not None and shown.id in ids:
            self._show_again(shown.id)
        back = [i for i in ids if i in mine and self.model.row_of(i) < 0 and self._due(i)]
        if back:
            self._take_back(back[0])
        elif changes.many or any(self.model.row_of(i) < 0 and self._due(i) for i in ids):
            self.pill.announce(translate("Review", "New memories are due — show"))
        self._tell_place()

    def open(self, **what: object) -> None:
        self.list.setFocus()
        if not self.model.rowCount():
            self.load()

    def pose(self) -> None:
        """Stand at the first card, for a picture."""
        if self.model.rowCount():
            self.list.choose_row(0)

    def may_leave(self) -> bool:
        if self._editing and self.editor.is_dirty():
            said = translate("Review", "Save or cancel your words first.")
            self.bench.tell(said, "warning")
            return False
        return True

    # --- decisions

    def verify(self) -> None:
        """Still true: as of now."""
        self._decide(self._decisions.verify)

    def archive(self) -> None:
        """No longer true: out of every default view."""
        self._decide(self._decisions.archive)

    def later(self) -> None:
        """Not now: due again in a week."""
        self._decide(self._decisions.later)

    def edit(self) -> None:
        """Correct the words first."""
        if self.detail.memory is not None:
            self.editor.edit(self.detail.memory)
            self.right.setCurrentWidget(self.editor)

    def next(self) -> None:
        """Go to the next card without deciding."""
        self._step(1)

    def previous(self) -> None:
        """Go back to the card before."""
        self._step(-1)

    # --- inside

    def _decide(self, decision: Callable[[Memory, Callable[[Memory], None]], None]) -> None:
        memory = self.detail.memory
        if memory is not None:
            decision(memory, lambda after: self._move_on(after.id))

    def _move_on(self, memory_id: int) -> None:
        """The card is decided: it goes, and the next one comes into its place."""
        row = self.model.row_of(memory_id)
        if row < 0:
            return
        self.model.remove(row)
        self._stand_at(min(row, self.model.rowCount() - 1))
        self.bench.background.run(self.bench.library.review.counts, self._count, owner=self)

    def _take_back(self, memory_id: int) -> None:
        row = max(self.list.currentIndex().row(), 0)
        self.model.insert(row, memory_id)
        self._stand_at(row)

    def _stand_at(self, row: int) -> None:
        if row >= 0:
            self.list.choose_row(row)
            self._row_changed(self.model.index(row, 0))
        else:
            self._nothing_left()

    def _step(self, by: int) -> None:
        row = self.list.currentIndex().row() + by
        if 0 <= row < self.model.rowCount():
            self.list.choose_row(row)

    def _show(
        self, ids: array[int], counts: dict[Reason, int], total: int, keep: int | None
    ) -> None:
        self.model.show(ids)
        self.pill.hide()
        self._count(counts)
        self.chips.set_counts({"all": _number(total)})
        row = self.model.row_of(keep) if keep is not None else 0
        self._stand_at(max(row, 0) if ids else -1)

    def _count(self, counts: dict[Reason, int]) -> None:
        self.chips.set_counts({r.name: _number(n) for r, n in counts.items()})

    def _row_changed(self, index: QModelIndex) -> None:
        memory = self.model.memory(index.row())
        if memory is None:
            return
        if not self._editing:
            self.right.setCurrentWidget(self.detail)
        self.detail.show_memory(memory)
        self._tell_place()

    def _tell_place(self) -> None:
        row, rows = self.list.currentIndex().row(), self.model.rowCount()
        place = translate("Review", "{0} of {1}").format(row + 1, rows)
        self.place.setText(place if rows else "")

    def _show_again(self, memory_id: int) -> None:
        memory = self.bench.library.memories.get(memory_id)
        self.detail.show_memory(memory)
        if self._editing:
            self.editor.changed_elsewhere(memory)

    def _due(self, memory_id: int) -> bool:
        found = self.bench.library.memories.several([memory_id])
        now = self.bench.library.clock()
        return bool(found) and found[0].status is Status.ACTIVE and found[0].due_at <= now

    def _nothing_left(self) -> None:
        self.detail.memory = None
        self.right.setCurrentWidget(self.empty)
        self._tell_place()

    @property
    def _editing(self) -> bool:
        return self.right.currentWidget() is self.editor

    def _saved(self, memory: Memory) -> None:
        self.right.setCurrentWidget(self.detail)
        self.list.setFocus()
        self.model.refresh([memory.id])
        if not self._due(memory.id):
            self._move_on(memory.id)
            return
        self.detail.show_memory(memory)

    def _cancelled(self) -> None:
        self.right.setCurrentWidget(self.detail)
        self.list.setFocus()

    def _restore(self, revision: int) -> None:
        if self.detail.memory is not None:
            self._decisions.restore(self.detail.memory, revision, self.detail.show_memory)

    def _filter(self, key: str) -> None:
        self._reason = None if key == "all" else Reason[key]
        self.load()

    def _build(self) -> None:
        self.model = MemoryModel(self.bench.library, self)
        self.list = CardList(translate("Review", "Memories that are due"))
        self.list.setModel(self.model)
        specs = [ChipSpec("all", translate("Review", "All"))]
        specs += [ChipSpec(r.name, translate("Review", t)) for r, t in _REASONS.items()]
        self.chips = ChipRow(specs, name=translate("Review", "Reasons"))
        self.pill = PillButton("")
        self.pill.hide()
        self.detail = MemoryDetail(self.bench)
        self.editor = MemoryEditor(self.bench)
        self.empty = EmptyState(
            "circle-check",
            translate("Review", "Nothing is due"),
            translate("Review", "What agents write next will come here to be checked. "
                      "Until then, look around in Memories or see who is connected in Agents."),
            translate("Review", "Look at all memories"),
        )  # fmt: skip
        self.right = QStackedWidget()
        for page in (self.detail, self.editor, self.empty):
            self.right.addWidget(page)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._queue())
        row.addWidget(self.right, 1)
        self._make_buttons()

    def _queue(self) -> QWidget:
        queue = QWidget()
        queue.setFixedWidth(432)
        column = QVBoxLayout(queue)
        column.setContentsMargins(4, 16, 0, 0)
        column.setSpacing(10)
        head = QVBoxLayout()
        head.setContentsMargins(12, 0, 12, 0)
        head.setSpacing(10)
        head.addWidget(Label(translate("Review", "Review"), "pane"))
        head.addWidget(self.chips)
        head.addWidget(self.pill)
        column.addLayout(head)
        column.addWidget(self.list, 1)
        return queue

    def _make_buttons(self) -> None:
        """The buttons of the detail, each with the key that does the same."""
        self.buttons: dict[str, KeyButton] = {}
        for id_, slot in (
            ("review.verify", self.verify),
            ("review.edit", self.edit),
            ("review.archive", self.archive),
            ("review.later", self.later),
            ("review.next", self.next),
        ):
            spec = self.bench.actions.specs[id_]
            key = self.bench.actions.key(id_)
            button = KeyButton(spec.icon, spec.name, key, primary=id_ == "review.verify")
            button.clicked.connect(slot)
            self.buttons[id_] = button
            self.detail.buttons.addWidget(button)
            self.bench.actions.bind(id_, self, lambda s=slot: None if self._editing else s())
        self.detail.buttons.addStretch(1)
        self.bench.actions.bind("review.previous", self, self.previous)
        self.place = Label("", "small")
        self.detail.corner.addWidget(self.place)
        for icon, name, slot in (
            ("chevron-up", translate("Review", "Previous"), self.previous),
            ("chevron-down", translate("Review", "Next"), self.next),
        ):
            arrow = IconButton(icon, name)
            arrow.clicked.connect(slot)
            self.detail.corner.addWidget(arrow)

    def _connect(self) -> None:
        self.list.selectionModel().currentRowChanged.connect(self._row_changed)
        self.list.activated.connect(lambda _index: self.edit())
        self.chips.chosen.connect(self._filter)
        self.pill.clicked.connect(lambda: self.load())
        self.editor.saved.connect(self._saved)
        self.editor.cancelled.connect(self._cancelled)
        self.detail.restore_wanted.connect(self._restore)
        self.empty.pressed.connect(lambda: self.bench.go("memories"))


def _number(count: int) -> str:
    return "1000+" if count >= _BOUND else str(count)
