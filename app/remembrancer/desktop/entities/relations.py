"""The relations of an entity, both ways, grouped by type; adding and removing them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from remembrancer.core.entity import Entity, Relation
from remembrancer.desktop.entities import words
from remembrancer.desktop.entities.name_edit import NameEdit
from remembrancer.desktop.look import paint
from remembrancer.desktop.look.buttons import Choice, IconButton, KeyButton, LinkButton
from remembrancer.desktop.look.flow import FlowLayout
from remembrancer.desktop.look.labels import EmptyState, Label
from remembrancer.desktop.look.plain import number, one_line, translate
from remembrancer.desktop.workbench import Workbench
from remembrancer.service.graph import Triple

MOST_SHOWN, MOST_EVER = 60, 600
_OUT, _IN = "out", "in"

Group = tuple[bool, str, list[Relation]]


def grouped(entity_id: int, relations: Sequence[Relation]) -> list[Group]:
    """(whether it goes out, type, relations), outgoing first, by type; a loop goes out."""
    groups: dict[tuple[bool, str], list[Relation]] = {}
    for relation in relations:
        groups.setdefault((relation.source_id == entity_id, relation.type), []).append(relation)
    keys = sorted(groups, key=lambda key: (not key[0], key[1]))
    return [(out, type_, groups[out, type_]) for out, type_ in keys]


class RelationChip(QFrame):
    """The other end of a relation: its name goes there, the cross removes the relation."""

    def __init__(self, relation: Relation, outgoing: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.relation = relation
        other = relation.target if outgoing else relation.source
        self.link = LinkButton(one_line(other, 60))
        self.link.setAccessibleDescription(words.relation(relation))
        remove = translate("Entities", "Remove the relation “{0}”")
        self.remove = IconButton("x", remove.format(words.relation(relation)), flat=True)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 1, 1, 1)
        row.setSpacing(0)
        row.addWidget(self.link)
        row.addWidget(self.remove)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = paint.painter_on(self)
        paint.rounded(painter, paint.inner(self), 8, fill="btn", line="line")
        painter.end()


class RelationsView(QWidget):
    """Shows and changes relations. `go` tells an entity's id, `removed` a relation to remove,

    `wanted` a triple of names to add.
    """

    go = Signal(int)
    removed = Signal(object)
    wanted = Signal(object)

    def __init__(self, bench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entity: Entity | None = None
        self._relations: tuple[Relation, ...] = ()
        self._most = MOST_SHOWN
        self.adder = _Adder(bench)
        self.adder.wanted.connect(self.wanted)
        self._body = QWidget()
        self._groups = QVBoxLayout(self._body)
        self._groups.setContentsMargins(0, 4, 4, 4)
        self._groups.setSpacing(6)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setAccessibleName(translate("Entities", "Relations"))
        scroll.setWidget(self._body)
        # The card shows through: a scroll area paints a ground of its own otherwise.
        self._body.setAutoFillBackground(False)
        scroll.viewport().setAutoFillBackground(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 8, 0)
        column.setSpacing(12)
        column.addWidget(self.adder)
        column.addWidget(scroll, 1)

    def show_relations(self, entity: Entity, relations: tuple[Relation, ...]) -> None:
        """Show the relations of an entity; what did not change is left as it is."""
        if self._entity is not None and entity.id != self._entity.id:
            self._most = MOST_SHOWN
            self.adder.clear()
        same = self._entity is not None and self._entity.id == entity.id
        unchanged = same and relations == self._relations
        self._entity, self._relations = entity, relations
        self.adder.set_name(entity.name)
        if not unchanged:
            self._fill()

    def chips(self) -> list[RelationChip]:
        """The ends that are shown."""
        return self._body.findChildren(RelationChip)

    def _fill(self) -> None:
        self._empty_out()
        assert self._entity is not None
        left = self._most
        for outgoing, type_, relations in grouped(self._entity.id, self._relations):
            if left > 0:
                self._groups.addWidget(self._caption(outgoing, type_, len(relations)))
                self._groups.addWidget(self._flow(outgoing, relations[:left]))
                self._groups.addSpacing(8)
            left -= len(relations)
        if left < 0:
            self._groups.addWidget(self._more(-left), 0, Qt.AlignmentFlag.AlignLeft)
        if not self._relations:
            self._groups.addWidget(_nothing(), 1)
        self._groups.addStretch(1)

    def _empty_out(self) -> None:
        while item := self._groups.takeAt(0):
            widget = item.widget()
            if widget is not None:
                widget.setParent(None)
                widget.deleteLater()

    def _caption(self, outgoing: bool, type_: str, count: int) -> Label:
        shown = f"{one_line(type_, 80)} →" if outgoing else f"← {one_line(type_, 80)}"
        caption = Label(f"{shown}   {number(count)}" if count > 1 else shown, "caption")
        said = (
            translate("Entities", "from here: {0}")
            if outgoing
            else translate("Entities", "to here: {0}")
        )
        caption.setAccessibleName(said.format(one_line(type_, 80)))
        return caption

    def _flow(self, outgoing: bool, relations: Sequence[Relation]) -> QWidget:
        row = QWidget()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        row.setSizePolicy(policy)
        flow = FlowLayout(row, 8)
        for relation in relations:
            flow.addWidget(self._chip(relation, outgoing))
        return row

    def _chip(self, relation: Relation, outgoing: bool) -> RelationChip:
        chip = RelationChip(relation, outgoing)
        other = relation.target_id if outgoing else relation.source_id
        chip.link.clicked.connect(lambda: self.go.emit(other))
        chip.remove.clicked.connect(lambda: self.removed.emit(relation))
        return chip

    def _more(self, hidden: int) -> QWidget:
        if self._most >= MOST_EVER:
            text = translate("Entities", "{0} more are shown in the graph.")
            return Label(text.format(number(hidden)), "small")
        link = LinkButton(translate("Entities", "Show {0} more").format(number(hidden)))
        link.clicked.connect(self._show_more)
        return link

    def _show_more(self) -> None:
        self._most = MOST_EVER
        self._fill()


def _nothing() -> EmptyState:
    return EmptyState(
        "waypoints",
        translate("Entities", "No relations yet"),
        translate("Entities", "Say above what it has to do with another entity."),
    )


class _Adder(QWidget):
    """One line that says a new relation: which way, its type, the other end."""

    wanted = Signal(object)

    def __init__(self, bench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = ""
        ways = (
            (_OUT, translate("Entities", "From here →")),
            (_IN, translate("Entities", "← To here")),
        )
        self.way = Choice(ways, translate("Entities", "Direction of the relation"))
        self.type = QLineEdit()
        self.type.setPlaceholderText(translate("Entities", "depends on, runs on …"))
        self.type.setAccessibleName(translate("Entities", "Type of the relation"))
        self.other = NameEdit(
            bench,
            translate("Entities", "Other entity"),
            translate("Entities", "other entity"),
        )
        self.add = KeyButton("link", translate("Entities", "Add"), "↵")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 4, 0)
        row.setSpacing(8)
        row.addWidget(self.way)
        row.addWidget(self.type, 2)
        row.addWidget(self.other, 3)
        row.addWidget(self.add)
        for edit in (self.type, self.other):
            edit.textChanged.connect(lambda _text: self._look())
            edit.returnPressed.connect(self._tell)
        self.add.clicked.connect(self._tell)
        self._look()

    def set_name(self, name: str) -> None:
        """The name of the entity whose relations are shown."""
        self._name = name

    def clear(self) -> None:
        """Take out what was typed."""
        self.type.clear()
        self.other.clear()

    def _look(self) -> None:
        self.add.setEnabled(bool(self.type.text().strip() and self.other.text().strip()))

    def _tell(self) -> None:
        if not self.add.isEnabled():
            return
        type_, other = self.type.text().strip(), self.other.text()
        ends = (self._name, other) if self.way.current() == _OUT else (other, self._name)
        self.wanted.emit(Triple(*ends, type_))
