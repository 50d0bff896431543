"""One proposed change: its fields in a table, its text or the difference, and what is like it."""

from __future__ import annotations

from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from remembrancer.core import diff
from remembrancer.core.journal import Subject
from remembrancer.core.memory import Memory
from remembrancer.desktop.activity.fields import FieldsTable
from remembrancer.desktop.look.browser import SafeBrowser
from remembrancer.desktop.look.diff_view import DiffView
from remembrancer.desktop.look.labels import Label
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.proposals.alike import AlikeRows
from remembrancer.desktop.proposals.reading import Look
from remembrancer.desktop.workbench import Workbench


class ProposedChange(QWidget):
    """Shows a `Look`."""

    def __init__(self, bench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.look: Look | None = None
        self.note = Label(role="muted", wrap=True)
        self.table = FieldsTable()
        self.diff = DiffView()
        self.text = SafeBrowser(translate("Proposals", "Proposed text"))
        self.alike = AlikeRows()
        self._room = QWidget()
        self._pages = QStackedWidget()
        for page in (self.text, self.diff, self._room):
            self._pages.addWidget(page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        for part in (self.note, self.table):
            column.addWidget(part)
        column.addWidget(self._pages, 1)
        column.addWidget(self.alike)
        self.alike.compare.connect(self._compare)
        self.alike.opened.connect(lambda memory_id: bench.go("memories", memory_id=memory_id))

    def show_look(self, look: Look) -> None:
        """Show a change in place of what was shown."""
        self.look = look
        note = _note(look)
        self.note.setText(note)
        self.note.setVisible(bool(note))
        self.table.show_fields(look.fields)
        self.alike.show_alike(look.alike)
        if look.rows is not None:
            titles = translate("Proposals", "As it is now"), translate("Proposals", "As proposed")
            self.diff.show_rows(look.rows, *titles)
            self._pages.setCurrentWidget(self.diff)
        elif look.text:
            self.text.show_markdown(look.text)
            self._pages.setCurrentWidget(self.text)
        else:
            self._pages.setCurrentWidget(self._room)

    def _compare(self, memory: Memory) -> None:
        if self.look is None:
            return
        there = translate("Proposals", "m-{0}, which is there").format(memory.id)
        proposed = translate("Proposals", "As proposed")
        self.diff.show_rows(diff.compare(memory.content, self.look.text), there, proposed)
        self._pages.setCurrentWidget(self.diff)


def _note(look: Look) -> str:
    """A sentence where neither text nor fields say it all."""
    change = look.change
    if look.edited:
        return translate("Proposals", "As you edited it; accepting takes it so.")
    if change.removal and change.subject is Subject.MEMORY:
        return translate("Proposals", "This would be deleted; it can be restored afterwards.")
    if change.removal and change.subject is Subject.ENTITY:
        return translate("Proposals", "This entity would go, with its memories and relations.")
    if change.removal:
        return translate("Proposals", "This relation would go.")
    if change.subject is Subject.RELATION:
        return translate("Proposals", "This relation would be made.")
    if change.base is not None and not look.fields and look.rows is None:
        return translate("Proposals", "Its text and fields would stay as they are.")
    return ""
