"""One run of the host, inside its thread: servers, gate, listener, local door, shutdown."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

import uvicorn

from remembrancer.agents.bodies import Strict
from remembrancer.agents.dialect import Dialect
from remembrancer.agents.doorway import Doorway
from remembrancer.agents.gate import Gate
from remembrancer.agents.journal_resource import JOURNAL
from remembrancer.agents.local import LocalDoor
from remembrancer.agents.notices import Notices
from remembrancer.agents.presence import Presence
from remembrancer.agents.server import make_server
from remembrancer.agents.sessions import Sessions
from remembrancer.agents.tokens import Tokens
from remembrancer.agents.who import Who
from remembrancer.agents.work import Workers

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from remembrancer.service.library import Library

HEALTH = "/health"
_KEEP_ALIVE = 120  # seconds an idle connection is kept
_GRACE = 0.8  # seconds a running call has when the host stops


class Listener(uvicorn.Server):
    """uvicorn, saying when it listens."""

    def __init__(self, app: ASGIApp, ready: Callable[[], None]) -> None:
        protocol: Any = Doorway().protocol
        grace: Any = _GRACE  # it may be a fraction, whatever uvicorn says of it
        super().__init__(
            uvicorn.Config(
                app,
                http=protocol,
                proxy_headers=False,
                ws="none",
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                timeout_keep_alive=_KEEP_ALIVE,
                timeout_graceful_shutdown=grace,
            )
        )
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        await super().startup(sockets)
        self._ready()


class Serving:
    """Every dialect at its path, for one run: made and used in the loop that serves."""

    def __init__(
        self, library: Library, dialects: Sequence[Dialect], presence: Presence, workers: Workers
    ) -> None:
        self._library = library
        self._names = {dialect.path: dialect.name for dialect in dialects}
        uris = [JOURNAL.uri, *(each.uri for dialect in dialects for each in dialect.resources())]
        self._notices = Notices(presence, uris, library.journal.head, workers)
        who = Who(library, presence)
        servers = {
            dialect.name: make_server(dialect, library, workers, who, self._notices)
            for dialect in dialects
        }
        self._apps = {
            dialect.path: Sessions(servers[dialect.name], presence) for dialect in dialects
        }
        self._local = LocalDoor(library, servers, presence, workers)

    async def run(
        self, listening: socket.socket, stop: asyncio.Event, ready: Callable[[], None]
    ) -> None:
        """Serve on this socket until `stop` is set; `ready` is called when requests are taken."""
        port: int = listening.getsockname()[1]
        gate = Gate(Strict(_routed(self._apps)), port, self._names, Tokens(self._library).agent)
        async with AsyncExitStack() as stack:
            for sessions in self._apps.values():
                await stack.enter_async_context(sessions.run())
            stack.callback(self._library.bell.listen(self._notices.ring))
            stack.callback(asyncio.create_task(self._notices.run()).cancel)
            await stack.enter_async_context(self._local.open())
            listener = Listener(gate, ready)
            serving = asyncio.create_task(listener.serve([listening]))
            await _first_of(serving, asyncio.create_task(stop.wait()))
            self._notices.close()
            listener.should_exit = True
            await stack.aclose()  # ends the sessions, whose open streams would hold uvicorn up
            await serving


async def _first_of(serving: asyncio.Task[None], stopping: asyncio.Task[Any]) -> None:
    await asyncio.wait({serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()


def _routed(apps: Mapping[str, ASGIApp]) -> ASGIApp:
    async def route(scope: Scope, receive: Receive, send: Send) -> None:
        app = apps.get(scope["path"])
        if app is not None:
            return await app(scope, receive, send)
        status = 200 if scope["path"] == HEALTH else 404
        body = b"ok" if status == 200 else b"not found"
        headers = [(b"content-length", str(len(body)).encode()), (b"content-type", b"text/plain")]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    return route
