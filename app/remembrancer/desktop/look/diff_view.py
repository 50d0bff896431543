"""Two texts side by side, with what differs marked, and a way from change to change."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QScrollBar,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from remembrancer.core.diff import Row, RowKind
from remembrancer.desktop.look import theme
from remembrancer.desktop.look.buttons import IconButton
from remembrancer.desktop.look.diff_parts import parts, short_rows
from remembrancer.desktop.look.diff_side import GUTTER, NEW, OLD, DiffSide, new_line, old_line
from remembrancer.desktop.look.labels import ElidedLabel, EmptyState, Label, Separator
from remembrancer.desktop.look.plain import translate

SETTLE_MILLISECONDS = 60


def changes_in(rows: Sequence[Row]) -> list[range]:
    """The changes of a difference: runs of rows that are not equal."""
    changes: list[range] = []
    for number, row in enumerate(rows):
        if row.kind is RowKind.EQUAL:
            continue
        if changes and changes[-1].stop == number:
            changes[-1] = range(changes[-1].start, number + 1)
        else:
            changes.append(range(number, number + 1))
    return changes


class DiffView(QWidget):
    """The old text at the left, the new one at the right; N and P go from change to change.

    `moved` tells the number of the change that the person looks at, from 0.
    """

    moved = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(translate("DiffView", "Differences"))
        self._changes: list[range] = []
        self._current = -1
        self._left = DiffSide(OLD, translate("DiffView", "Old text"))
        self._right = DiffSide(NEW, translate("DiffView", "New text"))
        self._titles = ElidedLabel(role="heading"), ElidedLabel(role="heading")
        self._count = Label(role="small")
        self._previous = IconButton("chevron-up", translate("DiffView", "Previous change (P)"))
        self._next = IconButton("chevron-down", translate("DiffView", "Next change (N)"))
        self._before = IconButton("chevron-left", translate("DiffView", "Part before"))
        self._after = IconButton("chevron-right", translate("DiffView", "Next part"))
        self._rows: list[Row] = []
        self._parts, self._part = [range(0)], 0
        self._settle = QTimer(self, singleShot=True, interval=SETTLE_MILLISECONDS)
        self._build()
        self._connect()
        self.show_rows((), "", "")

    def _build(self) -> None:
        same = EmptyState("circle-check", translate("DiffView", "These two are the same"))
        self._texts = QWidget()
        grid = QGridLayout(self._texts)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(0)
        grid.addWidget(self._left, 0, 0)
        grid.addWidget(Separator(upright=True), 0, 1)
        grid.addWidget(self._right, 0, 2)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(2, 1)
        self._pages = QStackedLayout()
        self._pages.addWidget(self._texts)
        self._pages.addWidget(same)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(self._head())
        column.addWidget(Separator())
        column.addLayout(self._pages, 1)

    def _head(self) -> QHBoxLayout:
        new = QHBoxLayout()
        new.setSpacing(6)
        new.addWidget(self._titles[1], 1)
        for widget in (self._count, self._before, self._after, self._previous, self._next):
            new.addWidget(widget)
        head = QHBoxLayout()
        head.setContentsMargins(GUTTER, 0, 4, 0)
        head.setSpacing(GUTTER)
        head.addWidget(self._titles[0], 1)
        head.addLayout(new, 1)
        return head

    def _connect(self) -> None:
        self._ties = (
            _Tie(self._left.verticalScrollBar(), self._right.verticalScrollBar()),
            _Tie(self._left.horizontalScrollBar(), self._right.horizontalScrollBar()),
        )
        # One scroll bar is enough for two sides that move as one.
        self._left.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # One that came and went would break the lines anew, and so come and go for ever.
        self._right.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self._next.clicked.connect(self.next_change)
        self._previous.clicked.connect(self.previous_change)
        self._before.clicked.connect(lambda: self.turn_to(self._part - 1))
        self._after.clicked.connect(lambda: self.turn_to(self._part + 1))
        for key, deed in (("N", self.next_change), ("P", self.previous_change)):
            shortcut = QShortcut(QKeySequence(key), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(deed)
        for side in (self._left, self._right):
            side.width_changed.connect(self._settle.start)
        self._settle.timeout.connect(self._align)
        theme.watch(self._wear)

    def show_rows(self, rows: Sequence[Row], left_title: str, right_title: str) -> None:
        """Show a difference; where nothing differs a sentence says so."""
        for label, title in zip(self._titles, (left_title, right_title), strict=True):
            label.setText(title)
        self._rows = short_rows(rows)
        self._changes, self._current = changes_in(self._rows), -1
        self._parts = parts(self._rows)
        self._pages.setCurrentIndex(0 if self._changes else 1)
        self._show_part(0)
        self._tell_place()

    def turn_to(self, part: int) -> None:
        """Show another part of a difference that is too long to be shown at once."""
        if 0 <= part < len(self._parts) and part != self._part:
            self._show_part(part)
            self._tell_place()

    def _show_part(self, part: int) -> None:
        self._part = part
        shown = self._parts[part]
        rows = self._rows[shown.start : shown.stop]
        self._left.show_lines([old_line(row) for row in rows])
        self._right.show_lines([new_line(row) for row in rows])
        self._align()

    def change_count(self) -> int:
        """How many changes there are."""
        return len(self._changes)

    def current_change(self) -> int:
        """The number of the change that the person looks at, from 0; -1 before the first."""
        return self._current

    def next_change(self) -> None:
        """Go to the next change; the last one stays."""
        self._go(self._current + 1)

    def previous_change(self) -> None:
        """Go to the change before; the first one stays."""
        self._go(self._current - 1)

    def sides(self) -> tuple[DiffSide, DiffSide]:
        """The old text and the new one."""
        return self._left, self._right

    def _go(self, number: int) -> None:
        if not 0 <= number < len(self._changes):
            return
        self._current = number
        change = self._changes[number]
        self.turn_to(next(n for n, p in enumerate(self._parts) if change.start in p))
        first = self._parts[self._part].start
        for side in (self._left, self._right):
            side.set_current(range(change.start - first, change.stop - first))
        self._left.scroll_to(change.start - first)
        self._tell_place()
        self.moved.emit(number)

    def _tell_place(self) -> None:
        total, number = len(self._changes), self._current
        text = translate("DiffView", "Changes: {1}")
        if number >= 0:
            text = translate("DiffView", "Change {0} of {1}")
        told = [text.format(number + 1, total)] if total else []
        many = len(self._parts) > 1
        if many:
            part = translate("DiffView", "part {0} of {1}")
            told.append(part.format(self._part + 1, len(self._parts)))
        self._count.setText(" · ".join(told))
        for button in (self._before, self._after):
            button.setVisible(many)
        self._before.setEnabled(self._part > 0)
        self._after.setEnabled(self._part < len(self._parts) - 1)
        self._previous.setVisible(total > 0)
        self._next.setVisible(total > 0)
        self._previous.setEnabled(number > 0)
        self._next.setEnabled(number < total - 1)

    def _align(self) -> None:
        """Make each row as high as its counterpart."""
        left, right = self._left.heights(), self._right.heights()
        pairs = list(zip(left, right, strict=True))
        self._left.set_margins([max(0.0, other - own) for own, other in pairs])
        self._right.set_margins([max(0.0, other - own) for other, own in pairs])

    def _wear(self, worn: theme.Theme) -> None:
        for side in (self._left, self._right):
            side.mark_words()
        self._align()


class _Tie:
    """Two scroll bars that move as one; the shorter one does not pull the longer one back."""

    def __init__(self, one: QScrollBar, other: QScrollBar) -> None:
        self._bars = one, other
        self._moving = False
        one.valueChanged.connect(self._follow)
        other.valueChanged.connect(self._follow)

    def _follow(self, value: int) -> None:
        if self._moving:
            return
        self._moving = True
        for bar in self._bars:
            bar.setValue(value)
        self._moving = False
