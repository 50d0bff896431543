"""The left side of the place: filters, the pill for what is new, and the list of calls."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from remembrancer.core.author import PERSON
from remembrancer.desktop.activity.call import Call
from remembrancer.desktop.activity.filters import Filters
from remembrancer.desktop.activity.model import ActivityModel
from remembrancer.desktop.activity.reading import Wanted, arrived
from remembrancer.desktop.activity.rows import CallRows
from remembrancer.desktop.feed import Changes
from remembrancer.desktop.look.buttons import PillButton
from remembrancer.desktop.look.labels import EmptyState
from remembrancer.desktop.look.plain import number, translate
from remembrancer.desktop.workbench import Workbench


class JournalColumn(QWidget):
    """Lists calls; what is new never moves what is looked at.

    `chosen` tells the call that the person came to, or whose state changed, None for none;
    `entered` wants the keyboard to go to what it did.
    """

    chosen = Signal(object)
    entered = Signal()

    def __init__(self, bench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bench = bench
        self._authors: list[str] = []
        self._came: int | None = None
        self.model = ActivityModel(bench.library, bench.background, self)
        self.filters = Filters()
        self.news = PillButton()
        self.rows = CallRows(translate("Activity", "Journal"))
        self.rows.setModel(self.model)
        self._empty = EmptyState("activity", "")
        self._pages = QStackedWidget()
        self._build()
        self._connect()
        self._read_authors()
        self.model.show(Wanted())

    def changed(self, changes: Changes) -> None:
        """Take in what is new: at the top at once, elsewhere behind the pill."""
        if changes.many:
            self.model.show(self.model.wanted)
            return
        self.model.add(arrived(self.model.wanted, changes.lines))
        if self._at_top():
            self._let_in()
        else:
            self._announce()
        if any(x.author not in self._authors for x in changes.lines):
            self._read_authors()

    def show_news(self) -> None:
        """Let in what waits, and go to the top."""
        self._let_in()
        self.rows.scrollToTop()
        self.rows.setFocus(Qt.FocusReason.OtherFocusReason)

    # --- inside

    def _build(self) -> None:
        self.setMinimumWidth(320)
        for page in (self.rows, self._empty):
            self._pages.addWidget(page)
        above = QVBoxLayout()
        above.setContentsMargins(16, 0, 12, 0)
        above.setSpacing(10)
        above.addWidget(self.filters)
        above.addWidget(self.news)
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 14, 0, 0)
        column.setSpacing(10)
        column.addLayout(above)
        column.addWidget(self._pages, 1)

    def _connect(self) -> None:
        self.filters.changed.connect(self._ask)
        self.filters.to_the_list.connect(self.rows.begin)
        self.news.clicked.connect(self.show_news)
        self.rows.selectionModel().currentChanged.connect(self._came_to)
        self.rows.opened.connect(self.entered)
        self.model.loaded.connect(self._loaded)
        self.model.more.connect(self._tell_empty)
        self.model.failed.connect(self._bench.problem)
        self.model.dataChanged.connect(lambda *_: self._came_to(self.rows.currentIndex()))
        self._empty.pressed.connect(self.filters.reset)

    def _ask(self) -> None:
        wanted = self.filters.wanted()
        if wanted != self.model.wanted:
            self.model.show(wanted)

    def _read_authors(self) -> None:
        def done(names: list[str]) -> None:
            self._authors = sorted(names, key=lambda n: n != PERSON.name)
            self.filters.show_authors(self._authors)

        self._bench.background.run(self._bench.library.journal.authors, done, owner=self)

    def _came_to(self, current: QModelIndex) -> None:
        call = self.model.call(current.row())
        if call is not None:
            self._came = call.batch
            self.chosen.emit(call)

    # --- what is new

    def _at_top(self) -> bool:
        """Whether new rows may come in by themselves: nothing that is looked at moves away."""
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

    def _loaded(self) -> None:
        """Stay at the call that was looked at, where the list still has it."""
        self._announce()
        self._tell_empty()
        row = -1 if self._came is None else self.model.row_of(self._came)
        if self.model.rowCount():
            self.rows.choose_row(max(row, 0))
        else:
            self.chosen.emit(None)

    def _tell_empty(self) -> None:
        self._pages.setCurrentIndex(0 if self.model.rowCount() else 1)
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

    def undone(self, call: Call) -> bool:
        """Whether a call was taken back."""
        return self.model.undone(call.batch)
