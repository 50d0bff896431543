"""An MCP server on standard input and output, for clients that spawn a command."""

from __future__ import annotations

import asyncio
import logging
import os
import queue
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout, suppress
from typing import TYPE_CHECKING, BinaryIO

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp import types
from mcp.server import Server
from mcp.shared.message import SessionMessage

from remembrancer.agents.dialect import Dialect
from remembrancer.agents.journal_resource import JOURNAL
from remembrancer.agents.lines import BadLine, lines, parsed, unparsed
from remembrancer.agents.notices import Notices
from remembrancer.agents.presence import Presence
from remembrancer.agents.server import make_server
from remembrancer.agents.who import Who
from remembrancer.agents.work import Workers
from remembrancer.core.author import Agent

if TYPE_CHECKING:
    from remembrancer.service.library import Library

log = logging.getLogger(__name__)

WORKERS = 4
LAST_ANSWERS = 1.5  # seconds that calls have to end once the client said it will ask nothing more
_CANCELLED = "notifications/cancelled"
_BACKLOG = 64  # answers that may wait for a client that does not read


def serve_stdio(
    library: Library, dialect: Dialect, agent: Agent, stdin: BinaryIO, stdout: BinaryIO
) -> None:
    """Serve one client until its input ends, then within two seconds return.

    Both streams must have a file descriptor. What anything prints meanwhile goes to stderr.
    """
    pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="agents-call")
    workers = Workers(pool, library.interrupt)
    with redirect_stdout(sys.stderr):
        try:
            asyncio.run(_serve(library, dialect, agent, workers, stdin.fileno(), stdout.fileno()))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


async def _serve(
    library: Library,
    dialect: Dialect,
    agent: Agent,
    workers: Workers,
    descriptor_in: int,
    descriptor_out: int,
) -> None:
    presence = Presence()
    uris = [JOURNAL.uri, *(each.uri for each in dialect.resources())]
    notices = Notices(presence, uris, library.journal.head, workers)
    server = make_server(dialect, library, workers, Who(library, presence, agent), notices)
    stop_listening = library.bell.listen(notices.ring)
    forwarding = asyncio.create_task(notices.run())
    try:
        await _Connection(descriptor_in, descriptor_out).serve(server)
    finally:
        forwarding.cancel()
        stop_listening()


class _Connection:
    """The client at the other end of two file descriptors.

    Two threads wait for it, because no platform lets a loop wait for every sort of descriptor; they
    are daemons, because none lets a thread be woken from such a wait.
    """

    def __init__(self, descriptor_in: int, descriptor_out: int) -> None:
        self._in = descriptor_in
        self._out = descriptor_out
        self._loop = asyncio.get_running_loop()
        self._answers: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._unanswered: set[types.RequestId] = set()
        self._quiet = asyncio.Event()
        self._quiet.set()
        self._until_hung_up = anyio.CancelScope()

    async def serve(self, server: Server[None]) -> None:
        """Until the input ends and what was asked is answered, or nobody reads the output."""
        incoming, received = anyio.create_memory_object_stream[SessionMessage | Exception]()
        sent, outgoing = anyio.create_memory_object_stream[SessionMessage]()
        writer = threading.Thread(target=self._write, name="agents-stdout", daemon=True)
        reader = threading.Thread(
            target=self._read, args=(incoming,), name="agents-stdin", daemon=True
        )
        writer.start()
        reader.start()
        with self._until_hung_up, incoming:
            async with anyio.create_task_group() as group:
                group.start_soon(self._queue, outgoing)
                await server.run(received, sent, server.create_initialization_options())
        self._answers.put(None)
        writer.join(0.3)

    def _read(self, incoming: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
        """In a thread: every line to the loop, one after the other."""
        with suppress(RuntimeError, OSError):  # the loop has ended, or the input cannot be read
            for line in lines(self._in):
                try:
                    taken = self._take(incoming, parsed(line))
                except BadLine as bad:
                    self._answers.put(unparsed(bad.answer))
                else:
                    asyncio.run_coroutine_threadsafe(taken, self._loop).result()
        with suppress(RuntimeError):
            asyncio.run_coroutine_threadsafe(self._finish(incoming), self._loop)

    async def _take(
        self,
        incoming: MemoryObjectSendStream[SessionMessage | Exception],
        message: types.JSONRPCMessage,
    ) -> None:
        match message:
            case types.JSONRPCRequest() if message.method != "subscriptions/listen":
                self._unanswered.add(message.id)
                self._quiet.clear()
            case types.JSONRPCNotification(params={"requestId": id}) if (
                message.method == _CANCELLED
            ):
                self._settle(id)
            case _:  # a subscription stays open until the end, and owes no answer
                pass
        await incoming.send(SessionMessage(message))

    async def _finish(self, incoming: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
        with anyio.move_on_after(LAST_ANSWERS):
            await self._quiet.wait()
        await incoming.aclose()

    async def _queue(self, outgoing: MemoryObjectReceiveStream[SessionMessage]) -> None:
        async with outgoing:
            async for sent in outgoing:
                self._answers.put(unparsed(sent.message))
                if isinstance(sent.message, types.JSONRPCResponse | types.JSONRPCError):
                    self._settle(sent.message.id)
                while self._answers.qsize() > _BACKLOG:
                    await asyncio.sleep(0.01)

    def _settle(self, id: types.RequestId | None) -> None:
        if id is not None:
            self._unanswered.discard(id)
        if not self._unanswered:
            self._quiet.set()

    def _write(self) -> None:
        """In a thread: every answer to the client."""
        try:
            while (answer := self._answers.get()) is not None:
                while answer:
                    answer = answer[os.write(self._out, answer) :]
        except OSError:
            log.info("the client reads no more")
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._until_hung_up.cancel)
