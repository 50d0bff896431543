"""The pages of a memory: its text formatted, as written, what a revision changed, its facts."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from remembrancer.core.diff import Row
from remembrancer.desktop import words
from remembrancer.desktop.look.browser import SafeBrowser
from remembrancer.desktop.look.chips import Choice
from remembrancer.desktop.look.diff_view import DiffView
from remembrancer.desktop.look.labels import Label
from remembrancer.desktop.look.plain import one_line, translate
from remembrancer.desktop.memory.facts import Facts
from remembrancer.desktop.memory.revisions import Revision, changes


class MemoryPages(QStackedWidget):
    """One page at a time; `turn` takes "preview", "plain", "changes" or "facts".

    `compared(old, new)` tells the places, newest first, of two revisions the person chose.
    """

    compared = Signal(int, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.preview = SafeBrowser(translate("Detail", "Text of the memory, formatted"))
        self.plain = SafeBrowser(translate("Detail", "Text of the memory, as written"))
        self.difference = DiffView()
        self.changed = Label("", "muted", wrap=True)
        self.facts = Facts()
        self._make_choices()
        compared = QWidget()
        column = QVBoxLayout(compared)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.choices)
        column.addWidget(self.changed)
        column.addWidget(self.difference, 1)
        self._by_key: dict[str, QWidget] = {
            "preview": self.preview,
            "plain": self.plain,
            "changes": compared,
            "facts": self.facts,
        }
        for page in self._by_key.values():
            self.addWidget(page)

    def turn(self, key: str) -> None:
        """Show one of the pages."""
        self.setCurrentWidget(self._by_key[key])

    def show_text(self, content: str) -> None:
        """Show a memory's text."""
        self.preview.show_markdown(content)
        self.plain.show_plain(content)

    def show_difference(
        self, revisions: Sequence[Revision], before: int, after: int, found: Sequence[Row]
    ) -> None:
        """Show what changed between two of the revisions (places, newest first).

        `found` are the rows of the difference of their texts.
        """
        self._offer(revisions, before, after)
        old, new = revisions[before], revisions[after]
        self.difference.show_rows(found, _titled(old), _titled(new))
        fields = [c for c in changes(old.memory, new.memory) if c[0] != "content"]
        told = (f"{f}: {one_line(a, 160)} → {one_line(b, 160)}" for f, a, b in fields)
        self.changed.setText("\n".join(told))
        self.changed.setVisible(bool(fields))

    def show_no_difference(self) -> None:
        """Show that there is nothing to compare."""
        self.difference.show_rows((), "", "")
        self.changed.setVisible(False)
        self.choices.setVisible(False)

    def _make_choices(self) -> None:
        self.old = Choice([], translate("Detail", "Older revision to compare"))
        self.new = Choice([], translate("Detail", "Newer revision to compare"))
        self.choices = QWidget()
        row = QHBoxLayout(self.choices)
        row.setContentsMargins(0, 0, 0, 0)
        for part in (
            Label(translate("Detail", "From"), "muted"),
            self.old,
            Label(translate("Detail", "to"), "muted"),
            self.new,
        ):
            row.addWidget(part)
        row.addStretch(1)
        # activated tells only what the person chose, not what is filled in here
        for choice in (self.old, self.new):
            choice.activated.connect(
                lambda _place: self.compared.emit(self.old.currentIndex(), self.new.currentIndex())
            )

    def _offer(self, revisions: Sequence[Revision], before: int, after: int) -> None:
        labels = [f"{r.label} · {r.line.author}" for r in revisions]
        self.choices.setVisible(len(labels) > 2)
        for choice, place in ((self.old, before), (self.new, after)):
            choice.clear()
            for number, label in enumerate(labels):
                choice.add(label, str(number))
            choice.setCurrentIndex(place)


def _titled(revision: Revision) -> str:
    when = words.full_moment(revision.line.at)
    return f"{revision.label} · {revision.line.author} · {when}"
