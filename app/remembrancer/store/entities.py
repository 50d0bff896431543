"""Rows to entities, groups and scopes, and back."""

# Peewee carries no types: what comes out of it is unknown until it is a core value.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from peewee import JOIN, fn

from remembrancer.core.entity import Entity, Scope
from remembrancer.core.memory import Status
from remembrancer.core.names import lookup_key
from remembrancer.store.conflicts import meant
from remembrancer.store.connections import Connections
from remembrancer.store.letters import Letters
from remembrancer.store.tables import EntityRow, MemberRow, MemoryRow

_COLUMNS = (
    EntityRow.id,
    EntityRow.name,
    EntityRow.type,
    EntityRow.scope,
    EntityRow.scope_revision,
    EntityRow.ghost,
    EntityRow.created_at,
    EntityRow.updated_at,
)
_LIVING = EntityRow.deleted_at.is_null()


# Peewee takes longer to write these statements than SQLite to run them, so they are kept.
_HEAD = f"SELECT {', '.join(c.name for c in _COLUMNS)} FROM entity"
_INSERT = str(
    EntityRow.insert(
        name="", lookup="", type="", scope="", scope_revision=0, ghost=0, created_at=0, updated_at=0
    ).sql()[0]
)


class Entities:
    """The entities of one store, ghosts included unless a question leaves them out."""

    def __init__(self, connections: Connections) -> None:
        self._db = connections

    def get(self, entity_id: int) -> Entity | None:
        """The living entity with that id."""
        return self._one(EntityRow.id == entity_id)

    def named(self, name: str) -> Entity | None:
        """The living entity of that name (NFC), ghost or not; else the one it was merged into.

        So whoever still uses a former name reads and writes where its memories are. A living entity
        of exactly that name comes first; what needs a name to be free asks `exactly`.
        """
        found = self.exactly(name)
        if found is not None:
            return found
        entity_id = meant(self._db, name)
        return None if entity_id is None else self.get(entity_id)

    def exactly(self, name: str) -> Entity | None:
        """The living entity of exactly that name (NFC), ghost or not; former names do not count."""
        rows = self._db.sql(f"{_HEAD} WHERE name = ? AND deleted_at IS NULL", [name])
        return _entity(rows[0]) if rows else None

    def several(self, entity_ids: Iterable[int]) -> list[Entity]:
        """The living entities with these ids, by name."""
        ids = list(entity_ids)
        found: list[Entity] = []
        for start in range(0, len(ids), 500):
            found += self._fetch(EntityRow.id.in_(ids[start : start + 500]))
        return sorted(found, key=lambda e: e.name)

    def all(self, *, ghosts: bool) -> list[Entity]:
        """Every living entity, by id."""
        where = () if ghosts else (EntityRow.ghost == False,)  # noqa: E712
        query = EntityRow.select(*_COLUMNS).where(_LIVING, *where).order_by(EntityRow.id)
        return [_entity(row) for row in self._db.rows(query)]

    def shared(self) -> list[Entity]:
        """The living entities that apply to everybody, by name."""
        # The second condition lets the planner see that its partial index holds them all.
        rows = self._db.sql(
            f"{_HEAD} WHERE scope = 'shared' AND scope <> 'device' AND deleted_at IS NULL"
            " ORDER BY name"
        )
        return [_entity(row) for row in rows]

    def like(self, lookup: str) -> list[Entity]:
        """The living entities whose names look alike."""
        return self._fetch(EntityRow.lookup == lookup)

    def page(self, words: str, kind: str | None, limit: int, after: str = "") -> list[Entity]:
        """Entities by name past `after`, whose name or type holds `words`, with memory counts."""
        counted = MemoryRow.select(fn.COUNT(MemoryRow.id)).where(
            MemoryRow.entity_id == EntityRow.id, MemoryRow.status == Status.ACTIVE
        )
        query = EntityRow.select(*_COLUMNS, counted).where(
            _LIVING, EntityRow.name > after, *_holding(words, kind)
        )
        rows = self._db.rows(query.order_by(EntityRow.name).limit(limit))
        return [_entity(row) for row in rows]

    def count(self, words: str = "", kind: str | None = None) -> int:
        """How many living entities hold `words` in name or type."""
        query = EntityRow.select(fn.COUNT(EntityRow.id)).where(_LIVING, *_holding(words, kind))
        return int(self._db.rows(query)[0][0])

    def search(self, text: str, now: int, limit: int) -> list[Entity]:
        """Created entities that hold `text` literally (ASCII case aside), names first sorted."""
        return self.several(Letters(self._db).literal(text, now, limit))

    def types(self) -> list[tuple[str, int]]:
        """(type, how many living entities), the most frequent first."""
        query = EntityRow.select(EntityRow.type, fn.COUNT(EntityRow.id)).where(_LIVING)
        return self._db.rows(
            query.group_by(EntityRow.type).order_by(fn.COUNT(EntityRow.id).desc(), EntityRow.type)
        )

    def members(self, group_id: int) -> list[Entity]:
        """The members of a group, by name."""
        return self._joined(MemberRow.member_id, MemberRow.group_id == group_id)

    def groups_of(self, member_id: int) -> list[Entity]:
        """The groups that list an entity, by name."""
        return self._joined(MemberRow.group_id, MemberRow.member_id == member_id)

    def set_members(self, group_id: int, member_ids: Sequence[int]) -> None:
        """Let a group have exactly these members."""
        self._db.run(MemberRow.delete().where(MemberRow.group_id == group_id))
        rows = [(group_id, m) for m in member_ids]
        if rows:
            columns = [MemberRow.group_id, MemberRow.member_id]
            self._db.run(MemberRow.insert_many(rows, columns))

    def insert(self, entity: Entity) -> int:
        """Write a new entity and return its id."""
        return self._db.insert(_INSERT, list(_values(entity).values()))

    def update(self, entity: Entity) -> None:
        """Write an entity over its row; a tombstone lives again."""
        values = {**_values(entity), "deleted_at": None}
        self._db.run(EntityRow.update(values).where(EntityRow.id == entity.id))

    def bury(self, entity_id: int, now: int) -> None:
        """Make a tombstone of an entity."""
        query = EntityRow.update(deleted_at=now, updated_at=now)
        self._db.run(query.where(EntityRow.id == entity_id))

    def touch(self, entity_id: int, now: int) -> None:
        """Say that something of an entity changed."""
        self._db.sql("UPDATE entity SET updated_at = ? WHERE id = ?", [now, entity_id])

    def _one(self, *where: Any) -> Entity | None:
        found = self._fetch(*where)
        return found[0] if found else None

    def _fetch(self, *where: Any) -> list[Entity]:
        query = EntityRow.select(*_COLUMNS).where(_LIVING, *where).order_by(EntityRow.name)
        return [_entity(row) for row in self._db.rows(query)]

    def _joined(self, column: Any, where: Any) -> list[Entity]:
        query = EntityRow.select(*_COLUMNS).join(MemberRow, JOIN.INNER, on=(EntityRow.id == column))
        return [
            _entity(row)
            for row in self._db.rows(query.where(where, _LIVING).order_by(EntityRow.name))
        ]


def _holding(words: str, kind: str | None) -> list[Any]:
    found: list[Any] = []
    if words:
        pattern = _literal(words)
        found.append(
            fn.LIKE(pattern, EntityRow.name, "\\") | fn.LIKE(pattern, EntityRow.type, "\\")
        )
    if kind is not None:
        found.append(EntityRow.type == kind)
    return found


def _literal(text: str) -> str:
    for sign in "\\%_":
        text = text.replace(sign, "\\" + sign)
    return f"%{text}%"


def _values(entity: Entity) -> dict[str, Any]:
    return {  # in the order of the table's columns
        "name": entity.name,
        "lookup": lookup_key(entity.name),
        "type": entity.type,
        "scope": entity.scope,
        "scope_revision": entity.scope_revision,
        "ghost": entity.ghost,
        "created_at": entity.created_at,
        "updated_at": entity.updated_at,
    }


def _entity(row: tuple[Any, ...]) -> Entity:
    id_, name, type_, scope, revision, ghost, created, updated, *count = row
    return Entity(id_, name, type_, Scope(scope), revision, bool(ghost), created, updated, *count)
