"""The place of proposals: what agents would change, gone through with one key a decision."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QWidget

from remembrancer.core.journal import Subject
from remembrancer.core.proposal import Proposal
from remembrancer.desktop.feed import Changes
from remembrancer.desktop.look.labels import EmptyState
from remembrancer.desktop.pane import Pane
from remembrancer.desktop.proposals.controls import Controls, Slots
from remembrancer.desktop.proposals.deciding import Deciding
from remembrancer.desktop.proposals.objections import Objections
from remembrancer.desktop.proposals.questions import Questions
from remembrancer.desktop.proposals.queue import WAITING, Queue
from remembrancer.desktop.proposals.reading import Entry, decided, waiting
from remembrancer.desktop.proposals.sheet import ProposalSheet
from remembrancer.desktop.workbench import Workbench


class ProposalsPane(Pane):
    """The queue at the left, the chosen proposal at the right; a decision moves on by itself."""

    def __init__(self, bench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(bench, parent)
        self._asked = 0
        self._back: set[int] = set()
        self.queue = Queue(bench.library.clock)
        self.model, self.list = self.queue.model, self.queue.list
        self.sheet = ProposalSheet(bench)
        self.empty = EmptyState("copy-check", "")
        self.pages = QStackedWidget()
        self.deciding = Deciding(bench, self)
        self.questions = Questions(self.deciding, self)
        self.objections = Objections(bench, self.sheet, self.deciding)
        self._build()
        self.controls = Controls(bench, self, self.list, self.sheet, self._slots())
        self._connect()
        self.load()

    # --- what the window asks

    def open(self, **what: object) -> None:
        """`proposal_id` stands at one that waits."""
        if isinstance(wanted := what.get("proposal_id"), int):
            self.queue.pages.choose(WAITING)
            self._back = {wanted}
            self.load()
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def changed(self, changes: Changes) -> None:
        if not changes.of(Subject.PROPOSAL, Subject.MEMORY):
            return
        undone = (x for x in changes.lines if x.origin == "undo")
        self._back |= {x.subject_id for x in undone if x.subject is Subject.PROPOSAL}
        self.load()

    def pose(self) -> None:
        """Stand at a revision, for a picture."""
        if (row := self.model.a_revision()) >= 0:
            self._stand_at(row)

    def load(self) -> None:
        """Read what is wanted anew; the card that is looked at stays."""
        self._asked += 1
        asked, library = self._asked, self.bench.library
        read = waiting if self.queue.page == WAITING else decided

        def done(found: list[Entry]) -> None:
            if asked == self._asked:
                self._show(found)

        self.bench.background.run(lambda: read(library), done, owner=self)

    # --- decisions

    def accept(self) -> None:
        """Accept the chosen proposal as it is ticked and edited, or ask about several."""
        several = self._several()
        if several:
            self.questions.accept_all(several)
        elif (proposal := self._current()) is not None:
            self.deciding.accept(proposal, self.objections.terms())

    def refuse(self) -> None:
        """Refuse the chosen proposal, or ask about several."""
        several = self._several()
        if several:
            self.questions.refuse_all(several)
        elif (proposal := self._current()) is not None:
            self.deciding.refuse(proposal)

    def refuse_why(self) -> None:
        """Ask for the reason that the agent is told, then refuse."""
        if self._current() is not None and self.sheet.entry is not None:
            self.questions.refuse_why(self._several() or [self.sheet.entry])

    def submit(self) -> None:
        """Accept as it was edited, or as the three-way view says."""
        if not self.sheet.reading:
            self.accept()

    def take_back(self) -> None:
        """Let what was decided wait again."""
        entry = self.sheet.entry
        if self.queue.page != WAITING and entry is not None and self.model.rowCount():
            self.deciding.take_back(entry.proposal)

    # --- inside

    def _current(self) -> Proposal | None:
        here = self._on_sheet() and self.queue.page == WAITING
        return self.sheet.proposal if here else None

    def _several(self) -> list[Entry]:
        chosen = self.queue.chosen() if self.sheet.reading and self._current() else []
        return chosen if len(chosen) > 1 else []

    def _agents_own(self) -> list[Entry]:
        entry = self.sheet.entry if self._current() is not None else None
        return [] if entry is None else self.queue.of_agent(entry)

    def _decided(self, ids: Sequence[int]) -> None:
        """What is decided goes, and the next one comes into its place."""
        if self.queue.page == WAITING:
            row = self.list.currentIndex().row()
            for proposal_id in ids:
                place = self.model.row_of(proposal_id)
                if place >= 0:
                    self.model.remove(place)
            self._stand_at(min(max(row, 0), self.model.rowCount() - 1))
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show(self, found: list[Entry]) -> None:
        shown = self.sheet.proposal
        row = self.list.currentIndex().row()
        self.queue.show_entries(found)
        back = [r for i in self._back if (r := self.model.row_of(i)) >= 0]
        self._back.clear()
        here = -1 if shown is None else self.model.row_of(shown.id)
        if len(back) == 1:
            self._stand_at(back[0])
        elif here < 0 or here != self.list.currentIndex().row() or not self._on_sheet():
            self._stand_at(here if here >= 0 else min(max(row, 0), self.model.rowCount() - 1))
        else:
            self._came_to(self.model.index(here, 0))

    def _stand_at(self, row: int) -> None:
        if row >= 0:
            self.list.choose_row(row)
            self._came_to(self.model.index(row, 0))
            return
        self.sheet.entry = None
        self.empty.show_state(*self.queue.empty())
        self.pages.setCurrentWidget(self.empty)
        self._enable()

    def _on_sheet(self) -> bool:
        return self.pages.currentWidget() is self.sheet

    def _step(self, by: int) -> None:
        row = self.list.currentIndex().row() + by
        if 0 <= row < self.model.rowCount():
            self.list.choose_row(row)

    def _came_to(self, index: QModelIndex) -> None:
        entry = self.model.entry(index.row())
        if entry is None:
            return
        self.sheet.show_entry(entry)
        self.pages.setCurrentWidget(self.sheet)
        self.controls.show_place(index.row(), self.model.rowCount())
        self._enable()

    def _cancel(self) -> None:
        self.sheet.read()
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _enable(self) -> None:
        self.controls.hold(waiting=self.queue.page == WAITING, shown=self._on_sheet())

    # --- putting together

    def _build(self) -> None:
        for page in (self.sheet, self.empty):
            self.pages.addWidget(page)
        self.empty.show_state(*self.queue.empty())
        self.pages.setCurrentWidget(self.empty)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(0)
        line.addWidget(self.queue, 3)
        line.addWidget(self.pages, 5)

    def _slots(self) -> Slots:
        ask = self.questions
        return {
            "accept": self.accept, "refuse": self.refuse, "refuse_why": self.refuse_why,
            "edit": self.sheet.edit, "submit": self.submit, "cancel": self._cancel,
            "accept_agent": lambda: ask.accept_all(self._agents_own()),
            "refuse_agent": lambda: ask.refuse_all(self._agents_own()),
            "next": lambda: self._step(1), "previous": lambda: self._step(-1),
            "all": self.list.selectAll, "undo": self.take_back,
            "tick": self.sheet.ticks.toggle_current,
        }  # fmt: skip

    def _connect(self) -> None:
        self.list.selectionModel().currentRowChanged.connect(self._came_to)
        self.list.entered.connect(self.sheet.ticks.setFocus)
        self.list.doubleClicked.connect(lambda _index: self.sheet.edit())
        self.queue.turned.connect(self.load)
        self.queue.turned.connect(self.list.setFocus)
        own = self._agents_own
        self.queue.accept_all.clicked.connect(lambda: self.questions.accept_all(own()))
        self.queue.refuse_all.clicked.connect(lambda: self.questions.refuse_all(own()))
        self.sheet.ticks.left.connect(self.list.setFocus)
        self.sheet.turned.connect(self._enable)
        self.deciding.decided.connect(self._decided)
        self.empty.pressed.connect(lambda: self.bench.go("agents"))
