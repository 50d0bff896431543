"""Rows to memories and back: get, browse by index and key, write, tag."""

# Peewee carries no types: what comes out of it is unknown until it is a core value.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterable, Sequence
from typing import Any

from peewee import JOIN, Tuple, fn

from remembrancer.core.analyser import Indexed
from remembrancer.core.clock import DAY
from remembrancer.core.entity import Scope
from remembrancer.core.filters import Filter, Order, State
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import LATEST, Memory, Status
from remembrancer.store.choosing import conditions, visible, visible_of
from remembrancer.store.connections import Connections
from remembrancer.store.index_texts import IndexTexts
from remembrancer.store.tables import EntityRow, MemoryRow, TagRow
from remembrancer.store.words import Words

_COLUMNS = (
    MemoryRow.id,
    MemoryRow.entity_id,
    EntityRow.name,
    EntityRow.scope,
    MemoryRow.key,
    MemoryRow.title,
    MemoryRow.content,
    MemoryRow.kind,
    MemoryRow.source,
    MemoryRow.confidence,
    MemoryRow.pinned,
    MemoryRow.expires_at,
    MemoryRow.verified_at,
    MemoryRow.verified_by,
    MemoryRow.review_days,
    MemoryRow.postponed_until,
    MemoryRow.due_at,
    MemoryRow.status,
    MemoryRow.archived_at,
    MemoryRow.archived_by,
    MemoryRow.archived_reason,
    MemoryRow.superseded_by,
    MemoryRow.author,
    MemoryRow.revision,
    MemoryRow.created_at,
    MemoryRow.updated_at,
)
_ORDERS: dict[Order, tuple[Any, ...]] = {
    Order.NEWEST: (MemoryRow.updated_at.desc(), MemoryRow.id.desc()),
    Order.PINNED_FIRST: (
        MemoryRow.pinned.desc(),
        MemoryRow.updated_at.desc(),
        MemoryRow.id.desc(),
    ),
    Order.DUE: (MemoryRow.due_at, MemoryRow.id),
}


def _joined() -> Any:
    on = EntityRow.id == MemoryRow.entity_id
    return MemoryRow.select(*_COLUMNS).join(EntityRow, JOIN.LEFT_OUTER, on=on)


_MANY = 2_000  # due memories from which a page is found faster by walking the order

# Peewee takes longer to write these statements than SQLite to run them, so they are kept.
_HEAD = str(_joined().sql()[0])
_TAGS, _TAGS_ORDER = "SELECT memory_id, name FROM tag", "ORDER BY memory_id, position"
_FIELDS = [f for f in MemoryRow._meta.sorted_field_names if f != "id"]
_INSERT = str(MemoryRow.insert(dict.fromkeys(["id", *_FIELDS])).sql()[0])
_UPDATE = str(MemoryRow.update(dict.fromkeys(_FIELDS)).where(MemoryRow.id == 0).sql()[0])


def digest(content: str) -> bytes:
    """What identifies a content within its entity."""
    return hashlib.blake2b(content.encode(), digest_size=16).digest()


class Memories:
    """The memories of one store. Reading works on any thread, writing only inside the writer."""

    def __init__(self, connections: Connections, words: Words) -> None:
        self._db = connections
        self._words = words
        self._texts = IndexTexts(connections, words)

    def get(self, memory_id: int) -> Memory | None:
        """The memory with that id, tombstones too; None when there is none."""
        found = self.several([memory_id])
        return found[0] if found else None

    def several(self, ids: Sequence[int]) -> list[Memory]:
        """The memories with these ids, in their order; unknown ones are left out."""
        by_id: dict[int, Memory] = {}
        for start in range(0, len(ids), 500):
            part = list(ids[start : start + 500])
            marks = ",".join("?" * len(part))
            by_id.update((m.id, m) for m in self._where(f'"t1"."id" IN ({marks})', part))
        return [by_id[i] for i in ids if i in by_id]

    def by_key(self, entity_id: int | None, key: str) -> Memory | None:
        """The living memory of an entity under `key`."""
        return self._living('"t1"."key" = ?', entity_id, key)

    def by_content(self, entity_id: int | None, content: str) -> Memory | None:
        """The living memory of an entity with exactly this content."""
        return self._living('"t1"."digest" = ?', entity_id, digest(content))

    def living_of(self, entity_id: int) -> list[Memory]:
        """Every memory of an entity that is not deleted, by id."""
        where = (MemoryRow.entity_id == entity_id) & (MemoryRow.status != Status.DELETED)
        return self._chosen(MemoryRow.select(MemoryRow.id).where(where).order_by(MemoryRow.id))

    def visible(self, now: int) -> list[tuple[int, str]]:
        """(entity id, content) of everything the graph shows, by id."""
        where = (MemoryRow.entity_id.is_null(False), *visible(now))
        query = MemoryRow.select(MemoryRow.entity_id, MemoryRow.content).where(*where)
        return self._db.rows(query.order_by(MemoryRow.id))

    def page(
        self, chosen: Filter, order: Order, now: int, limit: int, offset: int = 0
    ) -> list[Memory]:
        """One page of the memories that `chosen` lets through."""
        many = chosen.state is State.REVIEW and order is not Order.DUE and self._many_due(now)
        ids = self._ids(chosen, order, now, walk=many).limit(limit).offset(offset)
        return self._chosen(ids)

    def due_after(self, now: int, after: tuple[int, int], limit: int) -> list[Memory]:
        """What is due at `now`, past the keyset position (due_at, id), most overdue first."""
        query = MemoryRow.select(MemoryRow.id).where(
            MemoryRow.status == Status.ACTIVE,
            MemoryRow.due_at <= now,
            Tuple(MemoryRow.due_at, MemoryRow.id) > Tuple(*after),
        )
        return self._chosen(query.order_by(MemoryRow.due_at, MemoryRow.id).limit(limit))

    def ids(self, chosen: Filter, order: Order, now: int) -> array[int]:
        """Every id that `chosen` lets through, in order, eight bytes each."""
        return array("q", (row[0] for row in self._db.rows(self._ids(chosen, order, now))))

    def count(self, chosen: Filter, now: int, bound: int | None = None) -> int:
        """How many memories `chosen` lets through; counting stops at `bound`."""
        ids = self._ids(chosen, None, now)
        inner = ids.limit(bound) if bound is not None else ids
        text, values = inner.sql()
        return int(self._db.sql(f"SELECT count(*) FROM ({text})", values)[0][0])

    def counts_by_entity(self, now: int) -> dict[int, tuple[int, int]]:
        """entity id -> (active memories, those of them that are due)."""
        rows = self._db.sql(
            "SELECT entity_id, count(*), sum(due_at <= ?) FROM memory"
            " WHERE status = 'active' AND entity_id IS NOT NULL GROUP BY entity_id",
            (now,),
        )
        return {row[0]: (row[1], row[2]) for row in rows}

    def mandatory(self, entity_ids: Sequence[int], now: int, limit: int) -> list[Memory]:
        """The pinned memories and constraints of these entities, visible ones."""
        if not entity_ids:
            return []
        binding = (MemoryRow.pinned == True) | (MemoryRow.kind == Kind.CONSTRAINT)  # noqa: E712
        return self._candidates(*visible_of(entity_ids, now), binding, limit=limit)

    def of_entities(self, entity_ids: Sequence[int] | None, now: int, limit: int) -> list[Memory]:
        """Visible memories of these entities (None: of all), the pinned and newest first."""
        if entity_ids is None:
            return self._candidates(*visible(now), limit=limit)
        return self._candidates(*visible_of(entity_ids, now), limit=limit)

    def conflicts(self, entity_ids: Sequence[int], now: int, limit: int) -> list[Memory]:
        """Visible memories of these entities whose key has more than one content among them."""
        if not entity_ids:
            return []
        shown = visible_of(entity_ids, now)
        keyed = MemoryRow.key.is_null(False)
        keys = (
            MemoryRow.select(MemoryRow.key)
            .where(*shown, keyed)
            .group_by(MemoryRow.key)
            .having(fn.COUNT(fn.DISTINCT(MemoryRow.digest)) > 1)
            .order_by(MemoryRow.key)
            .limit(limit)
        )
        found = [row[0] for row in self._db.rows(keys)]
        query = MemoryRow.select(MemoryRow.id).where(*shown, MemoryRow.key.in_(found))
        return self._chosen(query.order_by(MemoryRow.key, MemoryRow.id)) if found else []

    def insert(self, memory: Memory, text: Indexed) -> int:
        """Write a new memory (its id is ours to give unless it has one) and return its id."""
        values = _values(memory, text)
        self._words.learn([text])
        row = [memory.id or None, *(values[f] for f in _FIELDS)]
        memory_id = self._db.insert(_INSERT, row)
        self._set_tags(memory_id, memory.tags)
        return memory_id

    def update(self, memory: Memory, text: Indexed, tags_changed: bool) -> None:
        """Write a memory over its row."""
        values = _values(memory, text)
        self._words.learn([text])
        before = self._texts.of(memory.id)
        self._db.sql(_UPDATE, [*(values[f] for f in _FIELDS), memory.id])
        self._words.forget(before, text)
        if tags_changed:
            self._set_tags(memory.id, memory.tags)

    def erase(self, memory_id: int) -> None:
        """Remove the row, its tags, its index entry and words that no other has, for good."""
        text = self._texts.of(memory_id)
        self._db.run(TagRow.delete().where(TagRow.memory_id == memory_id))
        self._db.run(MemoryRow.delete().where(MemoryRow.id == memory_id))
        self._words.forget(text)

    def respread_due(self, days: int, low: float) -> None:
        """Move when verified memories without an interval of their own are due again."""
        due = "max(coalesce(postponed_until, 0), min(coalesce(expires_at, ?), verified_at + ? + 1))"
        text = f"UPDATE memory SET due_at = {due} WHERE review_days IS NULL"
        values = (LATEST, days * DAY, low)
        self._db.sql(f"{text} AND verified_at IS NOT NULL AND confidence >= ?", values)

    def _set_tags(self, memory_id: int, tags: Iterable[str]) -> None:
        self._db.sql("DELETE FROM tag WHERE memory_id = ?", [memory_id])
        rows = [(memory_id, n, tag) for n, tag in enumerate(tags)]
        if rows:
            columns = [TagRow.memory_id, TagRow.position, TagRow.name]
            self._db.run(TagRow.insert_many(rows, columns))

    def _many_due(self, now: int) -> bool:
        return self.count(Filter(state=State.REVIEW), now, _MANY) == _MANY

    def _ids(self, chosen: Filter, order: Order | None, now: int, *, walk: bool = False) -> Any:
        """A query of ids; `walk`: most match, so the order's index is faster than the filter's."""
        query = MemoryRow.select(MemoryRow.id).where(*conditions(self._db, chosen, now, walk=walk))
        return query if order is None else query.order_by(*_ORDERS[order])

    def _candidates(self, *where: Any, limit: int) -> list[Memory]:
        query = MemoryRow.select(MemoryRow.id).where(*where)
        return self._chosen(query.order_by(*_ORDERS[Order.PINNED_FIRST]).limit(limit))

    def _living(self, condition: str, entity_id: int | None, value: object) -> Memory | None:
        living = f'{condition} AND "t1"."entity_id" IS ? AND "t1"."status" <> \'deleted\''
        found = self._where(living, [value, entity_id])
        return found[0] if found else None

    def _where(self, condition: str, values: Sequence[object]) -> list[Memory]:
        """What every deed asks for, with the statement's head compiled once and not each time."""
        rows = self._db.sql(f"{_HEAD} WHERE {condition}", values)
        return self._memories(rows)

    def _chosen(self, ids: Any) -> list[Memory]:
        """The memories that a query of ids finds, in its order."""
        return self.several([row[0] for row in self._db.rows(ids)])

    def _memories(self, rows: list[tuple[Any, ...]]) -> list[Memory]:
        tags = self._tags([row[0] for row in rows])
        return [_memory(row, tags.get(row[0], ())) for row in rows]

    def _tags(self, ids: list[int]) -> dict[int, tuple[str, ...]]:
        found: dict[int, tuple[str, ...]] = {}
        for start in range(0, len(ids), 500):
            part = ids[start : start + 500]
            text = f"{_TAGS} WHERE memory_id IN ({','.join('?' * len(part))}) {_TAGS_ORDER}"
            for memory_id, name in self._db.sql(text, part):
                found[memory_id] = (*found.get(memory_id, ()), name)
        return found


def _values(memory: Memory, text: Indexed) -> dict[str, Any]:
    left_out = {"id", "entity", "scope", "tags"}
    values = {f: getattr(memory, f) for f in Memory.__slots__ if f not in left_out}
    return {**values, "digest": digest(memory.content), **text._asdict()}


def _memory(row: tuple[Any, ...], tags: tuple[str, ...]) -> Memory:
    (id_, entity_id, name, scope, key, title, content, kind, source, confidence, pinned, *rest) = (
        row
    )
    (expires, verified, by, days, postponed, due, status, at, who, why, *last) = rest
    return Memory(
        id_, entity_id, name, Scope(scope or "device"), key, title, content, Kind(kind), source,
        confidence, bool(pinned), expires, verified, by, days, postponed, due, tags,
        Status(status), at, who, why, *last,
    )  # fmt: skip
