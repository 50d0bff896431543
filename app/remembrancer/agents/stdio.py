"""An MCP server on standard input and output, for clients that spawn a command."""

from __future__ import annotations

import asyncio
import logging
import os
import queue
import sys
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout, suppress
from typing import TYPE_CHECKING, BinaryIO

from remembrancer.agents.connection import Connection, Message, taken
from remembrancer.agents.dialect import Dialect
from remembrancer.agents.journal_resource import JOURNAL
from remembrancer.agents.lines import lines
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
_BACKLOG = 64  # questions, and answers, that may wait
_LAST_LINE = 0.3  # seconds for the last answers to be taken


def serve_stdio(
    library: Library,
    dialect: Dialect,
    agent: Callable[[], Agent],
    stdin: BinaryIO,
    stdout: BinaryIO,
) -> None:
    """Serve one client until its input ends, then within two seconds return.

    `agent` is asked at every message. Both streams must have a file descriptor. What anything
    prints meanwhile goes to stderr.
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
    agent: Callable[[], Agent],
    workers: Workers,
    descriptor_in: int,
    descriptor_out: int,
) -> None:
    presence = Presence()
    uris = [JOURNAL.uri, *(each.uri for each in dialect.resources())]
    notices = Notices(presence, uris, library.journal.head, workers)
    server = make_server(dialect, library, workers, Who(library, presence), notices)
    stop_listening = library.bell.listen(notices.ring)
    forwarding = asyncio.create_task(notices.run())
    wire = _Descriptors(descriptor_in, descriptor_out)
    try:
        visit = presence.open(wire, agent())
        with presence.request(visit):
            await Connection(wire, visit, agent).serve(server)
        wire.finish()
    finally:
        forwarding.cancel()
        stop_listening()


class _Descriptors:
    """Lines over two file descriptors.

    Two threads wait for them, because no platform lets a loop wait for every sort of descriptor;
    they are daemons, because none lets a thread be woken from such a wait.
    """

    def __init__(self, descriptor_in: int, descriptor_out: int) -> None:
        self._in = descriptor_in
        self._out = descriptor_out
        self._loop = asyncio.get_running_loop()
        self._asked: asyncio.Queue[Message | None] = asyncio.Queue()
        self._room = threading.Semaphore(_BACKLOG)
        self._answers: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self.gone = asyncio.Event()
        self._writer = threading.Thread(target=self._write, name="agents-stdout", daemon=True)
        self._writer.start()
        threading.Thread(target=self._read, name="agents-stdin", daemon=True).start()

    async def messages(self) -> AsyncIterator[Message]:
        """What every line of the client holds, until the input ends."""
        while (message := await self._asked.get()) is not None:
            self._room.release()
            yield message

    async def send(self, line: bytes) -> None:
        """Let the thread write a line."""
        self._answers.put(line)
        while self._answers.qsize() > _BACKLOG:
            await asyncio.sleep(0.01)

    def finish(self) -> None:
        """Wait a little for the last answers to be taken."""
        self._answers.put(None)
        self._writer.join(_LAST_LINE)

    def _read(self) -> None:
        """In a thread: every line of the client."""
        with suppress(OSError):  # an input that cannot be read has ended
            for line in lines(self._in):
                message = taken(line)
                self._room.acquire()
                self._call_loop(self._asked.put_nowait, message)
        self._call_loop(self._asked.put_nowait, None)

    def _write(self) -> None:
        """In a thread: every answer to the client."""
        try:
            while (answer := self._answers.get()) is not None:
                while answer:
                    answer = answer[os.write(self._out, answer) :]
        except OSError:
            log.info("the client reads no more")
            self._call_loop(self.gone.set)

    def _call_loop(self, call: Callable[..., None], *arguments: object) -> None:
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(call, *arguments)
