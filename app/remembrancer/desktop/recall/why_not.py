"""Why not this one: any memory can be named, and is explained for the question as it stands."""

from __future__ import annotations

import re
from array import array

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStackedWidget, QStyleOptionViewItem, QVBoxLayout, QWidget

from remembrancer.core.errors import RemembrancerError
from remembrancer.core.explaining import Explanation
from remembrancer.core.filters import Filter, State
from remembrancer.core.recall import Question
from remembrancer.desktop.fields import DEBOUNCE, SearchBox, scrolled
from remembrancer.desktop.look.cards import COMPACT_HEIGHT, CardDelegate, CardList
from remembrancer.desktop.look.labels import EmptyState
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.memory_model import MemoryModel
from remembrancer.desktop.recall.explanation import ExplanationCard
from remembrancer.desktop.workbench import Workbench
from remembrancer.service.library import Library

OFFERED = 20  # memories that a search offers
_IN_SIGHT = 2.5  # of them, before the list is scrolled
_LEFT, _RIGHT = 12, 8  # pixels by which cards stand in
_LONGEST = 500  # characters of the search
_NUMBER = re.compile(r"\s*(m-|#)?(\d{1,18})\s*")


class _Flush(CardDelegate):
    """Cards as wide as their list, so that they line up with what stands above and below."""

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        wider = QStyleOptionViewItem(option)
        wider.rect = option.rect.adjusted(-_LEFT, 0, _RIGHT, 0)  # type: ignore[attr-defined]
        super().paint(painter, wider, index)


class WhyNot(QWidget):
    """A search for memories, and beneath it what becomes of the one that is chosen."""

    opened = Signal(int)

    def __init__(self, bench: Workbench) -> None:
        super().__init__()
        self._bench = bench
        self._question = Question()
        self._asked = 0
        self._chosen: int | None = None
        self.box = SearchBox(
            translate("Recall", "Words of a memory, or its number"),
            translate("Recall", "Which memory"),
        )
        self.model = MemoryModel(bench.library, self)
        self.list = CardList(translate("Recall", "Memories to ask about"), compact=True)
        self.card = ExplanationCard()
        self.empty = EmptyState("circle-help", "")
        self._rest = QTimer(self, singleShot=True, interval=DEBOUNCE)
        self._build()
        self._connect()
        self._say_nothing()

    def ask_for(self, question: Question) -> None:
        """Explain for this question from now on; what is chosen is explained anew."""
        self._question = question
        if self._chosen is not None:
            self._explain(self._chosen)

    def name(self, memory_id: int) -> None:
        """Explain this memory."""
        self.box.setText(f"m-{memory_id}")
        self._rest.stop()
        self._look()

    @property
    def waiting(self) -> bool:
        """Whether a search is still to begin."""
        return self._rest.isActive()

    # --- inside

    def _look(self) -> None:
        text = self.box.text()
        self._asked += 1
        asked = self._asked
        if not text.strip():
            self._offer([])
            return

        def done(ids: list[int]) -> None:
            if asked == self._asked:
                self._offer(ids)

        library = self._bench.library
        self._bench.background.run(lambda: _found(library, text), done, owner=self)

    def _offer(self, ids: list[int]) -> None:
        kept = self._chosen
        self.model.show(array("q", ids))
        self.list.setVisible(bool(ids))
        rows = min(float(len(ids)), _IN_SIGHT)
        self.list.setFixedHeight(round(rows * COMPACT_HEIGHT) + 2)
        if not ids:
            self._chosen = None
            self._say_nothing()
            return
        self.list.choose_row(ids.index(kept) if kept in ids else 0)
        self._row_changed(self.list.currentIndex())

    def _say_nothing(self) -> None:
        said = translate
        if self.box.text().strip():
            heading = said("Recall", "No memory of that kind")
            hint = said("Recall", "Try fewer words, or its number, such as m-12.")
        else:
            heading = said("Recall", "Why not this one?")
            hint = said("Recall", "Name a memory: you are told whether an agent is served it for "
                        "the question above, and if not, why.")  # fmt: skip
        self.empty.show_state("circle-help", heading, hint)
        self._below.setCurrentWidget(self.empty)

    def _row_changed(self, index: QModelIndex) -> None:
        memory = self.model.memory(index.row())
        if memory is not None:
            self._explain(memory.id)

    def _explain(self, memory_id: int) -> None:
        self._chosen = memory_id
        question = self._question

        def fits() -> bool:
            return self._chosen == memory_id and self._question is question

        def done(found: Explanation) -> None:
            if fits():
                self.card.show_explanation(found, question, self._bench.library.clock())
                self._below.setCurrentWidget(self._scroll)

        def failed(error: RemembrancerError) -> None:
            if fits():
                heading = translate("Recall", "That cannot be explained")
                self.empty.show_state("circle-alert", heading, str(error))
                self._below.setCurrentWidget(self.empty)

        library = self._bench.library
        self._bench.background.run(
            lambda: library.recall.explain(question, memory_id), done, failed, owner=self
        )

    def _build(self) -> None:
        self.box.setMaxLength(_LONGEST)
        self.list.setModel(self.model)
        self.list.setItemDelegate(_Flush(True, self.list))
        self.list.hide()
        room = QWidget()
        inner = QVBoxLayout(room)
        inner.setContentsMargins(0, 0, 6, 0)
        inner.addWidget(self.card)
        inner.addStretch(1)
        self._scroll = scrolled(room)
        self._below = QStackedWidget()
        self._below.addWidget(self._scroll)
        self._below.addWidget(self.empty)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.box)
        column.addWidget(self.list)
        column.addWidget(self._below, 1)

    def _connect(self) -> None:
        self._rest.timeout.connect(self._look)
        self.box.textEdited.connect(lambda _text: self._rest.start())
        self.box.textChanged.connect(lambda text: text or self._rest.start())
        self.box.to_the_list.connect(self._to_the_list)
        self.list.selectionModel().currentRowChanged.connect(self._row_changed)
        self.list.activated.connect(lambda _index: self._open())
        self.card.opened.connect(self.opened)
        self.card.wanted.connect(self.name)

    def _to_the_list(self) -> None:
        if self.list.isVisible():
            self.list.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _open(self) -> None:
        if self._chosen is not None:
            self.opened.emit(self._chosen)


def _found(library: Library, text: str) -> list[int]:
    """The ids that a search offers: of a number that memory first, of deleted ones at the end.

    What is plainly a memory's number, such as m-12, offers that memory alone.
    """
    number = _NUMBER.fullmatch(text)
    found = library.memories.several([int(number[2])]) if number else []
    if not (number and number[1]):
        for state in (State.ALL, State.DELETED):
            found += library.memories.browse(Filter(words=text, state=state), limit=OFFERED)
    return list(dict.fromkeys(memory.id for memory in found))[:OFFERED]
