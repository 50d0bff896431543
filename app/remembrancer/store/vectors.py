"""The vectors of meaning that the file holds: which memories have one, what they are made from."""

# Peewee carries no types: what comes out of it is unknown until it is a core value.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from remembrancer.core.journal import Subject
from remembrancer.store.connections import Connections

_PART = 500  # ids that one statement names
# The plus keeps the walk by id: an index of the status would have to be sorted.
_LIVING = "+m.status IN ('active', 'archived')"
_COUNT = "SELECT count(*) FROM memory WHERE status IN ('active', 'archived')"
# A vector counts only while its digest is that of the memory's content, and if it is whole.
_FITS = "v.memory_id = m.id AND v.model = ? AND v.digest = m.digest AND length(v.data) = ?"
_BELOW = (
    f"SELECT m.id, v.data FROM memory m LEFT JOIN vector v ON {_FITS}"
    f" WHERE m.id < ? AND {_LIVING} ORDER BY m.id DESC LIMIT ?"
)
_HELD = f"SELECT m.id, v.data FROM memory m JOIN vector v ON {_FITS} WHERE m.id IN ({{marks}})"
_KNOWN = (
    "SELECT memory_id, data FROM vector"
    " WHERE model = ? AND length(data) = ? AND memory_id IN ({marks})"
)
_TEXTS = (
    "SELECT m.id, m.title, substr(m.content, 1, ?), m.digest FROM memory m"
    f" WHERE m.id IN ({{marks}}) AND {_LIVING} ORDER BY m.id DESC"
)
_KEEP = (
    "INSERT INTO vector (memory_id, model, digest, data) SELECT m.id, ?, m.digest, ? FROM memory m"
    f" WHERE m.id = ? AND m.digest = ? AND m.title = ? AND {_LIVING}"
    " ON CONFLICT (memory_id) DO UPDATE"
    "   SET model = excluded.model, digest = excluded.digest, data = excluded.data"
    "   WHERE model <> excluded.model OR digest <> excluded.digest"
    "     OR length(data) <> length(excluded.data) RETURNING memory_id"
)
_SINCE = "SELECT sequence, subject, subject_id FROM journal WHERE sequence > ? ORDER BY 1 LIMIT ?"


class Maker(Protocol):
    """Who made a vector: a model by its name, with one byte a dimension."""

    @property
    def name(self) -> str: ...

    @property
    def dimensions(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Told:
    """What a memory says, to make a vector from; `digest` is that of its whole content."""

    memory_id: int
    title: str
    content: str
    digest: bytes


class Vectors:
    """The vectors of one store. Reading works on any thread, keeping only inside the writer."""

    def __init__(self, connections: Connections) -> None:
        self._db = connections

    def living(self) -> int:
        """How many memories could have a vector: all that are not deleted."""
        return int(self._db.sql(_COUNT)[0][0])

    def below(self, made_by: Maker, memory_id: int, most: int) -> list[tuple[int, bytes | None]]:
        """The last `most` living memories under an id, newest first, with any vector they have."""
        rows = self._db.sql(_BELOW, (made_by.name, made_by.dimensions, memory_id, most))
        return [(row[0], row[1] and bytes(row[1])) for row in rows]

    def some(self, made_by: Maker, most: int) -> list[bytes]:
        """About `most` vectors from everywhere in the store."""
        step = self._db.sql("SELECT coalesce(max(memory_id), 0) / ? + 1 FROM vector", (most,))[0][0]
        text = (
            "SELECT data FROM vector WHERE model = ? AND length(data) = ? AND memory_id % ? = 0"
            " LIMIT ?"
        )
        rows = self._db.sql(text, (made_by.name, made_by.dimensions, step, most))
        return [bytes(row[0]) for row in rows]

    def held(self, made_by: Maker, ids: Iterable[int]) -> dict[int, bytes]:
        """The vectors of a model that these memories have, checked against what they say."""
        rows = self._among(_HELD, [made_by.name, made_by.dimensions], ids)
        return {row[0]: bytes(row[1]) for row in rows}

    def known(self, made_by: Maker, ids: Iterable[int]) -> dict[int, bytes]:
        """The same in half the time, trusting that vectors went with what they were made from."""
        rows = self._among(_KNOWN, [made_by.name, made_by.dimensions], ids)
        return {row[0]: bytes(row[1]) for row in rows}

    def told(self, ids: Iterable[int], length: int) -> list[Told]:
        """What those of these memories say that are not deleted, cut to `length` characters."""
        rows = self._among(_TEXTS, [length], ids)
        return [Told(id_, title, text, bytes(digest)) for id_, title, text, digest in rows]

    def keep(self, made_by: Maker, made: Sequence[tuple[Told, bytes]]) -> int:
        """Keep vectors of memories that still say the same; how many were new to the file."""
        rows = [(made_by.name, data, t.memory_id, t.digest, t.title) for t, data in made]
        return sum(len(self._db.sql(_KEEP, row)) for row in rows)

    def touched(self, after: int, most: int) -> tuple[int, list[int]]:
        """The memories of the next `most` journal lines, and the sequence of the last of these."""
        rows = self._db.sql(_SINCE, (after, most))
        last = int(rows[-1][0]) if rows else after
        return last, sorted({int(row[2]) for row in rows if row[1] == Subject.MEMORY})

    def _among(self, text: str, first: list[Any], ids: Iterable[int]) -> list[tuple[Any, ...]]:
        """The rows of a statement that names ids, asked in parts."""
        wanted = list(ids)
        rows: list[tuple[Any, ...]] = []
        for start in range(0, len(wanted), _PART):
            part = wanted[start : start + _PART]
            marks = ",".join("?" * len(part))
            rows += self._db.sql(text.format(marks=marks), [*first, *part])
        return rows
