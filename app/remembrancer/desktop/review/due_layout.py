"""The parts of the page of what is due, and how they lie: queue, memory, summary."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QHBoxLayout, QStackedLayout, QWidget

from remembrancer.desktop.look.buttons import IconButton
from remembrancer.desktop.look.labels import EmptyState, Label
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.memory.desk import MemoryDesk
from remembrancer.desktop.pane import Pane
from remembrancer.desktop.review.due_model import DueModel
from remembrancer.desktop.review.queue import Queue
from remembrancer.desktop.review.sitting import Sitting
from remembrancer.desktop.review.why_card import WhyCard

_POSED = 60  # cards among which a picture chooses


class DueLayout(Pane):
    """Holds the widgets and goes from card to card; what is decided is the page's own."""

    def pose(self) -> None:
        """Stand at a memory that has gone through some revisions, for a picture."""
        rows = range(min(self.model.rowCount(), _POSED))
        told = [(m.revision, len(m.content), r) for r in rows if (m := self.model.memory(r))]
        if told:
            self.list.choose_row(max(told)[2])

    def next(self) -> None:
        """Go to the next card without deciding."""
        self._step(1)

    def previous(self) -> None:
        """Go back to the card before."""
        self._step(-1)

    def _step(self, by: int) -> None:
        row = self.list.currentIndex().row() + by
        if 0 <= row < self.model.rowCount():
            self.list.choose_row(row)

    def build(self) -> None:
        """Make the parts and lay them out."""
        say = translate
        self.model = DueModel(self.bench.library, self)
        self.sitting = Sitting(self.bench, self)
        self.queue = Queue(self.model, self.sitting.strip)
        self.list, self.chips, self.pill = self.queue.list, self.queue.chips, self.queue.pill
        hint = say("Review", "What agents write next will come here to be checked.")
        heading, button = say("Review", "Nothing is due"), say("Review", "Look at all memories")
        self.empty = EmptyState("circle-check", heading, hint, button)
        self.desk = MemoryDesk(self.bench, self.empty)
        self.why = WhyCard(self.bench)
        self.desk.detail.layout().insertWidget(1, self.why)  # type: ignore[attr-defined]
        self.room = QWidget()
        row = QHBoxLayout(self.room)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.queue, 3)
        row.addWidget(self.desk, 5)
        self.pages = QStackedLayout(self)
        self.pages.addWidget(self.room)
        self.pages.addWidget(self.sitting.summary)

    def fill_corner(self, previous: Callable[[], None], following: Callable[[], None]) -> None:
        """Put the place in the queue and two arrows into the corner of the detail."""
        corner = self.desk.detail.corner
        self.place = Label("", "small")
        corner.addWidget(self.place)
        for icon, name, slot in (
            ("chevron-up", translate("Review", "Previous"), previous),
            ("chevron-down", translate("Review", "Next"), following),
        ):
            arrow = IconButton(icon, name)
            arrow.clicked.connect(slot)
            corner.addWidget(arrow)
