"""What was changed on both sides: as it was, as it is now, as proposed, and which one counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from remembrancer.core import diff
from remembrancer.desktop.activity.changes import value
from remembrancer.desktop.fields import row
from remembrancer.desktop.look.chips import SegmentedControl
from remembrancer.desktop.look.diff_side import NEW, OLD, DiffSide, new_line, old_line
from remembrancer.desktop.look.exact_edit import ExactEdit
from remembrancer.desktop.look.labels import Label
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.proposals import words
from remembrancer.desktop.proposals.reading import Clash
from remembrancer.desktop.proposals.room import on_card

THEIRS, NOW, OWN = "proposed", "now", "own"
WORDS = frozenset({"content", "title", "source", "key"})  # what may be written by hand
_LONG, _SHORT = 150, 64  # pixels of a text and of a line


class FieldChoice(QWidget):
    """One field that both sides changed; `chosen` says which value counts."""

    def __init__(self, name: str, was: Any, now: Any, proposed: Any) -> None:
        super().__init__()
        self.name, self._now, self._proposed = name, now, proposed
        choices = [
            (THEIRS, translate("Proposals", "As proposed")),
            (NOW, translate("Proposals", "As it is now")),
        ]
        if name in WORDS:
            choices.append((OWN, translate("Proposals", "My own words")))
        self.choice = SegmentedControl(choices, words.field(name))
        self.words = ExactEdit()
        self.words.setAccessibleName(translate("Proposals", "The words that will stand"))
        self.words.setTabChangesFocus(True)
        self.words.setVisible(name in WORDS)
        self.words.setFixedHeight(_LONG if name == "content" else _SHORT)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 8)
        column.setSpacing(8)
        column.addWidget(row(Label(words.field(name), "heading"), 1, self.choice))
        column.addLayout(_columns(name, was, now, proposed))
        stands = Label(translate("Proposals", "WHAT WILL STAND"), "caption")
        stands.setVisible(name in WORDS)
        column.addWidget(stands)
        column.addWidget(self.words)
        self._fill(THEIRS)
        self.choice.chosen.connect(self._fill)
        self.words.textChanged.connect(self._typed)

    def result(self) -> Any:
        """The value that will stand."""
        chosen = self.choice.current()
        if chosen == OWN:
            return self.words.stored_text()
        return self._now if chosen == NOW else self._proposed

    @property
    def keeps(self) -> bool:
        """Whether what is there now stays."""
        return bool(self.result() == self._now)

    def choose(self, key: str) -> None:
        """Let one side's value count."""
        self.choice.choose(key)
        self._fill(key)

    def _fill(self, key: str) -> None:
        if self.name in WORDS and key != OWN:
            self.words.show_text(str((self._now if key == NOW else self._proposed) or ""))

    def _typed(self) -> None:
        if self.words.filling or self.name not in WORDS:
            return
        shown = self._now if self.choice.current() == NOW else self._proposed
        if self.words.stored_text() != str(shown or ""):
            self.choice.choose(OWN)


def _columns(name: str, was: Any, now: Any, proposed: Any) -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(12)
    heads = (
        translate("Proposals", "AS IT WAS"),
        translate("Proposals", "AS IT IS NOW"),
        translate("Proposals", "AS PROPOSED"),
    )
    for place, (head, given) in enumerate(zip(heads, (was, now, proposed), strict=True)):
        grid.addWidget(Label(head, "caption"), 0, place)
        grid.setColumnStretch(place, 1)
        if name != "content":
            grid.addWidget(Label(value(name, given) or "—", wrap=True), 1, place)
            continue
        side = DiffSide(OLD if place == 0 else NEW, head)
        side.setFixedHeight(_LONG)
        rows = diff.compare(str(was or ""), str((proposed if place == 0 else given) or ""))
        side.show_lines([(old_line if place == 0 else new_line)(r) for r in rows])
        grid.addWidget(side, 1, place)
    return grid


class DeletionChoice(QWidget):
    """A memory that was changed since its deletion was proposed: it goes, or it stays."""

    def __init__(self, clash: Clash) -> None:
        super().__init__()
        self.choice = SegmentedControl(
            [
                (NOW, translate("Proposals", "Keep it")),
                (THEIRS, translate("Proposals", "Delete it")),
            ],
            translate("Proposals", "Deletion"),
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 8)
        column.setSpacing(8)
        head = Label(translate("Proposals", "Changed since its deletion was proposed"), "heading")
        column.addWidget(row(head, 1, self.choice))
        was, now = (clash.change.base or {}).get("content"), clash.now.content
        column.addLayout(_columns("content", was, now, ""))


class ThreeWay(QWidget):
    """All that clashes in a proposal. `answers` say what becomes of it; `settled` wants it done."""

    settled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.clashes: Sequence[Clash] = ()
        self.fields: dict[int, list[FieldChoice]] = {}
        self.deletions: dict[int, DeletionChoice] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._room = QWidget()

    def show_clashes(self, clashes: Sequence[Clash]) -> None:
        """Ask about these; at first what is proposed counts, and what would go stays."""
        self.clashes = clashes
        self.fields = {c.place: [_choice(c, n) for n in c.fields] for c in clashes if c.fields}
        self.deletions = {c.place: DeletionChoice(c) for c in clashes if not c.fields}
        room = QWidget()
        column = QVBoxLayout(room)
        column.setContentsMargins(0, 0, 8, 0)
        column.setSpacing(12)
        for clash in clashes:
            for part in self.fields.get(clash.place, ()) or (self.deletions[clash.place],):
                column.addWidget(part)
        column.addStretch(1)
        self._column.removeWidget(self._room)
        self._room.hide()
        self._room.deleteLater()
        self._room = on_card(room)
        self._column.addWidget(self._room)

    def edits(self) -> dict[int, dict[str, Any]]:
        """The values that count, by the place of the change."""
        return {place: {f.name: f.result() for f in of} for place, of in self.fields.items()}

    def left_out(self) -> frozenset[int]:
        """The places of changes of which nothing is left."""
        kept = {place for place, d in self.deletions.items() if d.choice.current() == NOW}
        for clash in self.clashes:
            whole = set(clash.change.fields()) == set(clash.fields)
            if clash.fields and whole and all(f.keeps for f in self.fields[clash.place]):
                kept.add(clash.place)
        return frozenset(kept)

    def seen(self) -> dict[int, int]:
        """The revision of each memory that the person saw here, by its id."""
        return {clash.now.id: clash.now.revision for clash in self.clashes}


def _choice(clash: Clash, name: str) -> FieldChoice:
    was = (clash.change.base or {}).get(name)
    return FieldChoice(name, was, getattr(clash.now, name), clash.change.after.get(name))
