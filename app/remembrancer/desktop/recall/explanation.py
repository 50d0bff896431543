"""Whether one memory is served and if not why: a sentence, the facts, and what it scored."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFormLayout, QVBoxLayout, QWidget

from remembrancer.core.explaining import Explanation
from remembrancer.core.recall import Question
from remembrancer.desktop.look.labels import Card, Label, Symbol
from remembrancer.desktop.recall import verdicts
from remembrancer.desktop.recall.hit_side import MemoryHead, beside
from remembrancer.desktop.recall.score import Score


class ExplanationCard(Card):
    """`opened` tells the memory to open, `wanted` one that it was written together with."""

    opened = Signal(int)
    wanted = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._memory_id = 0
        self.head = MemoryHead()
        self.symbol = Symbol("circle-check", "ok", 18)
        self.sentence = Label("", "heading", wrap=True)
        self.score = Score()
        self._facts = QWidget()
        self._build()
        self.head.open_link.clicked.connect(lambda: self.opened.emit(self._memory_id))
        self.score.signals.wanted.connect(self.wanted)

    def show_explanation(self, found: Explanation, question: Question, now: int) -> None:
        """Show what became of a memory for a question."""
        self.head.setVisible(found.memory is not None)
        if found.memory is not None:
            self._memory_id = found.memory.id
            self.head.show_memory(found.memory)
        self.symbol.show_icon(*verdicts.LOOK[found.verdict])
        self.sentence.setText(verdicts.sentence(found, question))
        self._show_facts(verdicts.facts(found, question))
        self._show_score(found, question.query, now)

    def pairs(self) -> list[str]:
        """The facts as they are read out."""
        return [w.accessibleName() for w in self._facts.findChildren(Label) if w.accessibleName()]

    def _show_score(self, found: Explanation, query: str, now: int) -> None:
        if found.hit is not None:
            self.score.show_hit(found.hit, query, now)
        self.score.setVisible(found.hit is not None)

    def _show_facts(self, pairs: verdicts.Facts) -> None:
        old, self._facts = self._facts, QWidget()
        form = QFormLayout(self._facts)
        form.setContentsMargins(26, 0, 0, 0)
        form.setHorizontalSpacing(20)
        form.setVerticalSpacing(6)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        before = ""
        for name, value in pairs:
            said = Label(value, wrap=True)
            said.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            said.setAccessibleName(f"{name}: {value}")
            form.addRow(Label(name if name != before else "", "muted"), said)
            before = name
        self._column.replaceWidget(old, self._facts)
        old.deleteLater()
        self._facts.setVisible(bool(pairs))

    def _build(self) -> None:
        self.sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(16, 12, 16, 14)
        self._column.setSpacing(10)
        self._column.addWidget(self.head)
        self._column.addWidget(beside(self.symbol, self.sentence))
        self._column.addWidget(self._facts)
        self._column.addWidget(self.score)
