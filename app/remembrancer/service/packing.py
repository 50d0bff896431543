"""What leaves a store as records: all of it, or what the graph vocabularies see."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from remembrancer.core.entity import Entity, Relation
from remembrancer.core.memory import Memory, Status
from remembrancer.core.travel import (
    EntityRecord,
    Header,
    MemoryRecord,
    Place,
    Record,
    RelationRecord,
)
from remembrancer.service.desk import Ground
from remembrancer.store.whole import PAGE, Whole

VERSION = 1  # of our own format


@dataclass
class Sent:
    """How much was written: what is alive, with the created entities."""

    entities: int = 0
    relations: int = 0
    memories: int = 0

    def __str__(self) -> str:
        graph = f"{self.entities:,} entities, {self.relations:,} relations"
        return f"{graph} and {self.memories:,} memories"


def everything(ground: Ground, sent: Sent) -> Iterator[Record]:
    """Every record of the store, tombstones and history too, counted in `sent`."""
    whole = Whole(ground.store.connections, ground.store.words)
    yield Header(VERSION, ground.review_days(), ground.clock())
    members, places = whole.members(), ground.store.extras.places()
    for entity, deleted in whole.entities():
        sent.entities += deleted is None and not entity.ghost
        place = places.get(entity.id)
        yield _entity(entity, deleted, tuple(members.get(entity.id, ())), place)
    for relation, deleted in whole.relations():
        sent.relations += deleted is None
        yield _relation(relation, deleted)
    for memory in whole.memories():
        sent.memories += memory.status is not Status.DELETED
        yield _memory(memory)
    yield from ground.store.agents.all()
    last = 0
    while lines := ground.store.journal.after(last, PAGE):
        last = lines[-1].sequence
        yield from lines


def visible(ground: Ground, sent: Sent) -> Iterator[Record]:
    """Created entities, each with its visible memories, then the relations."""
    store = ground.store
    texts: dict[int, list[str]] = {}
    for entity_id, content in store.memories.visible(ground.clock()):
        texts.setdefault(entity_id, []).append(content)
    for entity in store.entities.all(ghosts=False):
        sent.entities += 1
        yield EntityRecord(entity.name, entity.type)
        for content in texts.get(entity.id, ()):
            sent.memories += 1
            yield MemoryRecord(content, entity.name)
    for relation in store.relations.all():
        sent.relations += 1
        yield RelationRecord(relation.source, relation.target, relation.type)


def _entity(
    entity: Entity,
    deleted: int | None,
    members: tuple[str, ...],
    place: tuple[float, float, bool] | None,
) -> EntityRecord:
    return EntityRecord(
        entity.name, entity.type, entity.scope, entity.scope_revision, members, entity.ghost,
        entity.created_at, entity.updated_at, deleted, None if place is None else Place(*place),
        entity.id,
    )  # fmt: skip


def _relation(relation: Relation, deleted: int | None) -> RelationRecord:
    return RelationRecord(
        relation.source, relation.target, relation.type, relation.created_at, deleted,
        relation.id, relation.source_id, relation.target_id,
    )  # fmt: skip


def _memory(memory: Memory) -> MemoryRecord:
    shared = {n: getattr(memory, n) for n in MemoryRecord.__slots__ if n != "line"}
    return MemoryRecord(**shared)
