"""Sound copies of a whole store in one file: made by SQLite itself, and checked before they count.

A store is copied through a connection of its own library, never as bytes: what is in its log would
be missing, and a lock of another connection could be lost.
"""

# Peewee's driver carries no types.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from peewee import sqlite3  # pyright: ignore[reportAttributeAccessIssue]

from remembrancer.core.errors import NotAStore, StoreBusy, StoreDamaged, StoreTooNew
from remembrancer.store import faults, migrations
from remembrancer.store.connections import APPLICATION_ID, Connections, wal_is_safe
from remembrancer.store.looking import SIDES
from remembrancer.store.memories import digest

PATIENCE = 1.0  # seconds to wait for others that have the store open
_MEMORIES = "SELECT count(*) FROM memory WHERE status <> 'deleted'"
_FIRST = "SELECT coalesce((SELECT at FROM journal ORDER BY sequence LIMIT 1), 0)"
_LAST = "SELECT sequence, at FROM journal ORDER BY sequence DESC LIMIT 1"


@dataclass(frozen=True, slots=True)
class Look:
    """What a store says of itself: living memories, the number of its journal's last line.

    `first_at` and `last_at` are when the first and the last line were written, by which a history
    is known again; 0 where there is none.
    """

    memories: int
    head: int
    first_at: int
    last_at: int


def copy_open(connections: Connections, part: Path) -> Look:
    """Copy a store that is in use into the new file `part`, checked; who writes goes on meanwhile.

    Raises StoreProblem, in a sentence that names the cause, and then `part` is no backup.
    """
    path = connections.path
    with connections.reading():
        expected = _copy(connections.connection(), path, part)
    return _checked(path, part, expected)


def copy_file(source: Path, part: Path) -> Look:
    """The same from a file that this process has not open; what is in its log comes along."""
    with closing(_read_only(source)) as conn, _told(source, source):
        _check_ours(conn, source)
        conn.execute("BEGIN")
        expected = _copy(conn, source, part)
    return _checked(source, part, expected)


def look(path: Path) -> Look:
    """What the finished backup at `path` says of itself; StoreProblem where it cannot be read."""
    with closing(_read_only(path)) as conn, faults.named(path):
        _check_ours(conn, path)
        return _look(conn)


def let_go(path: Path) -> None:
    """See that nobody has the store at `path` open, and bring its log into the file.

    Raises StoreBusy where somebody has it open, StoreDamaged or NotAStore where SQLite cannot.
    """
    conn: Any = sqlite3.connect(str(path), isolation_level=None, timeout=PATIENCE)
    with faults.named(path), closing(conn):
        _check_ours(conn, path)
        conn.execute("PRAGMA locking_mode = exclusive")
        try:
            conn.execute("BEGIN IMMEDIATE")
            conn.execute("COMMIT")
        except sqlite3.OperationalError as error:
            if "locked" in str(error) or "busy" in str(error):
                raise StoreBusy(
                    "Another program has the store open; close it, then try again.", code="open"
                ) from error
            raise
        conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def make_ready(path: Path) -> None:
    """Let a copy be a store again: with the log that a store keeps, and of a version we know."""
    conn: Any = sqlite3.connect(str(path), isolation_level=None)
    with faults.named(path), closing(conn):
        version = int(conn.execute("PRAGMA user_version").fetchone()[0])
        if version > len(migrations.STEPS):
            raise StoreTooNew("It was written by a newer version of Remembrancer; update this one.")
        conn.execute(f"PRAGMA journal_mode = {'wal' if wal_is_safe() else 'delete'}")


def pack(path: Path) -> Look:
    """Write a copy anew, so that no page keeps what was taken out of it, and check it again."""
    conn: Any = sqlite3.connect(str(path), isolation_level=None)
    with faults.named(path), closing(conn):
        conn.execute("PRAGMA journal_mode = delete")
        conn.execute("VACUUM")
        _check(conn, path)
        return _look(conn)


def sync(path: Path) -> None:
    """Let a finished file reach the disk."""
    with open(path, "rb+") as file:
        os.fsync(file.fileno())


def _copy(source: Any, path: Path, part: Path) -> dict[str, int]:
    """Copy what a connection sees in its transaction; returns the number of rows of each table."""
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    copy: Any = sqlite3.connect(str(part), isolation_level=None)
    with _told(path, part.parent), closing(copy):
        # The file is given to the disk once, at the end, and counts for nothing before.
        copy.execute("PRAGMA synchronous = off")
        source.execute("SELECT count(*) FROM sqlite_master").fetchone()  # the picture begins
        source.backup(copy)
        return _counts(source)


def _checked(path: Path, part: Path, expected: dict[str, int]) -> Look:
    """What a copy says of itself once it is one file and has passed every check."""
    copy: Any = sqlite3.connect(str(part), isolation_level=None)
    with _told(path, part.parent), closing(copy):
        copy.execute("PRAGMA synchronous = off")
        copy.execute("PRAGMA journal_mode = delete")
        _check(copy, path)
        if _counts(copy) != expected:
            raise StoreDamaged(f"The copy of {path} has not as many rows as the store.")
        return _look(copy)


def _check(conn: Any, path: Path) -> None:
    """Raise StoreDamaged unless the file is sound and every content is what was written."""
    verdict = conn.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if verdict != "ok":
        raise StoreDamaged(f"{path} did not pass the integrity check: {verdict}.")
    broken = conn.execute("PRAGMA foreign_key_check").fetchone()
    if broken is not None:
        raise StoreDamaged(
            f"In {path} a row of {broken[0]} points to a missing row of {broken[2]}."
        )
    for memory_id, content, kept in conn.execute("SELECT id, content, digest FROM memory"):
        if digest(content) != kept:
            raise StoreDamaged(
                f"In {path} the content of memory {memory_id} is not what was written."
            )


def _check_ours(conn: Any, path: Path) -> None:
    if int(conn.execute("PRAGMA application_id").fetchone()[0]) != APPLICATION_ID:
        raise NotAStore(f"{path} is not a store of memories.")


def _counts(conn: Any) -> dict[str, int]:
    """The rows of every table that the file itself has, whatever its version."""
    tables = conn.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
    ).fetchall()
    quoted = {name: str(name).replace('"', '""') for (name,) in tables}
    return {
        name: int(conn.execute(f'SELECT count(*) FROM "{written}"').fetchone()[0])
        for name, written in quoted.items()
    }


def _look(conn: Any) -> Look:
    last = conn.execute(_LAST).fetchone() or (0, 0)
    memories, first = conn.execute(_MEMORIES).fetchone()[0], conn.execute(_FIRST).fetchone()[0]
    return Look(int(memories), int(last[0]), int(first), int(last[1]))


def _read_only(path: Path) -> Any:
    """A connection that changes nothing; a file without a log is not even locked."""
    if not path.is_file():
        raise NotAStore(f"{path} is no file.")
    logged = any(Path(f"{path}{end}").exists() for end in SIDES)
    how = "mode=rw" if logged else "mode=ro&immutable=1"
    address = f"{path.absolute().as_uri()}?{how}"
    with faults.named(path):
        conn: Any = sqlite3.connect(address, uri=True, isolation_level=None, timeout=PATIENCE)
        conn.execute("PRAGMA query_only = 1")
    return conn


@contextmanager
def _told(source: Path, target: Path) -> Generator[None]:
    """What SQLite says, told of the file that it is about: what is damaged is the source."""
    try:
        yield
    except sqlite3.Error as error:
        about = source if faults.problem(error, source).code in _OF_SOURCE else target
        raise faults.problem(error, about) from error


_OF_SOURCE = ("malformed", "not a database", "locked", "busy")
