"""What one line of the journal changed: two texts side by side, one text, a table of fields."""

from __future__ import annotations

from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from remembrancer.core.journal import Deed, JournalLine, Subject
from remembrancer.desktop import words
from remembrancer.desktop.activity.changes import Change, change
from remembrancer.desktop.activity.fields import FieldsTable
from remembrancer.desktop.look.browser import SafeBrowser
from remembrancer.desktop.look.diff_view import DiffView
from remembrancer.desktop.look.labels import Card, ElidedLabel, EmptyState, Label
from remembrancer.desktop.look.plain import one_line, translate
from remembrancer.desktop.workbench import Workbench

_NOTHING, _DIFF, _TEXT, _ROOM = range(4)


class ChangeView(Card):
    """Shows the difference that a line made."""

    def __init__(self, bench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bench = bench
        self._line: JournalLine | None = None
        self._title = ElidedLabel(role="heading")
        self._note = Label(role="muted", wrap=True)
        self.table = FieldsTable()
        self.diff = DiffView()
        self.text = SafeBrowser(translate("Activity", "Text of the memory"))
        self._nothing = EmptyState("file-diff", translate("Activity", "Nothing to compare"))
        self._pages = QStackedWidget()
        for page in (self._nothing, self.diff, self.text, QWidget()):
            self._pages.addWidget(page)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 16, 24, 16)
        column.setSpacing(10)
        column.addWidget(self._title)
        column.addWidget(self._note)
        column.addWidget(self.table)
        column.addWidget(self._pages, 1)
        self.clear()

    def clear(self) -> None:
        """Show that there is nothing."""
        self._line = None
        self._title.setText("")
        self._note.setVisible(False)
        self.table.show_fields(())
        self._pages.setCurrentIndex(_NOTHING)

    def show_line(self, line: JournalLine) -> None:
        """Read what a line changed, and show it."""
        library = self._bench.library
        self._line = line

        def done(found: Change) -> None:
            if self._line is line:
                self._show(found)

        self._bench.background.run(lambda: change(library, line), done, owner=self)

    def _show(self, found: Change) -> None:
        line = found.line
        self._title.setText(_title(line))
        note = _note(found)
        self._note.setText(note)
        self._note.setVisible(bool(note))
        self.table.show_fields(found.fields)
        if found.rows is not None and found.former is not None:
            titles = _revision(found.former), _revision(line)
            self.diff.show_rows(found.rows, *titles)
            self._pages.setCurrentIndex(_DIFF)
        elif found.text:
            self.text.show_markdown(found.text)
            self._pages.setCurrentIndex(_TEXT)
        else:
            self._pages.setCurrentIndex(_ROOM)


def _title(line: JournalLine) -> str:
    if line.subject is Subject.RELATION:
        return line.label()
    return one_line(line.label(), 200)


def _revision(line: JournalLine) -> str:
    text = translate("Activity", "r{0} · {1}")
    return text.format(line.revision or "?", one_line(line.author, 40))


def _note(found: Change) -> str:
    """A sentence where neither text nor fields say it all."""
    line = found.line
    if line.deed is Deed.ATTEMPT:
        return translate("Activity", "Nothing was changed: {0}").format(
            one_line(line.reason or line.outcome or "", 300)
        )
    if line.deed is Deed.PURGE or (line.subject is Subject.MEMORY and line.snapshot is None):
        return translate("Activity", "The words are forgotten for good.")
    if line.deed is Deed.DELETE:
        return translate("Activity", "Deleted. This is what it said.")
    if line.removal:
        return translate("Activity", "It is gone; undoing this brings it back.")
    if line.subject is Subject.RELATION:
        return translate("Activity", "This relation was made.")
    if line.reason and line.origin != "undo":
        return translate("Activity", "Reason: {0}").format(one_line(line.reason, 300))
    if found.former is not None and not found.fields and found.rows is None:
        return _unchanged(line)
    return ""


def _unchanged(line: JournalLine) -> str:
    when = words.full_moment(line.at)
    if line.deed is Deed.VERIFY:
        return translate("Activity", "Said to be still true on {0}.").format(when)
    return translate("Activity", "Its text and fields stayed as they were.")
