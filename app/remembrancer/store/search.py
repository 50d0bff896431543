"""The full-text index: which memories hold an expression's words, and how well."""

# Peewee carries no types: what comes out of it is unknown until it is a core value.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false

from __future__ import annotations

from typing import Any

from peewee import SQL

from remembrancer.store.connections import Connections


def matching(expression: str) -> Any:
    """The ids that an expression of the analyser matches, as a subquery."""
    text = "(SELECT rowid FROM memory_index WHERE memory_index MATCH ?)"
    return SQL(text, [expression])


class Search:
    """Ranked look-ups in the index of one store."""

    def __init__(self, connections: Connections) -> None:
        self._db = connections

    def ranked(self, expression: str, limit: int) -> dict[int, float]:
        """The best `limit` ids with their bm25 rank (smaller is better), best first."""
        text = (
            "SELECT rowid, rank FROM memory_index WHERE memory_index MATCH ? ORDER BY rank LIMIT ?"
        )
        return dict(self._db.sql(text, (expression, limit)))  # pyright: ignore[reportArgumentType]

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

    def holding(self, expression: str, ids: list[int]) -> set[int]:
        """Those of `ids` that the expression matches."""
        marks = ",".join("?" * len(ids))
        text = f"SELECT rowid FROM memory_index WHERE memory_index MATCH ? AND rowid IN ({marks})"
        return {row[0] for row in self._db.sql(text, (expression, *ids))} if ids else set()

    def check(self) -> None:
        """Let FTS5 compare the index with the memories; raises when they differ."""
        self._db.sql("INSERT INTO memory_index (memory_index, rank) VALUES ('integrity-check', 1)")

    def rebuild(self) -> None:
        """Make the index anew from the stems of every memory."""
        self._db.sql("INSERT INTO memory_index (memory_index) VALUES ('rebuild')")

    def forget_words(self) -> None:
        """From now on deleted words leave the index's pages at once (for purging)."""
        self._db.sql("INSERT INTO memory_index (memory_index, rank) VALUES ('secure-delete', 1)")
