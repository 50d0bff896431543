"""What a session of review came to: numbers, the memories, and the way to take all of it back."""

from __future__ import annotations

from array import array
from collections.abc import Mapping

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from remembrancer.desktop.fields import row
from remembrancer.desktop.look.badges import Badge
from remembrancer.desktop.look.buttons import KeyButton
from remembrancer.desktop.look.cards import CardList
from remembrancer.desktop.look.flow import FlowLayout, give_height_for_width
from remembrancer.desktop.look.labels import Card, Label
from remembrancer.desktop.look.plain import number, translate
from remembrancer.desktop.memory_model import MemoryModel
from remembrancer.desktop.review.session import Choice, Session
from remembrancer.desktop.workbench import Workbench

_WIDEST = 860
_WORDS = {
    Choice.VERIFY: "Verified: {0}",
    Choice.CORRECT: "Corrected: {0}",
    Choice.ARCHIVE: "Archived: {0}",
    Choice.DELETE: "Deleted: {0}",
    Choice.LATER: "Put off: {0}",
    Choice.MERGE: "Merged: {0}",
}


class Summary(QWidget):
    """`go_on` and `undo_all` are its deeds; a memory of the list opens where memories are."""

    go_on = Signal()
    undo_all = Signal()

    def __init__(self, bench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bench = bench
        self.heading = Label("", "title")
        self.told = Label("", "muted", wrap=True)
        self.model = MemoryModel(bench.library, self)
        self.list = CardList(translate("Summary", "What was decided"), compact=True)
        self.list.setModel(self.model)
        self.list.activated.connect(self._open)
        self._badges = QWidget()
        self._flow = FlowLayout(self._badges)
        give_height_for_width(self._badges)
        self.badges: list[Badge] = []
        self._build()

    def show_session(self, session: Session, left: int) -> None:
        """Show what was decided; `left` is how many still wait."""
        ids, counts = session.memory_ids(), session.counts()
        self.heading.setText(translate("Summary", "Decided: {0}").format(number(len(ids))))
        still = translate("Summary", "Still waiting: {0}. All of it stands in Activity, too.")
        self.told.setText(still.format(number(left)))
        self.model.show(array("q", ids))
        self._count(counts)
        self.list.setFocus()

    def texts(self) -> list[str]:
        """The numbers, as they are shown."""
        return [badge.text() for badge in self.badges]

    def _count(self, counts: Mapping[Choice, int]) -> None:
        for badge in self.badges:
            self._flow.removeWidget(badge)
            badge.deleteLater()
        said = [translate("Summary", _WORDS[c]).format(number(n)) for c, n in counts.items()]
        self.badges = [Badge(text, self._badges) for text in said]
        for badge in self.badges:
            self._flow.addWidget(badge)
            badge.show()

    def _open(self, index: QModelIndex) -> None:
        memory = self.model.memory(index.row())
        if memory is not None:
            self._bench.go("memories", memory_id=memory.id)

    def _button(self, id_: str, *, primary: bool = False) -> KeyButton:
        spec, key = self._bench.actions.specs[id_], self._bench.actions.key(id_)
        return KeyButton(spec.icon, translate("Actions", spec.name), key, primary=primary)

    def _build(self) -> None:
        self.on_button = self._button("review.go_on", primary=True)
        self.undo_button = self._button("review.undo_all")
        self.activity_button = KeyButton("activity", translate("Summary", "Show in Activity"))
        self.on_button.clicked.connect(self.go_on)
        self.undo_button.clicked.connect(self.undo_all)
        self.activity_button.clicked.connect(lambda: self._bench.go("activity"))
        self._bench.actions.bind("review.go_on", self, self.go_on.emit)
        self._bench.actions.bind("review.undo_all", self, self.undo_all.emit)
        card = Card()
        card.setMaximumWidth(_WIDEST)
        inside = QVBoxLayout(card)
        inside.setContentsMargins(24, 20, 24, 16)
        inside.setSpacing(12)
        for part in (self.heading, self._badges, self.told):
            inside.addWidget(part)
        inside.addWidget(row(self.on_button, self.undo_button, self.activity_button, 1))
        inside.addWidget(self.list, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 14)
        column.addWidget(card)
