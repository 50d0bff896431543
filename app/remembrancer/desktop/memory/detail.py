"""One memory as it is read: head, reasons, buttons, text, differences, facts, revisions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from remembrancer.core.memory import Memory, Status
from remembrancer.desktop import words
from remembrancer.desktop.look.badges import Badge, KindBadge
from remembrancer.desktop.look.buttons import LinkButton
from remembrancer.desktop.look.chips import SegmentedControl
from remembrancer.desktop.look.diff_view import DiffView
from remembrancer.desktop.look.flow import FlowLayout, give_height_for_width
from remembrancer.desktop.look.labels import Banner, Card, Label, Message
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.look.timeline import Timeline
from remembrancer.desktop.memory.facts import facts
from remembrancer.desktop.memory.pages import MemoryPages
from remembrancer.desktop.memory.revisions import Revision, revisions, rows
from remembrancer.desktop.workbench import Workbench

_TIMELINE = 190  # pixels: five revisions, then it scrolls
_TONES = {"bad": "bad", "warn": "warning", "muted": "info"}


class MemoryDetail(QWidget):
    """Shows one memory; the pane puts its buttons into `buttons` and `corner`."""

    restore_wanted = Signal(int)

    @property
    def difference(self) -> DiffView:
        """What a revision changed."""
        return self.pages.difference

    def __init__(self, bench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bench = bench
        self.memory: Memory | None = None
        self._revisions: list[Revision] = []
        self._compared: int | None = None
        self._build()
        self._connect()

    # --- what is shown

    def show_memory(self, memory: Memory) -> None:
        """Show a memory; what was looked at of the same memory stays in sight."""
        same = self.memory is not None and self.memory.id == memory.id
        self.memory = memory
        self._show_head(memory)
        self._show_reasons(memory)
        self.pages.show_text(memory.content)
        if not same:
            self._compared = None
            self.timeline.set_rows([])
            self.tabs.choose("preview")
            self.pages.turn("preview")
        self._read_history(memory)

    def compare(self, place: int | None = None) -> None:
        """Show what the revision at a place of the timeline (0 is now) changed."""
        if len(self._revisions) < 2:
            self._bench.tell(translate("Detail", "There is only one revision so far."), "info")
            return
        self._compared = 0 if place is None else place
        self._show_difference()
        self.tabs.choose("changes")
        self.pages.turn("changes")

    def show_changes(self) -> None:
        """Turn to the latest change of the words, as soon as the history is there."""
        self.tabs.choose("changes")
        self.pages.turn("changes")

    # --- inside

    def _show_head(self, memory: Memory) -> None:
        self.kind.show_kind(memory.kind)
        self.entity.setText(memory.entity or translate("Detail", "unfiled"))
        self.standing.setText(_standing(memory))
        self.standing.setVisible(bool(_standing(memory)))
        self.number.setText(f"m-{memory.id}")
        self.title.setText(memory.headline(160))

    def _show_reasons(self, memory: Memory) -> None:
        now = self._bench.library.clock()
        found = self._bench.library.review.reasons(memory)
        self.banner.setVisible(bool(found) and memory.status is Status.ACTIVE)
        if found:
            said = " · ".join(words.due(memory, r, now) for r in found)
            tone, icon = words.REASON_LOOK[found[0]]
            lead, _, rest = said.partition(" · ")
            text = f" · {rest}" if rest else ""
            self.banner.show_message(
                Message(_TONES[tone], text, lead=lead, dismissible=False, icon=icon)
            )

    def _read_history(self, memory: Memory) -> None:
        def work() -> tuple[list[Revision], list[tuple[str, int, int, int]]]:
            desk = self._bench.library.memories
            return revisions(desk.history(memory.id)), desk.receipts(memory.id)

        def done(found: tuple[list[Revision], list[tuple[str, int, int, int]]]) -> None:
            if self.memory is memory:
                self._show_history(*found)

        self._bench.background.run(work, done, lambda _error: None, owner=self)

    def _show_history(
        self, found: list[Revision], receipts: Sequence[tuple[str, int, int, int]]
    ) -> None:
        now = self._bench.library.clock()
        self._revisions = found
        self.timeline.set_rows(rows(found, now))
        more = len(found) > 1
        self.compare_link.setVisible(more)
        self.restore_link.setVisible(False)
        if more:
            label = found[1].label
            self.compare_link.set_label(translate("Detail", "Compare {0} with now").format(label))
        if self.memory is not None:
            self.pages.facts.show_pairs(facts(self.memory, now, receipts))
        self._show_difference()

    def _show_difference(self) -> None:
        if len(self._revisions) < 2:
            self.pages.show_no_difference()
            return
        place = self._latest_change() if self._compared is None else self._compared
        place = min(place, len(self._revisions) - 1)
        before = min(place + 1, len(self._revisions) - 1)
        self.pages.show_difference(self._revisions, before, place)

    def _latest_change(self) -> int:
        """The newest revision that changed the words; the newest of all when none did."""
        pairs = pairwise(self._revisions)
        changed = (n for n, (a, b) in enumerate(pairs) if a.memory.content != b.memory.content)
        return next(changed, 0)

    def _row_chosen(self, place: int) -> None:
        self.restore_link.setVisible(place > 0)
        self._chosen = place
        if len(self._revisions) > 1:
            self.compare(place)

    def _restore(self) -> None:
        if 0 < self._chosen < len(self._revisions):
            self.restore_wanted.emit(self._revisions[self._chosen].memory.revision)

    def _build(self) -> None:
        self._chosen = 0
        self.kind, self.entity, self.standing = KindBadge(), Badge(), Badge()
        self.number = Label("", "mono")
        self.title = Label("", "title", wrap=True)
        self.banner = Banner()
        self.banner.hide()
        self.corner = QHBoxLayout()
        self._button_row = QWidget()
        self.buttons = FlowLayout(self._button_row)
        give_height_for_width(self._button_row)
        self.tabs = SegmentedControl(
            [
                ("preview", translate("Detail", "Preview")),
                ("plain", translate("Detail", "Text")),
                ("changes", translate("Detail", "Changes")),
                ("facts", translate("Detail", "Details")),
            ],
            name=translate("Detail", "What is shown of the memory"),
        )
        self.pages = MemoryPages()
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 16, 18, 14)
        column.setSpacing(12)
        column.addWidget(self._reading_card(), 1)
        column.addWidget(self._history_card())

    def _reading_card(self) -> Card:
        head = QHBoxLayout()
        head.setSpacing(8)
        for part in (self.kind, self.entity, self.standing, self.number):
            head.addWidget(part)
        head.addStretch(1)
        head.addLayout(self.corner)
        tabs = QHBoxLayout()
        tabs.addWidget(self.tabs)
        tabs.addStretch(1)
        card = Card()
        column = QVBoxLayout(card)
        column.setContentsMargins(24, 18, 24, 14)
        column.setSpacing(10)
        column.addLayout(head)
        column.addWidget(self.title)
        column.addWidget(self.banner)
        column.addWidget(self._button_row)
        column.addLayout(tabs)
        column.addWidget(self.pages, 1)
        return card

    def _history_card(self) -> Card:
        self.timeline = Timeline(translate("Detail", "Revisions"))
        self.timeline.setMaximumHeight(_TIMELINE)
        self.compare_link = LinkButton("")
        self.restore_link = LinkButton(translate("Detail", "Restore this revision"))
        head = QHBoxLayout()
        head.addWidget(Label(translate("Detail", "Revisions"), "heading"))
        head.addStretch(1)
        head.addWidget(self.restore_link)
        head.addWidget(self.compare_link)
        card = Card()
        column = QVBoxLayout(card)
        column.setContentsMargins(24, 12, 24, 8)
        column.addLayout(head)
        column.addWidget(self.timeline)
        return card

    def _connect(self) -> None:
        self.tabs.chosen.connect(self.pages.turn)
        self.pages.compared.connect(
            lambda old, new: self.pages.show_difference(self._revisions, old, new)
        )
        self.timeline.chosen.connect(self._row_chosen)
        self.compare_link.clicked.connect(lambda: self.compare())
        self.restore_link.clicked.connect(self._restore)


def _standing(memory: Memory) -> str:
    parts = [translate("Detail", "pinned")] * memory.pinned
    if memory.status is not Status.ACTIVE:
        parts.append(memory.status)
    return " · ".join(parts)
