"""How entities and relations go and come back: tombstones, with every line that undo needs."""

from __future__ import annotations

from remembrancer.core.entity import Entity, Relation
from remembrancer.core.journal import Deed, Subject, entity_snapshot, relation_snapshot
from remembrancer.service import writing
from remembrancer.service.one_path import Ledger

MERGED_INTO = "merged_into"  # of a buried entity's snapshot: the id of the one that stays


def bury_entity(ledger: Ledger, entity: Entity, days: int, into: int | None = None) -> None:
    """Make tombstones of an entity's memories and relations, take it out of groups, bury it.

    Its name leads to the entity `into` from then on, to none without.

    Groups keep their revision: losing a member this way is not a change of their scope.
    """
    store = ledger.store
    for memory in store.memories.living_of(entity.id):
        writing.bury(ledger, memory, days)
    for relation in store.relations.touching([entity.id]):
        bury_relation(ledger, relation)
    for group in store.entities.groups_of(entity.id):
        members = [m.id for m in store.entities.members(group.id) if m.id != entity.id]
        store.entities.set_members(group.id, members)
        put_entity(ledger, group, Deed.SET_SCOPE)
    snapshot = _snapshot(ledger, entity)
    store.entities.set_members(entity.id, [])
    store.entities.bury(entity.id, ledger.now)
    store.conflicts.forget_alias(entity.id)
    if into is not None:
        store.conflicts.set_alias(entity.id, entity.name, into, ledger.now)
        snapshot = {**snapshot, MERGED_INTO: into}
    ledger.line(Deed.DELETE_ENTITY, Subject.ENTITY, entity.id, snapshot, entity_id=entity.id)


def bury_relation(ledger: Ledger, relation: Relation) -> None:
    """Make a tombstone of a relation."""
    ledger.store.relations.bury(relation.id, ledger.now)
    snapshot = relation_snapshot(relation)
    source = relation.source_id
    ledger.line(Deed.UNRELATE, Subject.RELATION, relation.id, snapshot, entity_id=source)


def put_entity(ledger: Ledger, entity: Entity, deed: Deed) -> None:
    """Write an entity over its row, with its line (its members as they stand)."""
    ledger.store.entities.update(entity)
    snapshot = _snapshot(ledger, entity)
    ledger.line(deed, Subject.ENTITY, entity.id, snapshot, entity_id=entity.id)


def _snapshot(ledger: Ledger, entity: Entity) -> dict[str, object]:
    members = ledger.store.entities.members(entity.id)
    kept = entity_snapshot(entity, tuple(m.name for m in members))
    return {**kept, "member_ids": [m.id for m in members]}  # names change, so undo goes by ids
