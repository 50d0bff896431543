"""The whole graph as JSON, kept between two readings: only what changed is made anew."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from operator import lt
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from pydantic_core import to_json

from remembrancer.agents.dialects.knowledge_graph_shapes import entity_row, relation_row
from remembrancer.service.graph_reading import News, Seen

if TYPE_CHECKING:
    from remembrancer.service.graph import GraphDesk

Row: TypeAlias = dict[str, Any]

LONGEST = 8_000_000  # characters of a graph that is kept; its pieces take six times that


class Piece(NamedTuple):
    """One entity or relation: its value, and that as JSON in the three ways an answer needs."""

    value: Row
    pretty: str  # as it stands in the list of a list
    escaped: str  # the same inside a JSON string
    compact: str


@dataclass(frozen=True, slots=True)
class Drawn:
    """The whole graph: as a value, as JSON with two blanks a level, and both spelled for a line.

    `spelled` holds the members `content` and `structuredContent` of an answer, as JSON.
    """

    value: dict[str, list[Row]]
    pretty: str
    spelled: str


class Picture:
    """Draws the whole graph as authors without a lock see it; may be used from any thread."""

    def __init__(self, graph: GraphDesk) -> None:
        self._graph = graph
        self._lock = threading.Lock()
        self._seen: Seen | None = None
        self._entities: dict[int, Piece] = {}
        self._relations: dict[int, Piece] = {}
        self._ends: dict[int, tuple[int, int]] = {}
        self._drawn: Drawn | None = None

    def drawn(self) -> Drawn:
        """The graph as it is now."""
        with self._lock:
            news = self._graph.news(self._seen)
            if self._drawn is not None and news.touched == frozenset():
                return self._drawn
            # What breaks off on the way leaves nothing half done: then all is read again.
            self._seen = None
            self._take_in(news)
            drawn = _drawn(list(self._entities.values()), list(self._relations.values()))
            self._keep(drawn, news.seen)
            return drawn

    def _take_in(self, news: News) -> None:
        if news.touched is None:
            self._entities, self._relations, self._ends = {}, {}, {}
        fresh = {node.entity.id: _piece(entity_row(node)) for node in news.graph.nodes}
        links = {r.id: _piece(relation_row(r)) for r in news.graph.relations}
        touched = news.touched or frozenset[int]()
        for entity in touched - fresh.keys():
            self._entities.pop(entity, None)
        touching = [i for i, ends in self._ends.items() if not touched.isdisjoint(ends)]
        for relation in frozenset(touching) - links.keys():
            del self._relations[relation], self._ends[relation]
        self._entities = _in_order(self._entities | fresh)
        self._relations = _in_order(self._relations | links)
        self._ends.update((r.id, (r.source_id, r.target_id)) for r in news.graph.relations)

    def _keep(self, drawn: Drawn, seen: Seen) -> None:
        # An empty graph is drawn in no time, and a whole history may yet arrive beneath it.
        if self._entities and len(drawn.pretty) <= LONGEST:
            self._seen, self._drawn = seen, drawn
        else:
            self._entities, self._relations, self._ends, self._drawn = {}, {}, {}, None


def _in_order(pieces: dict[int, Piece]) -> dict[int, Piece]:
    """The same by number, which they mostly are: what is new comes last."""
    numbers = list(pieces)
    return pieces if all(map(lt, numbers, numbers[1:])) else dict(sorted(pieces.items()))


def _piece(value: Row) -> Piece:
    pretty = "    " + to_json(value, indent=2).decode().replace("\n", "\n    ")
    return Piece(value, pretty, _escaped(pretty), to_json(value).decode())


_ENTITIES, _RELATIONS = '{\n  "entities": [', '],\n  "relations": ['


def _drawn(entities: Sequence[Piece], relations: Sequence[Piece]) -> Drawn:
    """All pieces as one; each long text is put together in one go."""
    value = {"entities": [p.value for p in entities], "relations": [p.value for p in relations]}
    both = [p.pretty for p in entities], [p.pretty for p in relations]
    pretty = [_ENTITIES, *_lines(both[0]), _RELATIONS, *_lines(both[1]), "]\n}"]
    both = [p.escaped for p in entities], [p.escaped for p in relations]
    text = [_escaped(_ENTITIES), *_lines(both[0], "\\n"), _escaped(_RELATIONS)]
    text += [*_lines(both[1], "\\n"), _escaped("]\n}")]
    nodes, links = (",".join([p.compact for p in each]) for each in (entities, relations))
    structured = ['"structuredContent":{"entities":[', nodes, '],"relations":[', links, "]}"]
    content = ['"content":[{"type":"text","text":"', *text, '"}],']
    return Drawn(value, "".join(pretty), "".join(content + structured))


def _lines(pieces: Sequence[str], end: str = "\n") -> tuple[str, ...]:
    """The members of a list, each on lines of its own; nothing where there are none."""
    return (end, f",{end}".join(pieces), f"{end}  ") if pieces else ()


def _escaped(text: str) -> str:
    return to_json(text).decode()[1:-1]
