"""The journal's rows: append, read on from a line, look back at one subject."""

# Peewee carries no types: what comes out of it is unknown until it is a core value.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false

from __future__ import annotations

import json
from typing import Any

from peewee import fn

from remembrancer.core.journal import Deed, JournalLine, Subject
from remembrancer.store.connections import Connections
from remembrancer.store.tables import JournalRow

_COLUMNS = (
    JournalRow.sequence,
    JournalRow.at,
    JournalRow.author,
    JournalRow.author_kind,
    JournalRow.origin,
    JournalRow.deed,
    JournalRow.batch,
    JournalRow.subject,
    JournalRow.subject_id,
    JournalRow.entity_id,
    JournalRow.revision,
    JournalRow.snapshot,
    JournalRow.reason,
    JournalRow.outcome,
    JournalRow.agent_id,
)


# Peewee takes longer to write this statement than SQLite to run it, so it is kept.
# It names the columns in the table's order, whatever order they are given in.
_WRITTEN = list(JournalLine.__slots__)
_WRITTEN.insert(_WRITTEN.index("outcome"), "idempotency_key")
_INSERT = str(JournalRow.insert(dict.fromkeys(_WRITTEN)).sql()[0])
_BARE = (
    f"SELECT {', '.join('NULL' if n == 'snapshot' else n for n in JournalLine.__slots__)}"
    " FROM journal WHERE sequence > ? ORDER BY sequence LIMIT ?"
)


class Journal:
    """The journal of one store; lines are only ever added (purging empties their snapshots)."""

    def __init__(self, connections: Connections) -> None:
        self._db = connections

    def head(self) -> int:
        """The sequence of the newest line; 0 when there is none."""
        return int(self._db.sql("SELECT coalesce(max(sequence), 0) FROM journal")[0][0])

    def append(self, line: JournalLine, idempotency_key: str | None = None) -> None:
        """Add a line under its sequence, which the writer's lock keeps without a gap."""
        values = {f: getattr(line, f, idempotency_key) for f in _WRITTEN}
        values["snapshot"] = json.dumps(line.snapshot, ensure_ascii=False, separators=(",", ":"))
        self._db.insert(_INSERT, list(values.values()))

    def after(self, sequence: int, limit: int) -> list[JournalLine]:
        """The lines after `sequence`, oldest first."""
        return self._fetch(JournalRow.sequence > sequence, limit=limit)

    def bare_after(self, sequence: int, limit: int) -> list[JournalLine]:
        """The same without their snapshots: what was touched, for who asks again and again."""
        rows = self._db.sql(_BARE, [sequence, limit])
        return [_line(row) for row in rows]

    def newest(
        self, limit: int, before: int | None = None, author: str | None = None, words: str = ""
    ) -> list[JournalLine]:
        """The newest lines before a sequence, newest first; by one author when named."""
        where: list[Any] = [] if before is None else [JournalRow.sequence < before]
        if author is not None:
            where.append(JournalRow.author == author)
        if words:
            where.append(fn.INSTR(fn.LOWER(JournalRow.snapshot), words.lower()) > 0)
        return self._fetch(*where, limit=limit, newest=True)

    def of(
        self, subject: Subject, subject_id: int, before: int | None = None, limit: int = 1_000
    ) -> list[JournalLine]:
        """The lines about one subject, newest first; mere attempts are left out."""
        where: list[Any] = [
            JournalRow.subject == subject,
            JournalRow.subject_id == subject_id,
            JournalRow.deed != Deed.ATTEMPT,
        ]
        if before is not None:
            where.append(JournalRow.sequence < before)
        return self._fetch(*where, limit=limit, newest=True)

    def batch(self, batch: int) -> list[JournalLine]:
        """The lines of one call, oldest first."""
        return self._fetch(JournalRow.batch == batch)

    def line(self, sequence: int) -> JournalLine | None:
        """One line."""
        found = self._fetch(JournalRow.sequence == sequence)
        return found[0] if found else None

    def authors(self) -> list[str]:
        """Everybody who ever wrote, by name."""
        query = JournalRow.select(JournalRow.author).distinct().order_by(JournalRow.author)
        return [row[0] for row in self._db.rows(query)]

    def empty_snapshots(self, subject: Subject, subject_id: int) -> None:
        """Take the words out of every line about a subject (for purging)."""
        query = JournalRow.update(snapshot=None, reason=None)
        where = (JournalRow.subject == subject) & (JournalRow.subject_id == subject_id)
        self._db.run(query.where(where))

    def _fetch(
        self, *where: Any, limit: int | None = None, newest: bool = False
    ) -> list[JournalLine]:
        order = JournalRow.sequence.desc() if newest else JournalRow.sequence
        query = JournalRow.select(*_COLUMNS).order_by(order)
        if where:
            query = query.where(*where)
        rows = self._db.rows(query.limit(limit) if limit is not None else query)
        return [_line(row) for row in rows]


def _line(row: tuple[Any, ...]) -> JournalLine:
    kept = dict(zip(JournalLine.__slots__, row, strict=True))
    kept["deed"], kept["subject"] = Deed(kept["deed"]), Subject(kept["subject"])
    if kept["snapshot"] is not None:
        kept["snapshot"] = json.loads(kept["snapshot"])
    return JournalLine(**kept)
