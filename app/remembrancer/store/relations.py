"""Rows to relations and back."""

# Peewee carries no types: what comes out of it is unknown until it is a core value.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from remembrancer.core.entity import Relation
from remembrancer.store.connections import Connections
from remembrancer.store.tables import EntityRow, RelationRow

_LIVING = RelationRow.deleted_at.is_null()


class Relations:
    """The relations of one store; only the living are found."""

    def __init__(self, connections: Connections) -> None:
        self._db = connections

    def all(self) -> list[Relation]:
        """Every living relation, by id."""
        return self._fetch()

    def triple(self, source_id: int, target_id: int, type_: str) -> Relation | None:
        """The living relation between two entities of that type."""
        found = self._fetch(
            RelationRow.source_id == source_id,
            RelationRow.target_id == target_id,
            RelationRow.type == type_,
        )
        return found[0] if found else None

    def touching(self, entity_ids: Iterable[int], limit: int | None = None) -> list[Relation]:
        """The living relations with at least one end among these entities, by id."""
        found: dict[int, Relation] = {}
        ids = list(entity_ids)
        for start in range(0, len(ids), 400):
            part = ids[start : start + 400]
            ends = RelationRow.source_id.in_(part) | RelationRow.target_id.in_(part)
            found.update((r.id, r) for r in self._fetch(ends, limit=limit))
        return [found[i] for i in sorted(found)][:limit]

    def between(self, entity_ids: Sequence[int], limit: int) -> list[tuple[int, int]]:
        """(source, target) of living relations of which both ends are among these entities."""
        if not entity_ids:
            return []
        ids = json.dumps(list(entity_ids))
        text = (
            "SELECT r.source_id, r.target_id FROM json_each(?) j CROSS JOIN relation r"
            " ON r.source_id = j.value WHERE r.deleted_at IS NULL"
            " AND r.target_id IN (SELECT value FROM json_each(?)) LIMIT ?"
        )
        return [(row[0], row[1]) for row in self._db.sql(text, (ids, ids, limit))]

    def count(self) -> int:
        """How many living relations there are."""
        return int(self._db.sql("SELECT count(*) FROM relation WHERE deleted_at IS NULL")[0][0])

    def insert(self, relation: Relation) -> Relation:
        """Write a new relation and return it with its id."""
        query = RelationRow.insert(
            source_id=relation.source_id,
            target_id=relation.target_id,
            type=relation.type,
            created_at=relation.created_at,
        )
        return replace(relation, id=int(self._db.run(query)))

    def bury(self, relation_id: int, now: int) -> None:
        """Make a tombstone of a relation."""
        self._db.run(RelationRow.update(deleted_at=now).where(RelationRow.id == relation_id))

    def revive(self, relation_id: int) -> None:
        """Let a tombstone live again."""
        self._db.run(RelationRow.update(deleted_at=None).where(RelationRow.id == relation_id))

    def _fetch(self, *where: Any, limit: int | None = None) -> list[Relation]:
        source, target = EntityRow.alias("s"), EntityRow.alias("t")
        query = (
            RelationRow.select(
                RelationRow.id,
                RelationRow.source_id,
                RelationRow.target_id,
                source.name,
                target.name,
                RelationRow.type,
                RelationRow.created_at,
            )
            .join(source, on=(source.id == RelationRow.source_id))
            .switch(RelationRow)
            .join(target, on=(target.id == RelationRow.target_id))
            .where(_LIVING, *where)
            .order_by(RelationRow.id)
        )
        rows = self._db.rows(query.limit(limit) if limit is not None else query)
        return [Relation(*row) for row in rows]
