"""What is due: its cards, the memory beside them, and one key a decision."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from functools import partial

from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QWidget

from remembrancer.core.memory import Memory
from remembrancer.core.review import Reason
from remembrancer.core.scheduling import SNOOZES
from remembrancer.desktop.feed import Changes
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.memory.desk import Decision
from remembrancer.desktop.review.due_layout import DueLayout
from remembrancer.desktop.review.session import Choice
from remembrancer.desktop.workbench import Workbench


class DuePage(DueLayout):
    """Goes through what is due. A decision moves on by itself and can be undone."""

    def __init__(self, bench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(bench, parent)
        self._reason: Reason | None = None
        self._asked = 0
        self._edited: tuple[int, int] | None = None
        self.build()
        self._make_buttons()
        self._connect()
        self.load()

    # --- what is shown

    def load(self) -> None:
        """Read the queue anew and stand at its first card."""
        self._asked += 1
        asked, reason = self._asked, self._reason
        library = self.bench.library

        def done(ids: array[int]) -> None:
            if asked == self._asked:
                self._show(ids)
                self._recount()

        self.bench.background.run(lambda: library.review.ordered(reason), done, owner=self)

    def changed(self, changes: Changes) -> None:
        ids = changes.memory_ids()
        undone = {x.subject_id for x in changes.lines if x.origin == "undo"}
        self.sitting.turned(undone)
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
        if self.sitting.summing_up:
            self.sitting.summary.list.setFocus()
            return
        self.list.setFocus()
        if not self.model.rowCount():
            self.load()

    def may_leave(self) -> bool:
        return self.desk.may_leave()

    # --- decisions

    def verify(self) -> None:
        """Still true: as of now."""
        self._decide(Choice.VERIFY, self.desk.decisions.verify)

    def edit(self) -> None:
        """Correct the words; saving them is the decision."""
        memory = self.desk.memory
        if memory is not None and not self.desk.editing:
            self._edited = (memory.id, memory.revision)
            self.desk.edit()

    def archive(self) -> None:
        """No longer true: out of every default view."""
        self._decide(Choice.ARCHIVE, self.desk.decisions.archive)

    def delete(self) -> None:
        """Not worth keeping: a tombstone, which undo brings back."""
        self._decide(Choice.DELETE, self.desk.decisions.delete)

    def later(self, days: int = SNOOZES[1]) -> None:
        """Not now: due again in some days."""
        self._decide(Choice.LATER, partial(self.desk.decisions.later, days=days))

    # --- inside

    def _decide(self, choice: Choice, decision: Decision) -> None:
        self.desk.decide(decision, partial(self._decided, choice))

    def _decided(self, choice: Choice, after: Memory) -> None:
        self.sitting.add(choice, after.id)
        self._move_on(after.id)

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
            self.sitting.finish()

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
            self.why.show_memory(memory)
            self._tell_place()

    def _tell_place(self) -> None:
        row, rows = self.list.currentIndex().row(), self.model.rowCount()
        place = translate("Review", "{0} of {1}").format(row + 1, rows)
        self.place.setText(place if rows else "")
        self.sitting.tell_progress()

    def _due(self, memory_ids: Iterable[int]) -> set[int]:
        """Those of these memories that wait for the person now."""
        return self.bench.library.review.waits(memory_ids)

    def _saved(self, memory: Memory) -> None:
        self.list.setFocus()
        self.model.refresh([memory.id])
        before, self._edited = self._edited, None
        if before is None or before != (memory.id, memory.revision):
            self.sitting.add(Choice.CORRECT, memory.id)
        if not self._due([memory.id]):
            self._move_on(memory.id)
        self._tell_place()

    def _filter(self, key: str) -> None:
        self._reason = None if key == "all" else Reason[key]
        self.load()

    def _make_buttons(self) -> None:
        """The buttons of the detail, each with the key that does the same."""
        rows: tuple[tuple[str, Callable[[], object]], ...] = (
            ("review.verify", self.verify),
            ("review.edit", self.edit),
            ("review.archive", self.archive),
            ("review.delete", self.delete),
            ("review.later", self.later),
            ("review.later_day", partial(self.later, SNOOZES[0])),
            ("review.later_month", partial(self.later, SNOOZES[2])),
            ("review.next", self.next),
        )
        self.desk.add_buttons(self.room, rows, primary="review.verify")
        self.bench.actions.bind("review.previous", self.room, self.previous)
        self.bench.actions.bind("review.undo", self.room, self.sitting.undo)
        for part in (self.queue, self.desk.detail):  # not the editor, where Esc gives editing up
            self.bench.actions.bind("review.stop", part, self.sitting.finish)
        self.fill_corner(self.previous, self.next)

    def _connect(self) -> None:
        self.list.selectionModel().currentRowChanged.connect(self._row_changed)
        self.list.activated.connect(lambda _index: self.edit())
        self.chips.chosen.connect(self._filter)
        self.pill.clicked.connect(self.load)
        self.desk.saved.connect(self._saved)
        self.desk.closed.connect(self.list.setFocus)
        self.empty.pressed.connect(lambda: self.bench.go("memories"))
        self.sitting.turned_to.connect(self._turn)

    def _turn(self, summing_up: bool) -> None:
        self.pages.setCurrentIndex(int(summing_up))
        if not summing_up:
            self.load()
            self.list.setFocus()
