"""The place of activity: the journal as it grows, and taking back what is in it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from remembrancer.desktop.activity.call import Call
from remembrancer.desktop.activity.column import JournalColumn
from remembrancer.desktop.activity.detail import CallDetail
from remembrancer.desktop.feed import Changes
from remembrancer.desktop.look.labels import EmptyState
from remembrancer.desktop.look.plain import one_line, translate
from remembrancer.desktop.pane import Pane
from remembrancer.desktop.split import Split
from remembrancer.desktop.workbench import Workbench

_NAME = "activity"
_POSED = 40  # calls among which a picture chooses


class ActivityPane(Pane):
    """Calls at the left, newest first; at the right what the chosen one changed."""

    def __init__(self, bench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(bench, parent)
        self.column = JournalColumn(bench)
        self.detail = CallDetail(bench)
        self._nothing = EmptyState(
            "activity",
            translate("Activity", "Nothing chosen"),
            translate("Activity", "The deed that you choose at the left is shown here."),
        )
        self._pages = QStackedWidget()
        self._build()
        self._connect()

    # --- what the window asks

    def open(self, **what: object) -> None:
        self.column.rows.setFocus(Qt.FocusReason.OtherFocusReason)

    def focus_search(self) -> None:
        self.column.filters.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.column.filters.search.selectAll()

    def changed(self, changes: Changes) -> None:
        self.column.changed(changes)

    def pose(self) -> None:
        """Stand at what an agent revised last, for a picture."""
        model = self.column.model
        calls = ((row, model.call(row)) for row in range(min(model.rowCount(), _POSED)))
        revised = [r for r, c in calls if c and c.author_kind == "agent" and "revised" in c.done]
        if revised:
            self.column.rows.setCurrentIndex(model.index(revised[0], 0))

    # --- inside

    def _build(self) -> None:
        for page in (self._nothing, self.detail):
            self._pages.addWidget(page)
        right = QWidget()
        room = QVBoxLayout(right)
        room.setContentsMargins(4, 16, 16, 14)
        room.addWidget(self._pages)
        split = Split(self.bench.preferences, _NAME, self.column, right, (440, 640))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(split)

    def _connect(self) -> None:
        self.column.chosen.connect(self._show)
        self.column.entered.connect(self.detail.enter)
        self.detail.undo_wanted.connect(self._undo)
        bind = self.bench.actions.bind
        bind("activity.undo", self, self._undo)
        bind("activity.open", self, self.detail.open_line)
        bind("activity.newest", self, self.column.show_news)

    def _show(self, call: Call | None) -> None:
        if call is not None:
            self.detail.show_call(call, self.column.undone(call))
        self._pages.setCurrentWidget(self.detail if call is not None else self._nothing)

    def _undo(self) -> None:
        call = self.detail.call
        if call is None or not self.detail.isVisible() or self.column.undone(call):
            return
        what = one_line(f"{call.done}: {call.about}" if call.number == 1 else call.done, 70)
        name = translate("Activity", "Take back “{0}”").format(what)
        self.bench.deeds.undo_batch(call.batch, name)
