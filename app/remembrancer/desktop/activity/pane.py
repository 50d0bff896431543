"""The place of activity: the journal as it grows, and taking back what is in it."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from remembrancer.core.author import PERSON
from remembrancer.core.errors import Conflict, RemembrancerError
from remembrancer.desktop.activity.detail import CallDetail
from remembrancer.desktop.activity.filters import Filters
from remembrancer.desktop.activity.model import ActivityModel
from remembrancer.desktop.activity.reading import Wanted, arrived
from remembrancer.desktop.activity.rows import CallRows
from remembrancer.desktop.deeds import Done
from remembrancer.desktop.feed import Changes
from remembrancer.desktop.look.buttons import PillButton
from remembrancer.desktop.look.labels import EmptyState
from remembrancer.desktop.look.plain import number, one_line, translate
from remembrancer.desktop.pane import Pane
from remembrancer.desktop.workbench import Workbench

_NAME = "activity"


class ActivityPane(Pane):
    """Lists calls, newest first, and shows one; what is new never moves what is looked at."""

    def __init__(self, bench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(bench, parent)
        self.model = ActivityModel(bench.library, bench.background, self)
        self.filters = Filters()
        self.news = PillButton()
        self.rows = CallRows(translate("Activity", "Journal"))
        self.rows.setModel(self.model)
        self.detail = CallDetail(bench)
        self._empty = EmptyState("activity", "")
        self._nothing = EmptyState(
            "activity",
            translate("Activity", "Nothing chosen"),
            translate("Activity", "Choose a deed at the left to see what it changed."),
        )
        self._left, self._right = QStackedWidget(), QStackedWidget()
        self._build()
        self._connect()
        self._read_authors()
        self.model.show(Wanted())

    # --- what the window asks

    def open(self, **what: object) -> None:
        self.rows.setFocus(Qt.FocusReason.OtherFocusReason)

    def focus_search(self) -> None:
        self.filters.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.filters.search.selectAll()

    def changed(self, changes: Changes) -> None:
        if changes.many:
            self._read_anew()
            return
        self.model.add(arrived(self.model.wanted, changes.lines))
        if self._at_top():
            self._let_in()
        else:
            self._announce()
        if any(x.author not in self._authors for x in changes.lines):
            self._read_authors()

    # --- inside

    def _build(self) -> None:
        self._authors: list[str] = []
        for page in (self.rows, self._empty):
            self._left.addWidget(page)
        for page in (self.detail, self._nothing):
            self._right.addWidget(page)
        self._right.setCurrentWidget(self._nothing)
        above = QVBoxLayout()
        above.setContentsMargins(16, 0, 12, 0)
        above.setSpacing(10)
        above.addWidget(self.filters)
        above.addWidget(self.news)
        left = QWidget()
        left.setMinimumWidth(320)
        column = QVBoxLayout(left)
        column.setContentsMargins(4, 14, 0, 0)
        column.setSpacing(10)
        column.addLayout(above)
        column.addWidget(self._left, 1)
        right = QWidget()
        room = QVBoxLayout(right)
        room.setContentsMargins(4, 16, 16, 14)
        room.addWidget(self._right)
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._split.addWidget(left)
        self._split.addWidget(right)
        self._split.setChildrenCollapsible(False)
        self._split.setStretchFactor(1, 1)
        self._split.setHandleWidth(8)
        self._split.setSizes(self.bench.preferences.now.splits.get(_NAME) or [440, 640])
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._split)

    def _connect(self) -> None:
        self._split.splitterMoved.connect(lambda _at, _number: self._keep_split())
        self.filters.changed.connect(self._ask)
        self.filters.to_the_list.connect(self._to_the_list)
        self.news.clicked.connect(self._show_news)
        self.rows.selectionModel().currentChanged.connect(self._came_to)
        self.rows.opened.connect(self.detail.enter)
        self.model.loaded.connect(self._loaded)
        self.model.more.connect(self._tell_empty)
        self.model.dataChanged.connect(lambda *_: self._show_state())
        self._empty.pressed.connect(self.filters.reset)
        self.detail.undo_wanted.connect(self._undo)
        bind = self.bench.actions.bind
        bind("activity.undo", self, self._undo)
        bind("activity.open", self, self.detail.open_line)
        bind("activity.newest", self, self._show_news)

    def _keep_split(self) -> None:
        splits = {**self.bench.preferences.now.splits, _NAME: self._split.sizes()}
        self.bench.preferences.change(splits=splits)

    def _ask(self) -> None:
        wanted = self.filters.wanted()
        if wanted != self.model.wanted:
            self.model.show(wanted)

    def _read_authors(self) -> None:
        def done(names: list[str]) -> None:
            self._authors = sorted(names, key=lambda n: n != PERSON.name)
            self.filters.show_authors(self._authors)

        self.bench.background.run(self.bench.library.journal.authors, done, owner=self)

    def _to_the_list(self) -> None:
        if not self.model.rowCount():
            return
        if not self.rows.currentIndex().isValid():
            self.rows.choose_row(0)
        self.rows.setFocus(Qt.FocusReason.OtherFocusReason)

    # --- what is new

    def _at_top(self) -> bool:
        """Whether new rows may come in by themselves: nothing that is looked at would move away."""
        return (
            self.rows.verticalScrollBar().value() == 0
            and self.rows.currentIndex().row() <= 0
            and not self.rows.underMouse()
        )

    def _announce(self) -> None:
        count = self.model.waiting
        if count == 1:
            self.news.announce(translate("Activity", "1 new — show"))
        else:
            text = translate("Activity", "{0} new — show").format(number(count))
            self.news.announce(text if count else "")

    def _let_in(self) -> None:
        self.model.let_in()
        self._announce()
        self._tell_empty()
        if not self.rows.currentIndex().isValid() and self.model.rowCount():
            self.rows.choose_row(0)

    def _show_news(self) -> None:
        self._let_in()
        self.rows.scrollToTop()
        self.rows.setFocus(Qt.FocusReason.OtherFocusReason)

    def _read_anew(self) -> None:
        """Too much is new to tell apart: read the newest page, staying at the chosen call."""
        self.model.show(self.model.wanted)

    def _loaded(self) -> None:
        self._announce()
        self._tell_empty()
        shown = self.detail.call
        row = self.model.row_of(shown.batch) if shown else 0
        if self.model.rowCount():
            self.rows.choose_row(max(row, 0))
        else:
            self._right.setCurrentWidget(self._nothing)

    def _tell_empty(self) -> None:
        self._left.setCurrentIndex(0 if self.model.rowCount() else 1)
        if not self.model.whole:
            self._empty.show_state("search", translate("Activity", "Looking further back …"))
        elif self.model.wanted == Wanted():
            self._empty.show_state(
                "activity",
                translate("Activity", "Nothing has happened yet"),
                translate("Activity", "What agents and you do appears here as it happens."),
            )
        else:
            self._empty.show_state(
                "search",
                translate("Activity", "Nothing found"),
                translate("Activity", "No deed fits these words and filters."),
                translate("Activity", "Show everything"),
            )

    # --- the chosen call

    def _came_to(self, current: QModelIndex) -> None:
        if current.isValid():
            self._show_state()

    def _show_state(self) -> None:
        call = self.model.call(self.rows.currentIndex().row())
        if call is not None:
            self.detail.show_call(call, self.model.undone(call.batch))
            self._right.setCurrentWidget(self.detail)

    def _undo(self) -> None:
        call = self.detail.call
        if call is None or self.model.undone(call.batch):
            return
        what = one_line(f"{call.done}: {call.about}" if call.number == 1 else call.done, 70)
        name = translate("Activity", "Take back “{0}”").format(what)
        deed, library = Done(name, call.batch), self.bench.library
        self.bench.deeds.do(
            name,
            lambda: library.journal.undo(deed.batch, author=PERSON, origin="undo"),
            failed=partial(self._not_undone, deed),
            owner=self,
        )

    def _not_undone(self, deed: Done, error: RemembrancerError) -> None:
        """Let the window offer to undo all the same, where something was changed since."""
        if isinstance(error, Conflict) and error.code == "changed_since":
            self.bench.deeds.refused.emit(deed, error)
        else:
            self.bench.problem(error)
