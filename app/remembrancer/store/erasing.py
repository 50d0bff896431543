"""Taking one memory out of a closed copy of a store, whatever version of the file it is.

What the writer does in an open store is done here with the file's own tables and triggers, so that
a backup stays of the version that it was made in.
"""

# Peewee's driver carries no types.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

from peewee import sqlite3  # pyright: ignore[reportAttributeAccessIssue]

from remembrancer.store import faults

_LINES = "SELECT sequence FROM journal WHERE subject = 'memory' AND subject_id = ?"
_HELD = (
    "SELECT EXISTS (SELECT 1 FROM memory WHERE id = ?) OR EXISTS (SELECT 1 FROM journal"
    " WHERE subject = 'memory' AND subject_id = ? AND snapshot IS NOT NULL)"
)
_SEALED = (
    "DELETE FROM sealed WHERE (place = 'memory' AND row_id = ?)"
    f" OR (place = 'journal' AND row_id IN ({_LINES}))"
)
_SNAPSHOTS = (
    "UPDATE journal SET snapshot = NULL, reason = NULL WHERE subject = 'memory' AND subject_id = ?"
)


def holds(path: Path, memory_id: int) -> bool:
    """Whether the finished file at `path` has words of a memory: itself, or in its history."""
    address = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
    with faults.named(path), closing(sqlite3.connect(address, uri=True)) as conn:
        return bool(conn.execute(_HELD, (memory_id, memory_id)).fetchone()[0])


def erase(path: Path, memory_id: int) -> None:
    """Take a memory out of the copy at `path`: row, history, index, and what else speaks of it."""
    conn: Any = sqlite3.connect(str(path), isolation_level=None)
    with faults.named(path), closing(conn):
        conn.execute("PRAGMA secure_delete = 1")
        tables = _tables(conn)
        conn.execute("BEGIN IMMEDIATE")
        _erase(conn, tables, memory_id)
        conn.execute("COMMIT")
        for name, text in tables.items():
            if "USING fts5" in text:  # what was deleted leaves the index's pages as they merge
                conn.execute(f'INSERT INTO "{name}" ("{name}") VALUES (\'optimize\')')


def _erase(conn: Any, tables: dict[str, str], memory_id: int) -> None:
    terms = _terms(conn, memory_id) if "word" in tables else []
    for name, text in tables.items():
        if "memory_id" in text:
            conn.execute(f'DELETE FROM "{name}" WHERE memory_id = ?', (memory_id,))
    if "sealed" in tables:
        conn.execute(_SEALED, (memory_id, memory_id))
    if "once" in tables:
        conn.execute("UPDATE once SET outcome = NULL")
    conn.execute(_SNAPSHOTS, (memory_id,))
    conn.execute("DELETE FROM memory WHERE id = ?", (memory_id,))
    _forget(conn, terms)


def _terms(conn: Any, memory_id: int) -> list[str]:
    """The words that the memory has in the table of words."""
    row = conn.execute("SELECT stems, parts FROM memory WHERE id = ?", (memory_id,)).fetchone()
    return [*{*" ".join(row or ()).replace("_", " ").split()}]


def _forget(conn: Any, terms: list[str]) -> None:
    """Take those words out of the table of words that no memory has any more."""
    if not terms:
        return
    conn.execute("CREATE VIRTUAL TABLE temp.held USING fts5vocab (main, memory_index, row)")
    conn.execute(
        "DELETE FROM word WHERE term IN (SELECT value FROM json_each(?))"
        " AND NOT EXISTS (SELECT 1 FROM temp.held WHERE held.term = word.term)",
        (json.dumps(terms),),
    )
    conn.execute("DROP TABLE temp.held")
    conn.execute("DELETE FROM word_near WHERE word_id NOT IN (SELECT id FROM word)")


def _tables(conn: Any) -> dict[str, str]:
    """The file's own tables, each with the words that made it."""
    text = "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND sql IS NOT NULL"
    return {str(name): str(made) for name, made in conn.execute(text).fetchall()}
