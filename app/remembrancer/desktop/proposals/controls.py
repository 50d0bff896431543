"""The buttons and keys of the place, and which of them hold at the moment."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from remembrancer.desktop.look.buttons import IconButton, KeyButton
from remembrancer.desktop.look.labels import Label
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.proposals.sheet import ProposalSheet
from remembrancer.desktop.workbench import Workbench

Slots = Mapping[str, Callable[[], object]]

_FIRST = ("accept", "submit")
_READING = ("accept", "refuse", "refuse_why", "edit")  # buttons while a proposal is read
_WRITING = ("submit", "cancel")  # and while it is edited or compared
_LETTERS = (*_READING, "accept_agent", "refuse_agent")
_OF_LIST = ("next", "previous", "all", "undo", "tick")


class Controls:
    """Letters decide only while a waiting proposal is read; else they are letters."""

    def __init__(
        self, bench: Workbench, owner: QWidget, queue: QWidget, sheet: ProposalSheet, slots: Slots
    ) -> None:
        self._sheet = sheet
        self.place = Label("", "small")
        sheet.corner.addWidget(self.place)
        self._arrow("chevron-up", translate("Proposals", "Previous"), slots["previous"])
        self._arrow("chevron-down", translate("Proposals", "Next"), slots["next"])
        self.buttons: dict[str, KeyButton] = {}
        for id_ in (*_READING, *_WRITING, "undo"):
            spec, key = (
                bench.actions.specs[f"proposals.{id_}"],
                bench.actions.key(f"proposals.{id_}"),
            )
            button = KeyButton(spec.icon, spec.name, key, primary=id_ in _FIRST)
            button.clicked.connect(slots[id_])
            sheet.buttons.addWidget(button)
            self.buttons[id_] = button
        bind = bench.actions.bind
        self._letters = [bind(f"proposals.{i}", owner, slots[i]) for i in _LETTERS]
        self._others: list[QAction] = [bind(f"proposals.{i}", owner, slots[i]) for i in _WRITING]
        for id_ in _OF_LIST:
            bind(f"proposals.{id_}", queue, slots[id_])

    def hold(self, *, waiting: bool, shown: bool) -> None:
        """Let those hold that fit: whether what waits is listed, and one of it shown."""
        reading = self._sheet.reading
        for action in self._letters:
            action.setEnabled(reading and waiting and shown)
        for action in self._others:
            action.setEnabled(not reading)
        for id_, button in self.buttons.items():
            if id_ == "undo":
                button.setVisible(not waiting)
            else:
                button.setVisible(waiting and reading == (id_ in _READING))

    def show_place(self, row: int, rows: int) -> None:
        """Say which of how many is shown."""
        self.place.setText(translate("Proposals", "{0} of {1}").format(row + 1, rows))

    def _arrow(self, icon: str, name: str, slot: Callable[[], object]) -> None:
        arrow = IconButton(icon, name)
        arrow.clicked.connect(slot)
        self._sheet.corner.addWidget(arrow)
