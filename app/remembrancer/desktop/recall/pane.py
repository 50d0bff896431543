"""Recall: what an agent would get for a question, exactly, and why."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QStackedWidget, QVBoxLayout, QWidget

from remembrancer.core.errors import NotFound, RemembrancerError
from remembrancer.core.journal import Subject
from remembrancer.core.recall import Question, Recall
from remembrancer.desktop.feed import Changes
from remembrancer.desktop.fields import row
from remembrancer.desktop.look.labels import EmptyState, Label
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.pane import Pane
from remembrancer.desktop.recall.asking import Asking
from remembrancer.desktop.recall.form import QuestionForm
from remembrancer.desktop.recall.hit_list import HitList
from remembrancer.desktop.recall.hit_model import HitModel
from remembrancer.desktop.recall.reading import ReadingSide
from remembrancer.desktop.workbench import Workbench

SUBJECTS = (Subject.MEMORY, Subject.ENTITY, Subject.RELATION)


class RecallPane(Pane):
    """The question above; at the left what is served and left out, at the right what is read."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self.form = QuestionForm(bench)
        self.model = HitModel(self)
        self.hits = HitList(self.model)
        self.reading = ReadingSide()
        self.empty = EmptyState("search", "")
        self.asking = Asking(bench.library, bench.background, self)
        self._stale = True
        self._build()
        self._connect()

    def open(self, **what: object) -> None:
        """Show the pane; `query` and `entity` fill in the question."""
        self.form.put(_text(what.get("query")), _text(what.get("entity")))
        if self._stale or what:
            self._ask(at_once=True)
        self.focus_search()

    def changed(self, changes: Changes) -> None:
        if not changes.of(*SUBJECTS):
            return
        self._stale = True
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
        return not self.asking.waiting

    # --- asking

    def _ask(self, *, at_once: bool = False) -> None:
        self._stale = False
        self.asking.ask(self.form.question(), at_once=at_once)

    def _show(self, question: Question, answer: Recall) -> None:
        kept = self._chosen_id()
        self.model.show(answer, question)
        self.reading.show_answer(answer, question)
        found = self.model.rowCount() > 0
        if found:
            row = self.model.row_of(kept)
            self.hits.choose_row(row if row >= 0 else self.model.first())
        else:
            self._show_nothing(question)
        self._sides.setCurrentWidget(self.hits if found else self.empty)
        self.reading.setVisible(True)

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
        self.reading.setVisible(False)

    def _chosen_id(self) -> int:
        hit = self.model.hit(self.hits.currentIndex().row())
        return hit.memory.id if hit is not None else 0

    def _go(self, row: int) -> None:
        hit = self.model.hit(row)
        if hit is not None:
            self.bench.go("memories", memory_id=hit.memory.id)

    # --- putting together

    def _build(self) -> None:
        self._sides = QStackedWidget()
        self._sides.addWidget(self.hits)
        self._sides.addWidget(self.empty)
        self._sides.setCurrentWidget(self.empty)
        self.reading.setVisible(False)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        split.setHandleWidth(10)
        split.addWidget(self._sides)
        split.addWidget(self.reading)
        split.setStretchFactor(0, 4)
        split.setStretchFactor(1, 6)
        split.setSizes([460, 700])
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 14)
        column.setSpacing(12)
        column.addWidget(self._head())
        column.addWidget(self.form)
        column.addWidget(split, 1)

    def _head(self) -> QWidget:
        told = translate("Recall", "What an agent gets for a question, to the letter")
        return row(Label(translate("Recall", "Recall"), "pane"), Label(told, "muted"), 1, gap=12)

    def _connect(self) -> None:
        self.form.asked.connect(self._ask)
        self.form.entered.connect(self.hits.begin)
        self.hits.activated.connect(lambda index: self._go(index.row()))
        self.reading.conflicts.opened.connect(
            lambda memory_id: self.bench.go("memories", memory_id=memory_id)
        )
        self.asking.answered.connect(self._show)
        self.asking.failed.connect(self._show_failure)


def _text(given: object) -> str | None:
    return given if isinstance(given, str) else None
