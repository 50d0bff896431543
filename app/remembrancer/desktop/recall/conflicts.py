"""Keys with several values among what applies: both values side by side."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QVBoxLayout, QWidget

from remembrancer.core.memory import Memory
from remembrancer.core.recall import ConflictingKey
from remembrancer.desktop import words as all_words
from remembrancer.desktop.fields import row
from remembrancer.desktop.look.buttons import LinkButton
from remembrancer.desktop.look.labels import Card, ElidedLabel, Label, Symbol
from remembrancer.desktop.look.plain import one_line, translate

SHOWN = 20  # keys
VALUES = 6  # values of one key
LENGTH = 280  # characters of a value


class ConflictsCard(Card):
    """Every conflicting key with its values; `opened` tells the memory that the person wants."""

    opened = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(translate("Recall", "Conflicting values"))
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(16, 12, 16, 14)
        self._column.setSpacing(10)
        self._heading = Label("", "heading")
        self._column.addWidget(self._heading)
        self._shown: list[QWidget] = []
        self.hide()

    def show_conflicts(self, conflicts: Sequence[ConflictingKey]) -> None:
        """Show these; without any the card hides."""
        for old in self._shown:
            self._column.removeWidget(old)
            old.deleteLater()
        text = translate("Recall", "Conflicting values: {0}").format(len(conflicts))
        self._heading.setText(text)
        self._shown = [self._key(conflict) for conflict in conflicts[:SHOWN]]
        for made in self._shown:
            self._column.addWidget(made)
        self.setVisible(bool(conflicts))

    def _key(self, conflict: ConflictingKey) -> QWidget:
        holder = QWidget()
        grid = QGridLayout(holder)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(8)
        count = translate("Recall", "{0} values").format(len(conflict.memories))
        title = row(Symbol("git-compare-arrows", "bad", 15), _mono(conflict.key),
                    Label(count, "small"), 1)  # fmt: skip
        grid.addWidget(title, 0, 0, 1, 2)
        for place, memory in enumerate(conflict.memories[:VALUES]):
            grid.addWidget(self._value(memory), 1 + place // 2, place % 2)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        return holder

    def _value(self, memory: Memory) -> QWidget:
        value = _Value()
        column = QVBoxLayout(value)
        column.setContentsMargins(12, 10, 10, 8)
        column.setSpacing(6)
        entity = memory.entity or translate("Recall", "unfiled")
        column.addWidget(ElidedLabel(entity, "heading"))
        text = Label(one_line(memory.content, LENGTH), wrap=True)
        text.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        column.addWidget(text, 1)
        since = f"{memory.author} · {all_words.full_moment(memory.updated_at)}"
        link = LinkButton(translate("Recall", "Open"))
        link.setAccessibleName(translate("Recall", "Open the value of {0}").format(entity))
        link.clicked.connect(lambda: self.opened.emit(memory.id))
        column.addWidget(row(ElidedLabel(since, "small"), 1, link))
        return value


class _Value(QFrame):
    """The ground of one value."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("value")
        self.setStyleSheet(
            "#value { background: palette(window); border: 1px solid palette(mid);"
            " border-radius: 8px }"
        )


def _mono(text: str) -> Label:
    return ElidedLabel(text, "mono", "text")
