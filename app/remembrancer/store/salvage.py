"""Out of a damaged file into a new one: every row that can be read, and what the journal knows.

Works on copies only. Indexes are made anew; what the journal gives back is indexed when the store
is opened next. A row that collides with another, or points to one that is gone, is kept aside.
"""

# Peewee's driver carries no types.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false

from __future__ import annotations

import mmap
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from peewee import sqlite3  # pyright: ignore[reportAttributeAccessIssue]

from remembrancer.store import journal_rows, looking, opening, shapes
from remembrancer.store.connections import address
from remembrancer.store.pages import MAGIC, Pages, Value
from remembrancer.store.shapes import Table

Told = Callable[[str, int], object]  # a table, and how many of its rows there are so far
_MADE_ANEW = ("word", "word_near")  # what the renewal of the index writes
_HEADER = 100
_GROUP = 500
RENEWAL = "DELETE FROM setting WHERE name IN ('analyser', 'analyser_reached')"


@dataclass
class Kept:
    """What became of one table: rows found, rows known to be lost, rows that collided."""

    table: str
    found: int = 0
    lost: int = 0
    aside: int = 0


@dataclass
class Salvaged:
    """What came of it: the tables, rows put aside as (table, values, why), rows from the journal.

    `stand_ins` are entities whose name is lost too; `changed` are the memories whose content is not
    what was written, and which nothing can mend.
    """

    tables: list[Kept] = field(default_factory=list[Kept])
    aside: list[tuple[str, dict[str, Value], str]] = field(
        default_factory=list[tuple[str, dict[str, Value], str]]
    )
    from_journal: int = 0
    stand_ins: int = 0
    changed: list[int] = field(default_factory=list[int])

    def put_aside(self, table: str, values: dict[str, Value], why: object) -> None:
        """Keep a row that has no place in the new file."""
        self.aside.append((table, values, str(why)))
        for kept in self.tables:
            kept.aside += kept.table == table


def mend_lightly(copy: Path) -> bool:
    """Make the indexes of a copy anew; whether it is sound afterwards, without a row lost."""
    if _mend_header(copy):
        return False  # with it went what version the file is of
    try:
        with closing(_writing(copy)) as conn:
            conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            conn.execute("REINDEX")
            for name in _full_text(conn):
                conn.execute(f"INSERT INTO {name} ({name}) VALUES ('rebuild')")
            return not found_wrong(conn)
    except sqlite3.Error:
        return False


def found_wrong(conn: Any) -> list[str]:
    """What is wrong with an open file: its pages, its references, its indexes of words."""
    found = looking.checked(conn)
    broken = conn.execute("PRAGMA foreign_key_check").fetchall()
    found += [f"A row of {row[0]} points to a missing row of {row[2]}." for row in broken]
    for name in _full_text(conn):
        try:
            conn.execute(f"INSERT INTO {name} ({name}, rank) VALUES ('integrity-check', 1)")
        except sqlite3.DatabaseError as error:
            found.append(f"The index {name} does not match: {error}")
    return found


def wrong_with(path: Path) -> list[str]:
    """The same of a file that nobody has open."""
    with closing(_writing(path)) as conn:
        return found_wrong(conn)


def salvage(copy: Path, target: Path, told: Told = lambda table, rows: None) -> Salvaged:
    """Write every row that can be read in `copy`, a file of ours alone, into a new store."""
    _mend_header(copy)
    with suppress(sqlite3.Error), closing(_writing(copy)) as conn:
        conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    opening.make(target)
    with closing(_writing(target)) as conn, _mapped(copy) as data:
        conn.execute("PRAGMA journal_mode = delete")
        conn.execute("PRAGMA foreign_keys = 0")
        conn.execute("BEGIN IMMEDIATE")
        result = _moved(Pages(data), conn, told)
        journal_rows.complete(conn, result)
        if result.from_journal:
            conn.execute(RENEWAL)
        _keep_ids(conn)
        conn.execute("COMMIT")
    return result


def _moved(pages: Pages, conn: Any, told: Told) -> Salvaged:
    result = Salvaged()
    wanted = [shapes.described(conn, name) for name in _own_tables(conn)]
    columns = {t.name: {c.name for c in t.columns} for t in wanted}
    conn.execute("DELETE FROM setting")  # a new store has some
    for table in shapes.tables_in(pages, wanted):
        kept = Kept(table.name)
        result.tables.append(kept)
        _move(pages, table, columns[table.name], conn, result, kept, told)
    return result


def _move(
    pages: Pages, table: Table, columns: set[str], conn: Any, result: Salvaged, kept: Kept,
    told: Told,
) -> None:  # fmt: skip
    unread = 0
    for values in shapes.rows_of(pages, table):
        if values is None:
            unread += 1
            continue
        known = {name: value for name, value in values.items() if name in columns}
        try:
            journal_rows.put(conn, table.name, known)
        except sqlite3.IntegrityError as error:
            result.put_aside(table.name, known, error)
            continue
        kept.found += 1
        if kept.found % _GROUP == 0:
            told(table.name, kept.found)
    kept.lost = max(unread, table.expected - kept.found - kept.aside, 0)
    told(table.name, kept.found)


def _own_tables(conn: Any) -> Iterable[str]:
    """The tables whose rows are the store's own: not those that SQLite and the indexes keep."""
    text = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
    names = [str(row[0]) for row in conn.execute(text).fetchall()]
    return [n for n in names if not n.startswith("sqlite_") and n not in _MADE_ANEW]


def _full_text(conn: Any) -> list[str]:
    text = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'virtual'"
    return [str(row[0]) for row in conn.execute(text).fetchall()]


def _keep_ids(conn: Any) -> None:
    """Give no new memory the id of one that the journal speaks of."""
    text = (
        "SELECT max(coalesce((SELECT max(id) FROM memory), 0), coalesce((SELECT max(subject_id)"
        " FROM journal WHERE subject = 'memory'), 0))"
    )
    last = conn.execute(text).fetchone()[0]
    conn.execute("DELETE FROM sqlite_sequence WHERE name = 'memory'")
    conn.execute("INSERT INTO sqlite_sequence (name, seq) VALUES ('memory', ?)", (last,))


def _mapped(path: Path) -> Any:
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _writing(path: Path) -> Any:
    return sqlite3.connect(address(path), uri=True, isolation_level=None)


def _mend_header(copy: Path) -> bool:
    """Give a file whose first bytes are gone those that every store begins with."""
    with copy.open("r+b") as file:
        head = file.read(_HEADER)
        size = int.from_bytes(head[16:18], "big")
        if head[:16] == MAGIC and size and size & (size - 1) == 0:
            return False
        pages = copy.stat().st_size // 4096
        file.seek(0)
        file.write(_header(pages))
    return True


def _header(pages: int) -> bytes:
    """The first 100 bytes of a store of that many pages, as sqlite.org describes them."""
    numbers = (0, 1, pages, 0, 0, 1, 4, 0, 0, 1, 0, 0, opening.APPLICATION_ID)
    head = MAGIC + bytes((0x10, 0x00, 2, 2, 0, 64, 32, 32))
    head += b"".join(n.to_bytes(4, "big") for n in numbers[1:])
    return head + bytes(20) + (1).to_bytes(4, "big") + (3_051_003).to_bytes(4, "big")
