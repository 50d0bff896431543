"""What was done once: the outcome of each call that came with a key of its own."""

# Peewee carries no types: what comes out of it is unknown until it is a core value.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false

from __future__ import annotations

from typing import NamedTuple

from remembrancer.store.connections import Connections


class Done(NamedTuple):
    """A call that was carried out: the digest of what it asked, and what it gave, unless purged."""

    call: bytes
    outcome: str | None


class Once:
    """The calls with a key, by agent (0: the person); written only inside the writer."""

    def __init__(self, connections: Connections) -> None:
        self._db = connections

    def done(self, agent_id: int, key: str) -> Done | None:
        """The call that this agent sent with this key, if it was carried out."""
        text = "SELECT call, outcome FROM once WHERE agent_id = ? AND key = ?"
        rows = self._db.sql(text, (agent_id, key))
        return Done(bytes(rows[0][0]), rows[0][1]) if rows else None

    def keep(self, agent_id: int, key: str, done: Done, now: int) -> None:
        """Note that a call was carried out; `now` is in microseconds UTC."""
        text = "INSERT INTO once (agent_id, key, at, call, outcome) VALUES (?, ?, ?, ?, ?)"
        self._db.sql(text, (agent_id, key, now, done.call, done.outcome))

    def forget(self, before: int) -> None:
        """Drop what was carried out earlier than `before`."""
        self._db.sql("DELETE FROM once WHERE at < ?", (before,))

    def empty(self) -> None:
        """Take the words out of every outcome (for purging); that it was done stays known."""
        self._db.sql("UPDATE once SET outcome = NULL WHERE outcome IS NOT NULL")
