"""Who is here: the stays of clients, from their first request until half an hour of silence.

The stays of sessions are kept in the store, too, so that a client goes on after its host was
started anew.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Hashable
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from uuid import uuid4

from remembrancer.core.author import Agent
from remembrancer.core.clock import SECOND, Clock, now
from remembrancer.core.stay import Stay

if TYPE_CHECKING:
    from mcp.server.session import ServerSession

    from remembrancer.service.stays import StaysDesk

SILENCE = 30 * 60  # seconds after which a client is no longer here
MOST_OF_ONE, MOST = 128, 512  # stays of one agent, and in all
_KEPT = 5 * 60  # seconds after which a stay that goes on is kept anew

# Where the gate and the sessions leave these in a request's ASGI scope.
AGENT = "remembrancer.agent"
VISIT = "remembrancer.visit"


@dataclass(slots=True, eq=False)
class Visit:
    """One client's stay; times in microseconds UTC.

    `push` and `uris` are a legacy client's standing subscription. `key` is what it shows of its
    session; its stay was kept last at `kept`.
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
    key: bytes | None = None
    kept: int = 0

    def stay(self) -> Stay:
        """What outlives the host."""
        agent_id, client, version = self.agent.id, self.client, self.version
        return Stay(agent_id, self.session, client, version, self.since, self.last_call)


@dataclass(frozen=True, slots=True)
class Connected:
    """One connected client for the window; times in microseconds UTC."""

    agent: str
    client: str
    since: int
    last_call: int


class Presence:
    """The stays, by a key that finds them again; it outlives a restart of the host.

    With `stays`, those of sessions outlive the program too.
    """

    def __init__(self, clock: Clock = now, stays: StaysDesk | None = None) -> None:
        self._clock = clock
        self._stays = stays
        self._visits: dict[Hashable, Visit] = {}
        self._over: deque[bytes] = deque(maxlen=MOST)  # sessions that the store forgets meanwhile

    def open(self, key: Hashable, agent: Agent) -> Visit:
        """A new stay under this key."""
        at = self._clock()
        return self._enter(key, Visit(agent, since=at, last_call=at))

    def open_session(self, key: bytes, agent: Agent) -> Visit:
        """A new stay of a client that will show this key again, and be known by it."""
        visit = self.open(key, agent)
        visit.key = key
        self.keep(visit)
        return visit

    def find(self, key: Hashable, agent: Agent) -> Visit | None:
        """The stay under this key, if it is this agent's own."""
        visit = self._visits.get(key)
        return visit if visit is not None and visit.agent.id == agent.id else None

    def find_session(self, key: bytes, agent: Agent) -> Visit | None:
        """The same for the key of a session, which an earlier host may have opened."""
        if key in self._visits or key in self._over or self._stays is None:
            return self.find(key, agent)
        stay = self._stays.find(key, agent.id)
        if stay is None:
            return None
        known = Visit(agent, stay.since, stay.last_call, stay.client, stay.version)
        known.session, known.key, known.kept = stay.name, key, stay.last_call
        return self._enter(key, known)

    def keep(self, visit: Visit) -> None:
        """Let the stay of a session outlive this program as it is now."""
        if self._stays is not None and visit.key is not None and visit.key not in self._over:
            visit.kept = visit.last_call
            self._stays.keep(visit.key, visit.stay())

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
        visit = self._visits.pop(key, None)
        if self._stays is not None and visit is not None and visit.key is not None:
            self._over.append(visit.key)
            self._stays.forget(visit.key)

    @contextmanager
    def request(self, visit: Visit) -> Generator[None]:
        """A request is being served; while one is, however long, its client is here."""
        visit.open_requests += 1
        visit.last_call = self._clock()
        if visit.last_call - visit.kept > _KEPT * SECOND:
            self.keep(visit)
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
            if visit.last_call > visit.kept:
                self.keep(visit)

    def _gone(self, visit: Visit) -> bool:
        silent = self._clock() - visit.last_call > SILENCE * SECOND
        return silent and not visit.open_requests

    def _enter(self, key: Hashable, visit: Visit) -> Visit:
        for other in [other for other, gone in self._visits.items() if self._gone(gone)]:
            del self._visits[other]
        own = [k for k, other in self._visits.items() if other.agent.id == visit.agent.id]
        for other in own[: max(0, len(own) - MOST_OF_ONE + 1)]:
            del self._visits[other]
        while len(self._visits) >= MOST:
            del self._visits[next(iter(self._visits))]
        self._visits[key] = visit
        return visit


def _label(visit: Visit) -> str:
    return f"{visit.client} {visit.version}".strip()
