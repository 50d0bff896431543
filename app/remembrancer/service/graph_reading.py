"""What is there of the graph: entities with their visible memories, and their relations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from remembrancer.core import policy
from remembrancer.core.author import PERSON, Author
from remembrancer.core.entity import Entity, Relation
from remembrancer.core.errors import NotFound
from remembrancer.service.desk import Ground
from remembrancer.service.weaving import identity


@dataclass(frozen=True, slots=True)
class Node:
    """An entity as the graph vocabularies show it: visible memories as plain strings."""

    entity: Entity
    observations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Graph:
    """A part of the graph, or the whole of it."""

    nodes: tuple[Node, ...]
    relations: tuple[Relation, ...]


class GraphReading:
    """The reading half of the desk for the graph; ghosts and hidden memories are not in it."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._store = ground.store

    def named(self, name: str, author: Author = PERSON) -> Entity:
        """The entity of that name; NotFound when nobody created it."""
        entity = self._store.entities.named(identity(name))
        if entity is None or not policy.sees(author, entity.name):
            raise NotFound("Entity not found", code="entity")
        return entity

    def read(self, author: Author = PERSON) -> Graph:
        """The whole graph of created entities, by id, with the relations among them."""
        with self._store.reading():
            if author.entity is not None:
                return self.open([author.entity], author)
            entities = self._store.entities.all(ghosts=False)
            texts = self._texts(self._store.memories.visible(self._ground.clock()))
            nodes = tuple(Node(e, tuple(texts.get(e.id, ()))) for e in entities)
            return Graph(nodes, tuple(self._store.relations.all()))

    def search(self, text: str, limit: int, author: Author = PERSON) -> Graph:
        """Entities that hold `text` literally in name, type or memory, by name, and their links."""
        with self._store.reading():
            now = self._ground.clock()
            found = self._store.entities.search(
                text, now, limit if author.entity is None else 10**6
            )
            return self._graph([e for e in found if policy.sees(author, e.name)], author)

    def open(self, wanted: Sequence[str], author: Author = PERSON) -> Graph:
        """The named entities in the order asked for, unknown ones left out, and their links."""
        with self._store.reading():
            keys = dict.fromkeys(identity(n) for n in wanted)
            found = [self._store.entities.named(n) for n in keys if policy.sees(author, n)]
            return self._graph([e for e in found if e is not None and not e.ghost], author)

    def _graph(self, entities: Sequence[Entity], author: Author) -> Graph:
        ids = [e.id for e in entities]
        texts = self._texts(self._store.memories.visible_of(ids, self._ground.clock()))
        nodes = tuple(Node(e, tuple(texts.get(e.id, ()))) for e in entities)
        found = self._store.relations.touching(ids)
        inside = [
            r for r in found if policy.sees(author, r.source) and policy.sees(author, r.target)
        ]
        return Graph(nodes, tuple(inside))

    @staticmethod
    def _texts(rows: Sequence[tuple[int, str]]) -> dict[int, list[str]]:
        found: dict[int, list[str]] = {}
        for entity_id, content in rows:
            found.setdefault(entity_id, []).append(content)
        return found
