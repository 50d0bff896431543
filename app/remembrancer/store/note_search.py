"""The index as the memo vocabulary asks it: within a filter, bounded, and counted by estimate."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Status
from remembrancer.store.connections import Connections

RANKED = 5_000  # matches that one question has ranked; of more, the newest are given
_SCANNED = 30_000  # matches that are passed over to find those of a small filter
FEW = 5_000  # memories of a filter up to which they are gathered before the index is asked
NONE = "[]"  # the ids of a filter that lets nothing through
_COUNTED = 250  # matches after which counting turns into an estimate

# A compound's parts say half as much. As `rank` the best are known before any memory is looked at.
_BEST = "bm25(memory_index, 1, 1, 0.5)"
_RANKED = " AND rank MATCH 'bm25(1, 1, 0.5)'"

_NAMED = "SELECT id FROM entity WHERE name = ? AND deleted_at IS NULL"
_TAG_NAMES = "SELECT DISTINCT name FROM tag WHERE "
_ENTITY_NAMES = "SELECT id, name FROM entity WHERE deleted_at IS NULL AND "


@dataclass(frozen=True, slots=True)
class Tagged:
    """Who counts as tagged: the memories of these entities, and those with one of these tags."""

    entity_ids: tuple[int, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Among:
    """A filter: states, kinds (None: all) without `but_kind`, a locked entity, tags."""

    statuses: tuple[Status, ...] = (Status.ACTIVE,)
    kinds: frozenset[Kind] | None = None
    but_kind: Kind | None = None
    entity: str | None = None
    tagged: Tagged | None = None


@dataclass(frozen=True, slots=True)
class Reach:
    """A filter made ready: a condition on `m`, the memory, or the `ids` when these are few.

    One that is `narrow` lets through far fewer than all; its common words are not the store's.
    """

    condition: str
    values: tuple[Any, ...]
    ids: str | None = None
    narrow: bool = False

    @property
    def few(self) -> bool:
        """Whether its memories were gathered."""
        return self.ids is not None


class NoteIndex:
    """Bounded look-ups in the full-text index of one store."""

    def __init__(self, connections: Connections) -> None:
        self._db = connections

    def size(self) -> int:
        """About how many memories there are: the highest id."""
        return int(self._db.sql("SELECT coalesce(max(id), 0) FROM memory")[0][0])

    def reach(self, among: Among) -> Reach:
        """The filter made ready for several questions."""
        condition, values = _condition(among)
        ids = self._gathered(among)
        narrow = not (among.entity is among.tagged is among.kinds is None)
        return Reach(condition, values, None if ids is None else json.dumps(ids), narrow)

    def of_entities(self, entity_ids: list[int], condition: str, values: tuple[Any, ...]) -> Reach:
        """The memories of some entities that fulfil a condition on `m`."""
        inside = "m.entity_id IN (SELECT value FROM json_each(?))"
        every = (json.dumps(entity_ids), *values)
        text = f"SELECT m.id FROM memory m WHERE {inside} AND +{condition} LIMIT ?"
        ids = self._ids(text, (*every, FEW + 1))
        few = json.dumps(ids) if len(ids) <= FEW else None
        return Reach(f"{inside} AND {condition}", every, few, narrow=True)

    def _gathered(self, among: Among) -> list[int] | None:
        """The ids of a filter, None when they are too many."""
        for ids in self._narrowed(among):
            if len(ids) <= FEW:
                condition, values = _condition(among, "+m")
                within = "SELECT m.id FROM memory m WHERE m.id IN (SELECT value FROM json_each(?))"
                return self._ids(f"{within} AND {condition}", (json.dumps(ids), *values))
        return None

    def _narrowed(self, among: Among) -> Iterator[list[int]]:
        """The ids that each single part of a filter leaves, over `FEW` where it leaves many."""
        if among.entity is not None:
            text = f"SELECT id FROM memory WHERE entity_id IN ({_NAMED}) LIMIT ?"
            yield self._ids(text, (among.entity, FEW + 1))
        if among.tagged is not None:
            yield self._tagged(among.tagged)
        if among.kinds is not None:
            condition, values = _condition(Among(among.statuses, among.kinds))
            text = f"SELECT m.id FROM memory m WHERE {condition} LIMIT ?"
            yield self._ids(text, (*values, FEW + 1))

    def _tagged(self, tagged: Tagged) -> list[int]:
        of = "SELECT id FROM memory WHERE entity_id IN (SELECT value FROM json_each(?)) LIMIT ?"
        ids = self._ids(of, (json.dumps(tagged.entity_ids), FEW + 1))
        named = "SELECT memory_id FROM tag WHERE name IN (SELECT value FROM json_each(?)) LIMIT ?"
        ids += self._ids(named, (json.dumps(tagged.names), FEW + 1))
        return list(dict.fromkeys(ids))

    def find(self, expression: str, reach: Reach, most: int) -> list[int]:
        """The best `most` ids of a filter that match, the newest where too many do."""
        if reach.ids == NONE:
            return []
        if reach.ids is not None:
            return self._ids(
                "SELECT rowid FROM memory_index WHERE memory_index MATCH ?"
                " AND +rowid IN (SELECT value FROM json_each(?))"
                f" ORDER BY {_BEST}, rowid DESC LIMIT ?",
                (expression, reach.ids, most),
            )
        count, _ = self._count(expression, RANKED)
        if not count:
            return []
        ranked, order = (_RANKED, "rank") if count <= RANKED else ("", "i.rowid DESC")
        return self._ids(
            "SELECT m.id FROM memory_index i CROSS JOIN memory m ON m.id = i.rowid"
            f" WHERE memory_index MATCH ?{ranked} AND {reach.condition} ORDER BY {order} LIMIT ?",
            (expression, *reach.values, most),
        )

    def find_any(
        self, counts: Mapping[str, int], reach: Reach, most: int, ranked: int = RANKED
    ) -> list[int]:
        """The best ids that match one of the expressions, each counted by `frequencies`.

        The rarest are taken first, as long as they have no more than `ranked` matches together.
        """
        room = _SCANNED if reach.few else ranked
        kept: list[str] = []
        for count, form in sorted((count, form) for form, count in counts.items()):
            room -= count
            if kept and room < 0:
                break
            kept.append(form)
        return self.find(" OR ".join(kept), reach, most) if kept else []

    def frequencies(self, forms: Iterable[str], within: Reach | None = None) -> dict[str, int]:
        """In about how many memories each expression is found; with `within`, of that filter."""
        if within is not None:
            return {form: self._frequency_within(form, within) for form in forms}
        size = self.size()
        return {form: self._estimate(form, size) for form in forms}

    def _estimate(self, form: str, size: int) -> int:
        """A count that is exact while small, and else as if matches were spread evenly."""
        count, last = self._count(form, _COUNTED)
        return count if count <= _COUNTED else max(count, count * size // max(last, 1))

    def count(self, reach: Reach) -> int:
        """How many memories a filter lets through; counting stops past `FEW`."""
        if reach.ids is not None:
            return len(json.loads(reach.ids))
        text = f"SELECT count(*) FROM (SELECT 1 FROM memory m WHERE {reach.condition} LIMIT ?)"
        return int(self._db.sql(text, (*reach.values, FEW + 1))[0][0])

    def tags_like(self, words: Sequence[str]) -> list[str]:
        """Tags that may hold one of the folded words, and others."""
        condition, values = _resembles(words)
        return [row[0] for row in self._db.sql(_TAG_NAMES + condition, values)]

    def entities_like(self, words: Sequence[str]) -> list[tuple[int, str]]:
        """(id, name) of living entities whose name may hold one of the folded words, and others."""
        condition, values = _resembles(words)
        return [(row[0], row[1]) for row in self._db.sql(_ENTITY_NAMES + condition, values)]

    def texts(self, among: Among, longest: int) -> list[tuple[int, str]]:
        """(id, title and content) of a filter, by id, each cut at `longest` characters."""
        condition, values = _condition(among)
        text = (
            "SELECT m.id, substr(m.title || ' ' || m.content, 1, ?) FROM memory m"
            f" WHERE {condition} ORDER BY m.id"
        )
        return [(row[0], row[1]) for row in self._db.sql(text, (longest, *values))]

    def _frequency_within(self, expression: str, reach: Reach) -> int:
        if reach.ids is None:
            text = (
                "SELECT m.id FROM memory_index i CROSS JOIN memory m ON m.id = i.rowid"
                f" WHERE memory_index MATCH ? AND {reach.condition} LIMIT ?"
            )
            return len(self._ids(text, (expression, *reach.values, _COUNTED)))
        text = (
            "SELECT rowid FROM memory_index WHERE memory_index MATCH ?"
            " AND +rowid IN (SELECT value FROM json_each(?))"
        )
        return len(self._ids(text, (expression, reach.ids)))

    def _count(self, expression: str, bound: int) -> tuple[int, int]:
        """How many match, until there are more than `bound`, and the id at which it stopped."""
        text = (
            "SELECT count(*), coalesce(max(rowid), 0) FROM"
            " (SELECT rowid FROM memory_index WHERE memory_index MATCH ? LIMIT ?)"
        )
        count, last = self._db.sql(text, (expression, bound + 1))[0]
        return int(count), int(last)

    def _ids(self, text: str, values: Sequence[Any]) -> list[int]:
        return [row[0] for row in self._db.sql(text, values)]


def _condition(among: Among, m: str = "m") -> tuple[str, tuple[Any, ...]]:
    """The filter as a condition on `m`, with its values; "+m" keeps indexes from being used."""
    parts = [f"{m}.status IN (SELECT value FROM json_each(?))"]
    values: list[Any] = [json.dumps(sorted(among.statuses))]
    if among.kinds is not None:
        parts.append(f"{m}.kind IN (SELECT value FROM json_each(?))")
        values.append(json.dumps(sorted(among.kinds)))
    if among.but_kind is not None:
        parts.append(f"{m}.kind <> ?")
        values.append(among.but_kind)
    if among.entity is not None:
        parts.append(f"{m}.entity_id IN ({_NAMED})")
        values.append(among.entity)
    if among.tagged is not None:
        parts.append(
            f"({m}.entity_id IN (SELECT value FROM json_each(?)) OR {m}.id IN"
            " (SELECT memory_id FROM tag WHERE name IN (SELECT value FROM json_each(?))))"
        )
        values += [json.dumps(among.tagged.entity_ids), json.dumps(among.tagged.names)]
    return " AND ".join(parts), tuple(values)


def _resembles(words: Sequence[str]) -> tuple[str, list[str]]:
    """A condition on a name that holds one of the folded words, and lets others through.

    SQLite does not fold, so every name is let through that is more than plain ASCII.
    """
    plain = [word for word in words if word.isascii()]
    parts = ["instr(lower(name), ?)"] * len(plain)
    return f"({' OR '.join([*parts, 'length(CAST(name AS BLOB)) > length(name)'])})", plain
