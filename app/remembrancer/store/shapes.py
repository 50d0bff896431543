"""The tables of a damaged file, and which of its pages belong to which of them.

What the file says of its own tables counts first. A page that no tree leads to any more is known
by its records: by how many values they have, and of which types.
"""

# Peewee's driver carries no types.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from typing import Any

from peewee import sqlite3  # pyright: ignore[reportAttributeAccessIssue]

from remembrancer.store.pages import (
    INNER_INDEX,
    LEAF_INDEX,
    LEAF_TABLE,
    Pages,
    Row,
    Tree,
    Value,
)

_SCHEMA_COLUMNS = 5
_SCHEMA_KINDS = frozenset({"table", "index", "trigger", "view"})
_TYPES: dict[str, tuple[type, ...]] = {
    "INTEGER": (int,), "REAL": (int, float), "TEXT": (str,), "BLOB": (bytes,),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its type, whether it must have a value, and whether one is made up where absent."""

    name: str
    type: str
    needed: bool
    filled: bool


@dataclass
class Table:
    """One table: its columns in the order of the disk, the key that is the row's id, its pages."""

    name: str
    columns: list[Column]
    alias: str | None  # the column that stands for the row's id
    rowless: bool  # kept as an index is
    trees: list[Tree] = field(default_factory=list[Tree])
    strays: list[int] = field(default_factory=list[int])
    expected: int = 0  # rows that an index of it knows of

    @property
    def broken(self) -> bool:
        """Whether some of its pages may be missing from its tree."""
        return not self.trees or any(tree.broken for tree in self.trees)

    def fits(self, row: Row) -> bool:
        """Whether a record may be one of this table."""
        if not 0 < len(row.values) <= len(self.columns):
            return False
        given = zip(self.columns, row.values, strict=False)
        later = self.columns[len(row.values) :]
        return all(self._may_be(c, v) for c, v in given) and all(
            c.filled or not c.needed for c in later
        )

    def named(self, row: Row) -> dict[str, Value]:
        """A record's values by their columns."""
        values = dict(zip((c.name for c in self.columns), row.values, strict=False))
        if self.alias is not None:
            values[self.alias] = row.rowid
        return values

    def _may_be(self, column: Column, value: Value) -> bool:
        if value is None:
            return not column.needed or column.name == self.alias
        return isinstance(value, _TYPES.get(column.type, (object,)))


def table_of(sql: str) -> Table:
    """The table that a statement makes; raises sqlite3.Error for one that makes none."""
    with closing(sqlite3.connect(":memory:")) as conn:
        conn.execute(sql)
        rows = conn.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        name = next(str(r[0]) for r in rows if not str(r[0]).startswith("sqlite_"))
        return described(conn, name)


def described(conn: Any, name: str) -> Table:
    """The table of that name in an open database."""
    rows = conn.execute(f'PRAGMA table_info("{name}")').fetchall()
    listed = conn.execute("SELECT wr FROM pragma_table_list WHERE name = ?", (name,)).fetchone()
    keys = sorted((r for r in rows if r[5]), key=lambda r: r[5])
    rowless = bool(listed and listed[0])
    alias = str(keys[0][1]) if len(keys) == 1 and keys[0][2] == "INTEGER" and not rowless else None
    order = [*keys, *(r for r in rows if not r[5])] if rowless else rows
    columns = [Column(str(r[1]), str(r[2]), bool(r[3] or r[5]), r[4] is not None) for r in order]
    return Table(name, columns, alias, rowless)


def tables_in(pages: Pages, wanted: list[Table]) -> list[Table]:
    """The `wanted` tables as the file has them, each with the pages that hold its rows."""
    schema, whole = _schema(pages)
    used: set[int] = set()
    found = {t.name: t for t in wanted}
    _walk_tables(pages, schema, found, used)
    _walk_indexes(pages, schema, found, used)
    if not whole or any(t.broken for t in found.values()):
        _find_strays(pages, list(found.values()), used)
    return list(found.values())


def _schema(pages: Pages) -> tuple[list[tuple[str, str, str, int, str]], bool]:
    """(type, name, table, root, statement) of every object, and whether all could be read."""
    tree = Tree()
    pages.walk(1, tree)
    every = tree.pages if not tree.broken else range(1, pages.count + 1)
    found: dict[str, tuple[str, str, str, int, str]] = {}
    for page in every:
        if pages.kind(page) == LEAF_TABLE:
            for row in pages.rows(page):
                if row is not None and _of_schema(row):
                    kind, name, table, root, sql = row.values
                    found[str(name)] = (str(kind), str(name), str(table), int(str(root)), str(sql))
    return list(found.values()), not tree.broken


def _of_schema(row: Row) -> bool:
    if len(row.values) != _SCHEMA_COLUMNS or row.values[0] not in _SCHEMA_KINDS:
        return False
    _, name, table, root, sql = row.values
    text = isinstance(name, str) and isinstance(table, str) and isinstance(root, int)
    return text and (sql is None or (isinstance(sql, str) and sql.startswith("CREATE ")))


def _walk_tables(
    pages: Pages,
    schema: list[tuple[str, str, str, int, str]],
    found: dict[str, Table],
    used: set[int],
) -> None:
    for kind, name, _, root, sql in schema:
        if kind == "table" and root:
            tree = Tree()
            pages.walk(root, tree)
            used.update(tree.pages)
            if name in found:
                # Columns as the file has them: an earlier version had fewer.
                with suppress(sqlite3.Error, StopIteration):
                    found[name] = table_of(sql)
                found[name].trees.append(tree)


def _walk_indexes(
    pages: Pages,
    schema: list[tuple[str, str, str, int, str]],
    found: dict[str, Table],
    used: set[int],
) -> None:
    for kind, _, table, root, sql in schema:
        if kind == "index" and root:
            tree = Tree()
            pages.walk(root, tree)
            used.update(tree.pages)
            if table in found and " WHERE " not in sql.upper().replace("\n", " "):
                count = sum(pages.cells(page) for page in tree.pages)
                found[table].expected = max(found[table].expected, count)


def _find_strays(pages: Pages, tables: list[Table], used: set[int]) -> None:
    """Give each page that no tree leads to, to the table whose rows it may hold."""
    open_ = [t for t in tables if t.broken]
    for page in range(2, pages.count + 1):
        kind = pages.kind(page)
        if page in used or kind not in (LEAF_TABLE, LEAF_INDEX, INNER_INDEX):
            continue
        rows = [row for row in pages.rows(page) if row is not None]
        likely = [t for t in open_ if t.rowless == (kind != LEAF_TABLE)]
        owner = next((t for t in likely if rows and all(t.fits(row) for row in rows)), None)
        if owner is not None:
            owner.strays.append(page)


def rows_of(pages: Pages, table: Table) -> Iterator[dict[str, Value] | None]:
    """Every row of a table; None for each that cannot be read."""
    for page in [*(p for tree in table.trees for p in tree.pages), *table.strays]:
        for row in pages.rows(page):
            yield table.named(row) if row is not None and table.fits(row) else None
