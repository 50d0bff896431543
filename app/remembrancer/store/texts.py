"""The texts of many memories, a page at a time, for what compares all of them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from remembrancer.core.kinds import Kind
from remembrancer.store.connections import Connections

# The plus keeps the table from being sorted: its rows are read in the order they lie in.
_ACTIVE = "+m.status = 'active'"
_OF_ENTITY = "m.entity_id IN (SELECT id FROM entity WHERE name = ? AND deleted_at IS NULL)"
_OF_KINDS = "+m.kind IN (SELECT value FROM json_each(?))"


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which active memories: of the entity of that name, of these kinds; None does not choose."""

    entity: str | None = None
    kinds: frozenset[Kind] | None = None

    def condition(self) -> tuple[str, list[Any]]:
        """The same as a condition on `m`, the memory, with its values."""
        parts, values = [_ACTIVE], list[Any]()
        if self.entity is not None:
            parts.append(_OF_ENTITY)
            values.append(self.entity)
        if self.kinds is not None:
            parts.append(_OF_KINDS)
            values.append(json.dumps(sorted(self.kinds)))
        return " AND ".join(parts), values


class Texts:
    """Reads texts without the records around them."""

    def __init__(self, connections: Connections) -> None:
        self._db = connections

    def count(self, chosen: Chosen) -> int:
        """How many memories are chosen."""
        condition, values = chosen.condition()
        return int(self._db.sql(f"SELECT count(*) FROM memory m WHERE {condition}", values)[0][0])

    def page(self, chosen: Chosen, after: int, most: int, longest: int) -> list[tuple[int, str]]:
        """(id, title and content) of the next `most` past an id, cut at `longest` characters."""
        condition, values = chosen.condition()
        text = (
            "SELECT m.id, substr(m.title || ' ' || m.content, 1, ?) FROM memory m"
            f" WHERE {condition} AND m.id > ? ORDER BY m.id LIMIT ?"
        )
        return self._db.sql(text, (longest, *values, after, most))  # pyright: ignore[reportReturnType]
