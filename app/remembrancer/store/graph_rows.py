"""Parts of the graph as rows, in one statement each: what the vocabularies of the graph show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from remembrancer.core.entity import Entity, Relation, Scope
from remembrancer.store.connections import Connections

_PART = 400  # ids that one statement names

_ENTITY = (
    "SELECT id, name, type, scope, scope_revision, ghost, created_at, updated_at FROM entity"
    " WHERE deleted_at IS NULL AND ghost = 0{of} ORDER BY id"
)
# Joined to nothing, the status keeps the planner from walking everything active.
_TEXT = (
    "SELECT entity_id, content FROM memory WHERE status || '' = 'active'"
    " AND (expires_at IS NULL OR expires_at > ?) AND entity_id{of} ORDER BY id"
)
_RELATION = (
    "SELECT r.id, r.source_id, r.target_id, s.name, t.name, r.type, r.created_at FROM relation r"
    " CROSS JOIN entity s ON s.id = r.source_id CROSS JOIN entity t ON t.id = r.target_id"
    " WHERE r.deleted_at IS NULL"
)
_ENDS = (
    " AND r.id IN (SELECT id FROM relation WHERE source_id IN ({marks}) AND deleted_at IS NULL"
    " UNION ALL SELECT id FROM relation WHERE target_id IN ({marks}))"
)


class GraphRows:
    """What is shown of some entities of one store, ghosts and hidden memories left out."""

    def __init__(self, connections: Connections) -> None:
        self._db = connections

    def all(self, now: int) -> tuple[list[Entity], list[tuple[int, str]], list[Relation]]:
        """All entities, texts and relations, each as below."""
        entities = [_entity(row) for row in self._db.sql(_ENTITY.format(of=""))]
        texts = self._db.sql(_TEXT.format(of=" IS NOT NULL"), [now])
        relations = [Relation(*row) for row in self._db.sql(f"{_RELATION} ORDER BY r.id")]
        return entities, texts, relations

    def entities(self, ids: Sequence[int]) -> list[Entity]:
        """Those of these entities that are there, by id."""
        found: list[Entity] = []
        for part in _parts(sorted(ids)):
            text = _ENTITY.format(of=f" AND id IN ({_marks(part)})")
            found += map(_entity, self._db.sql(text, part))
        return found

    def texts(self, ids: Sequence[int], now: int) -> list[tuple[int, str]]:
        """(entity id, content) of their shown memories, an entity's by id."""
        found: list[tuple[int, str]] = []
        for part in _parts(ids):
            found += self._db.sql(_TEXT.format(of=f" IN ({_marks(part)})"), [now, *part])
        return found

    def relations(self, ids: Sequence[int]) -> list[Relation]:
        """The relations with at least one end among them, by id."""
        found: dict[int, Relation] = {}
        for part in _parts(ids):
            text = _RELATION + _ENDS.format(marks=_marks(part))
            found.update((row[0], Relation(*row)) for row in self._db.sql(text, [*part, *part]))
        return [found[i] for i in sorted(found)]

    def next_expiry(self, now: int) -> int | None:
        """When the next shown memory expires, in microseconds; None when none ever will."""
        text = "SELECT min(expires_at) FROM memory WHERE status = 'active' AND expires_at > ?"
        found: int | None = self._db.sql(text, (now,))[0][0]
        return found


def _parts(ids: Sequence[int]) -> Iterator[list[Any]]:
    for start in range(0, len(ids), _PART):
        yield list(ids[start : start + _PART])


def _marks(part: Sequence[int]) -> str:
    return ",".join("?" * len(part))


def _entity(row: tuple[Any, ...]) -> Entity:
    id_, name, type_, scope, revision, ghost, created, updated = row
    return Entity(id_, name, type_, Scope(scope), revision, bool(ghost), created, updated)
