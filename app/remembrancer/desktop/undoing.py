"""Undo and redo as the person meets them: named in the menu, told, and offered when refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from remembrancer.core.errors import RemembrancerError
from remembrancer.desktop.deeds import Done
from remembrancer.desktop.look.plain import menu_text, translate

if TYPE_CHECKING:
    from remembrancer.desktop.window import Window


class Undoing(QObject):
    """Keeps the menu's two rows after the deeds, and asks before an undo overwrites a change."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        self._refused: Done | None = None
        window.deeds.changed.connect(self._name)
        window.deeds.did.connect(self._told)
        window.deeds.refused.connect(self._ask)
        window.banner.pressed.connect(lambda _key: self._overrule())
        window.banner.dismissed.connect(self._forget)
        self._name()

    def _name(self) -> None:
        deeds = self._window.deeds
        for id_, word, deed in (
            ("edit.undo", translate("Window", "Undo"), deeds.next_undo),
            ("edit.redo", translate("Window", "Redo"), deeds.next_redo),
        ):
            action = self._window.actions_table[id_]
            action.setEnabled(deed is not None)
            action.setText(menu_text(f"{word} {deed.name}") if deed is not None else word)

    def _told(self, deed: Done) -> None:
        self._forget()  # its sentence takes the place of the question
        self._window.tell(f"{deed.name}.", "ok")

    def _ask(self, deed: Done, error: RemembrancerError) -> None:
        if error.code != "changed_since":
            self._window.show_problem(error)
            return
        self._refused = deed
        self._window.tell(str(error), "warning", translate("Window", "Undo all the same"))

    def _overrule(self) -> None:
        deed, self._refused = self._refused, None
        self._window.banner.hide()
        if deed is not None:
            self._window.deeds.overrule(deed)

    def _forget(self) -> None:
        self._refused = None
