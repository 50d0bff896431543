"""Memories by scope and name: lists without contents, the journal by entry, the strict search."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from remembrancer.core.journal import Deed, Subject
from remembrancer.core.keyed import Event, Listing, Within
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Status
from remembrancer.store.connections import Connections

RANKED = 4_000  # matches that one question may have ranked
UNRANKED = -1e-9  # less than bm25 gives for any match
_FEW = 2_000  # memories of an entity whose journal is read memory by memory

_LISTING = "m.id, e.name, m.key, m.title, m.kind, m.updated_at, m.archived_at"
_JOINED = "FROM memory m LEFT JOIN entity e ON e.id = m.entity_id"
_BY_NAME = "FROM entity e CROSS JOIN memory m ON m.entity_id = e.id"
_FILED = " AND m.entity_id IS NOT NULL"
_NAME = "coalesce(m.key, 'm-' || m.id)"
_EVENT = (
    "SELECT j.sequence, j.at, j.author, j.origin, j.deed, j.subject_id, j.outcome, j.reason,"
    " m.key, e.name FROM journal j CROSS JOIN memory m ON m.id = j.subject_id"
    " LEFT JOIN entity e ON e.id = m.entity_id WHERE m.status <> 'deleted'"
)


class Keyed:
    """Questions about entries that no other room of the store is asked."""

    def __init__(self, connections: Connections) -> None:
        self._db = connections

    def recent(self, within: Within, statuses: Iterable[Status], limit: int) -> list[Listing]:
        """The memories of these statuses, the newest first."""
        inside, values = _inside(within)
        text = (
            f"SELECT {_LISTING} {_JOINED} WHERE m.status = ?{inside}"
            " ORDER BY m.updated_at DESC, m.id DESC LIMIT ?"
        )
        found = [row for s in statuses for row in self._listed(text, (s.value, *values, limit))]
        return sorted(found, key=lambda row: (-row.updated_at, -row.id))[:limit]

    def listed(
        self, within: Within, status: Status, kinds: Iterable[Kind], limit: int
    ) -> list[Listing]:
        """Memories of a status and of these kinds (none: of all), first by entity, then by name.

        Everywhere, the first of those with an entity come before the first of those without one.
        """
        if not within:
            # Walking the entities ends early, unless there is little to be found.
            joined = _JOINED if self._rare(status, kinds) else _BY_NAME
            named = self._by_name(joined, _FILED, [], status, kinds, limit)
            return named + self.listed((None,), status, kinds, limit)
        inside, values = _inside(within)
        return self._by_name(_JOINED, inside, values, status, kinds, limit)

    def scopes(self, within: Within) -> list[tuple[str | None, int]]:
        """(entity, how many active memories), the largest first."""
        inside, values = _inside(within)
        # The plus lets the index that holds all of this be read instead of every row.
        return self._db.sql(
            "SELECT e.name, n FROM (SELECT m.entity_id AS id, count(*) AS n FROM memory m"
            f" WHERE +m.status = 'active'{inside} GROUP BY m.entity_id) AS counted"
            " LEFT JOIN entity e ON e.id = counted.id ORDER BY n DESC, e.name",
            values,
        )

    def counts(self, within: Within) -> tuple[int, int]:
        """How many memories are active, and how many archived."""
        inside, values = _inside(within)
        rows = self._db.sql(
            f"SELECT m.status, count(*) FROM memory m WHERE m.status IN ('active', 'archived')"
            f"{inside} GROUP BY m.status",
            values,
        )
        found: dict[str, int] = dict(rows)
        return found.get("active", 0), found.get("archived", 0)

    def under_key(self, key: str) -> list[int]:
        """The living memories with that key, in any entity."""
        text = "SELECT id FROM memory WHERE key = ? AND key IS NOT NULL AND status <> 'deleted'"
        return [row[0] for row in self._db.sql(text, [key])]

    def events(self, within: Within, ids: Sequence[int] | None, limit: int) -> list[Event]:
        """The newest lines about memories (None: about any), from their time in that entity.

        A deleted memory is not told of.
        """
        inside, values = _inside(within)
        inside += " AND j.entity_id IS ?" if within else ""
        values = [*values, *within]
        if ids is None and within:
            ids = self._few_of(within)
        if ids is None:
            # The plus lets the newest line be found first, instead of all lines about memories.
            text = f"{_EVENT} AND +j.subject = ?{inside} ORDER BY j.sequence DESC LIMIT ?"
            return self._events(text, (Subject.MEMORY.value, *values, limit))
        marks = ",".join("?" * len(ids))
        text = (
            f"{_EVENT} AND j.subject = ? AND j.subject_id IN ({marks}){inside}"
            " ORDER BY j.sequence DESC LIMIT ?"
        )
        return self._events(text, (Subject.MEMORY.value, *ids, *values, limit))

    def matching(
        self, expression: str, within: Within, kinds: Iterable[Kind], limit: int
    ) -> list[tuple[int, float]]:
        """(id, bm25) of active memories that an expression matches, best first.

        Ranking looks at every match; where there are more than `RANKED`, the newest are given.
        """
        chosen, values = _chosen(within, kinds)
        matched = f"FROM memory_index WHERE memory_index MATCH ?{chosen}"
        newest = self._db.sql(
            f"SELECT rowid {matched} ORDER BY rowid DESC LIMIT ?", (expression, *values, RANKED + 1)
        )
        if len(newest) > RANKED:
            return [(row[0], UNRANKED) for row in newest[:limit]]
        return self._db.sql(
            f"SELECT rowid, bm25(memory_index) AS score {matched}"
            " ORDER BY score, rowid DESC LIMIT ?",
            (expression, *values, limit),
        )

    def frequency(self, expression: str, within: Within) -> int:
        """How many active memories an expression matches; counting stops past `RANKED`."""
        chosen, values = _chosen(within, ())
        one = f"SELECT 1 FROM memory_index WHERE memory_index MATCH ?{chosen} LIMIT ?"
        counted = self._db.sql(f"SELECT count(*) FROM ({one})", (expression, *values, RANKED + 1))
        return int(counted[0][0])

    def newest_of(self, within: Within, kinds: Iterable[Kind], limit: int) -> list[int]:
        """The newest active memories of these kinds."""
        inside, values = _inside(within)
        text = (
            f"SELECT m.id, m.updated_at FROM memory m WHERE m.status = 'active' AND m.kind = ?"
            f"{inside} ORDER BY m.updated_at DESC, m.id DESC LIMIT ?"
        )
        rows = [r for k in kinds for r in self._db.sql(text, (k.value, *values, limit))]
        return [row[0] for row in sorted(rows, key=lambda r: (-r[1], -r[0]))[:limit]]

    def _few_of(self, within: Within) -> list[int] | None:
        """The memories of an entity, or None when there are many."""
        text = "SELECT id FROM memory WHERE entity_id IS ? LIMIT ?"
        found = [row[0] for row in self._db.sql(text, (*within, _FEW + 1))]
        return found if len(found) <= _FEW else None

    def _rare(self, status: Status, kinds: Iterable[Kind]) -> bool:
        among, values = _among(kinds)
        text = f"SELECT count(*) FROM (SELECT 1 FROM memory m WHERE m.status = ?{among} LIMIT ?)"
        return self._db.sql(text, (status.value, *values, RANKED))[0][0] < RANKED

    def _by_name(
        self, joined: str, inside: str, values: list[Any], status: Status, kinds: Iterable[Kind],
        limit: int,
    ) -> list[Listing]:  # fmt: skip
        among, of_kinds = _among(kinds)
        text = (
            f"SELECT {_LISTING} {joined} WHERE e.deleted_at IS NULL AND m.status = ?{among}{inside}"
            f" ORDER BY e.name, {_NAME} LIMIT ?"
        )
        return self._listed(text, (status.value, *of_kinds, *values, limit))

    def _listed(self, text: str, values: Sequence[Any]) -> list[Listing]:
        return [_listing(row) for row in self._db.sql(text, values)]

    def _events(self, text: str, values: Sequence[Any]) -> list[Event]:
        return [_event(row) for row in self._db.sql(text, values)]


def _listing(row: tuple[Any, ...]) -> Listing:
    id_, entity, key, title, kind, updated, archived = row
    return Listing(id_, entity, key, title, Kind(kind), updated, archived)


def _event(row: tuple[Any, ...]) -> Event:
    sequence, at, author, origin, deed, *rest = row
    return Event(sequence, at, author, origin, Deed(deed), *rest)


def _among(kinds: Iterable[Kind]) -> tuple[str, list[str]]:
    found = [kind.value for kind in kinds]
    return (f" AND m.kind IN ({','.join('?' * len(found))})" if found else "", found)


def _inside(within: Within) -> tuple[str, list[Any]]:
    return (" AND m.entity_id IS ?", list(within)) if within else ("", [])


def _chosen(within: Within, kinds: Iterable[Kind]) -> tuple[str, list[Any]]:
    """Which matches of the index count: active ones, inside, of these kinds (none: of all)."""
    inside, values = _inside(within)
    among, of_kinds = _among(kinds)
    where = f"m.status = 'active'{inside}{among}"
    if within:
        # The plus keeps the index from being asked once a memory instead of once.
        return f" AND +rowid IN (SELECT m.id FROM memory m WHERE {where})", [*values, *of_kinds]
    one = f"SELECT 1 FROM memory m WHERE m.id = memory_index.rowid AND {where}"
    return f" AND EXISTS ({one})", [*values, *of_kinds]
