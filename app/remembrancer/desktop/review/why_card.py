"""The card below the text: why a memory is due, why it comes first, what a decision does."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from remembrancer.core.memory import Memory
from remembrancer.core.risk import Factor
from remembrancer.desktop.look.labels import Card, Label
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.review import why
from remembrancer.desktop.workbench import Workbench
from remembrancer.service.review import Outlook


class WhyCard(Card):
    """Reads what it says in the background, for the memory that was asked for last."""

    def __init__(self, bench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bench = bench
        self._asked = 0
        self.ranking = Label("", "body", wrap=True)
        self.plan = Label("", "small", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 12, 24, 12)
        column.setSpacing(4)
        column.addWidget(Label(translate("Why", "Why now, and why first"), "heading"))
        column.addWidget(self.ranking)
        column.addWidget(self.plan)
        self.hide()

    def show_memory(self, memory: Memory) -> None:
        """Tell about a memory."""
        self._asked = memory.id
        desk = self._bench.library.review

        def work() -> tuple[tuple[Factor, ...], Outlook]:
            return desk.why(memory.id), desk.outlook(memory)

        def done(found: tuple[tuple[Factor, ...], Outlook]) -> None:
            if self._asked == memory.id:
                self.ranking.setText(why.ranking(found[0]))
                self.plan.setText(why.plan(found[1]))
                self.show()

        self._bench.background.run(work, done, lambda _error: None, owner=self)
