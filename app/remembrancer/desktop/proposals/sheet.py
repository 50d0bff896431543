"""The right side of the place: one proposal, who wants it and why, and each of its changes."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from remembrancer.core.proposal import Proposal
from remembrancer.desktop.look.labels import Card, Message
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.memory.form import MemoryForm
from remembrancer.desktop.proposals.change_view import ProposedChange
from remembrancer.desktop.proposals.head import ProposalHead
from remembrancer.desktop.proposals.reading import Clash, Entry, Look, as_memory, look
from remembrancer.desktop.proposals.room import on_card
from remembrancer.desktop.proposals.three_way import ThreeWay
from remembrancer.desktop.proposals.ticks import TickList
from remembrancer.desktop.workbench import Workbench


class ProposalSheet(QWidget):
    """Shows an entry; `turned` tells that another page of the change is shown."""

    turned = Signal()

    def __init__(self, bench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bench = bench
        self.entry: Entry | None = None
        self._kept: dict[int, dict[int, dict[str, Any]]] = {}  # what was typed, by proposal
        self._place = 0
        self._make_parts()
        self._build()
        self.ticks.selectionModel().currentChanged.connect(self._came_to)

    # --- what is shown

    def show_entry(self, entry: Entry) -> None:
        """Show a proposal; what was typed stays, and what was ticked of the same one."""
        same = self.entry is not None and self.entry.proposal == entry.proposal
        if not same:
            self.keep_typed()
        self.entry = entry
        self.head.show_entry(entry)
        if same:
            self._read()
            return
        self._place = 0
        self.banner.hide()
        waiting = entry.proposal.decided_at is None
        self.ticks.show_changes(entry.proposal.changes, may_tick=waiting)
        self.turn(self.change)
        self._read()

    @property
    def proposal(self) -> Proposal | None:
        """The proposal that is shown."""
        return None if self.entry is None else self.entry.proposal

    @property
    def _edits(self) -> dict[int, dict[str, Any]]:
        proposal = self.proposal
        return {} if proposal is None else self._kept.setdefault(proposal.id, {})

    @property
    def reading(self) -> bool:
        """Whether the change is shown to be read, and neither edited nor compared."""
        return self.pages.currentWidget() is self.change

    @property
    def comparing(self) -> bool:
        """Whether the person is asked what counts."""
        return self.pages.currentWidget() is self.three

    def edit(self) -> None:
        """Let the person edit the change that is shown, where it leaves a memory."""
        proposal = self.proposal
        if proposal is None or proposal.decided_at is not None:
            return
        change = proposal.changes[self._place]
        memory = None if change.removal else as_memory(change)
        if memory is None:
            said = translate("Proposals", "Only the words of a memory can be edited here.")
            self._bench.tell(said, "info")
            return
        self.form.fill(memory)
        if self._place in self._edits:
            self.form.rebase(memory, self._edits[self._place])  # type: ignore[arg-type]
        self.turn(self.form_room)
        self.form.content.setFocus()

    def keep_typed(self) -> None:
        """Take what was typed as the person's version of the change."""
        if self.pages.currentWidget() is not self.form_room:
            return
        typed = dict(self.form.edit())
        if typed:
            self._edits[self._place] = typed
        else:
            self._edits.pop(self._place, None)

    def typed(self) -> dict[int, dict[str, Any]]:
        """The fields that the person edited, by the place of the change."""
        self.keep_typed()
        return dict(self._edits)

    def ask(self, clashes: list[Clash]) -> None:
        """Show what was changed on both sides."""
        self.three.show_clashes(clashes)
        said = translate("Proposals", "It was changed since this was proposed. Say what counts.")
        self.banner.show_message(Message("warning", said, dismissible=False))
        self.turn(self.three)

    def read(self) -> None:
        """Back to reading the change."""
        self.banner.hide()
        self.turn(self.change)

    def turn(self, page: QWidget) -> None:
        """Show another page of the change."""
        self.pages.setCurrentWidget(page)
        self.turned.emit()

    # --- inside

    def _came_to(self) -> None:
        place = self.ticks.currentIndex().row()
        if place >= 0 and place != self._place:
            self.keep_typed()
            self._place = place
            self.read()
            self._read()

    def _read(self) -> None:
        proposal, place = self.proposal, self._place
        if proposal is None:
            return
        library, edits = self._bench.library, dict(self._edits.get(place, {}))

        def done(found: Look) -> None:
            if self.proposal is proposal and self._place == place:
                self._show(found)

        self._bench.background.run(
            lambda: look(library, proposal, place, edits), done, lambda _error: None, owner=self
        )

    def _show(self, found: Look) -> None:
        self.change.show_look(found)
        memory = None if found.change.removal else as_memory(found.change)
        self.head.show_flags(memory)

    def _make_parts(self) -> None:
        self.head = ProposalHead()
        self.banner, self.corner, self.buttons = (
            self.head.banner, self.head.corner, self.head.buttons,
        )  # fmt: skip
        self.ticks = TickList()
        self.change = ProposedChange(self._bench)
        self.form = MemoryForm()
        self.form_room = on_card(self.form)
        self.three = ThreeWay()
        self.pages = QStackedWidget()
        for page in (self.change, self.form_room, self.three):
            self.pages.addWidget(page)

    def _build(self) -> None:
        below = Card()
        room = QVBoxLayout(below)
        room.setContentsMargins(24, 14, 24, 14)
        room.setSpacing(10)
        room.addWidget(self.ticks)
        room.addWidget(self.pages, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 16, 18, 14)
        column.setSpacing(12)
        column.addWidget(self.head)
        column.addWidget(below, 1)
