"""How the graph is written inside a transaction: entities, observations and relations come in."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import replace

from remembrancer.core import secrets
from remembrancer.core.entity import Entity, Relation, Scope
from remembrancer.core.errors import Conflict, NotFound
from remembrancer.core.journal import Deed, Subject, entity_snapshot, relation_snapshot
from remembrancer.core.memory import Draft, Edit, Memory, Status, revised
from remembrancer.service import burial, writing
from remembrancer.service.one_path import Ledger

OBSERVATION_SOURCE = "legacy"


def identity(name: str) -> str:
    """How a name that is only looked up stands in the store; an impossible one is not found."""
    return unicodedata.normalize("NFC", name)


def there(ledger: Ledger, name: str, strict: bool) -> Entity | None:
    """The created entity of that name; without one None or, with `strict`, NotFound."""
    entity = ledger.store.entities.named(name)
    if entity is not None and not entity.ghost:
        return entity
    if strict:
        told = secrets.mask(name)[0]
        raise NotFound(f"Entity with name {told} not found", code="entity", name=told)
    return None


def end_of(ledger: Ledger, name: str, ghosts: bool, strict: bool) -> Entity | None:
    """One end of a relation, made as a ghost when it is missing and `ghosts` allows that."""
    if not ghosts:
        return there(ledger, name, strict)
    known = ledger.store.entities.named(name)
    return known or make_entity(ledger, name, "", None, ghost=True)


def observe(
    ledger: Ledger, entity: Entity, contents: Sequence[str], days: int, *, revive: bool = False
) -> list[str]:
    """Add observations to an entity; returns those that no living memory of it held yet.

    With `revive` one that an archived or expired memory holds is shown again, and counts as added.
    """
    added: list[str] = []
    for content in contents:
        held = ledger.store.memories.by_content(entity.id, content)
        if held is None:
            add(ledger, entity, content, days)
        elif revive and not _shown(held, ledger):
            _show_again(ledger, held, days)
        else:
            continue
        added.append(content)
    return added


def add(ledger: Ledger, entity: Entity, content: str, days: int) -> None:
    """Add an observation that no living memory of the entity holds."""
    draft = Draft(content, entity.name, source=OBSERVATION_SOURCE)
    memory = writing.blank(draft, entity, ledger.now, ledger.author.name)
    writing.add(ledger, memory, writing.memory_index_text(memory), days)


def _shown(memory: Memory, ledger: Ledger) -> bool:
    return memory.status is Status.ACTIVE and not memory.expired(ledger.now)


def _show_again(ledger: Ledger, memory: Memory, days: int) -> None:
    edit = Edit(status=Status.ACTIVE, expires_at=None)
    after = revised(memory, edit, ledger.now, ledger.author.name)
    deed = Deed.REVISE if memory.status is Status.ACTIVE else Deed.REVIVE
    writing.put(ledger, memory, after or memory, days, deed)


def forget(
    ledger: Ledger, entity: Entity, contents: Sequence[str], days: int, *, shown: bool = False
) -> int:
    """Make tombstones of the memories with these contents; returns how many there were.

    With `shown` those that are archived or expired are left alone, as if they were not there.
    """
    found = [ledger.store.memories.by_content(entity.id, c) for c in contents]
    gone = [m for m in found if m is not None and (_shown(m, ledger) or not shown)]
    for memory in gone:
        writing.bury(ledger, memory, days)
    return len(gone)


def make_entity(
    ledger: Ledger, name: str, type_: str, ghost_row: Entity | None, *, ghost: bool = False
) -> Entity:
    """Write a new entity with its line; the ghost that had its name becomes it."""
    fresh = Entity(0, name, type_, Scope.DEVICE, 0, ghost, ledger.now, ledger.now)
    if ghost_row is not None:
        entity = replace(fresh, id=ghost_row.id)
        burial.put_entity(ledger, entity, Deed.CREATE_ENTITY)
        return entity
    entity = replace(fresh, id=ledger.store.entities.insert(fresh))
    snapshot = entity_snapshot(entity)
    ledger.line(Deed.CREATE_ENTITY, Subject.ENTITY, entity.id, snapshot, entity_id=entity.id)
    return entity


def make_relation(ledger: Ledger, source: Entity, target: Entity, type_: str) -> Relation | None:
    """Write a new relation with its line; None when it is there already."""
    if ledger.store.relations.triple(source.id, target.id, type_) is not None:
        return None
    relation = ledger.store.relations.insert(
        Relation(0, source.id, target.id, source.name, target.name, type_, ledger.now)
    )
    snapshot = relation_snapshot(relation)
    ledger.line(Deed.RELATE, Subject.RELATION, relation.id, snapshot, entity_id=source.id)
    return relation


def change_entity(ledger: Ledger, entity: Entity, name: str, type_: str) -> Entity:
    """Give an entity another name or type; its memories are found by the new name at once."""
    if (name, type_) == (entity.name, entity.type):
        return entity
    other = ledger.store.entities.named(name)
    if other is not None and other.id != entity.id:
        raise Conflict(f"An entity named {name!r} is there already.", code="name_taken")
    after = replace(entity, name=name, type=type_, updated_at=ledger.now)
    burial.put_entity(ledger, after, Deed.CHANGE_ENTITY)
    writing.index_anew(ledger, entity.id)
    return after
