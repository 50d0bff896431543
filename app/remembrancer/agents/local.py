"""The host's door for local clients: the lines of stdio over a private socket, after a hello."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

from remembrancer.agents.address import Address, is_ours, listening_for
from remembrancer.agents.admission import Standing
from remembrancer.agents.connection import Connection, Message, taken
from remembrancer.agents.hello import Hello, heard
from remembrancer.agents.lines import LONGEST_LINE, Lines
from remembrancer.core.errors import Refused, RemembrancerError

if TYPE_CHECKING:
    from mcp.server import Server

    from remembrancer.agents.presence import Presence
    from remembrancer.agents.work import Workers
    from remembrancer.service.library import Library

log = logging.getLogger(__name__)

MOST = 64  # clients at a time
SLOWEST_HELLO = 5.0  # seconds
_PIECE = 1 << 16  # bytes read at a time
_LAST = 0.8  # seconds for the connections to end when the host stops; bridges ask another again


class LocalDoor:
    """Lets the bridges of this user in; made and used in the loop that serves.

    `servers` are the host's, by the name of their dialect.
    """

    def __init__(
        self,
        library: Library,
        servers: Mapping[str, Server[Any]],
        presence: Presence,
        workers: Workers,
    ) -> None:
        self._library = library
        self._servers = servers
        self._presence = presence
        self._workers = workers
        self._guests: dict[asyncio.Task[None], Connection | None] = {}
        self._address: Address | None = None

    @asynccontextmanager
    async def open(self) -> AsyncGenerator[None]:
        """Let clients in within this context; that there is no way in is logged, and no failure."""
        listener = await self._listening()
        try:
            yield
        finally:
            if listener is not None:
                await self._close(listener)

    async def _listening(self) -> asyncio.Server | None:
        try:
            address = listening_for(self._library.path)
        except OSError:
            log.warning("no local clients: there is no way in", exc_info=True)
            return None
        try:
            address.publish(self._library.path)
        except OSError:
            log.warning("no local clients: the store's folder cannot tell them", exc_info=True)
            address.listening.close()
            return None
        self._address = address
        start = asyncio.start_server if address.path is None else asyncio.start_unix_server
        return await start(self._come_in, sock=address.listening, limit=LONGEST_LINE)

    async def _close(self, listener: asyncio.Server) -> None:
        if self._address is not None:
            self._address.withdraw(self._library.path)
        listener.close()
        for task, connection in self._guests.items():
            task.cancel() if connection is None else connection.finish()
        if self._guests:
            await asyncio.wait(self._guests, timeout=_LAST)
        for task in self._guests:
            task.cancel()
        if self._guests:
            await asyncio.wait(self._guests)

    async def _come_in(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("a connection is served in a task")
        self._guests[task] = None
        try:
            await self._welcome(task, reader, writer)
        except (OSError, asyncio.CancelledError):
            log.info("a local client left, or was left")
        except Exception:
            log.exception("a local client could not be served")
        finally:
            del self._guests[task]
            writer.close()

    async def _welcome(
        self, task: asyncio.Task[None], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        try:
            hello = await self._hello(reader, writer)
            standing = Standing(self._library, hello.policy)
            agent = await self._workers.run(standing.agent)
        except RemembrancerError as refused:
            return await _say(writer, ok=False, error=str(refused))
        proof = self._address.proof if self._address is not None else ""
        await _say(writer, ok=True, proof=proof)
        log.info("process %d came in", hello.process)
        wire = _Streams(reader, writer)
        visit = self._presence.open(wire, agent)
        connection = self._guests[task] = Connection(wire, visit, standing.agent)
        try:
            with self._presence.request(visit):  # while it is connected, its client is here
                await connection.serve(self._servers[hello.policy.dialect])
        finally:
            visit.push = None
            self._presence.close(wire)

    async def _hello(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Hello:
        if not is_ours(writer.get_extra_info("socket")):
            raise Refused("This is the host of another user.", code="user")
        try:
            async with asyncio.timeout(SLOWEST_HELLO):
                line = await reader.readline()
        except (TimeoutError, ValueError) as error:
            raise Refused("The hello was too slow or too long.", code="hello") from error
        if len(self._guests) > MOST:
            raise Refused("Too many clients are connected.", code="full")
        hello = heard(line)
        secret = self._address.secret if self._address is not None else ""
        hello.check(self._library.path, self._servers, secret)
        return hello


async def _say(writer: asyncio.StreamWriter, **said: object) -> None:
    writer.write(json.dumps(said).encode() + b"\n")
    await writer.drain()


class _Streams:
    """Lines over a socket."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self.gone = asyncio.Event()

    async def messages(self) -> AsyncIterator[Message]:
        """What every line of the client holds, until it closes its half."""
        with suppress(OSError):
            async for line in _lines(self._reader):
                yield taken(line)

    async def send(self, line: bytes) -> None:
        """Send a line; waits while the client does not read."""
        try:
            self._writer.write(line)
            await self._writer.drain()
        except OSError:
            self.gone.set()


async def _lines(reader: asyncio.StreamReader) -> AsyncIterator[bytes | None]:
    """The lines without their ends, as they come."""
    lines = Lines()
    while piece := await reader.read(_PIECE):
        for line in lines.feed(piece):
            yield line
    for line in lines.feed(b""):
        yield line
