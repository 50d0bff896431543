"""Looking after the file: integrity, backup, the space of its log."""

# Peewee carries no types: what comes out of it is unknown until it is a core value.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path
from typing import Any

from peewee import sqlite3  # pyright: ignore[reportAttributeAccessIssue]

from remembrancer.core.errors import StoreDamaged
from remembrancer.store import faults
from remembrancer.store.connections import Connections, wal_is_safe
from remembrancer.store.tables import TABLES


def problems(connections: Connections) -> list[str]:
    """What SQLite's own checks find wrong with the file; an empty list for a sound one."""
    # FTS5 checks by what a connection remembers of an index, so one that remembers nothing asks.
    with closing(sqlite3.connect(str(connections.path))) as fresh:
        found = [str(row[0]) for row in fresh.execute("PRAGMA integrity_check")]
    found = [] if found == ["ok"] else found
    broken = connections.sql("PRAGMA foreign_key_check")
    return found + [f"A row of {row[0]} points to a missing row of {row[2]}." for row in broken]


def facts(connections: Connections) -> dict[str, Any]:
    """What the file says of itself: sizes in bytes, SQLite's version, how it keeps its log."""
    wal = Path(f"{connections.path}-wal")
    return {
        "sqlite": sqlite3.sqlite_version,
        "sqliteIsSafe": wal_is_safe(),
        "journalMode": connections.sql("PRAGMA journal_mode")[0][0],
        "version": connections.sql("PRAGMA user_version")[0][0],
        "bytes": connections.path.stat().st_size,
        "walBytes": wal.stat().st_size if wal.exists() else 0,
        "mode": oct(connections.path.stat().st_mode & 0o777),
    }


def rows(connections: Connections) -> dict[str, int]:
    """How many rows each table has."""
    names = [str(t._meta.table_name) for t in TABLES]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownArgumentType]
    return {n: int(connections.sql(f'SELECT count(*) FROM "{n}"')[0][0]) for n in names}


def back_up(connections: Connections, target: Path) -> Path:
    """Copy the store into `target` while it is in use, check the copy, then give it its name."""
    part = target.with_name(target.name + ".part")
    part.unlink(missing_ok=True)
    with faults.named(connections.path):
        os.close(os.open(part, os.O_CREAT | os.O_RDWR, 0o600))
        copy: Any = sqlite3.connect(str(part))
        try:
            connections.connection().backup(copy)
            copy.execute("PRAGMA journal_mode = delete")
            check(copy, part)
        finally:
            copy.close()
    os.replace(part, target)
    return target


def check(conn: Any, path: Path) -> None:
    """Raise StoreDamaged unless the open file passes SQLite's integrity check."""
    verdict = conn.execute("PRAGMA integrity_check").fetchone()[0]
    if verdict != "ok":
        raise StoreDamaged(f"{path} did not pass the integrity check: {verdict}.")


def take_in_log(connections: Connections) -> None:
    """Move everything from the write-ahead log into the file and cut the log to nothing."""
    connections.sql("PRAGMA wal_checkpoint(TRUNCATE)")
