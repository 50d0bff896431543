"""Library calls off the GUI thread: one worker, and the answer comes back where it was asked."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Qt, Signal

from remembrancer.core.errors import RemembrancerError

T = TypeVar("T")
_log = logging.getLogger(__name__)

UNEXPECTED = "Something went wrong inside Remembrancer; the log has the details."


@dataclass
class _Job:
    owner: QObject | None
    work: Callable[[], Any]
    done: Callable[[Any], None]
    failed: Callable[[RemembrancerError], None]


class Background(QObject):
    """Runs calls in the order they are handed in. `busy` tells whether something is under way."""

    _finished = Signal(object, object, object)
    busy = Signal(bool)

    def __init__(self, problem: Callable[[RemembrancerError], None], parent: QObject) -> None:
        super().__init__(parent)
        self._problem = problem
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._waiting = 0
        self._finished.connect(self._deliver, Qt.ConnectionType.QueuedConnection)
        self._thread = threading.Thread(target=self._loop, name="library-calls", daemon=True)
        self._thread.start()

    def run(
        self,
        work: Callable[[], T],
        done: Callable[[T], None],
        failed: Callable[[RemembrancerError], None] | None = None,
        owner: QObject | None = None,
    ) -> None:
        """Run `work` on the worker; `done` or `failed` is called on the GUI thread afterwards.

        Nothing is called back once `owner` is gone. What fails unexpectedly is logged and shown.
        """
        self._waiting += 1
        if self._waiting == 1:
            self.busy.emit(True)
        self._jobs.put(_Job(owner, work, done, failed or self._problem))

    @property
    def idle(self) -> bool:
        """Whether nothing is under way or waiting."""
        return self._waiting == 0

    def close(self) -> None:
        """Finish what was handed in, then end the worker."""
        self._jobs.put(None)
        self._thread.join()

    def _loop(self) -> None:
        while (job := self._jobs.get()) is not None:
            result, error = None, None
            try:
                result = job.work()
            except RemembrancerError as expected:
                error = expected
            except Exception:
                _log.exception("A call from the window failed")
                error = RemembrancerError(UNEXPECTED)
            self._finished.emit(job, result, error)

    def _deliver(self, job: _Job, result: Any, error: RemembrancerError | None) -> None:
        from shiboken6 import Shiboken

        self._waiting -= 1
        if self._waiting == 0:
            self.busy.emit(False)
        if job.owner is not None and not Shiboken.isValid(job.owner):
            return
        if error is not None:
            job.failed(error)
        else:
            job.done(result)
