"""A store as a whole, tombstones included: out of it row by row, and into it in bulk."""

# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from peewee import Model

from remembrancer.core.analyser import Indexed
from remembrancer.core.author import Agent
from remembrancer.core.entity import Entity, Relation, Scope
from remembrancer.core.journal import JournalLine
from remembrancer.core.memory import Memory
from remembrancer.core.names import lookup_key
from remembrancer.store.connections import Connections
from remembrancer.store.memories import Memories, digest
from remembrancer.store.tables import (
    AgentRow,
    EntityRow,
    JournalRow,
    MemberRow,
    MemoryRow,
    RelationRow,
    TagRow,
)
from remembrancer.store.words import Words

PAGE = 1_000

_ENTITY = ["id", "name", "type", "scope", "scope_revision", "ghost", "created_at", "updated_at"]
_JOINED_IN = ("entity", "scope", "tags")  # of a memory's fields, those of other tables
_MEMORY = [name for name in Memory.__slots__ if name not in _JOINED_IN]


class Whole:
    """Everything of one store. Reading works on any thread, putting only inside the writer."""

    def __init__(self, connections: Connections, words: Words) -> None:
        self._db = connections
        self._words = words
        self._memories = Memories(connections, words)

    # --- out

    def empty(self) -> bool:
        """Whether no entity and no memory was ever kept."""
        text = "SELECT EXISTS (SELECT 1 FROM entity) OR EXISTS (SELECT 1 FROM memory)"
        return not self._db.sql(text)[0][0]

    def entities(self) -> Iterator[tuple[Entity, int | None]]:
        """Every entity by id, and when it was deleted."""
        columns = [getattr(EntityRow, name) for name in [*_ENTITY, "deleted_at"]]
        for row in self._pages(EntityRow, columns):
            id_, name, type_, scope, revision, ghost, created, updated, deleted = row
            yield (
                Entity(id_, name, type_, Scope(scope), revision, bool(ghost), created, updated),
                deleted,
            )

    def members(self) -> dict[int, list[str]]:
        """The names of every group's members, by the group's id."""
        query = MemberRow.select(MemberRow.group_id, EntityRow.name).join(
            EntityRow, on=(EntityRow.id == MemberRow.member_id)
        )
        found: dict[int, list[str]] = {}
        for group, name in self._db.rows(query.order_by(EntityRow.name)):
            found.setdefault(group, []).append(name)
        return found

    def relations(self) -> Iterator[tuple[Relation, int | None]]:
        """Every relation by id, and when it was deleted."""
        text = (
            "SELECT r.id, r.source_id, r.target_id, s.name, t.name, r.type, r.created_at,"
            " r.deleted_at FROM relation r JOIN entity s ON s.id = r.source_id"
            " JOIN entity t ON t.id = r.target_id WHERE r.id > ? ORDER BY r.id LIMIT ?"
        )
        last = 0
        while rows := self._db.sql(text, (last, PAGE)):
            last = rows[-1][0]
            yield from ((Relation(*row[:7]), row[7]) for row in rows)

    def memories(self) -> Iterator[Memory]:
        """Every memory by id."""
        text = "SELECT id FROM memory WHERE id > ? ORDER BY id LIMIT ?"
        last = 0
        while rows := self._db.sql(text, (last, PAGE)):
            last = rows[-1][0]
            yield from self._memories.several([row[0] for row in rows])

    def living(self, entity_id: int | None) -> tuple[dict[bytes, int], set[str]]:
        """Of an entity's living memories: digest of the content -> id, and the keys."""
        text = (
            "SELECT digest, id, key FROM memory WHERE entity_id IS ? AND status <> 'deleted'"
            " ORDER BY id DESC"
        )
        rows = self._db.sql(text, (entity_id,))
        return {bytes(row[0]): row[1] for row in rows}, {row[2] for row in rows if row[2]}

    def links(self, source_id: int) -> set[tuple[int, str]]:
        """The living relations that start at an entity: (id of the other end, type)."""
        text = "SELECT target_id, type FROM relation WHERE source_id = ? AND deleted_at IS NULL"
        return {(row[0], row[1]) for row in self._db.sql(text, (source_id,))}

    # --- in

    def next_entity(self) -> int:
        """The first id that no entity has."""
        return int(self._db.sql("SELECT coalesce(max(id), 0) + 1 FROM entity")[0][0])

    def next_memory(self) -> int:
        """The first id that no memory has or ever had."""
        text = "SELECT coalesce(max(seq), 0) + 1 FROM sqlite_sequence WHERE name = 'memory'"
        return int(self._db.sql(text)[0][0])

    def pass_over_memories(self, last: int) -> None:
        """Give no new memory an id up to `last`: a history may still speak of those."""
        if last >= self.next_memory():
            self._db.sql("DELETE FROM sqlite_sequence WHERE name = 'memory'")
            self._db.sql("INSERT INTO sqlite_sequence (name, seq) VALUES ('memory', ?)", (last,))

    def put_entities(self, entities: Iterable[tuple[Entity, int | None]]) -> None:
        """Write new entities under their ids; the second of each is when it was deleted."""
        rows = (
            (*(getattr(e, name) for name in _ENTITY), lookup_key(e.name), deleted)
            for e, deleted in entities
        )
        self._put(EntityRow, [*_ENTITY, "lookup", "deleted_at"], rows)

    def put_members(self, group_id: int, member_ids: Iterable[int]) -> None:
        """Write the members of a group that has none."""
        self._put(MemberRow, ["group_id", "member_id"], ((group_id, m) for m in member_ids))

    def put_relations(self, relations: Iterable[tuple[Relation, int | None]]) -> None:
        """Write new relations; an id of 0 lets the store choose one."""
        columns = ["id", "source_id", "target_id", "type", "created_at", "deleted_at"]
        rows = (
            (r.id or None, r.source_id, r.target_id, r.type, r.created_at, deleted)
            for r, deleted in relations
        )
        self._put(RelationRow, columns, rows)

    def next_relation(self) -> int:
        """The first id that no relation has."""
        return int(self._db.sql("SELECT coalesce(max(id), 0) + 1 FROM relation")[0][0])

    def put_memories(self, memories: Sequence[tuple[Memory, Indexed]]) -> None:
        """Write new memories under their ids, each with what the index holds of it."""
        self._words.learn([text for _, text in memories])
        rows = (
            (*(getattr(m, name) for name in _MEMORY), digest(m.content), *text)
            for m, text in memories
        )
        self._put(MemoryRow, [*_MEMORY, "digest", *Indexed._fields], rows)
        tags = ((m.id, n, tag) for m, _ in memories for n, tag in enumerate(m.tags))
        self._put(TagRow, ["memory_id", "position", "name"], tags)

    def put_agents(self, agents: Iterable[Agent]) -> None:
        """Write agents under their ids, without a token."""
        columns = list(Agent.__slots__)
        self._put(AgentRow, columns, (tuple(getattr(a, c) for c in columns) for a in agents))

    def put_lines(self, lines: Iterable[JournalLine]) -> None:
        """Add lines of the journal under their sequences."""
        columns = list(JournalLine.__slots__)
        self._put(JournalRow, columns, (_line(line, columns) for line in lines))

    def _pages(self, model: type[Model], columns: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
        key = columns[0]
        last = 0
        while True:
            query = model.select(*columns).where(key > last).order_by(key).limit(PAGE)
            rows = self._db.rows(query)
            if not rows:
                return
            last = rows[-1][0]
            yield from rows

    def _put(
        self, model: type[Model], columns: Sequence[str], rows: Iterable[tuple[Any, ...]]
    ) -> None:
        fields = [getattr(model, name) for name in columns]
        # The statement for one row is made once; the driver then runs it for each of them.
        statement, _ = model.insert_many([(None,) * len(fields)], fields).sql()
        self._db.connection().executemany(statement, rows)


def _line(line: JournalLine, columns: Sequence[str]) -> tuple[Any, ...]:
    kept = json.dumps(line.snapshot, ensure_ascii=False, separators=(",", ":"))
    return tuple(kept if name == "snapshot" else getattr(line, name) for name in columns)
