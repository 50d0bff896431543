"""Entities whose names look the same, offered for comparison and never merged by themselves."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from remembrancer.core.entity import Entity
from remembrancer.desktop.entities import words
from remembrancer.desktop.look.buttons import LinkButton
from remembrancer.desktop.look.labels import EmptyState, Label
from remembrancer.desktop.look.plain import one_line, translate

MOST_SHOWN = 50


class AlikeView(QWidget):
    """Look-alikes as links; `go` tells the id of the one that was pressed."""

    go = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(12, 14, 12, 0)
        self._column.setSpacing(8)
        self._shown: tuple[Entity, ...] | None = None

    def show_entities(self, entities: Sequence[Entity]) -> None:
        """Show these look-alikes."""
        if tuple(entities) == self._shown:
            return
        self._shown = tuple(entities)
        while item := self._column.takeAt(0):
            widget = item.widget()
            if widget is not None:
                widget.setParent(None)
                widget.deleteLater()
        if not entities:
            self._column.addWidget(_nothing(), 1)
            return
        sentence = translate(
            "Entities",
            "These names are the same once letter case, width and hidden characters are set aside. "
            "They stay apart until you decide otherwise.",
        )
        self._column.addWidget(Label(sentence, "muted", wrap=True))
        for entity in entities[:MOST_SHOWN]:
            self._column.addWidget(self._line(entity))
        self._column.addStretch(1)

    def _line(self, entity: Entity) -> QWidget:
        line = QWidget()
        link = LinkButton(one_line(entity.name, 60))
        link.clicked.connect(lambda: self.go.emit(entity.id))
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(10)
        row.addWidget(link, 0, Qt.AlignmentFlag.AlignLeft)
        kind = translate("Entities", "ghost") if entity.ghost else words.type_name(entity.type)
        row.addWidget(Label(kind, "small"))
        row.addStretch(1)
        return line


def _nothing() -> EmptyState:
    return EmptyState(
        "copy-check",
        translate("Entities", "No look-alikes"),
        translate("Entities", "No other entity has a name that looks like this one."),
    )
