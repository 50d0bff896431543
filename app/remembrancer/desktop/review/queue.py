"""The queue at the left of review: reasons as chips with their numbers, and the cards."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from remembrancer.core.review import Reason
from remembrancer.desktop.look.buttons import PillButton
from remembrancer.desktop.look.cards import CardList
from remembrancer.desktop.look.chips import ChipRow, ChipSpec
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.memory_model import MemoryModel

WIDEST, NARROWEST = 432, 250
_BOUND = 1_000
_REASONS = {
    Reason.EXPIRED: "Expired",
    Reason.OVERDUE: "Overdue",
    Reason.NOT_VERIFIED: "Never verified",
    Reason.LOW_CONFIDENCE: "Low confidence",
}


class Queue(QWidget):
    """Shows the memories of a model; a chip's key is "all" or the name of a Reason."""

    def __init__(self, model: MemoryModel, strip: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        say = translate
        self.list = CardList(say("Review", "Memories that are due"))
        self.list.setModel(model)
        specs = [ChipSpec("all", say("Review", "All"))]
        specs += [ChipSpec(r.name, say("Review", t)) for r, t in _REASONS.items()]
        self.chips = ChipRow(specs, name=say("Review", "Reasons"))
        self.pill = PillButton("")
        self.pill.hide()
        self.setMinimumWidth(NARROWEST)
        self.setMaximumWidth(WIDEST)
        self._lay_out(strip)

    def show_counts(self, total: int, counts: dict[Reason, int]) -> None:
        """Show how many are due, in all and for each reason."""
        by_reason = {r.name: _number(n) for r, n in counts.items()}
        self.chips.set_counts({"all": _number(total), **by_reason})

    def _lay_out(self, strip: QWidget) -> None:
        head = QVBoxLayout()
        head.setContentsMargins(12, 0, 12, 0)
        head.setSpacing(10)
        head.addWidget(strip)
        head.addWidget(self.chips)
        head.addWidget(self.pill)
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 10, 0, 0)
        column.setSpacing(10)
        column.addLayout(head)
        column.addWidget(self.list, 1)


def _number(count: int) -> str:
    return "1000+" if count >= _BOUND else str(count)
