"""A session of review as the person sits through it: progress, the end, and taking it back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from remembrancer.core.author import PERSON
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.review.session import Choice, Decided, Session
from remembrancer.desktop.review.strip import SessionStrip
from remembrancer.desktop.review.summary import Summary
from remembrancer.desktop.workbench import Workbench
from remembrancer.service.desk import Doing
from remembrancer.service.review_session import TakenBack

if TYPE_CHECKING:
    from remembrancer.desktop.review.due_layout import DueLayout

_UNDO: Doing = {"author": PERSON, "origin": "undo"}


class Sitting(QObject):
    """Begins with the first decision. `turned_to(True)`: the summary is to be shown."""

    turned_to = Signal(bool)

    def __init__(self, bench: Workbench, page: DueLayout) -> None:
        super().__init__(page)
        self._bench = bench
        self._page = page
        self.session = Session()
        self.summing_up = False
        keys = bench.actions
        self.strip = SessionStrip(keys.key("review.undo"), keys.key("review.stop"))
        self.summary = Summary(bench)
        self.strip.undo.connect(self.undo)
        self.strip.stop.connect(self.finish)
        self.summary.go_on.connect(self.go_on)
        self.summary.undo_all.connect(self.undo_all)
        bench.deeds.changed.connect(self._name_undo)

    def add(self, choice: Choice, memory_id: int) -> None:
        """The deed that was done last decided about a memory."""
        done = self._bench.deeds.next_undo
        if done is not None:
            self.session.add(Decided(choice, memory_id, done.batch))
        self.tell_progress()

    def turned(self, memory_ids: Iterable[int]) -> None:
        """Deeds about these memories were undone or redone."""
        self.session.turned(memory_ids)
        if self.summing_up and self.session.begun:
            self._sum_up()

    def undo(self) -> None:
        """Take the last decision back."""
        self._bench.deeds.undo()

    def finish(self) -> None:
        """Stop here: show what was decided; before the first decision there is nothing to show."""
        if self.session.begun and not self.summing_up:
            self.summing_up = True
            self.turned_to.emit(True)
            self._sum_up()

    def go_on(self) -> None:
        """Back to the queue; the next decision begins a new session."""
        self.session.clear()
        self.summing_up = False
        self.turned_to.emit(False)

    def undo_all(self) -> None:
        """Take every decision of the session back, in one deed."""
        library, batches = self._bench.library, self.session.batches()

        def done(found: TakenBack) -> None:
            sentence = translate("Review", "Taken back: {0}. Changed since, and left: {1}.")
            self._bench.tell(sentence.format(found.undone, found.kept), "ok")
            self.go_on()

        name = translate("Review", "Take back {0} decisions").format(len(batches))
        self._bench.deeds.do(
            name, lambda: library.review.undo_session(batches, **_UNDO), done, owner=self
        )

    def tell_progress(self) -> None:
        """Say how many of how many are decided."""
        model = self._page.model
        decided = len(model.unshown(self.session.memory_ids()))
        self.strip.show_progress(decided, decided + model.rowCount())

    def _sum_up(self) -> None:
        self.summary.show_session(self.session, self._page.model.rowCount())

    def _name_undo(self) -> None:
        done = self._bench.deeds.next_undo
        self.strip.name_undo("" if done is None else done.name)
