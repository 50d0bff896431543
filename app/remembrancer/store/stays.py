"""The stays of clients, by the digest of what a client shows to be known again."""

from __future__ import annotations

from dataclasses import astuple, fields

from remembrancer.core.stay import Stay
from remembrancer.store.connections import Connections

_COLUMNS = ", ".join(field.name for field in fields(Stay))


class Stays:
    """The table of stays."""

    def __init__(self, connections: Connections) -> None:
        self._db = connections

    def find(self, digest: bytes, agent_id: int, since: int) -> Stay | None:
        """The stay under that digest if it is that agent's own and had a call since then."""
        rows = self._db.sql(
            f"SELECT {_COLUMNS} FROM stay WHERE session = ? AND agent_id = ? AND last_call >= ?",
            [digest, agent_id, since],
        )
        return Stay(*rows[0]) if rows else None

    def put(self, digest: bytes, stay: Stay) -> None:
        """Keep a stay, over what was kept of it before."""
        self._db.sql(
            f"INSERT OR REPLACE INTO stay (session, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [digest, *astuple(stay)],
        )

    def drop(self, digest: bytes) -> None:
        """Keep it no more."""
        self._db.sql("DELETE FROM stay WHERE session = ?", [digest])

    def thin(self, agent_id: int, since: int, most_of_one: int, most: int) -> None:
        """Drop those without a call since then, and the most silent ones above two bounds."""
        self._db.sql("DELETE FROM stay WHERE last_call < ?", [since])
        silent = "DELETE FROM stay WHERE session IN (SELECT session FROM stay {} LIMIT -1 OFFSET ?)"
        order = "ORDER BY last_call DESC, session"
        self._db.sql(silent.format(f"WHERE agent_id = ? {order}"), [agent_id, most_of_one])
        self._db.sql(silent.format(order), [most])
