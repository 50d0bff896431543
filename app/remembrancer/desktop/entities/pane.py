"""The place of entities: find one at the left, see and change it at the right."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from remembrancer.core.errors import RemembrancerError
from remembrancer.core.journal import Subject
from remembrancer.desktop.entities.detail import EntityDetail
from remembrancer.desktop.entities.finder import Finder
from remembrancer.desktop.entities.newcomer import NewEntityPage
from remembrancer.desktop.entities.reading import Portrait, portrait
from remembrancer.desktop.feed import Changes
from remembrancer.desktop.look.labels import EmptyState
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.pane import Pane
from remembrancer.desktop.split import Split
from remembrancer.desktop.workbench import Workbench

_NAME = "entities"
_MANY = 30  # beyond so many changed entities the list is read anew
_KEYS = (
    "entity.edit",
    "entity.create",
    "entity.memory",
    "entity.graph",
    "entity.relate",
    "entity.scope",
    "entity.delete",
)

_POSED = 20  # entities among which a picture chooses


class EntitiesPane(Pane):
    """Lists entities and shows one; everything follows what agents do meanwhile."""

    def __init__(self, bench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(bench, parent)
        self.finder = Finder(bench)
        self.detail = EntityDetail(bench)
        self.newcomer = NewEntityPage(bench)
        self._nobody = EmptyState(
            "layers",
            translate("Entities", "No entity chosen"),
            translate("Entities", "The one that you choose at the left is shown here."),
        )
        self._chosen = 0
        self._reading = False
        self._sought = False
        self._asked = True
        self._pages = QStackedWidget()
        self._build()
        self._connect()
        self._show_nobody()

    # --- what the window asks

    def open(self, **what: object) -> None:
        entity_id, name = what.get("entity_id"), what.get("name")
        if what.get("new"):
            self.start_new("")
        elif isinstance(entity_id, int):
            self.choose(entity_id)
            self._focus_list()
        elif isinstance(name, str):
            self._choose_name(name)
            self._focus_list()
        elif self._pages.currentWidget() is not self.newcomer:
            self._focus_list()

    def focus_search(self) -> None:
        self.finder.seek()

    def pose(self) -> None:
        """Stand at an entity of which much is known, for a picture."""
        found = self.bench.library.map.entities(limit=_POSED)
        if found:
            self.choose(max(found, key=lambda e: e.memories).id)

    def changed(self, changes: Changes) -> None:
        ids = changes.entity_ids()
        if changes.many or len(ids) > _MANY:
            self.finder.model.reload()
        elif ids:
            self.finder.model.look_at(ids)
        if changes.of(Subject.ENTITY):
            self.finder.read_types()
        self.detail.changed(changes)
        if self._chosen and self._concerned(changes):
            self._read()

    # --- going around

    def choose(self, entity_id: int) -> None:
        """Show an entity, and its row where the list has it."""
        self._chosen, self._asked = entity_id, True
        self._sought = not self.finder.choose(entity_id)
        self._read()

    def start_new(self, name: str) -> None:
        """Ask for a new entity, or for the rest of what a ghost of that `name` lacks."""
        self._asked = False
        self._pages.setCurrentWidget(self.newcomer)
        self.newcomer.start(name, self.finder.known_types)

    # --- inside

    def _build(self) -> None:
        for page in (self.detail, self.newcomer, self._nobody):
            self._pages.addWidget(page)
        right = QWidget()
        room = QVBoxLayout(right)
        room.setContentsMargins(4, 16, 16, 14)
        room.addWidget(self._pages)
        self.finder.setMinimumWidth(280)
        split = Split(self.bench.preferences, _NAME, self.finder, right, (360, 720))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(split)

    def _connect(self) -> None:
        self.finder.chosen.connect(self._came_to)
        self.finder.entered.connect(self.detail.enter)
        self.finder.new_wanted.connect(lambda: self.start_new(""))
        self.finder.model.loaded.connect(self._list_read)
        self.finder.types_read.connect(self.detail.know_types)
        self.detail.go.connect(self.choose)
        self.detail.create_wanted.connect(self.start_new)
        self.detail.reload.connect(self._read)
        self.newcomer.created.connect(self._created)
        self.newcomer.cancelled.connect(self._cancelled)
        self.bench.actions.bind("entity.new", self, lambda: self.start_new(""))
        for id_ in _KEYS:
            self.bench.actions.bind(id_, self, partial(self._key, id_))

    def _key(self, action: str) -> None:
        if self._pages.currentWidget() is self.detail:
            self.detail.do(action)

    def _focus_list(self) -> None:
        self.finder.rows.setFocus(Qt.FocusReason.OtherFocusReason)

    def _came_to(self, entity_id: int) -> None:
        self._chosen, self._sought, self._asked = entity_id, False, True
        if entity_id:
            self._read()
        else:
            self._show_nobody()

    def _choose_name(self, name: str) -> None:
        named = self.bench.library.graph.named
        self.bench.background.run(
            lambda: named(name), lambda entity: self.choose(entity.id), owner=self
        )

    def _read(self) -> None:
        """Read the chosen entity; while a reading is under way, only the last wish counts."""
        if self._reading or not self._chosen:
            return
        wanted, library = self._chosen, self.bench.library
        self._reading = True

        def done(found: Portrait | None) -> None:
            self._reading = False
            if wanted != self._chosen:
                self._read()
            else:
                self._show(found)

        self.bench.background.run(
            lambda: portrait(library, wanted), done, self._not_read, owner=self
        )

    def _not_read(self, error: RemembrancerError) -> None:
        self._reading = False
        self.bench.problem(error)

    def _show(self, found: Portrait | None) -> None:
        if found is None:
            self._chosen = 0
            self.finder.forget_choice()
            self._show_nobody()
            return
        self.detail.show_portrait(found)
        if self._asked:
            self._pages.setCurrentWidget(self.detail)
        if self._sought and not self.finder.choose(found.entity.id):
            # It stands on a page of the list that nobody has come to yet.
            self._sought = False
            self.finder.search_for(found.entity.name)

    def _list_read(self) -> None:
        if self._chosen:
            self.finder.choose(self._chosen)
        elif self.finder.model.rowCount() and self._pages.currentWidget() is self._nobody:
            self.finder.rows.choose_row(0)

    def _concerned(self, changes: Changes) -> bool:
        chosen = self._chosen
        if changes.of(Subject.ENTITY) or chosen in changes.entity_ids():
            return True
        ends = {(x.snapshot or {}).get("target_id") for x in changes.lines}
        return chosen in ends or self.detail.memories.holds(changes.memory_ids())

    def _created(self, entity_id: int) -> None:
        self.choose(entity_id)
        self._focus_list()

    def _cancelled(self) -> None:
        self._asked = True
        self._pages.setCurrentWidget(self.detail if self._chosen else self._nobody)
        self._focus_list()

    def _show_nobody(self) -> None:
        self._pages.setCurrentWidget(self._nobody)
