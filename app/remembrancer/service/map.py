"""The desk for the drawing of the graph: nodes, edges and where they stand."""

from __future__ import annotations

from collections.abc import Iterable

from remembrancer.core.author import Author
from remembrancer.core.entity import Entity, Relation, ScopeRecord
from remembrancer.core.graph import GraphEdge, GraphNode
from remembrancer.core.names import lookup_key
from remembrancer.core.policy import judge
from remembrancer.service.desk import Ground
from remembrancer.service.scopes import record


class MapDesk:
    """Reads what is drawn, lists entities, and keeps where the person put them."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._store = ground.store

    def drawing(self) -> tuple[list[GraphNode], list[GraphEdge]]:
        """Every living entity, ghosts too, and every relation; `stale` is the share that is due."""
        with self._store.reading():
            places = self._store.extras.places()
            counts = self._store.memories.counts_by_entity(self._ground.clock())
            nodes = [
                _node(e, counts.get(e.id, (0, 0)), places.get(e.id))
                for e in self._store.entities.all(ghosts=True)
            ]
            edges = [
                GraphEdge(r.source_id, r.target_id, r.type) for r in self._store.relations.all()
            ]
        return nodes, edges

    def keep(self, places: Iterable[tuple[int, float, float, bool]], author: Author) -> None:
        """Keep where entities are drawn: (entity id, x, y, pinned). A view, so no journal line."""
        judge(author, ())
        rows = list(places)
        self._store.write(lambda: self._store.extras.set_places(rows))

    def entities(
        self, words: str = "", type_: str | None = None, limit: int = 200, after: str = ""
    ) -> list[Entity]:
        """Entities by name past `after`, holding `words`, with their number of memories."""
        with self._store.reading():
            return self._store.entities.page(words, type_, limit, after)

    def count(self, words: str = "", type_: str | None = None) -> int:
        """How many entities that are."""
        with self._store.reading():
            return self._store.entities.count(words, type_)

    def types(self) -> list[tuple[str, int]]:
        """(type, number of entities), the most frequent first."""
        with self._store.reading():
            return self._store.entities.types()

    def relations(self, entity_id: int) -> list[Relation]:
        """The relations of an entity, both ways."""
        with self._store.reading():
            return self._store.relations.touching([entity_id])

    def entity(self, entity_id: int) -> Entity | None:
        """The living entity with that id."""
        return self._store.entities.get(entity_id)

    def scope(self, entity: Entity) -> ScopeRecord:
        """The scope of an entity, ghosts too."""
        with self._store.reading():
            return record(self._store.entities, entity)

    def alike(self, entity: Entity) -> list[Entity]:
        """Other entities whose names look the same."""
        with self._store.reading():
            found = self._store.entities.like(lookup_key(entity.name))
        return [e for e in found if e.id != entity.id]


def _node(
    entity: Entity, counts: tuple[int, int], place: tuple[float, float, bool] | None
) -> GraphNode:
    memories, due = counts
    x, y, pinned = place or (None, None, False)
    return GraphNode(
        id=entity.id, name=entity.name, type=entity.type, scope=entity.scope,
        ghost=entity.ghost, memories=memories, stale=due / memories if memories else 0.0,
        x=x, y=y, pinned=pinned,
    )  # fmt: skip
