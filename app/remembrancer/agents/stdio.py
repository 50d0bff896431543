"""An MCP server on standard input and output, for clients that spawn a command."""

from __future__ import annotations

import asyncio
import logging
import os
import queue
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout, suppress
from typing import TYPE_CHECKING, Any, BinaryIO

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
_CANCEL = "notifications/cancelled"
_BACKLOG = 64  # questions, and answers, that may wait
_LAST_LINE = 0.3  # seconds for the last answers to be taken


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
        self._asked: asyncio.Queue[types.JSONRPCMessage | None] = asyncio.Queue()
        self._room = threading.Semaphore(_BACKLOG)
        self._answers: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._unanswered: set[types.RequestId] = set()
        self._quiet = asyncio.Event()
        self._quiet.set()
        self._until_hung_up = anyio.CancelScope()

    async def serve(self, server: Server[Any]) -> None:
        """Until the input ends and what was asked is answered, or nobody reads the output."""
        incoming, received = anyio.create_memory_object_stream[SessionMessage | Exception]()
        sent, outgoing = anyio.create_memory_object_stream[SessionMessage]()
        writer = threading.Thread(target=self._write, name="agents-stdout", daemon=True)
        reader = threading.Thread(target=self._read, name="agents-stdin", daemon=True)
        writer.start()
        reader.start()
        with self._until_hung_up:
            async with anyio.create_task_group() as group:
                group.start_soon(self._hand_in, incoming)
                group.start_soon(self._hand_out, outgoing)
                await server.run(received, sent, server.create_initialization_options())
        self._answers.put(None)
        writer.join(_LAST_LINE)

    def _read(self) -> None:
        """In a thread: every line of the client."""
        with suppress(OSError):  # an input that cannot be read has ended
            for line in lines(self._in):
                try:
                    message = parsed(line)
                except BadLine as bad:
                    self._answers.put(unparsed(bad.answer))
                else:
                    self._room.acquire()
                    self._call_loop(self._asked.put_nowait, message)
        self._call_loop(self._asked.put_nowait, None)

    async def _hand_in(self, incoming: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
        async with incoming:
            while (message := await self._asked.get()) is not None:
                self._room.release()
                self._expect(message)
                await incoming.send(SessionMessage(message))
            with anyio.move_on_after(LAST_ANSWERS):
                await self._quiet.wait()

    def _expect(self, message: types.JSONRPCMessage) -> None:
        match message:
            case types.JSONRPCRequest() if message.method != "subscriptions/listen":
                self._unanswered.add(message.id)
                self._quiet.clear()
            case types.JSONRPCNotification(params={"requestId": id}) if message.method == _CANCEL:
                self._settle(id)
            case _:  # a subscription stays open until the end, and owes no answer
                pass

    async def _hand_out(self, outgoing: MemoryObjectReceiveStream[SessionMessage]) -> None:
        async with outgoing:
            async for sent in outgoing:
                self._answers.put(unparsed(sent.message))
                if isinstance(sent.message, types.JSONRPCResponse | types.JSONRPCError):
                    self._settle(sent.message.id)
                while self._answers.qsize() > _BACKLOG:
                    await asyncio.sleep(0.01)

    def _settle(self, id: object) -> None:
        self._unanswered = {each for each in self._unanswered if each != id}
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
            self._call_loop(self._until_hung_up.cancel)

    def _call_loop(self, call: Callable[..., None], *arguments: object) -> None:
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(call, *arguments)
