"""Work in a thread on behalf of a request that may be cancelled meanwhile."""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

BreakOff = Callable[[threading.Thread], None]

SHORT = 0.015  # seconds that work may take to be called short
SURE = 3  # times in a row that it has to be


class Pool(Executor):
    """Up to `most` threads that the end of the program does not wait for.

    What they do are transactions: one that is not at its end when the program is was never begun.
    """

    def __init__(self, most: int, name: str) -> None:
        self._most = most
        self._name = name
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._idle = threading.Semaphore(0)
        self._threads: list[threading.Thread] = []
        self._closed = False

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Let a thread call `fn` when one is free."""
        if self._closed:
            raise RuntimeError("the pool is closed")
        future: Future[T] = Future()
        self._jobs.put(lambda: _settle(future, lambda: fn(*args, **kwargs)))
        if not self._idle.acquire(blocking=False) and len(self._threads) < self._most:
            thread = threading.Thread(
                target=self._work, name=f"{self._name}_{len(self._threads)}", daemon=True
            )
            self._threads.append(thread)
            thread.start()
        return future

    def close(self, seconds: float) -> bool:
        """Take no more, let go what has not begun, and wait a while; whether all have ended."""
        self._closed = True
        try:
            while True:
                self._jobs.get_nowait()
        except queue.Empty:
            pass
        for _ in self._threads:
            self._jobs.put(None)
        deadline = time.monotonic() + seconds
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        return not any(thread.is_alive() for thread in self._threads)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()
            del job  # and what it holds
            self._idle.release()


def _settle(future: Future[Any], work: Callable[[], Any]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(work())
    except BaseException as error:
        future.set_exception(error)


class Workers:
    """Threads for the calls of agents; `break_off` ends the query that one of them runs.

    Work that is cancelled before it began never runs. Once begun, a change ends by itself, whole or
    not at all, because every deed is one transaction; only reading is broken off.
    """

    def __init__(self, pool: Executor, break_off: BreakOff) -> None:
        self._pool = pool
        self._break_off = break_off

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What `work` returns or raises."""
        job = _Job(lambda: work(*args, **kwargs))
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, job.run)
        except asyncio.CancelledError:
            job.break_off(self._break_off)
            raise

    async def run_known(
        self, name: str, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """The same; `name` is that of similar work, from which it may be told how long it takes."""
        return await self.run(work, *args, **kwargs)


class OneClient(Workers):
    """Work for a single client, done in the loop itself where waking a thread would take longer.

    A sort of work is done here once it has been short several times in a row, and in a thread
    again after it was not: only its own client waits meanwhile.
    """

    def __init__(self, pool: Executor, break_off: BreakOff) -> None:
        super().__init__(pool, break_off)
        self._short: Counter[str] = Counter()  # how often in a row

    async def run_known(
        self, name: str, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """What `work` returns or raises."""
        began = time.perf_counter()
        try:
            if self._short[name] >= SURE:
                return work(*args, **kwargs)
            return await self.run(work, *args, **kwargs)
        finally:
            short = time.perf_counter() - began < SHORT
            self._short[name] = self._short[name] + 1 if short else 0


class _Job(Generic[T]):
    """One piece of work, which knows its thread for as long as it has one."""

    def __init__(self, work: Callable[[], T]) -> None:
        self._work = work
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def run(self) -> T:
        self._belong_to(threading.current_thread())
        try:
            return self._work()
        finally:
            self._belong_to(None)

    def break_off(self, how: BreakOff) -> None:
        # Under the lock, so that it cannot hit the next job of that thread.
        with self._lock:
            if self._thread is not None:
                how(self._thread)

    def _belong_to(self, thread: threading.Thread | None) -> None:
        with self._lock:
            self._thread = thread
