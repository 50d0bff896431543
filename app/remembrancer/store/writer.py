"""The one thread that writes: it gathers waiting jobs into one transaction and one fsync."""

# Peewee carries no types: what comes out of it is unknown until it is a core value.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, Generic, TypeVar

from remembrancer.core.errors import StoreProblem
from remembrancer.store.connections import Connections

T = TypeVar("T")
GROUP = 64
_log = logging.getLogger(__name__)


class _Job(Generic[T]):
    """One piece of writing, and the place where its caller waits for what became of it."""

    def __init__(self, work: Callable[[], T]) -> None:
        self.work = work
        self.done = threading.Event()
        self.result: T | None = None
        self.error: BaseException | None = None

    def answer(self) -> T:
        self.done.wait()
        if self.error is not None:
            raise self.error
        return self.result  # pyright: ignore[reportReturnType]


def _quietly(work: Callable[[], object]) -> None:
    try:
        work()
    except Exception:
        _log.exception("Work that nobody waits for failed")
        raise


class Writer:
    """Runs jobs one after the other, each all or nothing, several to a commit.

    A job is acknowledged only after the commit that holds it has reached the disk.
    """

    def __init__(self, connections: Connections) -> None:
        self._db = connections
        self._jobs: queue.SimpleQueue[_Job[Any] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._loop, name="store-writer", daemon=True)
        self._closed = False
        self._gate = threading.Lock()
        connections.writer = self._thread
        self._thread.start()

    def run(self, work: Callable[[], T]) -> T:
        """Run `work` inside a transaction and return its result once that is durable."""
        if threading.current_thread() is self._thread:
            return work()
        job = _Job(work)
        with self._gate:
            if self._closed:
                raise StoreProblem("The store is closed.")
            self._jobs.put(job)
        return job.answer()

    def post(self, work: Callable[[], object]) -> None:
        """Let `work` run when its turn comes, without waiting; what fails is logged alone.

        For counts that nobody waits for; what was posted is done before the store closes.
        """
        with self._gate:
            if not self._closed:
                self._jobs.put(_Job(partial(_quietly, work)))

    def close(self) -> None:
        """Finish what was handed in, then end the thread."""
        with self._gate:
            if self._closed:
                return
            self._closed = True
            self._jobs.put(None)
        self._thread.join()

    def _loop(self) -> None:
        while (job := self._jobs.get()) is not None:
            if self._group(job):
                break

    def _group(self, first: _Job[Any]) -> bool:
        """Run `first` and whatever waits behind it in one transaction; True when told to end."""
        jobs, ended = [first], False
        try:
            self._db.sql("BEGIN IMMEDIATE")
            self._attempt(first)
            while len(jobs) < GROUP and not self._jobs.empty():
                job = self._jobs.get()
                if job is None:
                    ended = True
                    break
                jobs.append(job)
                self._attempt(job)
            self._db.sql("COMMIT")
        except BaseException as error:
            self._abandon(jobs, error)
        finally:
            for job in jobs:
                job.done.set()
        return ended

    def _attempt(self, job: _Job[Any]) -> None:
        """One job in a savepoint; its failure leaves the others of the group alone."""
        self._db.sql("SAVEPOINT job")
        try:
            job.result = job.work()
        except BaseException as error:
            job.error = error
            if not self._db.connection().in_transaction:
                raise  # SQLite gave the whole transaction up: a full disk, a failing one
            self._db.sql("ROLLBACK TO job")
        self._db.sql("RELEASE job")

    def _abandon(self, jobs: list[_Job[Any]], error: BaseException) -> None:
        """Nothing of the group was kept: every caller is told, whatever rolling back brings."""
        for job in jobs:
            job.error = job.error or error
        with suppress(Exception):
            if self._db.connection().in_transaction:
                self._db.sql("ROLLBACK")
