"""The full-text index: which memories hold an expression's words, and how well."""

# Peewee carries no types: what comes out of it is unknown until it is a core value.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from peewee import SQL

from remembrancer.core.ranking import Candidate
from remembrancer.store.connections import Connections
from remembrancer.store.note_search import Reach


def matching(expression: str) -> Any:
    """The ids that an expression of the analyser matches, as a subquery."""
    text = "(SELECT rowid FROM memory_index WHERE memory_index MATCH ?)"
    return SQL(text, [expression])


_LOOKED_AT = (
    "m.id, m.entity_id, m.author, m.created_at, m.updated_at, m.pinned, m.kind, m.confidence,"
    " substr(m.content, -1) IN ('?', '\uff1f'), m.words, m.stems, m.parts"
)


class Search:
    """Ranked look-ups in the index of one store."""

    def __init__(self, connections: Connections) -> None:
        self._db = connections

    def newest(self, reach: Reach, most: int) -> list[Candidate]:
        """The newest memories within reach, by id."""
        text = (
            f"SELECT {_LOOKED_AT} FROM memory m WHERE {reach.condition} ORDER BY m.id DESC LIMIT ?"
        )
        return _read(self._db.sql(text, (*reach.values, most)))

    def inside(self, ids: Iterable[int], reach: Reach) -> frozenset[int]:
        """Those of some ids that are within reach."""
        text = (
            "SELECT m.id FROM json_each(?) j CROSS JOIN memory m ON m.id = j.value"
            f" WHERE {reach.condition}"
        )
        return frozenset(
            row[0] for row in self._db.sql(text, (json.dumps(list(ids)), *reach.values))
        )

    def looked_at(self, ids: Iterable[int], reach: Reach) -> list[Candidate]:
        """Those of these memories that are within reach, as ranking looks at them."""
        text = (
            f"SELECT {_LOOKED_AT} FROM json_each(?) j CROSS JOIN memory m ON m.id = j.value"
            f" WHERE {reach.condition}"
        )
        return _read(self._db.sql(text, (json.dumps(list(ids)), *reach.values)))

    def check(self) -> None:
        """Let FTS5 compare the index with the memories; raises when they differ."""
        self._db.sql("INSERT INTO memory_index (memory_index, rank) VALUES ('integrity-check', 1)")

    def forget_words(self) -> None:
        """Take deleted words out of the index's pages: earlier ones now, later ones at once."""
        kept = "SELECT 1 FROM memory_index_config WHERE k = 'secure-delete' AND v = 1"
        if self._db.sql(kept):
            return
        self._db.sql("INSERT INTO memory_index (memory_index, rank) VALUES ('secure-delete', 1)")
        self._db.sql("INSERT INTO memory_index (memory_index) VALUES ('optimize')")


def _read(rows: Sequence[Sequence[Any]]) -> list[Candidate]:
    return [Candidate._make(row) for row in rows]
