"""Lines over two file descriptors, whatever they are: read and written without a detour if can be.

Where the loop can wait for the input, it reads it; where an answer is sure to have room, it is
written at once. Otherwise threads do it: no platform lets a loop wait for every sort of descriptor.
They are daemons, because none lets a thread be woken from such a wait.
"""

from __future__ import annotations

import asyncio
import logging
import os
import queue
import select
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import suppress

from remembrancer.agents.connection import Message, taken
from remembrancer.agents.lines import Lines

log = logging.getLogger(__name__)

BACKLOG = 64  # questions, and answers, that may wait
LAST_LINE = 0.3  # seconds for the last answers to be taken
_PIECE = 1 << 16
_SURE = 4096  # bytes for which a pipe that takes any has room
_WIDE = 1 << 20  # bytes that a pipe may hold, where the platform lets us say so


class Descriptors:
    """The wire of a client on standard input and output; made in the loop that serves it."""

    def __init__(self, descriptor_in: int, descriptor_out: int) -> None:
        self.gone = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._input = _Input(descriptor_in)
        self._output = _Output(descriptor_out, self.gone.set)

    async def messages(self) -> AsyncIterator[Message]:
        """What every line of the client holds, until the input ends."""
        while (message := await self._input.next()) is not None:
            yield message

    async def send(self, line: bytes) -> None:
        """Send a line, waiting while too many are under way."""
        self._output.send(line)
        while self._output.under_way > BACKLOG:
            await asyncio.sleep(0.01)

    def leave(self) -> None:
        """Nobody is left who would read; from any thread."""
        _call_loop(self._loop, self.gone.set)

    def finish(self) -> None:
        """Wait a little for the last answers to be taken."""
        self._output.finish()


class _Input:
    """What the client says, read by the loop or by a thread; no more than `BACKLOG` ahead."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._loop = asyncio.get_running_loop()
        self._asked: asyncio.Queue[Message | None] = asyncio.Queue()
        self._lines = Lines()
        self._paused = False
        self._room = threading.Semaphore(BACKLOG)
        self._watched = self._watch()
        if not self._watched:
            threading.Thread(target=self._read, name="agents-stdin", daemon=True).start()

    async def next(self) -> Message | None:
        """What the next line holds; None at the end."""
        message = await self._asked.get()
        if not self._watched:
            self._room.release()
        elif self._paused and self._asked.qsize() < BACKLOG // 2:
            self._paused = not self._watch()
        return message

    def _watch(self) -> bool:
        """Let the loop wait for the descriptor, if it can."""
        try:
            self._loop.add_reader(self._descriptor, self._ready)
        except (NotImplementedError, OSError, ValueError):
            return False
        return True

    def _ready(self) -> None:
        try:
            piece = os.read(self._descriptor, _PIECE)
        except BlockingIOError:
            return
        except OSError:  # an input that cannot be read has ended
            piece = b""
        for line in self._lines.feed(piece):
            self._asked.put_nowait(taken(line))
        if not piece:
            self._asked.put_nowait(None)
        if not piece or self._asked.qsize() >= BACKLOG:
            self._paused = bool(piece)
            self._loop.remove_reader(self._descriptor)

    def _read(self) -> None:
        """In a thread: every line of the client."""
        piece = b"-"
        while piece:
            piece = b""
            with suppress(OSError):  # an input that cannot be read has ended
                piece = os.read(self._descriptor, _PIECE)
            for line in self._lines.feed(piece):
                message = taken(line)
                self._room.acquire()
                _call_loop(self._loop, lambda m=message: self._asked.put_nowait(m))
        _call_loop(self._loop, lambda: self._asked.put_nowait(None))


class _Output:
    """What the client is told, in order: at once where it has room, else by a thread."""

    def __init__(self, descriptor: int, gone: Callable[[], None]) -> None:
        self._descriptor = descriptor
        self._gone = gone
        self._loop = asyncio.get_running_loop()
        self._waiting: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._poll = _poll_of(descriptor)
        self._capacity = _widened(descriptor)
        self._lock = threading.Lock()
        self.under_way = 0

    def send(self, line: bytes) -> None:
        """Send a line, in the loop; it never waits."""
        with self._lock:
            if self.under_way == 0 and self._has_room(len(line)):
                line = self._written(line)
            if line:
                self.under_way += 1
                self._waiting.put(line)
        if line and self._thread is None:
            self._thread = threading.Thread(target=self._write, name="agents-stdout", daemon=True)
            self._thread.start()

    def finish(self) -> None:
        """Wait a little for what is under way."""
        if self._thread is not None:
            self._waiting.put(None)
            self._thread.join(LAST_LINE)

    def _has_room(self, length: int) -> bool:
        if length <= _SURE:
            return self._poll is not None and any(
                event & select.POLLOUT for _, event in self._poll.poll(0)
            )
        return length <= self._capacity and _is_empty(self._descriptor)

    def _written(self, line: bytes) -> bytes:
        """What is left of a line; nothing when nobody reads any more."""
        try:
            return line[os.write(self._descriptor, line) :]
        except BlockingIOError:
            return line
        except OSError:
            log.info("the client reads no more")
            self._gone()
            return b""

    def _write(self) -> None:
        """In a thread: every answer that had to wait."""
        try:
            while (line := self._waiting.get()) is not None:
                self._push(line)
                with self._lock:
                    self.under_way -= 1
        except OSError:
            log.info("the client reads no more")
            _call_loop(self._loop, self._gone)

    def _push(self, line: bytes) -> None:
        while line:
            try:
                line = line[os.write(self._descriptor, line) :]
            except BlockingIOError:  # the client made it so
                select.select([], [self._descriptor], [])


def _widened(descriptor: int) -> int:
    """How many bytes an empty pipe takes, once it is as wide as can be; 0 where none can tell."""
    try:
        import fcntl

        return fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, _WIDE)
    except (ImportError, AttributeError, OSError):
        return 0


def _is_empty(descriptor: int) -> bool:
    import fcntl
    import termios

    waiting = fcntl.ioctl(descriptor, termios.FIONREAD, b"\0" * 4)
    return not int.from_bytes(waiting, sys.byteorder)


def _poll_of(descriptor: int) -> select.poll | None:
    if not hasattr(select, "poll"):
        return None
    poll = select.poll()
    poll.register(descriptor, select.POLLOUT)
    return poll


def _call_loop(loop: asyncio.AbstractEventLoop, call: Callable[[], None]) -> None:
    with suppress(RuntimeError):  # the loop has ended
        loop.call_soon_threadsafe(call)
