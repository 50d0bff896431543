"""All texts that are kept of a subject, also of its past; what masking took out; what is spared."""

# Peewee carries no types: what comes out of it is unknown until it is a core value.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from remembrancer.core.journal import Subject
from remembrancer.core.names import lookup_key
from remembrancer.core.screening import Held
from remembrancer.store.connections import Connections

# subject -> its table, and the columns of a row that hold texts.
_OWN: dict[Subject, tuple[str, ...]] = {
    Subject.MEMORY: (
        "title", "content", "key", "source", "archived_reason", "archived_by", "verified_by",
        "author",
    ),
    Subject.ENTITY: ("name", "type"),
    Subject.RELATION: ("type",),
    Subject.AGENT: ("name", "client_name", "client_version", "entity"),
}  # fmt: skip
_JOURNAL = ("snapshot", "reason")
_PROPOSAL = ("arguments", "reason")
# place -> (the name of its row's number, the columns that may be written)
_PLACES: dict[str, tuple[str, tuple[str, ...]]] = {
    **{subject.value: ("id", columns) for subject, columns in _OWN.items()},
    "journal": ("sequence", _JOURNAL),
    "proposal": ("id", _PROPOSAL),
}
AGAIN = "again"  # a row that tells which credentials an undo let out, by their fingerprints
FORGOTTEN = "forgotten"  # a row that tells that the originals of a deed were dropped
_IN = "IN (SELECT value FROM json_each(?))"


class Sealed(NamedTuple):
    """What masking took out: the column it stood in, and how it read."""

    place: str
    row_id: int
    field: str
    original: str


class SealedDeed(NamedTuple):
    """One deed of masking whose originals are still there: how many texts, when (microseconds)."""

    batch: int
    texts: int
    at: int


class Screening:
    """Reads and changes texts wherever they rest; changing belongs inside the writer."""

    def __init__(self, connections: Connections) -> None:
        self._db = connections

    # --- what is kept

    def count(self, subject: Subject) -> int:
        """How many rows a subject has, tombstones too."""
        return int(self._db.sql(f"SELECT count(*) FROM {subject}")[0][0])

    def ids_after(self, subject: Subject, last: int, most: int) -> list[int]:
        """The next numbers of a subject past one."""
        text = f"SELECT id FROM {subject} WHERE id > ? ORDER BY id LIMIT ?"
        return [row[0] for row in self._db.sql(text, (last, most))]

    def held(self, subject: Subject, ids: Sequence[int]) -> dict[int, list[Held]]:
        """Every text of these subjects by number: of their rows, their tags and their past."""
        found: dict[int, list[Held]] = {each: [] for each in ids}
        asked = json.dumps(list(ids))
        for subject_id, held in self._everything(subject, asked):
            if held.text:
                found[subject_id].append(held)
        return found

    def sizes(self, subject: Subject, ids: Sequence[int]) -> dict[int, int]:
        """number -> how many characters the journal keeps of it."""
        text = (
            "SELECT subject_id, sum(length(snapshot)) FROM journal WHERE subject = ?"
            f" AND subject_id {_IN} GROUP BY subject_id"
        )
        return {row[0]: row[1] or 0 for row in self._db.sql(text, (subject, json.dumps(list(ids))))}

    def written(self, subject: Subject, ids: Sequence[int]) -> dict[int, int]:
        """number -> when the journal last tells of it, in microseconds."""
        text = (
            "SELECT subject_id, max(at) FROM journal WHERE subject = ? AND subject_id"
            f" {_IN} GROUP BY subject_id"
        )
        return dict(self._db.sql(text, (subject, json.dumps(list(ids)))))

    def _everything(self, subject: Subject, asked: str) -> Iterator[tuple[int, Held]]:
        columns = _OWN[subject]
        named = ", ".join(columns)
        for row in self._db.sql(f"SELECT id, {named} FROM {subject} WHERE id {_IN}", (asked,)):
            yield from _cells(row[0], str(subject), row[0], columns, row[1:])
        past = f"SELECT subject_id, sequence, {', '.join(_JOURNAL)} FROM journal WHERE subject = ?"
        for row in self._db.sql(f"{past} AND subject_id {_IN} ORDER BY sequence", (subject, asked)):
            yield from _cells(row[0], "journal", row[1], _JOURNAL, row[2:])
        if subject is Subject.MEMORY:
            tags = f"SELECT memory_id, json_group_array(name) FROM tag WHERE memory_id {_IN}"
            for row in self._db.sql(f"{tags} GROUP BY memory_id", (asked,)):
                yield row[0], Held("memory", row[0], "tags", row[1])
        if subject is Subject.AGENT:
            yield from self._proposals(asked)

    def _proposals(self, asked: str) -> Iterator[tuple[int, Held]]:
        text = f"SELECT agent_id, id, {', '.join(_PROPOSAL)} FROM proposal WHERE agent_id {_IN}"
        for row in self._db.sql(text, (asked,)):
            yield from _cells(row[0], "proposal", row[1], _PROPOSAL, row[2:])

    def put(self, held: Held) -> None:
        """Write a text into its column; raises KeyError for a column that holds none."""
        number, columns = _PLACES[held.place]
        if held.field not in columns:
            raise KeyError(held.field)
        text = f"UPDATE {held.place} SET {held.field} = ? WHERE {number} = ?"
        self._db.sql(text, (held.text, held.row_id))
        if (held.place, held.field) == (Subject.ENTITY, "name"):
            looked_up = (lookup_key(held.text), held.row_id)
            self._db.sql("UPDATE entity SET lookup = ? WHERE id = ?", looked_up)

    def tombstones_of(self, entity_id: int) -> list[int]:
        """The numbers of an entity's deleted memories."""
        text = "SELECT id FROM memory WHERE entity_id = ? AND status = 'deleted'"
        return [row[0] for row in self._db.sql(text, (entity_id,))]

    def taken(self, relation_id: int, type_: str) -> bool:
        """Whether another living relation between the same entities has that type."""
        text = (
            "SELECT 1 FROM relation r JOIN relation o USING (source_id, target_id)"
            " WHERE r.id = ? AND o.id <> r.id AND o.type = ? AND o.deleted_at IS NULL"
        )
        return bool(self._db.sql(text, (relation_id, type_)))

    # --- what was taken out

    def seal(self, batch: int, now: int, sealed: Iterable[Sealed]) -> None:
        """Keep what a deed of masking took out."""
        text = (
            "INSERT INTO sealed (batch, at, place, row_id, field, original)"
            " VALUES (?, ?, ?, ?, ?, ?)"
        )
        for each in sealed:
            self._db.sql(text, (batch, now, *each))

    def sealed(self, batch: int) -> list[Sealed]:
        """What a deed took out, in the order it was taken."""
        text = "SELECT place, row_id, field, original FROM sealed WHERE batch = ? ORDER BY id"
        return [Sealed(*row) for row in self._db.sql(text, (batch,))]

    def deeds(self) -> list[SealedDeed]:
        """The deeds whose originals are kept, the newest first."""
        text = (
            "SELECT batch, count(*), min(at) FROM sealed WHERE original <> '' AND place <> ?"
            " GROUP BY batch ORDER BY batch DESC"
        )
        return [SealedDeed(*row) for row in self._db.sql(text, (AGAIN,))]

    def drop(self, batch: int) -> None:
        """Drop what a deed took out."""
        self._db.sql("DELETE FROM sealed WHERE batch = ?", (batch,))

    def forget_memory(self, memory_id: int) -> None:
        """Drop what was sealed and spared of a memory (for purging)."""
        self._db.sql("DELETE FROM sealed WHERE place = 'memory' AND row_id = ?", (memory_id,))
        self._db.sql(
            "DELETE FROM sealed WHERE place = 'journal' AND row_id IN"
            " (SELECT sequence FROM journal WHERE subject = 'memory' AND subject_id = ?)",
            (memory_id,),
        )
        self._db.sql("DELETE FROM spared WHERE subject = 'memory' AND subject_id = ?", (memory_id,))

    # --- what is kept on purpose

    def spare(self, subject: Subject, subject_id: int, fingerprint: bytes, now: int) -> None:
        """Note that a credential of a subject stays on purpose."""
        text = (
            "INSERT OR IGNORE INTO spared (subject, subject_id, fingerprint, at)"
            " VALUES (?, ?, ?, ?)"
        )
        self._db.sql(text, (subject, subject_id, fingerprint, now))

    def spared(self, subject: Subject, ids: Sequence[int]) -> set[tuple[int, bytes]]:
        """(number, fingerprint) of what stays on purpose of these subjects."""
        text = f"SELECT subject_id, fingerprint FROM spared WHERE subject = ? AND subject_id {_IN}"
        rows = self._db.sql(text, (subject, json.dumps(list(ids))))
        return {(row[0], bytes(row[1])) for row in rows}

    def spare_no_more(self, subject: Subject, subject_id: int, fingerprint: bytes) -> None:
        """A credential is no longer kept on purpose."""
        text = "DELETE FROM spared WHERE subject = ? AND subject_id = ? AND fingerprint = ?"
        self._db.sql(text, (subject, subject_id, fingerprint))


def _cells(
    subject_id: int, place: str, row_id: int, fields: Sequence[str], values: Sequence[Any]
) -> Iterator[tuple[int, Held]]:
    for field, value in zip(fields, values, strict=True):
        if isinstance(value, str):
            yield subject_id, Held(place, row_id, field, value)
