"""What is asked before a decision: how many it concerns, and why something is refused."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMessageBox, QPushButton, QWidget

from remembrancer.desktop.look.plain import number, one_line, translate
from remembrancer.desktop.look.question import Question
from remembrancer.desktop.proposals.deciding import Deciding
from remembrancer.desktop.proposals.reading import Entry
from remembrancer.desktop.proposals.reason_dialog import ReasonDialog


class Questions(QObject):
    """Asks over `owner`; what was answered goes to `deciding`. At most one stands open."""

    def __init__(self, deciding: Deciding, owner: QWidget) -> None:
        super().__init__(owner)
        self._deciding, self._owner = deciding, owner
        self.box: Question | None = None
        self.dialog: ReasonDialog | None = None

    def accept_all(self, entries: Sequence[Entry]) -> None:
        """Ask whether all of these are accepted."""
        if not entries:
            return
        title = translate("Proposals", "Accept all")
        asked = translate("Proposals", "Accept {0} proposals of {1}?")
        ids = [e.proposal.id for e in entries]
        box = self._ask(title, asked.format(number(len(ids)), _agents(entries)))
        box.explain(translate("Proposals", "Those that clash with what is there now stay."))
        self._open(box, title).clicked.connect(lambda: self._deciding.accept_all(ids))

    def refuse_all(self, entries: Sequence[Entry]) -> None:
        """Ask whether all of these are refused."""
        if not entries:
            return
        title = translate("Proposals", "Refuse all")
        asked = translate("Proposals", "Refuse {0} proposals of {1}?")
        ids = [e.proposal.id for e in entries]
        box = self._ask(title, asked.format(number(len(ids)), _agents(entries)))
        self._open(box, title).clicked.connect(lambda: self._deciding.refuse_all(ids))

    def refuse_why(self, entries: Sequence[Entry]) -> None:
        """Ask for the reason that the agents are told, then refuse."""
        proposal, count = entries[0].proposal, len(entries)
        text = translate("Proposals", "Why is “{0}” refused?")
        asked = text.format(one_line(proposal.label(), 80))
        if count > 1:
            text = translate("Proposals", "Why are these {0} proposals refused?")
            asked = text.format(number(count))
        ids = [e.proposal.id for e in entries]

        def given(why: str) -> None:
            if count > 1:
                self._deciding.refuse_all(ids, why)
            else:
                self._deciding.refuse(proposal, why)

        self.dialog = ReasonDialog(asked, self._owner)
        self.dialog.given.connect(given)
        self.dialog.finished.connect(lambda _code: self._forget())
        self.dialog.open()

    def _ask(self, title: str, text: str) -> Question:
        self.box = Question(title, text, self._owner)
        self.box.finished.connect(lambda _code: self._forget())
        return self.box

    def _open(self, box: Question, title: str) -> QPushButton:
        yes = box.addButton(title, QMessageBox.ButtonRole.AcceptRole)
        box.addButton(translate("Proposals", "Cancel"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(yes)
        box.open()
        return yes

    def _forget(self) -> None:
        self.box = self.dialog = None


def _agents(entries: Sequence[Entry]) -> str:
    return one_line(", ".join(sorted({e.proposal.author for e in entries})), 120)
