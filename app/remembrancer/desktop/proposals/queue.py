"""The left side of the place: what waits or was decided, whose, and in which order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from remembrancer.core.clock import Clock
from remembrancer.desktop.fields import row
from remembrancer.desktop.look.buttons import IconButton
from remembrancer.desktop.look.cards import CardList
from remembrancer.desktop.look.chips import ChipRow, ChipSpec, SegmentedControl
from remembrancer.desktop.look.labels import Label
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.proposals.model import ProposalModel
from remembrancer.desktop.proposals.reading import MOST, Entry

WIDEST, NARROWEST = 432, 250
WAITING, DECIDED = "waiting", "decided"
_EVERY = "all"


class ProposalList(CardList):
    """The cards; Return goes into the changes of the one that is chosen."""

    entered = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit()
        else:
            super().keyPressEvent(event)


class Queue(QWidget):
    """Shows entries by agent, within an agent by age. `turned` tells that other ones are wanted."""

    turned = Signal()

    def __init__(self, clock: Clock, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        say = translate
        self._entries: Sequence[Entry] = ()
        self._newest = False
        self.model = ProposalModel(clock, self)
        self.list = ProposalList(say("Proposals", "Proposals of agents"), many=True)
        self.list.setModel(self.model)
        self.pages = SegmentedControl(
            [(WAITING, say("Proposals", "Waiting")), (DECIDED, say("Proposals", "Decided"))],
            say("Proposals", "Which proposals are shown"),
        )
        self.order = IconButton("arrow-down", say("Proposals", "Oldest first"))
        self.accept_all = IconButton("copy-check", say("Proposals", "Accept all of this agent…"))
        self.refuse_all = IconButton("circle-x", say("Proposals", "Refuse all of this agent…"))
        self.chips = ChipRow(name=say("Proposals", "Agents"))
        self._lay_out()
        self._name_order()
        self.pages.chosen.connect(lambda _key: self.turned.emit())
        self.chips.chosen.connect(lambda _key: self._show())
        self.order.clicked.connect(self.turn_order)

    @property
    def page(self) -> str:
        """Which proposals are wanted."""
        return self.pages.current()

    def show_entries(self, entries: Sequence[Entry]) -> None:
        """Show these, in the order and of the agent that the person chose."""
        self._entries = entries
        counted = Counter(e.proposal.author for e in entries)
        total = f"{MOST}+" if len(entries) >= MOST else len(entries)
        specs = [ChipSpec(_EVERY, translate("Proposals", "All"), total)]
        specs += [ChipSpec(f"a:{name}", name, count) for name, count in sorted(counted.items())]
        on = self.chips.keys_on()
        self.chips.set_chips(specs)
        keys = {spec.key for spec in specs}
        self.chips.choose(*([k for k in on if k in keys] or [_EVERY]))
        self.chips.setVisible(len(counted) > 1)
        self._show()

    def empty(self) -> tuple[str, ...]:
        """What is said where nothing is listed: icon, heading, sentence, button."""
        say = translate
        if self.page == DECIDED:
            return "copy-check", say("Proposals", "Nothing was decided yet")
        hint = say(
            "Proposals",
            "What agents may only propose comes here. Which agents those are is said in Agents.",
        )
        heading, button = say("Proposals", "Nothing waits"), say("Proposals", "Go to Agents")
        return "copy-check", heading, hint, button

    def turn_order(self) -> None:
        """The newest first, or the oldest."""
        self._newest = not self._newest
        self._name_order()
        self._show()
        if self.model.rowCount():
            self.list.choose_row(0)

    def chosen(self) -> list[Entry]:
        """The entries that are chosen, from top to bottom."""
        rows = sorted(index.row() for index in self.list.selectionModel().selectedRows())
        return [entry for r in rows if (entry := self.model.entry(r)) is not None]

    def of_agent(self, entry: Entry) -> list[Entry]:
        """All that wait of the same agent, as far as they are listed."""
        return [e for e in self._entries if e.proposal.author == entry.proposal.author]

    def _show(self) -> None:
        on = next(iter(self.chips.keys_on()), _EVERY)
        shown = [e for e in self._entries if on in (_EVERY, f"a:{e.proposal.author}")]
        for button in (self.accept_all, self.refuse_all):
            button.setVisible(self.page == WAITING and bool(shown))
        if self.page == WAITING:
            shown = _by_agent(shown, self._newest)
        elif self._newest:
            shown = shown[::-1]
        self.model.show(shown)

    def _name_order(self) -> None:
        newest, oldest = (
            translate("Proposals", "Newest first"),
            translate("Proposals", "Oldest first"),
        )
        first = self._newest != (self.page == DECIDED)
        self.order.set_name(newest if first else oldest, "arrow-up" if first else "arrow-down")

    def _lay_out(self) -> None:
        self.setMinimumWidth(NARROWEST)
        self.setMaximumWidth(WIDEST)
        head = QVBoxLayout()
        head.setContentsMargins(12, 0, 12, 0)
        head.setSpacing(10)
        head.addWidget(row(Label(translate("Proposals", "Proposals"), "pane"), 1, self.order))
        head.addWidget(row(self.pages, 1, self.accept_all, self.refuse_all))
        head.addWidget(self.chips)
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 16, 0, 0)
        column.setSpacing(10)
        column.addLayout(head)
        column.addWidget(self.list, 1)


def _by_agent(entries: Sequence[Entry], newest: bool) -> list[Entry]:
    """The proposals of an agent together, its agents in the order of their first."""
    ordered = sorted(entries, key=lambda e: e.proposal.id, reverse=newest)
    agents = list(dict.fromkeys(e.proposal.author for e in ordered))
    return sorted(ordered, key=lambda e: agents.index(e.proposal.author))
