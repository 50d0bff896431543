"""What is there of the graph: entities with their visible memories, and their relations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from remembrancer.core import policy
from remembrancer.core.author import PERSON, Author
from remembrancer.core.entity import Entity, Relation
from remembrancer.core.errors import NotFound
from remembrancer.core.journal import Deed, JournalLine, Subject
from remembrancer.service.desk import Ground
from remembrancer.service.weaving import identity
from remembrancer.store.graph_rows import GraphRows
from remembrancer.store.letters import Letters, holder


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


@dataclass(frozen=True, slots=True)
class Seen:
    """Up to which line of the journal a reader has seen the whole graph, and when.

    From `until` on (microseconds, None: never) something in it has expired.
    """

    sequence: int
    line_at: int
    now: int
    until: int | None


@dataclass(frozen=True, slots=True)
class News:
    """What a reader of the whole graph has not seen yet.

    `graph` holds what there now is of the entities with the ids `touched`, with every relation that
    has an end among them; where `touched` is None it is the whole graph.
    """

    seen: Seen
    touched: frozenset[int] | None
    graph: Graph


_MANY = 200  # lines after which reading everything is less work


class GraphReading:
    """The reading half of the desk for the graph; ghosts and hidden memories are not in it."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._store = ground.store
        self._rows = GraphRows(ground.store.connections)
        self._letters = Letters(ground.store.connections)

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
            entities, rows, relations = self._rows.all(self._ground.clock())
            return Graph(_nodes(entities, rows), tuple(relations))

    def news(self, seen: Seen | None) -> News:
        """What an author without a lock has not `seen` of the whole graph."""
        with self._store.reading():
            now = self._ground.clock()
            lines = None if seen is None else self._lines_after(seen, now)
            if lines is None:
                return News(self._seen(self._store.journal.newest(1), now), None, self.read())
            touched = frozenset(i for line in lines for i in self._of_line(line))
            after = self._seen(lines, now) if lines or seen is None else seen
            return News(after, touched, self._part(sorted(touched)))

    def _seen(self, lines: Sequence[JournalLine], now: int) -> Seen:
        """As of the last of these lines, if any."""
        at = (lines[-1].sequence, lines[-1].at) if lines else (0, 0)
        return Seen(*at, now, self._rows.next_expiry(now))

    def search(self, text: str, limit: int, author: Author = PERSON) -> Graph:
        """Entities that hold `text` literally in name, type or memory, by name, and their links."""
        with self._store.reading():
            now = self._ground.clock()
            found = self._store.entities.search(
                text, now, limit if author.entity is None else 10**6
            )
            return self._graph([e for e in found if policy.sees(author, e.name)], author)

    def holding(self, text: str, author: Author = PERSON) -> Graph:
        """Entities that hold `text` in name, type or memory, case aside, by id, and their links.

        Case is what Unicode says it is. The empty text is held by everything.
        """
        with self._store.reading():
            if not text:
                return self.read(author)
            if author.entity is None:
                found = self._letters.holding(text, self._ground.clock())
                return self._graph(self._rows.entities(found), author)
            own, holds = self.read(author), holder(text)
            held = any(holds((n.entity.name, n.entity.type, *n.observations)) for n in own.nodes)
            return own if held else Graph((), ())

    def open(self, wanted: Sequence[str], author: Author = PERSON) -> Graph:
        """The named entities in the order asked for, unknown ones left out, and their links."""
        with self._store.reading():
            keys = dict.fromkeys(identity(n) for n in wanted)
            found = [self._store.entities.named(n) for n in keys if policy.sees(author, n)]
            return self._graph([e for e in found if e is not None and not e.ghost], author)

    def _part(self, ids: Sequence[int]) -> Graph:
        """What there is of these entities, and the relations of those that are gone or ghosts."""
        nodes = self._graph(self._rows.entities(ids), PERSON).nodes
        return Graph(nodes, tuple(self._rows.relations(ids)))

    def _graph(self, entities: Sequence[Entity], author: Author) -> Graph:
        ids = [e.id for e in entities]
        rows = self._rows.texts(ids, self._ground.clock())
        inside = [
            r
            for r in self._rows.relations(ids)
            if policy.sees(author, r.source) and policy.sees(author, r.target)
        ]
        return Graph(_nodes(entities, rows), tuple(inside))

    def _lines_after(self, seen: Seen, now: int) -> list[JournalLine] | None:
        """The lines written since; None when that is not known, or is too much."""
        if now < seen.now or (seen.until is not None and seen.until <= now):
            return None
        head = self._store.journal.head()
        if head == seen.sequence:
            return []
        if not seen.sequence < head <= seen.sequence + _MANY:
            return None
        known, *lines = self._store.journal.bare_after(seen.sequence - 1, _MANY + 1)
        return lines if (known.sequence, known.at) == (seen.sequence, seen.line_at) else None

    def _of_line(self, line: JournalLine) -> Iterator[int]:
        if line.subject is Subject.ENTITY:
            yield line.subject_id
        if line.subject not in (Subject.MEMORY, Subject.RELATION):
            return
        lines = [line]
        if line.subject is Subject.MEMORY and line.deed is not Deed.REMEMBER:
            # It may have moved, and its line names only where it is now.
            lines += self._store.journal.of(line.subject, line.subject_id, line.sequence, 1)
        yield from (each.entity_id for each in lines if each.entity_id is not None)


def _nodes(entities: Sequence[Entity], rows: Sequence[tuple[int, str]]) -> tuple[Node, ...]:
    """The entities with their observations; `rows` are (entity id, content)."""
    texts: dict[int, list[str]] = {}
    for entity_id, content in rows:
        texts.setdefault(entity_id, []).append(content)
    return tuple(Node(e, tuple(texts.get(e.id, ()))) for e in entities)
