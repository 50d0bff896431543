"""The right side of the place: one call, its lines, and what each of them changed."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from remembrancer.core.journal import JournalLine, Subject
from remembrancer.desktop import words
from remembrancer.desktop.activity import phrases
from remembrancer.desktop.activity.call import Call
from remembrancer.desktop.activity.change_view import ChangeView
from remembrancer.desktop.activity.reading import SAMPLE, lines_of
from remembrancer.desktop.activity.rows import agent_icon
from remembrancer.desktop.look.buttons import KeyButton
from remembrancer.desktop.look.labels import Badge, Card, Label, Symbol
from remembrancer.desktop.look.plain import number, one_line, translate
from remembrancer.desktop.look.timeline import Timeline, TimelineRow
from remembrancer.desktop.workbench import Workbench

_WIDEST_NAME = 360  # pixels


class CallDetail(QWidget):
    """Shows a call. `undo_wanted` asks for it to be taken back."""

    undo_wanted = Signal()

    def __init__(self, bench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bench = bench
        self._call: Call | None = None
        self._lines: list[JournalLine] = []
        self._sign = Symbol("user", "muted", 20)
        self._who = Label(role="pane")
        self._who.setMaximumWidth(_WIDEST_NAME)
        self._origin = Badge()
        self._when = Label(role="small")
        self._done = Label(wrap=True)
        self._count = Label(role="caption")
        self.undo = KeyButton(
            "undo-2", translate("Activity", "Undo this"), bench.actions.key("activity.undo")
        )
        self.open = KeyButton(
            "arrow-right", translate("Activity", "Open"), bench.actions.key("activity.open")
        )
        self.lines = LineList(translate("Activity", "What the call did"))
        self.change = ChangeView(bench)
        self._build()
        self._connect()

    @property
    def call(self) -> Call | None:
        """The call that is shown."""
        return self._call

    def show_call(self, call: Call, undone: bool) -> None:
        """Show a call; its lines are read anew unless it is shown already."""
        fresh = self._call is None or self._call.batch != call.batch
        self._call = call
        self._sign.show_icon(agent_icon(call.author, call.author_kind), "muted")
        self._who.setText(one_line(call.author, 60))
        self._done.setText(call.done[:1].upper() + call.done[1:])
        self._origin.setText(phrases.origin(call.origin))
        self._when.setText(words.full_moment(call.at))
        self.undo.setEnabled(not undone)
        self.undo.set_label(
            translate("Activity", "Taken back") if undone else translate("Activity", "Undo this")
        )
        if fresh:
            self._read(call)

    def open_line(self) -> None:
        """Go to what the chosen line is about."""
        line = self._line()
        if line is None:
            return
        if line.subject is Subject.MEMORY:
            self._bench.go("memories", memory_id=line.subject_id)
        elif line.subject is Subject.AGENT:
            self._bench.go("agents")
        elif line.subject is Subject.PROPOSAL:
            self._bench.go("proposals")
        elif line.subject is Subject.CONFLICT:
            self._bench.go("review")
        elif line.entity_id is not None:
            self._bench.go("entities", entity_id=line.entity_id)

    def enter(self) -> None:
        """Take the keyboard into the lines."""
        self.lines.setFocus(Qt.FocusReason.OtherFocusReason)

    # --- inside

    def _build(self) -> None:
        head = Card()
        column = QVBoxLayout(head)
        column.setContentsMargins(24, 18, 24, 12)
        column.setSpacing(10)
        column.addLayout(self._heading())
        column.addWidget(self._done)
        column.addLayout(self._buttons())
        column.addWidget(self._count)
        column.addWidget(self.lines)
        room = QVBoxLayout(self)
        room.setContentsMargins(0, 0, 0, 0)
        room.setSpacing(12)
        room.addWidget(head)
        room.addWidget(self.change, 1)

    def _heading(self) -> QHBoxLayout:
        who = QHBoxLayout()
        who.setSpacing(10)
        who.addWidget(self._sign)
        who.addWidget(self._who)
        who.addWidget(self._origin)
        who.addStretch(1)
        who.addWidget(self._when)
        return who

    def _buttons(self) -> QHBoxLayout:
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.undo)
        buttons.addWidget(self.open)
        buttons.addStretch(1)
        return buttons

    def _connect(self) -> None:
        self.undo.clicked.connect(self.undo_wanted)
        self.open.clicked.connect(self.open_line)
        self.lines.opened.connect(self.open_line)
        self.lines.selectionModel().currentChanged.connect(self._came_to)

    def _read(self, call: Call) -> None:
        library = self._bench.library

        def done(lines: list[JournalLine]) -> None:
            if self._call is not None and self._call.batch == call.batch:
                self._show_lines(lines)

        self._bench.background.run(lambda: lines_of(library, call.batch), done, owner=self)

    def _show_lines(self, lines: Sequence[JournalLine]) -> None:
        self._lines = list(lines)
        self.lines.set_rows([_row(line) for line in lines])
        total = self._call.number if self._call else 0
        self._count.setText(_count(len(lines), total))
        if lines:
            self.lines.setCurrentIndex(self.lines.rows().index(0))
            self.open.setVisible(True)
        else:
            self.change.clear()
            self.open.setVisible(False)

    def _came_to(self, current: QModelIndex) -> None:
        line = self._line()
        if line is not None and current.isValid():
            self.change.show_line(line)
            self.open.set_label(_OPEN[line.subject]())

    def _line(self) -> JournalLine | None:
        row = self.lines.currentIndex().row()
        return self._lines[row] if 0 <= row < len(self._lines) else None


class LineList(Timeline):
    """The lines of a call; Return or a double click opens what one is about."""

    opened = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self.doubleClicked.connect(lambda _index: self.opened.emit())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.opened.emit()
        else:
            super().keyPressEvent(event)


def _row(line: JournalLine) -> TimelineRow:
    icon, text, tone = words.deed(line)
    kept = line.snapshot or {}
    about = str(kept.get("entity") or "") if line.subject is Subject.MEMORY else ""
    revision = translate("Activity", "r{0}").format(line.revision) if line.revision else ""
    return TimelineRow(icon, text, line.label(), who=about, when=revision, tone=tone)


def _count(shown: int, total: int) -> str:
    if total > shown >= SAMPLE:
        text = translate("Activity", "THE FIRST {0} OF {1} CHANGES")
        return text.format(number(shown), number(total))
    if total == 1:
        return translate("Activity", "1 CHANGE")
    return translate("Activity", "{0} CHANGES").format(number(total))


_OPEN = {
    Subject.MEMORY: lambda: translate("Activity", "Open memory"),
    Subject.ENTITY: lambda: translate("Activity", "Open entity"),
    Subject.RELATION: lambda: translate("Activity", "Open entity"),
    Subject.AGENT: lambda: translate("Activity", "Open agents"),
    Subject.PROPOSAL: lambda: translate("Activity", "Open proposals"),
    Subject.CONFLICT: lambda: translate("Activity", "Open review"),
}
