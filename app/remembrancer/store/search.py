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


_BUDGET = 4_000  # rows that one question may have ranked
_COUNTED = 250  # matches after which counting turns into an estimate
_KEPT = 50_000  # counts that are kept
_GROWTH = 1.05  # a store that has grown so much has its words counted anew

_LOOKED_AT = (
    "m.id, m.entity_id, m.author, m.created_at, m.updated_at, m.pinned, m.kind, m.confidence,"
    " substr(m.content, -1) IN ('?', '\uff1f'), m.words, m.stems, m.parts"
)
_COUNT = (
    "SELECT count(*), coalesce(max(rowid), 0) FROM"
    " (SELECT rowid FROM memory_index WHERE memory_index MATCH ? LIMIT ?)"
)
_AT_ONCE = 16  # counts that one statement makes
_BEST = "ORDER BY bm25(memory_index, 1, 1, 0.5)"


def _within_budget(counted: list[tuple[int, str]]) -> list[str]:
    """The rarest forms (count, form) whose rows together stay within the budget; one at least."""
    kept, rows = [counted[0][1]], counted[0][0]
    for count, form in counted[1:]:
        rows += count
        if rows > _BUDGET:
            break
        kept.append(form)
    return kept


class Search:
    """Ranked look-ups in the index of one store."""

    def __init__(self, connections: Connections) -> None:
        self._db = connections
        self._counts: dict[str, int] = {}
        self._counted_at = 0.0

    def candidates(
        self, expression: str, reach: Reach, most: int, *, newest: bool = False
    ) -> list[Candidate]:
        """Memories within reach that match, the best by bm25 first, or the newest."""
        order = "ORDER BY rowid DESC" if newest else _BEST
        if reach.ids is not None:
            text = (
                f"SELECT {_LOOKED_AT} FROM (SELECT rowid AS id FROM memory_index"
                " WHERE memory_index MATCH ? AND +rowid IN (SELECT value FROM json_each(?))"
                f" {order} LIMIT ?) f CROSS JOIN memory m ON m.id = f.id"
            )
            return _read(self._db.sql(text, (expression, reach.ids, most)))
        text = (
            f"SELECT {_LOOKED_AT} FROM (SELECT rowid AS id FROM memory_index"
            f" WHERE memory_index MATCH ? {order} LIMIT ?) f CROSS JOIN memory m ON m.id = f.id"
            f" WHERE {reach.condition} LIMIT ?"
        )
        return _read(self._db.sql(text, (expression, most * 4, *reach.values, most)))

    def looked_at(self, ids: Iterable[int], reach: Reach) -> list[Candidate]:
        """Those of these memories that are within reach, as ranking looks at them."""
        text = (
            f"SELECT {_LOOKED_AT} FROM memory m WHERE m.id IN (SELECT value FROM json_each(?))"
            f" AND {reach.condition}"
        )
        return _read(self._db.sql(text, (json.dumps(list(ids)), *reach.values)))

    def frequencies(self, expressions: Iterable[str], size: int) -> dict[str, int]:
        """In about how many of `size` memories each expression is found."""
        if not self._counted_at <= size <= self._counted_at * _GROWTH or len(self._counts) > _KEPT:
            self._counts, self._counted_at = {}, size
        # A small store's counts are exact, since they change with every memory.
        known = self._counts if size > _COUNTED * 40 else {}
        asked = dict.fromkeys(expressions)
        missing = [each for each in asked if each not in known]
        for start in range(0, len(missing), _AT_ONCE):
            part = missing[start : start + _AT_ONCE]
            text = " UNION ALL ".join([_COUNT] * len(part))
            values = [value for each in part for value in (each, _COUNTED + 1)]
            rows = self._db.sql(text, values)
            for each, (count, last) in zip(part, rows, strict=True):
                known[each] = _estimate(count, last, size)
        return {each: known[each] for each in asked}

    def ranked(self, expression: str, limit: int) -> list[int]:
        """The best `limit` ids by bm25, best first, of the rarest words asked for.

        Ranking looks at every match, so words are taken from the rarest on until `_BUDGET` rows
        are reached; where even the rarest is more frequent, the newest of its matches are given.
        """
        counted = sorted((self._count(form), form) for form in expression.split(" OR "))
        if counted[0][0] > _BUDGET:
            text = "SELECT rowid FROM memory_index WHERE memory_index MATCH ? ORDER BY rowid DESC"
            return [row[0] for row in self._db.sql(f"{text} LIMIT ?", (counted[0][1], limit))]
        rare = " OR ".join(_within_budget(counted))
        text = "SELECT rowid FROM memory_index WHERE memory_index MATCH ? ORDER BY rank LIMIT ?"
        return [row[0] for row in self._db.sql(text, (rare, limit))]

    def _count(self, form: str) -> int:
        """How many memories a form matches; counting stops past the budget."""
        text = (
            "SELECT count(*) FROM ( SELECT 1 FROM memory_index WHERE memory_index MATCH ? LIMIT ?)"
        )
        return int(self._db.sql(text, (form, _BUDGET + 1))[0][0])

    def matches_of(self, expression: str, entity_ids: list[int], limit: int) -> list[int]:
        """The ids that match among the active memories of some entities (at most a few hundred).

        In no order: ranking looks at every match of the library, which costs five times as much.
        """
        marks = ",".join("?" * len(entity_ids))
        # The plus keeps the index from being asked once a memory instead of once.
        text = (
            "SELECT rowid FROM memory_index WHERE memory_index MATCH ? AND +rowid IN ("
            f" SELECT id FROM memory WHERE entity_id IN ({marks}) AND status = 'active') LIMIT ?"
        )
        return [row[0] for row in self._db.sql(text, (expression, *entity_ids, limit))]

    def ranked_of(self, expression: str, entity_ids: list[int], limit: int) -> list[int]:
        """The same, the best first."""
        marks = ",".join("?" * len(entity_ids))
        text = (
            "SELECT rowid FROM memory_index WHERE memory_index MATCH ? AND +rowid IN ("
            f" SELECT id FROM memory WHERE entity_id IN ({marks}) AND status = 'active')"
            " ORDER BY rank LIMIT ?"
        )
        return [row[0] for row in self._db.sql(text, (expression, *entity_ids, limit))]

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


def _estimate(count: int, last: int, size: int) -> int:
    """A count that is exact while small, and else as if matches were spread evenly."""
    return count if count <= _COUNTED else max(count, count * size // max(last, 1))
