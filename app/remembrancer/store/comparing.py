"""What a sound backup has that a salvaged store lost, and how it comes back.

Only what has an id of its own counts: what was there once and is not there now, is lost, unless
the person has forgotten it for good. What was changed since the backup stays as it is.
"""

# Peewee's driver carries no types.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from peewee import sqlite3  # pyright: ignore[reportAttributeAccessIssue]

from remembrancer.store import migrations
from remembrancer.store.connections import APPLICATION_ID, Mode, address
from remembrancer.store.salvage import RENEWAL

_FORGOTTEN = (
    "SELECT 1 FROM main.journal p WHERE p.deed = 'purge' AND p.subject = 'memory'"
    " AND p.subject_id = b.{}"
)
_GONE = "NOT EXISTS (SELECT 1 FROM main.{0} m WHERE m.{1} = b.{1})"
# table -> which of the backup's rows `b` are missing. Earlier ones come before what needs them.
_MISSING = {
    "entity": _GONE.format("entity", "id"),
    "memory": f"{_GONE.format('memory', 'id')} AND NOT EXISTS ({_FORGOTTEN.format('id')})",
    "relation": _GONE.format("relation", "id"),
    "agent": _GONE.format("agent", "id"),
    "proposal": _GONE.format("proposal", "id"),
    "journal": (
        f"{_GONE.format('journal', 'sequence')} AND NOT (b.subject = 'memory'"
        f" AND EXISTS ({_FORGOTTEN.format('subject_id')}))"
    ),
}
# table -> the column by which its rows come along with those of another that were taken in.
_ALONG = {
    "tag": ("memory", "memory_id"),
    "receipt": ("memory", "memory_id"),
    "group_member": ("entity", "group_id"),
    "place": ("entity", "entity_id"),
}


def same_history(store: Path, backup: Path) -> bool:
    """Whether a backup can be read by this version and is of the same store: sound, too."""
    try:
        with _beside(store, backup) as conn:
            mark = conn.execute("PRAGMA b.application_id").fetchone()[0]
            version = conn.execute("PRAGMA b.user_version").fetchone()[0]
            if mark != APPLICATION_ID or version > len(migrations.STEPS):
                return False
            sound = conn.execute("PRAGMA b.integrity_check(1)").fetchone()[0] == "ok"
            return sound and _shares_lines(conn)
    except sqlite3.Error:
        return False


def _shares_lines(conn: Any) -> bool:
    """Whether some line of the journal is the same in both; a store without any is its own."""
    text = (
        "SELECT count(*), count(m.sequence) FROM b.journal b LEFT JOIN main.journal m"
        " ON m.sequence = b.sequence AND m.at = b.at AND m.subject_id = b.subject_id"
    )
    lines, same = conn.execute(text).fetchone()
    return lines == 0 or same > 0


def missing(store: Path, backup: Path) -> dict[str, int]:
    """How many rows of each table only the backup has."""
    with _beside(store, backup) as conn:
        counts = {
            table: conn.execute(f"SELECT count(*) FROM b.{table} b WHERE {where}").fetchone()[0]
            for table, where in _MISSING.items()
        }
    return {table: int(count) for table, count in counts.items() if count}


def take_in(store: Path, backup: Path) -> dict[str, int]:
    """Bring them into the store; returns how many could be, which one that collides cannot."""
    taken: dict[str, int] = {}
    with _beside(store, backup) as conn:
        conn.execute("PRAGMA foreign_keys = 0")
        conn.execute("BEGIN IMMEDIATE")
        for table, where in _MISSING.items():
            conn.execute(f"CREATE TEMP TABLE taken_{table} (id INTEGER PRIMARY KEY)")
            taken[table] = _take(conn, table, where)
        for table, (owner, column) in _ALONG.items():
            _take(conn, table, f"b.{column} IN (SELECT id FROM taken_{owner})")
        _drop_dangling(conn)
        conn.execute(RENEWAL)
        conn.execute("COMMIT")
    return {table: count for table, count in taken.items() if count}


def _take(conn: Any, table: str, where: str) -> int:
    names = ", ".join(f'"{name}"' for name in _shared_columns(conn, table))
    if table in _MISSING:
        key = "sequence" if table == "journal" else "id"
        conn.execute(f"INSERT INTO taken_{table} SELECT b.{key} FROM b.{table} b WHERE {where}")
    text = f"INSERT OR IGNORE INTO main.{table} ({names}) SELECT {names} FROM b.{table} b WHERE "
    return max(int(conn.execute(text + where).rowcount), 0)


def _shared_columns(conn: Any, table: str) -> list[str]:
    there = {row[1] for row in conn.execute(f"PRAGMA b.table_info({table})").fetchall()}
    here = conn.execute(f"PRAGMA main.table_info({table})").fetchall()
    return [str(row[1]) for row in here if row[1] in there]


def _drop_dangling(conn: Any) -> None:
    """A row whose partner collided has nothing to point to; it stays in the backup."""
    for table, rowid, _, _ in conn.execute("PRAGMA main.foreign_key_check").fetchall():
        if rowid is not None:
            conn.execute(f'DELETE FROM main."{table}" WHERE rowid = ?', (rowid,))
    for table, (owner, column) in _ALONG.items():
        conn.execute(
            f"DELETE FROM main.{table} WHERE {column} NOT IN (SELECT id FROM main.{owner})"
        )


@contextmanager
def _beside(store: Path, backup: Path) -> Generator[Any]:
    conn = sqlite3.connect(address(store), uri=True, isolation_level=None)
    with closing(conn):
        conn.execute("ATTACH ? AS b", (address(backup, Mode.FROZEN),))
        yield conn
