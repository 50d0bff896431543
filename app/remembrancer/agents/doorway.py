"""HTTP connections: how long each may take for what, and how many there may be."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from remembrancer.agents.gate import WELCOME

SLOWEST_HEADERS = 10.0  # seconds a client has for the headers of a request
SLOWEST_READER = 30.0  # seconds for which an answer waits for a client that does not read
MOST_STRANGERS = 128  # connections that showed no token yet
MOST = 512  # connections in all, where the system lets us have as many


class Doorway:
    """The connections of one run; where there are too many, the one nobody needs most is closed.

    That is the stranger who waited longest, or else the longest idle one of an agent: its client
    connects anew when it has something to ask.
    """

    def __init__(self) -> None:
        self._strangers: dict[Guarded, None] = {}
        self._known: dict[Guarded, None] = {}  # the longest unused first
        self._room = _descriptors() // 2

    def protocol(self, **how: Any) -> Guarded:
        """A new connection, made as uvicorn makes them."""
        return Guarded(self, **how)

    def come(self, connection: Guarded) -> None:
        """Somebody is at the door."""
        self._strangers[connection] = None
        most = min(MOST, self._room)
        if len(self._strangers) > min(MOST_STRANGERS, most // 2):
            next(iter(self._strangers)).drop()
        elif len(self._strangers) + len(self._known) > most:
            next((each for each in self._known if each.is_idle), connection).drop()

    def welcome(self, connection: Guarded) -> None:
        """It showed a token; so it does at every request."""
        self._strangers.pop(connection, None)
        self._known.pop(connection, None)
        self._known[connection] = None

    def go(self, connection: Guarded) -> None:
        """It is over."""
        self._strangers.pop(connection, None)
        self._known.pop(connection, None)


class Guarded(H11Protocol):
    """An HTTP connection that is closed when its client is too slow with headers or answers."""

    def __init__(self, doorway: Doorway, **how: Any) -> None:
        super().__init__(**how)
        self._doorway = doorway
        self._headers: asyncio.TimerHandle | None = None
        self._reader: asyncio.TimerHandle | None = None
        self.app_state = {**self.app_state, WELCOME: lambda: doorway.welcome(self)}

    @property
    def is_idle(self) -> bool:
        """Whether no request of it is being served."""
        cycle: Any = self.cycle  # uvicorn has none before the first request
        return cycle is None or cycle.response_complete

    def drop(self) -> None:
        """End it now, whatever is under way."""
        self._doorway.go(self)
        self.transport.abort()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client connected, and has to say what it wants."""
        super().connection_made(transport)
        self._headers = self._later(SLOWEST_HEADERS, self.transport.close)
        self._doorway.come(self)

    def data_received(self, data: bytes) -> None:
        """Bytes came: either they end the headers, or the deadline of these headers stands."""
        super().data_received(data)
        unfinished = self.conn.their_state is h11.IDLE and bool(self.conn.trailing_data[0])
        if not unfinished:
            self._headers = _ended(self._headers)
        elif self._headers is None:
            self._headers = self._later(SLOWEST_HEADERS, self.transport.close)

    def pause_writing(self) -> None:
        """The client does not read what it asked for."""
        super().pause_writing()
        self._reader = _ended(self._reader) or self._later(SLOWEST_READER, self.drop)

    def resume_writing(self) -> None:
        """It reads again."""
        self._reader = _ended(self._reader)
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is over."""
        self._headers, self._reader = _ended(self._headers), _ended(self._reader)
        self._doorway.go(self)
        super().connection_lost(exc)

    def _later(self, seconds: float, act: Callable[[], None]) -> asyncio.TimerHandle:
        return self.loop.call_later(seconds, act)


def _ended(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()


def _descriptors() -> int:
    """How many files and sockets this process may have open."""
    if sys.platform == "win32":
        return 2 * MOST
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return 2 * MOST if soft == resource.RLIM_INFINITY else soft
