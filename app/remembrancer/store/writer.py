"""Who writes: one thread at a time, with the jobs of all that wait in one transaction and fsync."""

# Peewee carries no types: what comes out of it is unknown until it is a core value.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false

from __future__ import annotations

import logging
import queue
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Generic, TypeVar

from remembrancer.core.errors import StoreProblem
from remembrancer.store import faults
from remembrancer.store.connections import Connections

T = TypeVar("T")
GROUP = 64
_log = logging.getLogger(__name__)


class _Job(Generic[T]):
    """One piece of writing, and the place where its caller waits for what became of it.

    Whoever waits may be told to lead instead. Nobody waits for one that was `posted`.
    """

    def __init__(self, work: Callable[[], T], *, posted: bool = False) -> None:
        self.work = work
        self.posted = posted
        self.told = threading.Event()
        self.leads = False
        self.result: T | None = None
        self.error: BaseException | None = None

    def answer(self) -> T:
        if self.error is not None:
            raise self.error
        return self.result  # pyright: ignore[reportReturnType]


class Writer:
    """Runs jobs one after the other, each all or nothing, several to a commit.

    Whoever has a job while nobody writes leads: it runs its own and what others handed in
    meanwhile, commits, and lets the next of those that wait lead. So no other thread need wake for
    a change that comes alone. A job is acknowledged only after the commit that holds it has
    reached the disk. What was posted, a thread leads if nobody else comes.
    """

    def __init__(self, connections: Connections) -> None:
        self._db = connections
        self._jobs: deque[_Job[Any]] = deque()
        self._gate = threading.Condition()  # guards the three around it
        self._led = False
        self._closed = False
        self._calls: queue.SimpleQueue[bool] = queue.SimpleQueue()  # to lead; False to end
        self._thread: threading.Thread | None = None

    def run(self, work: Callable[[], T]) -> T:
        """Run `work` inside a transaction and return its result once that is durable."""
        if self._db.is_writing:
            return work()
        job = _Job(work)
        with self._gate:
            if self._closed:
                raise StoreProblem("The store is closed.")
            self._jobs.append(job)
            job.leads, self._led = not self._led, True
        if not job.leads:
            job.told.wait()
        if job.leads:
            self._lead()
        return job.answer()

    def post(self, work: Callable[[], object]) -> None:
        """Let `work` run when its turn comes, without waiting; what fails is logged alone.

        For counts that nobody waits for; what was posted is done before the store closes.
        """
        with self._gate:
            if self._closed:
                return
            self._jobs.append(_Job(work, posted=True))
            if not self._led:
                self._led = True
                self._call()

    def close(self) -> None:
        """Finish what was handed in, then end."""
        with self._gate:
            self._closed = True
            self._gate.wait_for(lambda: not self._led)
        if self._thread is not None:
            self._calls.put(False)
            self._thread.join()

    def _call(self) -> None:
        """Let the thread lead, for what nobody waits for."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._loop, name="store-writer", daemon=True)
            self._thread.start()
        self._calls.put(True)

    def _loop(self) -> None:
        while self._calls.get():
            self._lead()

    def _lead(self) -> None:
        """Run what waits in one transaction, then tell its callers and let the next one lead."""
        jobs: list[_Job[Any]] = []
        try:
            with self._db.writing():
                self._group(jobs)
        except BaseException as error:  # there is no connection to write with
            self._abandon(jobs, error)
        finally:
            self._hand_over()
            for job in jobs:
                self._tell(job)

    def _tell(self, job: _Job[Any]) -> None:
        if job.posted and job.error is not None:
            problem = faults.problem(job.error, self._db.path)
            _log.error("What nobody waits for was not written: %s", problem, exc_info=job.error)
        job.leads = False
        job.told.set()

    def _hand_over(self) -> None:
        with self._gate:
            if not self._jobs:
                self._led = False
                self._gate.notify_all()
            elif self._jobs[0].posted:
                self._call()
            else:
                self._jobs[0].leads = True
                self._jobs[0].told.set()

    def _next(self) -> _Job[Any] | None:
        with self._gate:
            return self._jobs.popleft() if self._jobs else None

    def _group(self, jobs: list[_Job[Any]]) -> None:
        """Take up jobs, run them and commit; what breaks the transaction is told to them all."""
        try:
            self._begin(jobs)
            while len(jobs) < GROUP and (job := self._next()) is not None:
                jobs.append(job)
                self._attempt(job)
            self._db.sql("COMMIT")
        except BaseException as error:
            self._abandon(jobs, error)
            with suppress(Exception):
                if self._db.connection().in_transaction:
                    self._db.sql("ROLLBACK")

    def _begin(self, jobs: list[_Job[Any]]) -> None:
        """Begin; where another program does not let us, who waited meanwhile is told so, too.

        Otherwise each of them would wait once more for as long.
        """
        with self._gate:
            waiting = len(self._jobs)
        try:
            self._db.sql("BEGIN IMMEDIATE")
        except Exception:
            jobs += [job for _ in range(waiting) if (job := self._next()) is not None]
            raise

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
        """Nothing of the group was kept, which every caller is told; whoever leads at least."""
        if not jobs and (job := self._next()) is not None:
            jobs.append(job)
        for job in jobs[:1]:
            job.error = job.error or error
        for job in jobs[1:]:
            job.error = job.error or self._for_others(error)

    def _for_others(self, error: BaseException) -> StoreProblem:
        """What breaks the transaction of one thread, as another is told it: an error of its own."""
        if isinstance(error, StoreProblem):
            return type(error)(str(error), error.code, **error.facts)
        if isinstance(error, faults.DRIVER_ERRORS):
            return faults.problem(error, self._db.path)
        return StoreProblem("The work was broken off, and may not have been kept; look again.")
