"""A file of our own in an empty store: the same entities, memories, numbers, times, history."""

from __future__ import annotations

from dataclasses import replace

from remembrancer.core.entity import Entity, Relation
from remembrancer.core.journal import JournalLine, Subject
from remembrancer.core.memory import Status
from remembrancer.core.travel import EntityRecord, RelationRecord
from remembrancer.service.arriving.site import Site, as_memory


def put_whole(site: Site) -> None:
    """Write a load that `check_whole` found complete into a store that holds none of its sort.

    Agents that the store has already stay; then those of the load are left out with their lines.
    """
    load, whole, store = site.load, site.whole, site.ledger.store
    own = [_entity(record) for record in load.entities]
    whole.put_entities(own)
    _set_members(site, own)
    whole.put_relations(_relation(record) for record in load.relations)
    by_id = {entity.id: entity for entity, _ in own}
    whole.put_memories(
        [
            (as_memory(m, m.id or 0, by_id.get(m.entity_id or 0), site.days), text)
            for m, text in load.memories
        ]
    )
    alone = not store.agents.all()
    if alone:
        whole.put_agents(load.agents)
    whole.put_lines(_lines(load.lines, store.journal.head(), alone))
    past = [line.subject_id for line in load.lines if line.subject is Subject.MEMORY]
    whole.pass_over_memories(max(past, default=0))
    store.extras.set_places(
        (e.id, e.place.x, e.place.y, e.place.pinned)
        for e in load.entities
        if e.place is not None and e.id is not None
    )
    _count(site)
    site.finish_whole()


def _set_members(site: Site, own: list[tuple[Entity, int | None]]) -> None:
    living = {entity.name: entity.id for entity, deleted in own if deleted is None}
    for record in site.load.entities:
        members = [living[name] for name in record.members if name in living]
        if members and record.id is not None:
            site.whole.put_members(record.id, members)


def _entity(record: EntityRecord) -> tuple[Entity, int | None]:
    created = record.created_at or 0
    entity = Entity(
        record.id or 0, record.name, record.type, record.scope, record.scope_revision,
        record.ghost, created, record.updated_at or created,
    )  # fmt: skip
    return entity, record.deleted_at


def _relation(record: RelationRecord) -> tuple[Relation, int | None]:
    relation = Relation(
        record.id or 0, record.source_id or 0, record.target_id or 0, record.source,
        record.target, record.type, record.created_at or 0,
    )  # fmt: skip
    return relation, record.deleted_at


def _lines(lines: list[JournalLine], head: int, agents: bool) -> list[JournalLine]:
    """The lines behind those that are there."""
    return [
        replace(line, sequence=line.sequence + head, batch=line.batch + head)
        for line in lines
        if agents or line.subject is not Subject.AGENT
    ]


def _count(site: Site) -> None:
    living = [e for e in site.load.entities if e.deleted_at is None]
    kept = [m for m, _ in site.load.memories if m.status is not Status.DELETED]
    site.counts.ghosts = sum(e.ghost for e in living)
    site.counts.entities = len(living) - site.counts.ghosts
    site.counts.relations = sum(r.deleted_at is None for r in site.load.relations)
    site.counts.memories = len(kept)
