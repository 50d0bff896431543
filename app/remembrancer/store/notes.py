"""Tags over memories: what stands under each, counted by kind, and the newest under one.

A memory stands under its tags and under the name of its entity, once each; living is what is
active. `entity_id` narrows every question to the memories of one entity.
"""

from __future__ import annotations

from remembrancer.store.connections import Connections

# The crossed joins keep the planner from walking everything that is active.
_OWN = (
    "SELECT m.id FROM entity e CROSS JOIN memory m ON m.entity_id = e.id"
    " WHERE e.name = ? AND e.deleted_at IS NULL AND m.status = 'active'"
)
_UNDER = (
    f"(SELECT memory_id AS id FROM tag WHERE name = ? UNION {_OWN}) t"
    " CROSS JOIN memory m ON m.id = t.id WHERE m.status = 'active'"
)
_OF = " AND m.entity_id = ?"


class Notes:
    """Questions about the tags of one store; they work on any thread."""

    def __init__(self, connections: Connections) -> None:
        self._db = connections

    def counts_by_entity(self, entity_id: int | None) -> list[tuple[str, str, int]]:
        """(name of an entity, kind, living memories), in no order."""
        of, values = _narrowed(entity_id)
        return self._db.sql(
            "SELECT e.name, c.kind, c.n FROM (SELECT m.entity_id, m.kind, count(*) AS n"
            f" FROM memory m WHERE m.status = 'active'{of} GROUP BY 1, 2) c"
            " JOIN entity e ON e.id = c.entity_id",
            values,
        )

    def counts_by_tag(self, entity_id: int | None) -> list[tuple[str, str, int]]:
        """(tag, kind, living memories) of tags that are not the name of the memory's entity."""
        of, values = _narrowed(entity_id)
        return self._db.sql(
            "SELECT t.name, m.kind, count(*) FROM memory m CROSS JOIN tag t ON t.memory_id = m.id"
            " LEFT JOIN entity e ON e.id = m.entity_id"
            f" WHERE m.status = 'active'{of} AND t.name IS NOT e.name GROUP BY 1, 2",
            values,
        )

    def total(self, entity_id: int | None) -> int:
        """How many living memories there are."""
        of, values = _narrowed(entity_id)
        text = f"SELECT count(*) FROM memory m WHERE m.status = 'active'{of}"
        return int(self._db.sql(text, values)[0][0])

    def untagged(self, entity_id: int | None) -> int:
        """How many living memories stand under no tag at all."""
        if entity_id is not None:
            return 0
        text = (
            "SELECT count(*) FROM memory m WHERE m.status = 'active' AND m.entity_id IS NULL"
            " AND NOT EXISTS (SELECT 1 FROM tag t WHERE t.memory_id = m.id)"
        )
        return int(self._db.sql(text)[0][0])

    def kinds(self, tag: str, entity_id: int | None) -> dict[str, int]:
        """kind -> living memories under a tag."""
        of, values = _narrowed(entity_id)
        text = f"SELECT m.kind, count(*) FROM {_UNDER}{of} GROUP BY 1"
        return dict(self._db.sql(text, [tag, tag, *values]))

    def living(self, tag: str, entity_id: int | None) -> int:
        """How many living memories stand under a tag."""
        of, values = _narrowed(entity_id)
        text = f"SELECT count(*) FROM {_UNDER}{of}"
        return int(self._db.sql(text, [tag, tag, *values])[0][0])

    def newest(self, tag: str, entity_id: int | None, limit: int, offset: int = 0) -> list[int]:
        """The ids under a tag, the newest first; a negative limit gives all."""
        of, values = _narrowed(entity_id)
        newest = "ORDER BY m.created_at DESC, m.id DESC LIMIT ? OFFSET ?"
        text = f"SELECT m.id FROM {_UNDER}{of} {newest}"
        return [row[0] for row in self._db.sql(text, [tag, tag, *values, limit, offset])]

    def names(self, entity_id: int | None) -> list[str]:
        """Every tag that may have living memories, by name."""
        if entity_id is not None:
            rows = self._db.sql(
                "SELECT DISTINCT t.name FROM memory m CROSS JOIN tag t ON t.memory_id = m.id"
                " WHERE m.entity_id = ? AND m.status = 'active'"
                " UNION SELECT name FROM entity WHERE id = ? ORDER BY 1",
                (entity_id, entity_id),
            )
        else:
            rows = self._db.sql(
                "SELECT DISTINCT name FROM tag UNION"
                " SELECT name FROM entity WHERE deleted_at IS NULL AND NOT ghost ORDER BY 1"
            )
        return [row[0] for row in rows]

    def of_kinds(self, kinds: list[str], entity_id: int | None) -> int:
        """How many living memories are of one of these kinds."""
        of, values = _narrowed(entity_id)
        text = f"SELECT count(*) FROM memory m WHERE m.status = 'active'{of} AND m.kind IN "
        return int(self._db.sql(f"{text}({','.join('?' * len(kinds))})", [*values, *kinds])[0][0])


def _narrowed(entity_id: int | None) -> tuple[str, list[int]]:
    return ("", []) if entity_id is None else (_OF, [entity_id])
