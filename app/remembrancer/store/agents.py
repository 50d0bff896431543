"""Rows to agents, and the small tables around them: receipts, places, settings."""

# Peewee carries no types: what comes out of it is unknown until it is a core value.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from peewee import EXCLUDED

from remembrancer.core.author import Access, Agent
from remembrancer.store.connections import Connections
from remembrancer.store.tables import AgentRow, PlaceRow, ReceiptRow, SettingRow

_COLUMNS = tuple(getattr(AgentRow, name) for name in Agent.__slots__ if name != "token_hash")

# Peewee takes longer to write this statement, asked after every change, than SQLite to run it.
_HEAD = f"SELECT {', '.join(c.column_name for c in _COLUMNS)} FROM agent"


class Agents:
    """The agents of one store, the revoked ones too."""

    def __init__(self, connections: Connections) -> None:
        self._db = connections

    def all(self) -> list[Agent]:
        """Every agent, by name."""
        return self._fetch()

    def get(self, agent_id: int) -> Agent | None:
        """The agent with that id."""
        return next(iter(self._fetch(AgentRow.id == agent_id)), None)

    def named(self, name: str) -> Agent | None:
        """The agent of that name that was not revoked."""
        rows = self._db.sql(f"{_HEAD} WHERE name = ? AND revoked_at IS NULL", [name])
        return _agent(rows[0]) if rows else None

    def by_token(self, token_hash: bytes) -> Agent | None:
        """The agent that holds the token with this hash, unless revoked."""
        where = (AgentRow.token_hash == token_hash, AgentRow.revoked_at.is_null())
        return next(iter(self._fetch(*where)), None)

    def insert(self, agent: Agent, token_hash: bytes | None) -> int:
        """Write a new agent and return its id."""
        return int(self._db.run(AgentRow.insert({**_values(agent), "token_hash": token_hash})))

    def update(self, agent: Agent) -> None:
        """Write an agent over its row, its token aside."""
        self._db.run(AgentRow.update(_values(agent)).where(AgentRow.id == agent.id))

    def set_token(self, agent_id: int, token_hash: bytes | None) -> None:
        """Give an agent another token, or none."""
        self._db.run(AgentRow.update(token_hash=token_hash).where(AgentRow.id == agent_id))

    def _fetch(self, *where: Any) -> list[Agent]:
        query = AgentRow.select(*_COLUMNS).order_by(AgentRow.name, AgentRow.id)
        if where:
            query = query.where(*where)
        return [_agent(row) for row in self._db.rows(query)]


class Extras:
    """Receipts, places in the graph and settings of one store."""

    def __init__(self, connections: Connections) -> None:
        self._db = connections

    def served(self, agent: str, memories: Iterable[tuple[int, int]], now: int) -> None:
        """Count that these memories (id, characters) were served to an agent."""
        rows = [(m, agent, 1, characters, now) for m, characters in memories]
        if not rows:
            return
        columns = [
            getattr(ReceiptRow, c)
            for c in ("memory_id", "agent", "served", "characters", "last_at")
        ]
        query = ReceiptRow.insert_many(rows, columns).on_conflict(
            conflict_target=[ReceiptRow.memory_id, ReceiptRow.agent],
            update={
                ReceiptRow.served: ReceiptRow.served + 1,
                ReceiptRow.characters: ReceiptRow.characters + EXCLUDED.characters,
                ReceiptRow.last_at: EXCLUDED.last_at,
            },
        )
        self._db.run(query)

    def receipts(self, memory_id: int) -> list[tuple[str, int, int, int]]:
        """(agent, times served, characters, last when) for one memory, the most served first."""
        query = ReceiptRow.select(
            ReceiptRow.agent, ReceiptRow.served, ReceiptRow.characters, ReceiptRow.last_at
        ).where(ReceiptRow.memory_id == memory_id)
        return self._db.rows(query.order_by(ReceiptRow.served.desc(), ReceiptRow.agent))

    def forget_receipts(self, memory_id: int) -> None:
        """Remove what was counted about a memory (for purging)."""
        self._db.run(ReceiptRow.delete().where(ReceiptRow.memory_id == memory_id))

    def places(self) -> dict[int, tuple[float, float, bool]]:
        """entity id -> (x, y, pinned), in the graph's own units."""
        rows = self._db.rows(
            PlaceRow.select(PlaceRow.entity_id, PlaceRow.x, PlaceRow.y, PlaceRow.pinned)
        )
        return {row[0]: (row[1], row[2], bool(row[3])) for row in rows}

    def set_places(self, places: Iterable[tuple[int, float, float, bool]]) -> None:
        """Keep where entities are drawn: (entity id, x, y, pinned)."""
        text = "INSERT OR REPLACE INTO place (entity_id, x, y, pinned) VALUES (?, ?, ?, ?)"
        for place in places:
            self._db.sql(text, place)

    def setting(self, name: str) -> str | None:
        """A setting's value."""
        rows = self._db.sql("SELECT value FROM setting WHERE name = ?", [name])
        return rows[0][0] if rows else None

    def set_setting(self, name: str, value: str) -> None:
        """Keep a setting."""
        self._db.run(SettingRow.replace(name=name, value=value))


def _values(agent: Agent) -> dict[str, Any]:
    return {name: getattr(agent, name) for name in Agent.__slots__ if name != "id"}


def _agent(row: tuple[Any, ...]) -> Agent:
    id_, name, client, version, access, *rest = row
    return Agent(id_, name, client, version, Access(access), *rest)
