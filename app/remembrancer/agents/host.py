"""The host: the library as an MCP server on a loopback port, in a thread of its own."""

from __future__ import annotations

import asyncio
import logging
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from enum import StrEnum
from typing import TYPE_CHECKING

from remembrancer.agents.presence import Connected, Presence
from remembrancer.core.errors import RemembrancerError

if TYPE_CHECKING:
    from remembrancer.agents.dialect import Dialect
    from remembrancer.agents.work import Pool
    from remembrancer.service.library import Library

log = logging.getLogger(__name__)

LOOPBACK = "127.0.0.1"
WORKERS = 8
PATIENCE = 5.0  # seconds to wait for the thread when stopping
LAST_CALLS = 0.2  # seconds for the calls that were broken off to end


class PortInUse(RemembrancerError):
    """Another program listens at the port, or may not be asked to share it."""


class State(StrEnum):
    """What the host is doing."""

    STOPPED = "stopped"
    STARTING = "starting"
    RUNNING = "running"
    FAILED = "failed"


class Host:
    """Serves every dialect to the agents of this machine.

    `dialects` makes them anew for every run. `on_state` is called from whichever thread changes
    the state. Used from one thread; `state`, `running` and `connected` from any.
    """

    def __init__(
        self,
        library: Library,
        dialects: Sequence[Callable[[Library], Dialect]],
        on_state: Callable[[State], None] = lambda state: None,
    ) -> None:
        self._library = library
        self._dialects = dialects
        self._on_state = on_state
        self._presence = Presence(stays=library.stays)
        self._run: _Run | None = None
        self.port: int | None = None
        self.state = State.STOPPED

    @property
    def running(self) -> bool:
        """Whether it was started and neither stopped nor failed."""
        return self.state in (State.STARTING, State.RUNNING)

    @property
    def address(self) -> str | None:
        """Where the native dialect is served, while running."""
        return f"http://{LOOPBACK}:{self.port}/mcp" if self.running else None

    def start(self, port: int = 0) -> int:
        """Listen at the port (0: any free one) and return it; raises PortInUse.

        Clients may connect at once; they are answered when the thread has loaded what it needs.
        """
        if self._run is not None and self._run.alive:
            raise RuntimeError("the host is running already")
        self._begin(_bound(port))
        return self.port or 0

    def stop(self) -> bool:
        """Stop serving; False if a call still runs although it was broken off."""
        run, self._run = self._run, None
        return run is None or run.stop()

    def restart(self, port: int) -> int:
        """Serve at another port, or anew at this one; raises PortInUse and goes on as before."""
        if self.running and port == self.port:
            self.stop()
            return self.start(port)
        listening = _bound(port)
        self.stop()
        self._begin(listening)
        return self.port or 0

    def wait_until_ready(self, seconds: float = 10.0) -> bool:
        """Whether requests are answered, after waiting for it if need be."""
        run = self._run
        return run is not None and run.ready.wait(seconds) and self.state is State.RUNNING

    def connected(self) -> list[Connected]:
        """Who is connected, the earliest first."""
        return self._presence.connected() if self.running else []

    def _begin(self, listening: socket.socket) -> None:
        self.port = listening.getsockname()[1]
        self._run = _Run(self._library, self._dialects, self._presence, listening, self._become)
        self._run.start()

    def _become(self, run: _Run, state: State) -> None:
        if self._run in (run, None):
            self.state = state
            try:
                self._on_state(state)
            except Exception:
                log.exception("who watches the host failed")


class _Run:
    """One run of the host, from start to stop."""

    def __init__(
        self,
        library: Library,
        dialects: Sequence[Callable[[Library], Dialect]],
        presence: Presence,
        listening: socket.socket,
        become: Callable[[_Run, State], None],
    ) -> None:
        self._library = library
        self._dialects = dialects
        self._presence = presence
        self._listening = listening
        self._become = become
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop = asyncio.Event()
        self._stopping = False
        self._calls_ended = True
        self.ready = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="agents-host", daemon=True)

    @property
    def alive(self) -> bool:
        """Whether its thread is still there."""
        return self._thread.is_alive()

    def start(self) -> None:
        """Begin; the state is told at once."""
        self._become(self, State.STARTING)
        self._thread.start()

    def stop(self) -> bool:
        """End, and wait for the threads for a while; whether they are gone."""
        self._stopping = True
        loop = self._loop
        if loop is not None:
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(PATIENCE)
        return not self.alive and self._calls_ended

    def _serve(self) -> None:
        # Loading mcp takes a second, which belongs to this thread and not to the window's start.
        from remembrancer.agents.work import Pool

        pool = Pool(WORKERS, "agents-call")
        try:
            asyncio.run(self._main(pool))
        except BaseException:
            log.exception("the host failed")
            self._end(State.FAILED, pool)
        else:
            self._end(State.STOPPED, pool)

    def _end(self, state: State, pool: Pool) -> None:
        self._listening.close()
        self._presence.hang_up()
        self._calls_ended = pool.close(LAST_CALLS)
        self._become(self, state)
        self.ready.set()

    async def _main(self, pool: Pool) -> None:
        from remembrancer.agents.http import Serving
        from remembrancer.agents.work import Workers

        self._loop = asyncio.get_running_loop()
        if self._stopping:
            return
        dialects = [make(self._library) for make in self._dialects]
        workers = Workers(pool, self._library.interrupt)
        serving = Serving(self._library, dialects, self._presence, workers)
        await serving.run(self._listening, self._stop, self._be_ready)

    def _be_ready(self) -> None:
        self._become(self, State.RUNNING)
        self.ready.set()


def _bound(port: int) -> socket.socket:
    # The protocol must be named: asyncio turns off Nagle's algorithm only on sockets that say they
    # are TCP, and with it every answer would wait 40 ms.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if sys.platform == "win32":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((LOOPBACK, port))
        listening.listen(128)
    except (OSError, OverflowError) as error:
        listening.close()
        raise PortInUse(_why_not(port, error), code="port") from error
    listening.setblocking(False)
    return listening


def _why_not(port: int, error: Exception) -> str:
    if isinstance(error, OverflowError):
        return f"{port} is not a port; choose one from 1 to 65535."
    if isinstance(error, PermissionError):
        return f"This account may not listen at port {port}; choose one above 1023."
    return f"Port {port} is in use by another program; choose another port or close that program."
