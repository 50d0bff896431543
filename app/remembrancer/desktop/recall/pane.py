"""Recall: what an agent would get for a question, exactly, and why."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QStackedWidget, QVBoxLayout, QWidget

from remembrancer.core.errors import NotFound, RemembrancerError
from remembrancer.core.explaining import Whole
from remembrancer.core.journal import Subject
from remembrancer.core.recall import Question
from remembrancer.desktop.feed import Changes
from remembrancer.desktop.look.chips import SegmentedControl
from remembrancer.desktop.look.labels import EmptyState
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.pane import Pane
from remembrancer.desktop.recall.asking import Asking
from remembrancer.desktop.recall.form import QuestionForm
from remembrancer.desktop.recall.head import RecallHead
from remembrancer.desktop.recall.hit_list import HitList
from remembrancer.desktop.recall.hit_model import HitModel
from remembrancer.desktop.recall.hit_side import HitSide, Looked
from remembrancer.desktop.recall.reading import ReadingSide
from remembrancer.desktop.recall.why_not import WhyNot
from remembrancer.desktop.workbench import Workbench

SUBJECTS = (Subject.MEMORY, Subject.ENTITY, Subject.RELATION)


class RecallPane(Pane):
    """The question above; at the left what is served and left out.

    At the right one of three pages: what the agent reads, why the chosen hit stands where it
    does, and why another memory was not served.
    """

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self.form = QuestionForm(bench)
        self.model = HitModel(self)
        self.hits = HitList(self.model)
        self.reading = ReadingSide()
        self.hit_side = HitSide(bench)
        self.why_not = WhyNot(bench)
        self.empty = EmptyState("search", "")
        self.asking = Asking(bench.library, bench.background, self)
        self._stale = True
        self._answered: Question | None = None
        self._build()
        self._connect()

    def open(self, **what: object) -> None:
        """Show the pane; `query` and `entity` fill in the question, `explain` names a memory."""
        self.form.put(_text(what.get("query")), _text(what.get("entity")))
        if self._stale or what:
            self._ask(at_once=True)
        self.focus_search()
        if isinstance(memory_id := what.get("explain"), int):
            self.turn("other")
            self.why_not.ask_for(self.form.question())
            self.why_not.name(memory_id)

    def changed(self, changes: Changes) -> None:
        if not changes.of(*SUBJECTS):
            return
        self._stale = True
        self.why_not.model.refresh(changes.memory_ids())
        if self.isVisible():
            self._ask()

    def focus_search(self) -> None:
        self.form.words.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.form.words.selectAll()

    def pose(self) -> None:
        """Ask about the entity that most is known of, and choose the first hit."""
        known = self.bench.library.map.entities(limit=100)
        fullest = max(known, key=lambda e: (e.memories, e.name), default=None)
        self.form.put("how does the backup work", fullest.name if fullest else None)
        self._ask(at_once=True)

    def still(self) -> bool:
        return not self.asking.waiting and not self.why_not.waiting

    def turn(self, page: str) -> None:
        """Show a page at the right: "reading", "hit" or "other"."""
        self.pages.choose(page)
        self._right.setCurrentWidget(self._by_page[page])

    def _turned(self, page: str) -> None:
        self.turn(page)
        if page == "other":
            self.why_not.box.setFocus(Qt.FocusReason.ShortcutFocusReason)

    # --- asking

    def _ask(self, *, at_once: bool = False) -> None:
        self._stale = False
        self.asking.ask(self.form.question(), at_once=at_once)

    def _show(self, question: Question, whole: Whole) -> None:
        kept = self._chosen_id()
        self._answered = question
        self.model.show(whole, question)
        self.reading.show_answer(whole.answer, question)
        self.why_not.ask_for(question)
        found = self.model.rowCount() > 0
        if found:
            row = self.model.row_of(kept)
            self.hits.choose_row(row if row >= 0 else self.model.first())
        else:
            self._show_nothing(question)
        self._look_at(self.hits.currentIndex().row() if found else -1)
        self._sides.setCurrentWidget(self.hits if found else self.empty)
        self._side.setVisible(True)

    def _show_nothing(self, question: Question) -> None:
        if question.query.strip() or question.entity:
            self.empty.show_state(
                "search", translate("Recall", "Nothing is found for this question"),
                translate("Recall", "An agent gets no memory for it. Other words, another entity "
                          "or the whole library may find more."),
            )  # fmt: skip
        else:
            self.empty.show_state(
                "search", translate("Recall", "Nothing to recall yet"),
                translate("Recall", "What agents and you remember is found here, as an agent "
                          "finds it."),
            )  # fmt: skip

    def _show_failure(self, question: Question, error: RemembrancerError) -> None:
        self.model.clear()
        heading = translate("Recall", "An agent gets an error for this")
        if isinstance(error, NotFound):
            heading = translate("Recall", "There is no entity of that name")
        self.empty.show_state("circle-alert", heading, str(error))
        self._sides.setCurrentWidget(self.empty)
        self._side.setVisible(False)

    def _look_at(self, place: int) -> None:
        """Show what the score of the hit at a row is made of."""
        face = self.model.face(place)
        if face is None or self._answered is None:
            self.hit_side.show_nothing()
        else:
            looked = Looked(face.hit, self._answered, face.place, face.left_out)
            self.hit_side.show_hit(looked)

    def _choose(self, memory_id: int) -> None:
        """Choose a memory in the list, or open it where it is not there."""
        place = self.model.row_of(memory_id)
        if place >= 0:
            self.hits.choose_row(place)
        else:
            self._open_memory(memory_id)

    def _open_memory(self, memory_id: int) -> None:
        self.bench.go("memories", memory_id=memory_id)

    def _chosen_id(self) -> int:
        hit = self.model.hit(self.hits.currentIndex().row())
        return hit.memory.id if hit is not None else 0

    def _go(self, row: int) -> None:
        hit = self.model.hit(row)
        if hit is not None:
            self._open_memory(hit.memory.id)

    # --- putting together

    def _build(self) -> None:
        self._sides = QStackedWidget()
        self._sides.addWidget(self.hits)
        self._sides.addWidget(self.empty)
        self._sides.setCurrentWidget(self.empty)
        self._side = self._built_side()
        self._side.setVisible(False)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        split.setHandleWidth(10)
        split.addWidget(self._sides)
        split.addWidget(self._side)
        split.setStretchFactor(0, 4)
        split.setStretchFactor(1, 6)
        split.setSizes([460, 700])
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 14)
        column.setSpacing(12)
        column.addWidget(RecallHead(self.asking))
        column.addWidget(self.form)
        column.addWidget(split, 1)

    def _built_side(self) -> QWidget:
        self._by_page = {"reading": self.reading, "hit": self.hit_side, "other": self.why_not}
        specs = self.bench.actions.specs
        choices = [(p, translate("Recall", specs[f"recall.{p}"].name)) for p in self._by_page]
        self.pages = SegmentedControl(choices, translate("Recall", "What is shown"))
        self._right = QStackedWidget()
        for page in self._by_page.values():
            self._right.addWidget(page)
        side = QWidget()
        column = QVBoxLayout(side)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        column.addWidget(self.pages)
        column.addWidget(self._right, 1)
        return side

    def _connect(self) -> None:
        self.form.asked.connect(self._ask)
        self.form.entered.connect(self.hits.begin)
        self.hits.activated.connect(lambda index: self._go(index.row()))
        self.hits.selectionModel().currentRowChanged.connect(lambda at: self._look_at(at.row()))
        self.pages.chosen.connect(self._turned)
        for page in self._by_page:
            self.bench.actions.bind(f"recall.{page}", self, partial(self._turned, page))
        self.reading.conflicts.opened.connect(self._open_memory)
        self.hit_side.opened.connect(self._open_memory)
        self.hit_side.wanted.connect(self._choose)
        self.why_not.opened.connect(self._open_memory)
        self.asking.answered.connect(self._show)
        self.asking.failed.connect(self._show_failure)


def _text(given: object) -> str | None:
    return given if isinstance(given, str) else None
