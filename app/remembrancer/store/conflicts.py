"""Former names of entities, pairs that are both kept, and what a search for conflicts reads."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from remembrancer.core.conflicts import Pair
from remembrancer.store.connections import Connections

_HOPS = 16  # merges one after the other that a former name is followed through
_SHOWN = "status = 'active' AND (expires_at IS NULL OR expires_at > ?)"
_AMONG = "id IN (SELECT value FROM json_each(?))"


class Home(NamedTuple):
    """A visible memory without its text: where it is filed, and what identifies its content."""

    id: int
    entity_id: int | None
    digest: bytes


def meant(connections: Connections, name: str) -> int | None:
    """The living entity that one of that former name was merged into, by id; None without any."""
    rows = connections.sql(
        "SELECT a.entity_id FROM alias a JOIN entity e ON e.id = a.former_id"
        " WHERE a.name = ? AND e.deleted_at IS NOT NULL ORDER BY a.at DESC LIMIT 1",
        [name],
    )
    for _ in range(_HOPS):
        if not rows:
            return None
        entity_id = int(rows[0][0])
        if connections.sql("SELECT 1 FROM entity WHERE id = ? AND deleted_at IS NULL", [entity_id]):
            return entity_id
        rows = connections.sql("SELECT entity_id FROM alias WHERE former_id = ?", [entity_id])
    return None


class Conflicts:
    """Reading works on any thread, writing only inside the writer."""

    def __init__(self, connections: Connections) -> None:
        self._db = connections

    # --- former names

    def set_alias(self, former_id: int, name: str, entity_id: int, now: int) -> None:
        """Let the name of a buried entity lead to another one."""
        self._db.sql(
            "INSERT OR REPLACE INTO alias (former_id, name, entity_id, at) VALUES (?, ?, ?, ?)",
            [former_id, name, entity_id, now],
        )

    def forget_alias(self, former_id: int) -> None:
        """Let the name of an entity lead nowhere else."""
        self._db.sql("DELETE FROM alias WHERE former_id = ?", [former_id])

    def aliases(self, entity_id: int) -> list[str]:
        """The former names that lead to an entity directly, sorted."""
        rows = self._db.sql(
            "SELECT DISTINCT a.name FROM alias a JOIN entity e ON e.id = a.former_id"
            " WHERE a.entity_id = ? AND e.deleted_at IS NOT NULL ORDER BY a.name",
            [entity_id],
        )
        return [str(row[0]) for row in rows]

    # --- pairs that are both kept

    def keep_both(self, pair: Pair, now: int) -> int:
        """Note a pair as decided and return the id of the note."""
        self._db.sql(
            "DELETE FROM kept_both WHERE sort = ? AND one = ? AND other = ?",
            [str(pair.sort), pair.one, pair.other],
        )
        return self._db.insert(
            "INSERT INTO kept_both (sort, one, other, mark, at) VALUES (?, ?, ?, ?, ?)",
            [str(pair.sort), pair.one, pair.other, pair.mark, now],
        )

    def ask_again(self, kept_id: int) -> None:
        """Take a note away."""
        self._db.sql("DELETE FROM kept_both WHERE id = ?", [kept_id])

    def kept(self) -> set[tuple[str, int, int, bytes]]:
        """(sort, one, other, mark) of every pair that is both kept."""
        rows = self._db.sql("SELECT sort, one, other, mark FROM kept_both")
        return {(str(sort), int(one), int(other), bytes(mark)) for sort, one, other, mark in rows}

    # --- what a search reads

    def homes(self, ids: Iterable[int], now: int) -> dict[int, Home]:
        """Those of these memories that are visible, by id."""
        text = f"SELECT id, entity_id, digest FROM memory WHERE {_AMONG} AND {_SHOWN}"
        rows = self._db.sql(text, [json.dumps(list(ids)), now])
        return {row[0]: Home(row[0], row[1], bytes(row[2])) for row in rows}

    def keyed(self, now: int, most: int) -> list[tuple[str, Home]]:
        """(key, memory) of visible memories whose key has several contents, by key and id."""
        inner = (
            f"SELECT key FROM memory WHERE key IS NOT NULL AND {_SHOWN}"
            " GROUP BY key HAVING count(DISTINCT digest) > 1"
        )
        text = (
            f"SELECT key, id, entity_id, digest FROM memory WHERE key IN ({inner}) AND {_SHOWN}"
            " ORDER BY key, id LIMIT ?"
        )
        rows = self._db.sql(text, [now, now, most])
        return [(str(row[0]), Home(row[1], row[2], bytes(row[3]))) for row in rows]

    def wide(self) -> tuple[set[int], dict[int, set[int]]]:
        """The shared entities, and the members of each group, by ids."""
        shared = self._db.sql("SELECT id FROM entity WHERE scope = 'shared' AND deleted_at IS NULL")
        groups: dict[int, set[int]] = {}
        rows = self._db.sql(
            "SELECT g.group_id, g.member_id FROM group_member g JOIN entity e ON e.id = g.group_id"
            " WHERE e.scope = 'group' AND e.deleted_at IS NULL"
        )
        for group, member in rows:
            groups.setdefault(int(group), set()).add(int(member))
        return {int(row[0]) for row in shared}, groups

    def names(self, ids: Iterable[int]) -> dict[int, str]:
        """The names of those of these entities that live."""
        text = f"SELECT id, name FROM entity WHERE {_AMONG} AND deleted_at IS NULL"
        return {int(i): str(name) for i, name in self._db.sql(text, [json.dumps(list(ids))])}

    def links(self) -> dict[int, int]:
        """memory -> the one that superseded it, of every memory that is not deleted."""
        text = (
            "SELECT id, superseded_by FROM memory"
            " WHERE superseded_by IS NOT NULL AND status <> 'deleted'"
        )
        return {int(one): int(other) for one, other in self._db.sql(text)}

    def living(self, ids: Iterable[int]) -> set[int]:
        """Those of these memories that are not deleted."""
        text = f"SELECT id FROM memory WHERE {_AMONG} AND status <> 'deleted'"
        rows: list[Any] = self._db.sql(text, [json.dumps(list(ids))])
        return {int(row[0]) for row in rows}

    def superseded_by(self, memory_id: int) -> list[int]:
        """The memories, not deleted, that this one superseded."""
        text = "SELECT id FROM memory WHERE superseded_by = ? AND status <> 'deleted' ORDER BY id"
        return [int(row[0]) for row in self._db.sql(text, [memory_id])]
