"""The revisions of the memory in view: a timeline, what to compare with, what to put back."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from remembrancer.desktop.look.buttons import LinkButton
from remembrancer.desktop.look.labels import Card, Label
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.look.timeline import Timeline, TimelineRow
from remembrancer.desktop.memory.revisions import Revision

_TIMELINE = 190  # pixels: five revisions, then it scrolls


class HistoryCard(Card):
    """`chosen` tells the place of a revision that is to be compared (0 is now).

    `restore_wanted` tells the number of the revision that is to be put back.
    """

    chosen = Signal(int)
    restore_wanted = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._revisions: Sequence[Revision] = ()
        self._place = 0
        self.timeline = Timeline(translate("Detail", "Revisions"))
        self.timeline.setMaximumHeight(_TIMELINE)
        self.compare_link = LinkButton("")
        self.restore_link = LinkButton(translate("Detail", "Restore this revision"))
        self._build()
        self.timeline.chosen.connect(self._choose)
        self.restore_link.clicked.connect(self._restore)

    def show_revisions(self, found: Sequence[Revision], told: Sequence[TimelineRow]) -> None:
        """Show revisions, the newest first, and how the timeline tells them."""
        self._revisions = found
        self.timeline.set_rows(told)
        self.compare_link.setVisible(len(found) > 1)
        self.restore_link.setVisible(False)
        if len(found) > 1:
            label = found[1].label
            self.compare_link.set_label(translate("Detail", "Compare {0} with now").format(label))

    def _choose(self, place: int) -> None:
        self._place = place
        self.restore_link.setVisible(place > 0)
        if len(self._revisions) > 1:
            self.chosen.emit(place)

    def _restore(self) -> None:
        if 0 < self._place < len(self._revisions):
            self.restore_wanted.emit(self._revisions[self._place].memory.revision)

    def _build(self) -> None:
        head = QHBoxLayout()
        head.addWidget(Label(translate("Detail", "Revisions"), "heading"))
        head.addStretch(1)
        head.addWidget(self.restore_link)
        head.addWidget(self.compare_link)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 12, 24, 8)
        column.addLayout(head)
        column.addWidget(self.timeline)
