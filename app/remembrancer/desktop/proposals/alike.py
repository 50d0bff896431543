"""Memories that say nearly what a proposal says, so that nobody accepts a thing twice."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from remembrancer.core.unlike import Verdict
from remembrancer.desktop.look.badges import Badge
from remembrancer.desktop.look.buttons import LinkButton
from remembrancer.desktop.look.cards import percent
from remembrancer.desktop.look.labels import ElidedLabel, Label
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.memory.flags import FlagBadge
from remembrancer.service.resembling import Resembling

_SAME = (Verdict.SAME, Verdict.DUPLICATE)


class AlikeRows(QWidget):
    """A line for each; `compare` wants its difference to the proposal, `opened` its page."""

    compare = Signal(object)
    opened = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.head = Label(translate("Proposals", "IS THERE ALREADY, NEARLY"), "caption")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)
        self._column.addWidget(self.head)
        self.rows: list[QWidget] = []
        self.hide()

    def show_alike(self, found: Sequence[Resembling]) -> None:
        """Show these in place of what was shown."""
        for old in self.rows:
            self._column.removeWidget(old)
            old.hide()
            old.deleteLater()
        self.rows = [self._row(each) for each in found]
        for line in self.rows:
            self._column.addWidget(line)
        self.setVisible(bool(found))

    def _row(self, found: Resembling) -> QWidget:
        line = QWidget()
        across = QHBoxLayout(line)
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(8)
        memory = found.memory
        same = translate("Proposals", "the same")
        exact = found.verdict in _SAME
        across.addWidget(FlagBadge(same) if exact else Badge(percent(found.share)))
        across.addWidget(ElidedLabel(memory.headline(200)), 1)
        across.addWidget(Label(f"m-{memory.id}", "mono"))
        compare = LinkButton(translate("Proposals", "Compare"))
        compare.clicked.connect(lambda: self.compare.emit(memory))
        opened = LinkButton(translate("Proposals", "Open"))
        opened.clicked.connect(lambda: self.opened.emit(memory.id))
        across.addWidget(compare)
        across.addWidget(opened)
        return line
