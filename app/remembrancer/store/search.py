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


_BUDGET = 4_000  # rows that one question may have ranked


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
