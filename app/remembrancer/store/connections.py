"""One file, one connection that writes, short readers: how they are opened, kept and lent."""

# Peewee carries no types: what comes out of it is unknown until it is a core value.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from peewee import SqliteDatabase, sqlite3  # pyright: ignore[reportAttributeAccessIssue]

from remembrancer.core.errors import NotAStore, StoreTooNew
from remembrancer.store import migrations

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
    ("cache_size", -32_768),
)


def wal_is_safe(version: tuple[int, ...] = sqlite3.sqlite_version_info) -> bool:
    """Whether this SQLite is free of the WAL-reset fault (3.51.3, or a branch with the mend)."""
    mended = any(version[:2] == b[:2] and version >= b for b in _BACKPORTS)
    return mended or version >= _SAFE[0]


class Connections(SqliteDatabase):
    """Peewee's database for one file: a reading connection a thread, and one that writes.

    The writing one is lent to one thread at a time, which is for the writer to see to.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(str(path), check_same_thread=False)
        self.path = path
        self._writing: Any = None
        self._open: dict[threading.Thread, Any] = {}
        self._open_lock = threading.Lock()
        self._here = threading.local()

    def _add_conn_hooks(self, conn: Any) -> None:
        super()._add_conn_hooks(conn)  # pyright: ignore[reportUnknownMemberType, reportAttributeAccessIssue]
        for name, value in _PRAGMAS:
            conn.execute(f"PRAGMA {name} = {value}")
        if not self.is_writing:
            conn.execute("PRAGMA query_only = 1")
            self._remember(conn)

    def _remember(self, conn: Any) -> None:
        with self._open_lock:
            for thread in [t for t in self._open if not t.is_alive()]:
                self._open.pop(thread).close()
            self._open[threading.current_thread()] = conn

    def run(self, query: Any) -> Any:
        """Run one Peewee query on this thread's connection; selects give their wrapper."""
        return query.execute(self)

    def rows(self, query: Any) -> list[tuple[Any, ...]]:
        """Every row of a select, as plain tuples, fetched at once."""
        return self.sql(*query.sql())

    def sql(self, text: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Every row of a statement written by hand: for what only SQLite knows."""
        cursor: Any = self.execute_sql(text, values)
        return cursor.fetchall()

    def insert(self, text: str, values: Sequence[Any]) -> int:
        """Run an INSERT written beforehand and return the row's id."""
        cursor: Any = self.execute_sql(text, values)
        return int(cursor.lastrowid)

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


def prepare(path: Path) -> None:
    """Make or open the file at `path`, see that it is ours, and bring it to our version.

    Raises NotAStore for a file of something else (an empty one too), StoreTooNew for a later one.
    """
    fresh = not path.exists()
    if not fresh and path.stat().st_size == 0:
        raise NotAStore(f"{path} is an empty file, not a store; move it away, then try again.")
    if fresh:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    conn: Any = sqlite3.connect(str(path), isolation_level=None, timeout=BUSY_MILLISECONDS / 1000)
    try:
        _bring_up(conn, path, fresh)
    finally:
        conn.close()


def _bring_up(conn: Any, path: Path, fresh: bool) -> None:
    ours = _pragma(conn, "application_id")
    if not fresh and ours != APPLICATION_ID and _pragma(conn, "schema_version"):
        raise NotAStore(f"{path} is the database of another program; choose another file.")
    version = _pragma(conn, "user_version")
    if version > len(migrations.STEPS):
        raise StoreTooNew(
            f"{path} was written by a newer version of Remembrancer (format {version}; this one "
            f"knows {len(migrations.STEPS)}). Update the program."
        )
    if version == len(migrations.STEPS):
        return
    conn.execute(f"PRAGMA journal_mode = {'wal' if wal_is_safe() else 'delete'}")
    _migrate(conn.execute, lambda: _pragma(conn, "user_version"))


def _migrate(execute: Callable[[str], object], version: Callable[[], int]) -> None:
    execute("BEGIN IMMEDIATE")
    try:
        for step in migrations.pending(version()):
            step(execute)
        execute(f"PRAGMA application_id = {APPLICATION_ID}")
        execute(f"PRAGMA user_version = {len(migrations.STEPS)}")
        execute("COMMIT")
    except BaseException:
        execute("ROLLBACK")
        raise


def _pragma(conn: Any, name: str) -> int:
    return int(conn.execute(f"PRAGMA {name}").fetchone()[0])
