"""The examination of a store that was not closed: beside reading, over before the first write."""

# Peewee's driver carries no types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from peewee import sqlite3  # pyright: ignore[reportAttributeAccessIssue]

from remembrancer.core.errors import StoreBusy, StoreProblem
from remembrancer.store import looking
from remembrancer.store.connections import Mode, address

_BOUND = 8.0  # seconds that somebody who writes waits for it at most
_CACHE = "PRAGMA cache_size = -65536"  # 64 MB: rows are looked up in every index
_PATIENCE = 2.0  # seconds that closing waits for one under way
_log = logging.getLogger(__name__)


class Examination:
    """One integrity check on a thread of its own; `told` hears what was found, before who waits.

    Work that nobody waits for is kept until then, and dropped where the store is damaged.
    """

    def __init__(self, path: Path, told: Callable[[list[str]], None]) -> None:
        self._path, self._told = path, told
        self._over = threading.Event()
        self._lock = threading.Lock()
        self._later: list[Callable[[], None]] = []
        self._conn: Any = None
        self._ended = False
        self.problem: StoreProblem | None = None
        self._thread = threading.Thread(target=self._run, name="store-examination", daemon=True)
        self._thread.start()

    @property
    def over(self) -> bool:
        """Whether it is known how the store is."""
        return self._over.is_set()

    def wait(self) -> None:
        """Wait until it is known whether anything may be written.

        Raises StoreBusy, to be tried again, where that takes longer than a caller should wait.
        """
        if not self._over.wait(_BOUND):
            raise StoreBusy(
                f"{self._path} was not closed and is being examined; it can be read, and "
                "written to again in a few minutes.", code="examining", path=str(self._path),
                retryable=True,
            )  # fmt: skip

    def afterwards(self, work: Callable[[], None]) -> None:
        """Do something once the store is known to be sound."""
        with self._lock:
            if not self.over:
                self._later.append(work)
                return
        if self.problem is None:
            work()

    def close(self) -> None:
        """Wait a moment; then break it off, and the next one to open the store examines it."""
        self._thread.join(_PATIENCE)
        with self._lock:
            self._ended = True
            if self._conn is not None:
                self._conn.interrupt()
        self._thread.join()

    def _run(self) -> None:
        try:
            found = self._found()
            if found:
                self.problem = looking.damaged(self._path, found[0])
                _log.warning("%s", self.problem)
            self._told(found)
        except sqlite3.Error as error:  # broken off, or locked: nothing is known
            self.problem = StoreProblem(
                f"{self._path} could not be examined after it was not closed: {error}.",
                code="unexamined", path=str(self._path),
            )  # fmt: skip
        with self._lock:
            later, self._later = self._later, []
            self._over.set()
        if self.problem is None:
            for work in later:
                work()

    def _found(self) -> list[str]:
        at = address(self._path, Mode.READ)
        conn: Any = sqlite3.connect(at, uri=True, check_same_thread=False)
        try:
            with self._lock:
                if self._ended:
                    raise sqlite3.OperationalError("it was closed")
                self._conn = conn
            conn.execute(_CACHE)
            return looking.checked(conn)
        finally:
            with self._lock:
                self._conn = None
            conn.close()
