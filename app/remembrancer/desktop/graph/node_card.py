"""The card of the chosen entity: what it is, what is known of it, and its neighbours as a list."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QListView, QVBoxLayout, QWidget

from remembrancer.core.entity import Entity, Relation
from remembrancer.core.filters import Filter, Order
from remembrancer.core.memory import Memory
from remembrancer.desktop import words
from remembrancer.desktop.fields import NameModel
from remembrancer.desktop.look.badges import Badge
from remembrancer.desktop.look.buttons import LinkButton
from remembrancer.desktop.look.labels import Card, Label
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.workbench import Workbench

_WIDE = 300
_MEMORIES = 3
_NEIGHBOURS = 200

_Found = tuple[Entity | None, list[Memory], list[Relation]]


class NodeCard(Card):
    """The list of neighbours does what the lines of the picture do, for keys and screen readers."""

    neighbour_chosen = Signal(int)

    def __init__(self, bench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bench = bench
        self._entity: Entity | None = None
        self._ends: list[int] = []
        self.setFixedWidth(_WIDE)
        self._build()

    def show_entity(self, entity_id: int) -> None:
        """Show an entity; what is known of it is read in the background."""

        def work() -> _Found:
            library = self._bench.library
            entity = library.map.entity(entity_id)
            if entity is None:
                return None, [], []
            chosen = Filter(entity=entity.name)
            found = library.memories.browse(chosen, Order.PINNED_FIRST, _MEMORIES)
            return entity, found, library.map.relations(entity_id)[:_NEIGHBOURS]

        self._bench.background.run(work, lambda found: self._show(*found), owner=self)

    def _show(
        self, entity: Entity | None, memories: list[Memory], relations: list[Relation]
    ) -> None:
        if entity is None:
            self.hide()
            return
        self._entity = entity
        now = self._bench.library.clock()
        ghost = translate("Graph", "ghost")
        self.kind.setText(ghost if entity.ghost else entity.type or "—")
        self.scope.setText(entity.scope)
        self.name.setText(entity.name)
        lines = [f"• {m.headline(90)} ({words.age(m.updated_at, now)})" for m in memories]
        nothing = translate("Graph", "Nobody created it yet: only relations mention it.")
        none = translate("Graph", "No memories.")
        self.known.setText("\n".join(lines) or (nothing if entity.ghost else none))
        self._ends = [r.target_id if r.source_id == entity.id else r.source_id for r in relations]
        self._list.setStringList([_link(entity, r) for r in relations])
        self.neighbours.setVisible(bool(relations))
        self.links.setText(translate("Graph", "{0} relations").format(len(relations)))
        self.updateGeometry()
        self.adjustSize()

    def _build(self) -> None:
        self.kind, self.scope = Badge(), Badge()
        self.name = Label("", "heading", wrap=True)
        self.known = Label("", "muted", wrap=True)
        self.links = Label("", "caption")
        self._list = NameModel(self)
        self.neighbours = QListView()
        self.neighbours.setModel(self._list)
        self.neighbours.setAccessibleName(translate("Graph", "Relations of the chosen entity"))
        self.neighbours.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.neighbours.setMaximumHeight(170)
        self.neighbours.setFrameShape(QListView.Shape.NoFrame)
        self.neighbours.activated.connect(
            lambda index: self.neighbour_chosen.emit(self._ends[index.row()])
        )
        self.neighbours.clicked.connect(
            lambda index: self.neighbour_chosen.emit(self._ends[index.row()])
        )
        self._lay_out()

    def _lay_out(self) -> None:
        badges = QHBoxLayout()
        badges.addWidget(self.kind)
        badges.addWidget(self.scope)
        badges.addStretch(1)
        open_link = LinkButton(translate("Graph", "Open entity"))
        memories_link = LinkButton(translate("Graph", "Its memories"))
        open_link.clicked.connect(self._open)
        memories_link.clicked.connect(self._open_memories)
        links = QHBoxLayout()
        links.addWidget(open_link)
        links.addWidget(memories_link)
        links.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 12)
        column.setSpacing(8)
        column.addLayout(badges)
        column.addWidget(self.name)
        column.addWidget(self.known)
        column.addWidget(self.links)
        column.addWidget(self.neighbours)
        column.addLayout(links)

    def _open(self) -> None:
        if self._entity is not None:
            self._bench.go("entities", entity_id=self._entity.id)

    def _open_memories(self) -> None:
        if self._entity is not None:
            name = self._entity.name.replace('"', '""')
            self._bench.go("memories", query=f'entity:"{name}"')


def _link(entity: Entity, relation: Relation) -> str:
    if relation.source_id == entity.id:
        return f"→ {relation.type} → {relation.target}"
    return f"← {relation.type} ← {relation.source}"
