"""How far a long call is: said in the thread that does it, sent on by the loop while it lasts."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import TypeVar, overload

from mcp.types.version import HANDSHAKE_PROTOCOL_VERSIONS

from remembrancer.agents.who import Context

log = logging.getLogger(__name__)

T = TypeVar("T")

PAUSE = 0.1  # seconds between two notices of one call
LONG = 50  # things to do from which a call may take long enough to tell of it

_Tell = Callable[[int, int, str], None]
_teller: ContextVar[_Tell | None] = ContextVar("progress", default=None)


def tell(done: int, total: int, message: str) -> None:
    """Say in the thread that serves a call that `done` of `total` steps are done; cheap."""
    teller = _teller.get()
    if teller is not None:
        teller(done, total, message)


@contextmanager
def telling(teller: _Tell) -> Generator[None]:
    """Let `tell` reach a client within this context."""
    token = _teller.set(teller)
    try:
        yield
    finally:
        _teller.reset(token)


@contextmanager
def steps(things: Sequence[T], what: str) -> Generator[tuple[Sequence[T], Callable[[int], None]]]:
    """The same things, for a deed that checks and then writes them, and what to tell when writing.

    Both are steps, so that half of them are done when everything is checked. Few things are quick.
    """
    every, teller = len(things), _teller.get()
    if every < LONG or teller is None:
        yield things, lambda done: None
        return

    def checked(count: int) -> None:
        teller(count, 2 * every, f"{count:,} of {every:,} {what} checked")

    def written(count: int) -> None:  # called in whichever thread writes
        teller(every + count, 2 * every, f"{count:,} of {every:,} {what} written")

    yield _Counted(things, checked), written
    teller(2 * every, 2 * every, f"{every:,} {what} written")


class _Counted(Sequence[T]):
    """A sequence that tells how far it has been gone through."""

    def __init__(self, things: Sequence[T], past: Callable[[int], None]) -> None:
        self._things = things
        self._past = past

    def __len__(self) -> int:
        return len(self._things)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...
    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        return self._things[index]

    def __iter__(self) -> Iterator[T]:
        for past, thing in enumerate(self._things):
            self._past(past)
            yield thing
        self._past(len(self._things))


class Reports:
    """Sends the notices of one call while its context lasts; told from any thread.

    Only the newest notice is sent, at most one a pause, and none after the call. The SDK drops
    them where the client gave no progress token.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self._loop = asyncio.get_running_loop()
        self._newest: tuple[int, int, str] | None = None
        self._there, self._over = asyncio.Event(), asyncio.Event()
        self._sending: asyncio.Task[None] | None = None
        self._last, self._furthest = 0.0, -1

    def __call__(self, done: int, total: int, message: str) -> None:
        """Note how far the call is, which is never less far than before; from any thread."""
        now = time.monotonic()
        if done <= self._furthest or (done < total and now - self._last < PAUSE / 2):
            return
        self._last, self._furthest = now, done
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._note, (done, total, message))

    async def __aenter__(self) -> Reports:
        return self

    async def __aexit__(self, *broken: object) -> None:
        if self._sending is None:
            return
        if broken[0] is not None:
            self._sending.cancel()  # without waiting: nobody may wait once a call is cancelled
            return
        self._over.set()
        self._there.set()
        await self._sending

    def _note(self, newest: tuple[int, int, str]) -> None:
        self._newest = newest
        self._there.set()
        if self._sending is None:
            self._sending = self._loop.create_task(self._keep_sending())

    async def _keep_sending(self) -> None:
        while not self._over.is_set():
            await self._there.wait()
            await self._send()
            with suppress(TimeoutError):
                async with asyncio.timeout(PAUSE):
                    await self._over.wait()
        await self._send()

    async def _send(self) -> None:
        self._there.clear()
        newest, self._newest = self._newest, None
        try:
            if newest is not None:
                await _sent(self._context, *newest)
        except Exception:  # a client that hears nothing more must not lose its call
            log.info("a notice of progress could not be sent", exc_info=True)


async def _sent(context: Context, done: int, total: int, message: str) -> None:
    session = context.session
    if session.can_send_request or context.protocol_version not in HANDSHAKE_PROTOCOL_VERSIONS:
        return await session.report_progress(done, total, message)
    # The answer to this request will be one piece of JSON: only the client's open stream is left.
    token = (context.meta or {}).get("progress_token")
    if token is not None:
        await session.send_progress_notification(token, done, total, message)
