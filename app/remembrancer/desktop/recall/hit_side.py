"""One hit looked at closely: what its score is made of, and to whom it was served."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from remembrancer.core.memory import Memory
from remembrancer.core.recall import Hit, Question
from remembrancer.desktop.fields import row, scrolled
from remembrancer.desktop.look.badges import Badge, KindBadge
from remembrancer.desktop.look.buttons import LinkButton
from remembrancer.desktop.look.labels import Card, ElidedLabel, EmptyState, Label, Symbol
from remembrancer.desktop.look.plain import number, translate
from remembrancer.desktop.recall.receipts import Receipt, ReceiptsCard
from remembrancer.desktop.recall.score import Score
from remembrancer.desktop.workbench import Workbench


@dataclass(frozen=True)
class Looked:
    """A hit with all that is shown of it; `left_out` says why it was not served."""

    hit: Hit
    question: Question
    place: int
    left_out: str


class MemoryHead(QWidget):
    """Which memory is meant, in two lines, and a link that opens it."""

    def __init__(self) -> None:
        super().__init__()
        self.kind = KindBadge()
        self.entity = Badge()
        self.number = Label("", "mono")
        self.title = ElidedLabel("", "heading")
        self.open_link = LinkButton(translate("Recall", "Open memory"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(row(self.kind, self.entity, self.number, 1, self.open_link))
        column.addWidget(self.title)

    def show_memory(self, memory: Memory) -> None:
        """Show which one it is."""
        self.kind.show_kind(memory.kind)
        self.entity.setText(memory.entity or translate("Recall", "unfiled"))
        self.number.setText(f"m-{memory.id}")
        self.title.setText(memory.headline(200))
        name = translate("Recall", "Open memory {0}").format(memory.id)
        self.open_link.setAccessibleName(name)


def beside(symbol: Symbol, words: Label) -> QWidget:
    """Words that take all the room beside their icon, at its height."""
    holder = QWidget()
    line = QHBoxLayout(holder)
    line.setContentsMargins(0, 0, 0, 0)
    line.setSpacing(8)
    line.addWidget(symbol, 0, Qt.AlignmentFlag.AlignTop)
    line.addWidget(words, 1)
    return holder


class HitSide(QStackedWidget):
    """`opened` tells a memory to open, `wanted` one that the chosen hit was written with."""

    opened = Signal(int)
    wanted = Signal(int)

    def __init__(self, bench: Workbench) -> None:
        super().__init__()
        self._bench = bench
        self._shown: Looked | None = None
        self.head = MemoryHead()
        self.symbol = Symbol("circle-check", "ok", 16)
        self.place = Label("", "muted", wrap=True)
        self.score = Score()
        self.receipts = ReceiptsCard()
        self._build()
        self.head.open_link.clicked.connect(self._open)
        self.score.signals.wanted.connect(self.wanted)

    def show_hit(self, looked: Looked) -> None:
        """Show a hit; its receipts are read in the background."""
        self._shown = looked
        hit, now = looked.hit, self._bench.library.clock()
        self.head.show_memory(hit.memory)
        served = translate("Recall", "Served, as number {0}").format(number(looked.place))
        self.place.setText(looked.left_out or served)
        icon = ("circle-x", "warn") if looked.left_out else ("circle-check", "ok")
        self.symbol.show_icon(*icon)
        self.score.show_hit(hit, looked.question.query, now)
        self._read_receipts(looked)
        self.setCurrentIndex(0)

    def show_nothing(self) -> None:
        """Say that no hit is chosen."""
        self._shown = None
        self.setCurrentIndex(1)

    def _read_receipts(self, looked: Looked) -> None:
        memory_id = looked.hit.memory.id

        def done(found: list[Receipt]) -> None:
            if self._shown is looked:
                self.receipts.show_receipts(found, self._bench.library.clock())

        self._bench.background.run(
            lambda: self._bench.library.memories.receipts(memory_id), done, owner=self
        )

    def _open(self) -> None:
        if self._shown is not None:
            self.opened.emit(self._shown.hit.memory.id)

    def _build(self) -> None:
        card = Card()
        inner = QVBoxLayout(card)
        inner.setContentsMargins(16, 12, 16, 14)
        inner.setSpacing(8)
        inner.addWidget(self.head)
        inner.addWidget(beside(self.symbol, self.place))
        inner.addWidget(self.score)
        room = QWidget()
        column = QVBoxLayout(room)
        column.setContentsMargins(0, 0, 6, 0)
        column.setSpacing(10)
        column.addWidget(card)
        column.addWidget(self.receipts)
        column.addStretch(1)
        self.addWidget(scrolled(room))
        self.addWidget(_nothing())
        self.setCurrentIndex(1)


def _nothing() -> EmptyState:
    return EmptyState(
        "gauge", translate("Recall", "No memory is chosen"),
        translate("Recall", "Choose one in the list: here stands what its score is made of."),
    )  # fmt: skip
