"""Who is here: the stays of clients, from their first request until half an hour of silence."""

from __future__ import annotations

from collections.abc import Generator, Hashable
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from uuid import uuid4

from remembrancer.core.author import Agent
from remembrancer.core.clock import SECOND, Clock, now

if TYPE_CHECKING:
    from mcp.server.session import ServerSession

SILENCE = 30 * 60  # seconds after which a client is no longer here
MOST = 512

# Where the gate and the sessions leave these in a request's ASGI scope.
AGENT = "remembrancer.agent"
VISIT = "remembrancer.visit"


@dataclass(slots=True, eq=False)
class Visit:
    """One client's stay; times in microseconds UTC.

    `push` and `uris` are a legacy client's standing subscription.
    """

    agent: Agent
    since: int
    last_call: int
    client: str = ""
    version: str = ""
    open_requests: int = 0
    announced: bool = False
    session: str = field(default_factory=lambda: uuid4().hex)
    push: ServerSession | None = None
    uris: set[str] = field(default_factory=set[str])


@dataclass(frozen=True, slots=True)
class Connected:
    """One connected client for the window; times in microseconds UTC."""

    agent: str
    client: str
    since: int
    last_call: int


class Presence:
    """The stays, by a key that finds them again; it outlives a restart of the host."""

    def __init__(self, clock: Clock = now) -> None:
        self._clock = clock
        self._visits: dict[Hashable, Visit] = {}

    def open(self, key: Hashable, agent: Agent) -> Visit:
        """A new stay under this key."""
        self._make_room()
        at = self._clock()
        visit = self._visits[key] = Visit(agent, since=at, last_call=at)
        return visit

    def find(self, key: Hashable, agent: Agent) -> Visit | None:
        """The stay under this key, if it is this agent's own."""
        visit = self._visits.get(key)
        return visit if visit is not None and visit.agent.id == agent.id else None

    def arrive(self, agent: Agent, client: str, version: str) -> Visit:
        """The stay of a client that keeps no session; it is known by what it declares."""
        key = (agent.id, client, version)
        visit = self.find(key, agent)
        if visit is None:
            visit = self.open(key, agent)
            visit.client, visit.version = client, version
        return visit

    def close(self, key: Hashable) -> None:
        """The client said goodbye."""
        self._visits.pop(key, None)

    @contextmanager
    def request(self, visit: Visit) -> Generator[None]:
        """A request is being served; while one is, however long, its client is here."""
        visit.open_requests += 1
        visit.last_call = self._clock()
        try:
            yield
        finally:
            visit.open_requests -= 1

    def connected(self) -> list[Connected]:
        """Who is here, the earliest first; from any thread."""
        return [
            Connected(visit.agent.name, _label(visit), visit.since, visit.last_call)
            for visit in list(self._visits.values())
            if not self._gone(visit)
        ]

    def subscribed(self) -> list[Visit]:
        """The stays with a standing subscription."""
        return [visit for visit in self._visits.values() if visit.push is not None]

    def hang_up(self) -> None:
        """The host stops: no request is open and nothing can be pushed any more."""
        for visit in self._visits.values():
            visit.open_requests, visit.push = 0, None
            visit.uris.clear()

    def _gone(self, visit: Visit) -> bool:
        silent = self._clock() - visit.last_call > SILENCE * SECOND
        return silent and not visit.open_requests

    def _make_room(self) -> None:
        for key in [key for key, visit in self._visits.items() if self._gone(visit)]:
            del self._visits[key]
        while len(self._visits) >= MOST:
            del self._visits[next(iter(self._visits))]


def _label(visit: Visit) -> str:
    return f"{visit.client} {visit.version}".strip()
