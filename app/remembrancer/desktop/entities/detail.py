"""The right side of the place: one entity with its memories, relations, scope and look-alikes."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QTabBar, QVBoxLayout, QWidget

from remembrancer.core.entity import Entity, Relation
from remembrancer.core.errors import NotFound, RemembrancerError
from remembrancer.desktop.entities.alike import AlikeView
from remembrancer.desktop.entities.deeds import EntityDeeds
from remembrancer.desktop.entities.head import EntityHead
from remembrancer.desktop.entities.memories import MemoriesView
from remembrancer.desktop.entities.reading import Portrait
from remembrancer.desktop.entities.relations import RelationsView
from remembrancer.desktop.entities.scope import ScopeView
from remembrancer.desktop.entities.words import quoted
from remembrancer.desktop.feed import Changes
from remembrancer.desktop.look.labels import Card, Message
from remembrancer.desktop.look.plain import number, translate
from remembrancer.desktop.workbench import Workbench
from remembrancer.service.graph import Triple

MEMORIES, RELATIONS, SCOPE = range(3)
_GHOST_LINK = "ghost"


class EntityDetail(Card):
    """Shows a portrait. `go` tells another entity's id, `create_wanted` the name of a ghost,

    `reload` asks for the portrait anew.
    """

    go = Signal(int)
    create_wanted = Signal(str)
    reload = Signal()

    def __init__(self, bench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bench = bench
        self._deeds = EntityDeeds(bench, self)
        self._portrait: Portrait | None = None
        self._types: list[str] = []
        self._wanted: Triple | None = None
        self._anew = False
        self.head = EntityHead(bench.actions)
        self.tabs = QTabBar()
        self.tabs.setAccessibleName(translate("Entities", "Parts of the entity"))
        self.memories = MemoriesView(bench.library)
        self.relations = RelationsView(bench)
        self.scope = ScopeView(bench)
        self.alike = AlikeView()
        self._pages = QStackedWidget()
        self._build()
        self._connect()

    @property
    def entity(self) -> Entity | None:
        """The entity that is shown."""
        return self._portrait.entity if self._portrait else None

    def show_portrait(self, portrait: Portrait) -> None:
        """Show an entity, or the present state of the one that is shown."""
        entity, before = portrait.entity, self.entity
        same = before is not None and before.id == entity.id
        if not same:
            self.head.end_edit()
            self.head.trouble.hide()
        self._portrait = portrait
        self.head.show_portrait(portrait)
        self.memories.show_ids(entity.name, portrait.memory_ids, same)
        self.relations.show_relations(entity, portrait.relations)
        self.scope.show_scope(portrait.scope, len(portrait.memory_ids), anew=self._anew)
        self.alike.show_entities(portrait.alike)
        self._anew = False
        self._name_tabs(portrait)
        if not self.tabs.isTabVisible(self.tabs.currentIndex()):
            self.tabs.setCurrentIndex(RELATIONS)
        elif not same and before is not None and before.ghost and not entity.ghost:
            self.tabs.setCurrentIndex(MEMORIES)

    def know_types(self, types: list[str]) -> None:
        """The types that are offered while one is typed."""
        self._types = types

    def changed(self, changes: Changes) -> None:
        """Read changed memories anew where they are shown."""
        self.memories.model.refresh(changes.memory_ids())

    def enter(self) -> None:
        """Take the keyboard into the part that is shown."""
        if self.tabs.currentIndex() == MEMORIES and self.memories.model.rowCount():
            self.memories.cards.setFocus(Qt.FocusReason.OtherFocusReason)
            if not self.memories.cards.currentIndex().isValid():
                self.memories.cards.choose_row(0)
        else:
            self.tabs.setFocus(Qt.FocusReason.OtherFocusReason)

    # --- what its keys do

    def do(self, action: str) -> None:
        """Do what a button or a key of that action says, where it applies to what is shown."""
        entity = self.entity
        if entity is None:
            return
        if action == "entity.graph":
            self._bench.go("graph", entity_id=entity.id)
        elif entity.ghost:
            self._do_with_ghost(action, entity)
        elif action == "entity.memory":
            self._bench.go("memories", new=True, entity=entity.name)
        elif action == "entity.edit" and self._portrait:
            self.head.edit(self._portrait, self._types)
        elif action == "entity.delete":
            self._deeds.delete(entity, lambda _names: None, self._failed)
        elif action == "entity.scope":
            self.tabs.setCurrentIndex(SCOPE)
            self.scope.focus_choice()
        elif action == "entity.relate":
            self._relate()

    def _do_with_ghost(self, action: str, entity: Entity) -> None:
        if action == "entity.create":
            self.create_wanted.emit(entity.name)
        elif action == "entity.relate":
            self._relate()

    def _relate(self) -> None:
        self.tabs.setCurrentIndex(RELATIONS)
        self.relations.adder.type.setFocus(Qt.FocusReason.ShortcutFocusReason)

    # --- inside

    def _build(self) -> None:
        for text in ("Memories", "Relations", "Scope", "Look-alikes"):
            self.tabs.addTab(text)
        for page in (self.memories, self.relations, self.scope, self.alike):
            self._pages.addWidget(page)
        tabs = QHBoxLayout()
        tabs.setContentsMargins(12, 0, 12, 0)
        tabs.addWidget(self.tabs)
        column = QVBoxLayout(self)
        # Cards bring a margin of their own, so the rest brings the same and stands in line.
        column.setContentsMargins(12, 20, 12, 16)
        column.setSpacing(8)
        column.addWidget(self.head)
        column.addLayout(tabs)
        column.addWidget(self._pages, 1)

    def _connect(self) -> None:
        self.tabs.currentChanged.connect(self._pages.setCurrentIndex)
        self.head.pressed.connect(self.do)
        self.head.alike.connect(self.go)
        self.head.form.saved.connect(self._save)
        self.head.form.cancelled.connect(self._end_edit)
        self.head.trouble.pressed.connect(self._link_ghost)
        self.memories.opened.connect(lambda i: self._bench.go("memories", memory_id=i))
        self.memories.new_wanted.connect(lambda: self.do("entity.memory"))
        self.relations.go.connect(self.go)
        self.relations.removed.connect(self._unrelate)
        self.relations.wanted.connect(self._add_relation)
        self.scope.changed_elsewhere.connect(self._show_scope_anew)
        self.alike.go.connect(self.go)

    def _name_tabs(self, portrait: Portrait) -> None:
        counts = (len(portrait.memory_ids), len(portrait.relations), 0, len(portrait.alike))
        names = (
            translate("Entities", "Memories"),
            translate("Entities", "Relations"),
            translate("Entities", "Scope"),
            translate("Entities", "Look-alikes"),
        )
        shown = (not portrait.entity.ghost, True, not portrait.entity.ghost, bool(portrait.alike))
        for place, visible in enumerate(shown):
            self.tabs.setTabVisible(place, visible)
        # Words come last: only they make the bar lay out its tabs anew.
        for place, (name, count) in enumerate(zip(names, counts, strict=True)):
            self.tabs.setTabText(place, f"{name}  {number(count)}" if count else name)

    def _save(self, name: str, type_: str) -> None:
        entity = self.entity
        if entity is None or (name, type_) == (entity.name, entity.type):
            self._end_edit()
            return
        self._deeds.change(entity, name, type_, lambda _: self._end_edit(), self._failed)

    def _end_edit(self) -> None:
        self.head.end_edit()
        self.head.trouble.hide()
        self.tabs.setFocus(Qt.FocusReason.OtherFocusReason)

    def _unrelate(self, relation: Relation) -> None:
        self._deeds.unrelate(relation, self._failed)
        self.relations.adder.type.setFocus(Qt.FocusReason.OtherFocusReason)

    def _add_relation(self, wanted: Triple, ghosts: bool = False) -> None:
        self._wanted = wanted
        self._deeds.relate(wanted, ghosts, self._related, self._not_related)

    def _related(self, _made: object) -> None:
        self.head.trouble.hide()
        self.relations.adder.clear()
        self.relations.adder.type.setFocus(Qt.FocusReason.OtherFocusReason)

    def _not_related(self, error: RemembrancerError) -> None:
        if not isinstance(error, NotFound) or self._wanted is None or self.entity is None:
            self._failed(error)
            return
        ends = (self._wanted.source, self._wanted.target)
        other = next((n for n in ends if n != self.entity.name), self.entity.name)
        sentence = translate("Entities", "Nobody has created {0} yet.").format(quoted(other))
        link = (_GHOST_LINK, translate("Entities", "Relate all the same"))
        self.head.trouble.show_message(Message("warning", sentence, buttons=(link,)))

    def _link_ghost(self, key: str) -> None:
        if key == _GHOST_LINK and self._wanted is not None:
            self._add_relation(self._wanted, ghosts=True)

    def _show_scope_anew(self) -> None:
        self._anew = True
        self.reload.emit()

    def _failed(self, error: RemembrancerError) -> None:
        self.head.trouble.show_message(Message("bad", str(error)))
