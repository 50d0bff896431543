"""One memory as it is read: head, reasons, buttons, text, differences, facts, revisions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from remembrancer.core import diff
from remembrancer.core.diff import Row
from remembrancer.core.memory import Memory, Status
from remembrancer.desktop import words
from remembrancer.desktop.fields import CopyIcon
from remembrancer.desktop.look.badges import Badge, KindBadge
from remembrancer.desktop.look.chips import SegmentedControl
from remembrancer.desktop.look.diff_view import DiffView
from remembrancer.desktop.look.flow import FlowLayout, give_height_for_width
from remembrancer.desktop.look.labels import Banner, Card, Label, Message
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.look.timeline import TimelineRow
from remembrancer.desktop.memory.facts import facts
from remembrancer.desktop.memory.flags import FlagBadges
from remembrancer.desktop.memory.history_card import HistoryCard
from remembrancer.desktop.memory.pages import MemoryPages
from remembrancer.desktop.memory.revisions import Revision, revisions, rows
from remembrancer.desktop.workbench import Workbench

_QUICK = 10_000  # characters that are compared at once
_TONES = {"bad": "bad", "warn": "warning", "muted": "info"}

_Receipt = tuple[str, int, int, int]
_Read = tuple[list[Revision], list[TimelineRow], list[_Receipt]]


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
            self.history.timeline.set_rows([])
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
        self.flags.show_memory(memory)

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
        now = self._bench.library.clock()

        def work() -> _Read:
            desk = self._bench.library.memories
            found = revisions(desk.history(memory.id))
            return found, rows(found, now), desk.receipts(memory.id)

        def done(found: _Read) -> None:
            if self.memory is memory:
                self._show_history(*found)

        self._bench.background.run(work, done, lambda _error: None, owner=self)

    def _show_history(
        self, found: list[Revision], told: Sequence[TimelineRow], receipts: Sequence[_Receipt]
    ) -> None:
        now = self._bench.library.clock()
        self._revisions = found
        self.history.show_revisions(found, told)
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
        self._compare(before, place)

    def _compare(self, before: int, after: int) -> None:
        """Show what lies between two revisions; long texts are compared in the background."""
        shown = self._revisions
        old, new = shown[before].memory.content, shown[after].memory.content

        def done(found: Sequence[Row]) -> None:
            if self._revisions is shown:
                self.pages.show_difference(shown, before, after, found)

        if len(old) + len(new) <= _QUICK:
            done(diff.compare(old, new))
        else:
            self._bench.background.run(lambda: diff.compare(old, new), done, owner=self)

    def _latest_change(self) -> int:
        """The newest revision that changed the words; the newest of all when none did."""
        pairs = pairwise(self._revisions)
        changed = (n for n, (a, b) in enumerate(pairs) if a.memory.content != b.memory.content)
        return next(changed, 0)

    def _content(self) -> str:
        return self.memory.content if self.memory is not None else ""

    def _build(self) -> None:
        self.kind, self.entity, self.standing = KindBadge(), Badge(), Badge()
        self.flags = FlagBadges()
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
        self.history = HistoryCard()
        self.copy = CopyIcon(self._content, translate("Detail", "Copy the text"))
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 16, 18, 14)
        column.setSpacing(12)
        column.addWidget(self._reading_card(), 1)
        column.addWidget(self.history)

    def _reading_card(self) -> Card:
        head = QHBoxLayout()
        head.setSpacing(8)
        for part in (self.kind, self.entity, self.standing, self.flags, self.number):
            head.addWidget(part)
        head.addStretch(1)
        head.addLayout(self.corner)
        tabs = QHBoxLayout()
        tabs.addWidget(self.tabs)
        tabs.addStretch(1)
        tabs.addWidget(self.copy)
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

    def _connect(self) -> None:
        self.tabs.chosen.connect(self.pages.turn)
        self.pages.compared.connect(self._compare)
        self.history.chosen.connect(self.compare)
        self.history.compare_link.clicked.connect(lambda: self.compare())
        self.history.restore_wanted.connect(self.restore_wanted)


def _standing(memory: Memory) -> str:
    parts = [translate("Detail", "pinned")] * memory.pinned
    if memory.status is not Status.ACTIVE:
        parts.append(memory.status)
    return " · ".join(parts)
