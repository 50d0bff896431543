"""One file, one connection that writes, short readers: how they are opened, kept and lent."""

# Peewee carries no types: what comes out of it is unknown until it is a core value.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Any

from peewee import SqliteDatabase, sqlite3  # pyright: ignore[reportAttributeAccessIssue]

from remembrancer.store import faults

APPLICATION_ID = 0x52454D42  # "REMB"
BUSY_MILLISECONDS = 5_000
_SAFE = ((3, 51, 3),)
_BACKPORTS = ((3, 44, 6), (3, 50, 7))
_PRAGMAS = (
    ("foreign_keys", 1),
    ("busy_timeout", BUSY_MILLISECONDS),
    ("trusted_schema", 0),
    ("secure_delete", 1),
    ("mmap_size", 0),
    ("journal_size_limit", 16 << 20),
    ("synchronous", "FULL"),
    ("cache_size", -16_384),
)
# Kibibytes: there are many readers, and what the system keeps of the file serves them as well.
_READERS_CACHE = 4_096
# There a plain fsync reaches the disk's memory only.
_ON_MAC = (("fullfsync", 1), ("checkpoint_fullfsync", 1))


class Mode(StrEnum):
    """How a file is opened: to write, to read beside others, or as one that nobody changes."""

    WRITE = "mode=rw"
    READ = "mode=ro"
    FROZEN = "immutable=1"


def address(path: Path, mode: Mode = Mode.WRITE) -> str:
    """The address by which SQLite opens a file that must be there."""
    text = path.as_posix() if os.name == "nt" else str(path)
    for sign in "%?#":  # the per cent sign first, which the others are spelled with
        text = text.replace(sign, f"%{ord(sign):02x}")
    return f"file:{'///' if os.name == 'nt' else ''}{text}?{mode}"


def pragmas(platform: str = sys.platform) -> tuple[tuple[str, int | str], ...]:
    """The settings of every connection on a platform."""
    return (*_PRAGMAS, *_ON_MAC) if platform == "darwin" else _PRAGMAS


# At DEBUG it writes every statement with its values, and so what is being screened.
logging.getLogger("peewee").setLevel(logging.INFO)


def wal_is_safe(version: tuple[int, ...] = sqlite3.sqlite_version_info) -> bool:
    """Whether this SQLite is free of the WAL-reset fault (3.51.3, or a branch with the mend)."""
    mended = any(version[:2] == b[:2] and version >= b for b in _BACKPORTS)
    return mended or version >= _SAFE[0]


class Connections(SqliteDatabase):
    """Peewee's database for one file: a reading connection a thread, and one that writes.

    The writing one is lent to one thread at a time, which is for the writer to see to.
    """

    def __init__(self, path: Path, mode: Mode = Mode.WRITE) -> None:
        super().__init__(address(path, mode), check_same_thread=False, uri=True)
        self.path = path
        self._writing: Any = None
        self._open: dict[threading.Thread, Any] = {}
        self._open_lock = threading.Lock()
        self._here = threading.local()

    def _add_conn_hooks(self, conn: Any) -> None:
        super()._add_conn_hooks(conn)  # pyright: ignore[reportUnknownMemberType, reportAttributeAccessIssue]
        for name, value in pragmas():
            conn.execute(f"PRAGMA {name} = {value}")
        if not self.is_writing:
            conn.execute("PRAGMA query_only = 1")
            conn.execute(f"PRAGMA cache_size = -{_READERS_CACHE}")
            self._remember(conn)

    def _remember(self, conn: Any) -> None:
        with self._open_lock:
            for thread in [t for t in self._open if not t.is_alive()]:
                self._open.pop(thread).close()
            self._open[threading.current_thread()] = conn

    def run(self, query: Any) -> Any:
        """Run one Peewee query on this thread's connection; selects give their wrapper."""
        try:
            return query.execute(self)
        except faults.DRIVER_ERRORS as error:
            raise self._named(error) from error

    def rows(self, query: Any) -> list[tuple[Any, ...]]:
        """Every row of a select, as plain tuples, fetched at once."""
        return self.sql(*query.sql())

    def sql(self, text: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Every row of a statement written by hand: for what only SQLite knows."""
        try:
            cursor: Any = self.execute_sql(text, values)
            return cursor.fetchall()  # Peewee leaves what the driver raises here as it is
        except faults.DRIVER_ERRORS as error:
            raise self._named(error) from error

    def insert(self, text: str, values: Sequence[Any]) -> int:
        """Run an INSERT written beforehand and return the row's id."""
        cursor: Any = self.execute_sql(text, values)
        return int(cursor.lastrowid)

    def _named(self, error: Exception) -> Exception:
        """An error met while reading as a sentence; the writer looks at its own errors itself."""
        return error if self.is_writing else faults.problem(error, self.path)

    @contextmanager
    def reading(self) -> Generator[None]:
        """One consistent picture for several queries; while writing it is that transaction."""
        if self.is_writing or getattr(self._here, "reading", False):
            yield
            return
        self.sql("BEGIN")
        self._here.reading = True
        try:
            yield
        finally:
            self._here.reading = False
            self.sql("COMMIT")

    @property
    def is_writing(self) -> bool:
        """Whether this thread has the writing connection at the moment."""
        return getattr(self._here, "writing", False)

    @contextmanager
    def writing(self) -> Generator[None]:
        """Lend this thread the writing connection; what it reads meanwhile it reads there, too."""
        # This thread's own, where Peewee looks for the connection.
        state: Any = self._state  # pyright: ignore[reportAttributeAccessIssue]
        closed, conn = state.closed, state.conn
        self._here.writing = True
        try:
            if self._writing is None:
                self._writing = self._connect()  # pyright: ignore[reportAttributeAccessIssue]
            state.closed, state.conn = False, self._writing
            yield
        finally:
            state.closed, state.conn = closed, conn
            self._here.writing = False

    def interrupt(self, thread: threading.Thread) -> None:
        """Break off the query that `thread` runs at the moment, if any."""
        with self._open_lock:
            conn = self._open.get(thread)
        if conn is not None:
            conn.interrupt()

    def close_all(self) -> None:
        """Close the connections of every thread; the file's last one takes the WAL in."""
        with self._open_lock:
            for conn in self._open.values():
                conn.close()
            self._open.clear()
        if self._writing is not None:
            self._writing.close()
