"""A line for the name of an entity, which offers the names that there are."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCompleter, QLineEdit, QWidget

from remembrancer.core.entity import Entity
from remembrancer.core.errors import RemembrancerError
from remembrancer.desktop.fields import NameModel
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.workbench import Workbench

OFFERED = 12


class NameEdit(QLineEdit):
    """Offers up to twelve entities whose names hold what is typed, out of however many."""

    def __init__(
        self, bench: Workbench, name: str, placeholder: str, parent: QWidget | None = None
    ) -> None:
        """`name` is for screen readers."""
        super().__init__(parent)
        self._bench = bench
        self._names = NameModel(self)
        self._asked: str | None = None
        self.setAccessibleName(name)
        self.setPlaceholderText(placeholder)
        offer = QCompleter(self._names, self)
        offer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        offer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._popup = offer.popup()
        if self._popup is not None:
            self._popup.setAccessibleName(translate("Entities", "Names that there are"))
        self._offer_box = offer
        self.setCompleter(offer)
        self.textEdited.connect(self._ask)

    def offered(self) -> list[str]:
        """The names that are offered now."""
        return self._names.stringList()

    def _ask(self, text: str) -> None:
        """Ask for names; while an answer is under way, only the last question counts."""
        waiting = self._asked is not None
        self._asked = text
        if not waiting:
            self._read(text)

    def _read(self, text: str) -> None:
        library = self._bench.library

        def done(found: list[Entity]) -> None:
            asked, self._asked = self._asked, None
            if asked is not None and asked != text:
                self._ask(asked)
            else:
                self._offer([e.name for e in found])

        held = text.strip()

        def failed(error: RemembrancerError) -> None:
            self._asked = None
            self._bench.problem(error)

        self._bench.background.run(
            lambda: library.map.entities(held, limit=OFFERED) if held else [], done, failed, self
        )

    def _offer(self, names: list[str]) -> None:
        self._names.setStringList(names)
        if names and self.hasFocus() and names != [self.text()]:
            self._offer_box.complete()
        elif self._popup is not None:
            self._popup.hide()
