"""What the journal gives back of rows that are lost: each line holds its subject as it was.

Also what makes a salvaged file whole: rows that point to nothing get what they point to, or are
put aside.
"""

# Peewee's driver carries no types.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from peewee import sqlite3  # pyright: ignore[reportAttributeAccessIssue]

from remembrancer.core.names import lookup_key
from remembrancer.store.memories import digest

if TYPE_CHECKING:
    from remembrancer.store.salvage import Salvaged

_LAST = (
    "SELECT j.subject_id, j.deed, j.at, j.snapshot FROM journal j JOIN"
    " (SELECT subject_id, max(sequence) AS last FROM journal WHERE subject = ?"
    "  AND snapshot IS NOT NULL AND deed <> 'attempt' GROUP BY subject_id) l ON j.sequence = l.last"
    ' WHERE NOT EXISTS (SELECT 1 FROM "{table}" t WHERE t.id = j.subject_id)'
    " AND NOT EXISTS (SELECT 1 FROM journal p WHERE p.subject = j.subject"
    "  AND p.subject_id = j.subject_id AND p.deed = 'purge')"
)


def complete(conn: Any, result: Salvaged) -> None:
    """Bring lost rows back from the journal; then let no row point to one that is not there."""
    _mend_contents(conn, result)
    for subject in ("entity", "memory", "relation"):
        for row in conn.execute(_LAST.format(table=subject), (subject,)).fetchall():
            _bring_back(conn, subject, row, result)
    _stand_in(conn, result)
    _put_dangling_aside(conn, result)


def _mend_contents(conn: Any, result: Salvaged) -> None:
    """Find contents that are not what was written, by their digest, and take the journal's."""
    rows = conn.execute("SELECT id, content, digest FROM memory").fetchall()
    for memory_id, content, kept in rows:
        if digest(content) == kept:
            continue
        whole = next((c for c in _contents(conn, memory_id) if digest(c) == kept), None)
        if whole is None:
            result.changed.append(int(memory_id))
            conn.execute("UPDATE memory SET digest = ? WHERE id = ?", (digest(content), memory_id))
        else:
            result.from_journal += 1
            conn.execute("UPDATE memory SET content = ? WHERE id = ?", (whole, memory_id))


def _contents(conn: Any, memory_id: int) -> list[str]:
    """The contents that a memory had, the last one first."""
    text = (
        "SELECT snapshot FROM journal WHERE subject = 'memory' AND subject_id = ?"
        " AND snapshot IS NOT NULL ORDER BY sequence DESC"
    )
    found: list[str] = []
    for (snapshot,) in conn.execute(text, (memory_id,)).fetchall():
        with suppress(ValueError, AttributeError):
            found.append(str(json.loads(snapshot).get("content")))
    return found


def _bring_back(conn: Any, table: str, row: tuple[Any, ...], result: Salvaged) -> None:
    subject_id, deed, at, text = row
    try:
        kept = json.loads(text)
        values, tags = _row(table, kept, str(deed), int(at))
        put(conn, table, {**values, "id": subject_id})
    except (ValueError, TypeError, KeyError, AttributeError, sqlite3.Error) as error:
        result.put_aside(table, {"id": subject_id, "snapshot": str(text)}, error)
        return
    result.from_journal += 1
    conn.execute("DELETE FROM tag WHERE memory_id = ?", (subject_id if table == "memory" else -1,))
    for position, name in enumerate(tags):
        values = {"memory_id": subject_id, "position": position, "name": name}
        put(conn, "tag", values)


def _row(table: str, kept: dict[str, Any], deed: str, at: int) -> tuple[dict[str, Any], list[str]]:
    """The columns of a subject's row as its last line has it, and the tags of a memory."""
    if table == "memory":
        left_out = ("entity", "scope", "tags")
        values = {k: v for k, v in kept.items() if k not in left_out}
        values["digest"] = digest(kept["content"])
        values["status"] = "deleted" if deed == "delete" else kept["status"]
        return {**values, "stems": ""}, list(kept.get("tags") or ())
    gone = at if deed in ("delete entity", "unrelate") else None
    if table == "relation":
        names = ("source_id", "target_id", "type", "created_at")
        return {**{n: kept[n] for n in names}, "deleted_at": gone}, []
    names = ("name", "type", "scope", "scope_revision", "ghost", "created_at", "updated_at")
    values = {n: kept[n] for n in names}
    return {**values, "lookup": lookup_key(kept["name"]), "deleted_at": gone}, []


def _stand_in(conn: Any, result: Salvaged) -> None:
    """Give memories and relations of an entity that nothing knows any more one to be about."""
    text = (
        "SELECT e FROM (SELECT entity_id AS e FROM memory UNION SELECT source_id FROM relation"
        " UNION SELECT target_id FROM relation) WHERE e IS NOT NULL"
        " AND NOT EXISTS (SELECT 1 FROM entity WHERE id = e)"
    )
    for (entity_id,) in conn.execute(text).fetchall():
        name = f"recovered {entity_id}"
        values = {
            "id": entity_id, "name": name, "lookup": lookup_key(name), "type": "recovered",
            "scope": "device", "scope_revision": 0, "ghost": 0, "created_at": 0, "updated_at": 0,
            "deleted_at": None,
        }  # fmt: skip
        try:
            put(conn, "entity", values)
            result.stand_ins += 1
        except sqlite3.IntegrityError as error:
            result.put_aside("entity", values, error)


def _put_dangling_aside(conn: Any, result: Salvaged) -> None:
    for table, column, wanted in _references(conn):
        where = (
            f'"{column}" IS NOT NULL AND NOT EXISTS'
            f' (SELECT 1 FROM "{wanted}" w WHERE w.id = "{table}"."{column}")'
        )
        cursor = conn.execute(f'SELECT * FROM "{table}" WHERE {where}')
        names = [str(each[0]) for each in cursor.description]
        for row in cursor.fetchall():
            why = f"its {wanted} is lost"
            result.put_aside(table, dict(zip(names, row, strict=True)), why)
        conn.execute(f'DELETE FROM "{table}" WHERE {where}')


def _references(conn: Any) -> list[tuple[str, str, str]]:
    """(table, column, table that it points to) of every reference in the file."""
    found: list[tuple[str, str, str]] = []
    names = conn.execute(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
    )
    for (table,) in names.fetchall():
        for row in conn.execute(f'PRAGMA foreign_key_list("{table}")').fetchall():
            found.append((str(table), str(row[3]), str(row[2])))
    return found


def put(conn: Any, table: str, values: dict[str, Any]) -> None:
    """Write one row; raises sqlite3.IntegrityError where it collides."""
    names = ", ".join(f'"{name}"' for name in values)
    marks = ", ".join("?" * len(values))
    conn.execute(f'INSERT INTO "{table}" ({names}) VALUES ({marks})', [*values.values()])
