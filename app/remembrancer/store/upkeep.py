"""Looking after the file: integrity, what happened to it, the space of its log."""

# Peewee carries no types: what comes out of it is unknown until it is a core value.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from peewee import sqlite3  # pyright: ignore[reportAttributeAccessIssue]

from remembrancer.store import faults
from remembrancer.store.connections import Connections, wal_is_safe
from remembrancer.store.tables import TABLES


@dataclass(frozen=True, slots=True)
class Since:
    """How many memories were added, changed and removed; each counts once, added ones as added."""

    added: int
    changed: int
    removed: int


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


def removals(connections: Connections, batch: int) -> tuple[int, int]:
    """How many memories the call that began with a line deleted, and how many it purged."""
    text = (
        "SELECT coalesce(sum(deed = 'delete'), 0), coalesce(sum(deed = 'purge'), 0)"
        " FROM journal WHERE batch = ?"
    )
    deleted, purged = connections.sql(text, [batch])[0]
    return int(deleted), int(purged)


def most_deleted_at_once(connections: Connections, head: int) -> int:
    """The most memories that one call of an agent after a line of the journal deleted."""
    text = (
        "SELECT count(*) AS number FROM journal WHERE sequence > ? AND deed = 'delete'"
        " AND author_kind = 'agent' GROUP BY batch ORDER BY number DESC LIMIT 1"
    )
    found = connections.sql(text, [head])
    return int(found[0][0]) if found else 0


def since(connections: Connections, head: int) -> Since:
    """What happened to memories after a line of the journal."""
    text = (
        "SELECT count(CASE WHEN new THEN 1 END), count(CASE WHEN NOT new AND NOT gone THEN 1 END),"
        " count(CASE WHEN gone AND NOT new THEN 1 END) FROM"
        " (SELECT max(revision = 1 AND deed = 'remember') AS new,"
        " max(deed IN ('delete', 'purge')) AS gone FROM journal"
        " WHERE sequence > ? AND subject = 'memory' AND deed <> 'attempt' GROUP BY subject_id)"
    )
    with faults.named(connections.path):
        added, changed, removed = connections.sql(text, [head])[0]
    return Since(int(added), int(changed), int(removed))


def first_at(connections: Connections) -> int:
    """When the journal's first line was written; 0 where there is none."""
    found = connections.sql("SELECT at FROM journal ORDER BY sequence LIMIT 1")
    return int(found[0][0]) if found else 0


def written_at(connections: Connections, sequence: int) -> int:
    """When a line of the journal was written; 0 where there is none."""
    found = connections.sql("SELECT at FROM journal WHERE sequence = ?", [sequence])
    return int(found[0][0]) if found else 0


def take_in_log(connections: Connections) -> None:
    """Move everything from the write-ahead log into the file and cut the log to nothing."""
    connections.sql("PRAGMA wal_checkpoint(TRUNCATE)")
