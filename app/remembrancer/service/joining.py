"""How two become one inside a transaction: memories, and entities with all that belongs to them.

Every step leaves a line, in an order that can be walked backwards: that is how they part again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from remembrancer.core import memory as values
from remembrancer.core.author import Agent
from remembrancer.core.entity import Entity, Relation, Scope
from remembrancer.core.journal import Deed, Subject
from remembrancer.core.memory import Edit, Memory, Status
from remembrancer.core.merging import Meeting, Plan, united
from remembrancer.service import burial, undoing, weaving, writing
from remembrancer.service.one_path import Ledger
from remembrancer.store.store import Store


def join_memories(
    ledger: Ledger, stays: Memory, going: Sequence[Memory], edit: Edit, days: int
) -> Memory:
    """Let `stays` take the edit and the tags of those that go, and supersede them."""
    tags = united(stays.tags, *(m.tags for m in going))
    pinned = stays.pinned or any(m.pinned for m in going)
    wanted = edit.copy()
    wanted.update(tags=tags, pinned=pinned, status=Status.ACTIVE)
    wanted = values.check_edit(wanted)
    after = values.revised(stays, wanted, ledger.now, ledger.author.name)
    if after is not None:
        stays = writing.put(ledger, stays, after, days, Deed.REVISE)
    for memory in going:
        supersede(ledger, memory, stays.id, days)
    return stays


def supersede(ledger: Ledger, memory: Memory, by: int, days: int, **fields: Any) -> None:
    """Archive a memory as superseded by another one, with further fields changed."""
    edit = Edit(
        status=Status.ARCHIVED, superseded_by=by, archived_reason=f"Superseded by memory {by}"
    )
    after = values.revised(memory, edit, ledger.now, ledger.author.name)
    if after is not None:
        writing.put(ledger, memory, replace(after, **fields), days, Deed.SUPERSEDE)


def lead(ledger: Ledger, memory_id: int, to: int | None, days: int) -> None:
    """Let a memory say that another one superseded it, or none."""
    memory = ledger.store.memories.get(memory_id)
    if memory is not None and memory_id != to:
        after = _changed(ledger, memory, superseded_by=to)
        writing.put(ledger, memory, after, days, Deed.REVISE)


def relations_of(
    store: Store, keep: Entity, other: Entity
) -> tuple[tuple[Relation, ...], tuple[Relation, ...], tuple[Relation, ...]]:
    """The relations of `other` that move, that `keep` has already, and that join the two."""
    moved, double, dropped = list[Relation](), list[Relation](), list[Relation]()
    taken: set[tuple[int, int, str]] = set()
    for relation in store.relations.touching([other.id]):
        source, target = _ends(relation, keep, other)
        if source == target and relation.source_id != relation.target_id:
            dropped.append(relation)
        elif (source, target, relation.type) in taken or store.relations.triple(
            source, target, relation.type
        ):
            double.append(relation)
        else:
            moved.append(relation)
            taken.add((source, target, relation.type))
    return tuple(moved), tuple(double), tuple(dropped)


def locked_to(store: Store, entity: Entity) -> list[Agent]:
    """The agents that are locked to an entity and not revoked."""
    return [a for a in store.agents.all() if a.entity == entity.name and a.revoked_at is None]


def join_entities(
    ledger: Ledger, keep: Entity, other: Entity, plan: Plan, winners: Mapping[str, int], days: int
) -> None:
    """Move everything of `other` to `keep`, and bury what is left of it under its name."""
    for meeting in plan.same:
        _collapse(ledger, keep, meeting, days)
    for meeting in plan.collisions:
        _settle(ledger, keep, meeting, winners, days)
    for memory in plan.moved:
        _move(ledger, keep, memory, days)
    _relations(ledger, keep, other)
    _groups(ledger, keep, other)
    _agents(ledger, keep, other)
    burial.bury_entity(ledger, other, days, into=keep.id)


# --- memories of an entity


def _move(ledger: Ledger, keep: Entity, memory: Memory, days: int, **fields: Any) -> Memory:
    after = _changed(
        ledger, memory, entity_id=keep.id, entity=keep.name, scope=keep.scope, **fields
    )
    return writing.put(ledger, memory, after, days, Deed.REVISE)


def _changed(ledger: Ledger, memory: Memory, **fields: Any) -> Memory:
    return replace(
        memory,
        author=ledger.author.name,
        revision=memory.revision + 1,
        updated_at=max(ledger.now, memory.updated_at + 1),
        **fields,
    )


def _collapse(ledger: Ledger, keep: Entity, meeting: Meeting, days: int) -> None:
    """Of two that say the same bury one; the other takes its tags, and its key if it has none."""
    stays, goes = meeting.stays, meeting.goes
    writing.bury(ledger, goes, days)
    tags, pinned = united(stays.tags, goes.tags), stays.pinned or goes.pinned
    key = stays.key or goes.key
    named = None if key is None else ledger.store.memories.by_key(keep.id, key)
    if named is not None and named.id != stays.id:
        key = stays.key if stays.entity_id == keep.id else None
    if stays.entity_id != keep.id:
        _move(ledger, keep, stays, days, tags=tags, pinned=pinned, key=key)
    elif (stays.tags, stays.pinned, stays.key) != (tags, pinned, key):
        after = _changed(ledger, stays, tags=tags, pinned=pinned, key=key)
        writing.put(ledger, stays, after, days, Deed.REVISE)
    for memory_id in ledger.store.conflicts.superseded_by(goes.id):
        lead(ledger, memory_id, stays.id, days)


def _settle(
    ledger: Ledger, keep: Entity, meeting: Meeting, winners: Mapping[str, int], days: int
) -> None:
    """Of two under one key let the winner keep it; the other one is archived without a key."""
    ours, theirs = meeting.ours, meeting.theirs
    if winners[str(ours.key)] == ours.id:
        moved = _move(ledger, keep, theirs, days, key=None)
        supersede(ledger, moved, ours.id, days)
    else:
        supersede(ledger, ours, theirs.id, days, key=None)
        _move(ledger, keep, theirs, days)


# --- what belongs to an entity


def _ends(relation: Relation, keep: Entity, other: Entity) -> tuple[int, int]:
    source, target = (
        keep.id if end == other.id else end for end in (relation.source_id, relation.target_id)
    )
    return source, target


def _relations(ledger: Ledger, keep: Entity, other: Entity) -> None:
    moved, double, dropped = relations_of(ledger.store, keep, other)
    for relation in (*moved, *double, *dropped):
        burial.bury_relation(ledger, relation)
    for relation in moved:
        source, target = (ledger.store.entities.get(end) for end in _ends(relation, keep, other))
        if source is not None and target is not None:
            weaving.make_relation(ledger, source, target, relation.type)


def _groups(ledger: Ledger, keep: Entity, other: Entity) -> None:
    """Put `keep` where `other` is listed; only what applies to itself alone may be listed."""
    entities = ledger.store.entities
    for group in entities.groups_of(other.id):
        members = [m.id for m in entities.members(group.id) if m.id != other.id]
        if keep.scope is Scope.DEVICE and keep.id not in (*members, group.id):
            members.append(keep.id)
        entities.set_members(group.id, members)
        burial.put_entity(ledger, group, Deed.SET_SCOPE)


def _agents(ledger: Ledger, keep: Entity, other: Entity) -> None:
    for agent in locked_to(ledger.store, other):
        after = replace(agent, entity=keep.name)
        ledger.store.agents.update(after)
        ledger.line(Deed.CHANGE_AGENT, Subject.AGENT, agent.id, undoing.agent_snapshot(after))
