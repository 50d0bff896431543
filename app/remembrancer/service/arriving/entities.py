"""The entities of a load: new ones are made, ghosts become them, scopes are set."""

from __future__ import annotations

from dataclasses import replace

from remembrancer.core.entity import Entity, Scope
from remembrancer.core.journal import Deed
from remembrancer.core.memory import Status
from remembrancer.core.names import lookup_key
from remembrancer.core.travel import EntityRecord
from remembrancer.service import burial
from remembrancer.service.arriving.site import Site, quoted


class EntitiesArriving:
    """Makes the entities that a load defines, and those that only its memories name."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._new: list[Entity] = []
        self._alike: dict[str, str] = {}
        for name in site.entities:
            self._alike.setdefault(lookup_key(name), name)

    def run(self) -> None:
        """Write what is new."""
        for record in self._living():
            self._bring(record)
        for record, _ in self._site.load.memories:
            if record.entity is not None and record.status is not Status.DELETED:
                self._imply(EntityRecord(record.entity, line=record.line))
        self._site.whole.put_entities((entity, None) for entity in self._new)
        self._site.counts.entities = len(self._site.made)

    def set_scopes(self) -> None:
        """Give the entities that were made the scopes they had; all of them must be there."""
        for record in self._living():
            if record.scope is not Scope.DEVICE and record.name in self._site.made:
                self._set_scope(record)

    def _living(self) -> list[EntityRecord]:
        entities = self._site.load.entities
        return [e for e in entities if e.deleted_at is None and not e.ghost]

    def _bring(self, record: EntityRecord) -> None:
        known = self._site.entities.get(record.name)
        if known is None:
            self._make(record)
        elif known.ghost:
            self._heal(known, record)
        else:
            self._again(known, record)

    def _imply(self, record: EntityRecord) -> None:
        known = self._site.entities.get(record.name)
        if known is not None and not known.ghost:
            return
        sentence = f"No line defines {quoted(record.name)}, which a memory names; it was made."
        self._site.load.note(record.line, sentence)
        self._bring(record)

    def _make(self, record: EntityRecord) -> None:
        other = self._alike.setdefault(lookup_key(record.name), record.name)
        if other != record.name:
            sentence = f"{quoted(record.name)} looks like {quoted(other)}; they were kept apart."
            self._site.load.note(record.line, sentence)
        created, updated = self._times(record)
        entity = self._site.found(record.name, record.type, created, updated, ghost=False)
        self._new.append(entity)

    def _heal(self, ghost: Entity, record: EntityRecord) -> None:
        created, updated = self._times(record)
        entity = replace(
            ghost, type=record.type, ghost=False, created_at=created, updated_at=updated
        )
        self._site.enter(entity)
        burial.put_entity(self._site.ledger, entity, Deed.CREATE_ENTITY)

    def _times(self, record: EntityRecord) -> tuple[int, int]:
        created = record.created_at or self._site.now
        return created, record.updated_at or created

    def _again(self, known: Entity, record: EntityRecord) -> None:
        name = quoted(record.name)
        if record.name not in self._site.made:
            self._site.counts.known += 1
        elif known.type == record.type:
            self._site.load.note(record.line, f"{name} is defined once more; both were joined.")
        if known.type != record.type:
            self._site.load.note(
                record.line,
                f"{name} has the type {known.type!r} already; the type {record.type!r} was left "
                "out, what is said of it was joined.",
            )

    def _set_scope(self, record: EntityRecord) -> None:
        entity = self._site.entities[record.name]
        members = [self._member(record, name) for name in record.members]
        revision = max(record.scope_revision, 1)
        after = replace(entity, scope=record.scope, scope_revision=revision)
        self._site.whole.put_members(entity.id, [m.id for m in members if m is not None])
        self._site.entities[entity.name] = after
        burial.put_entity(self._site.ledger, after, Deed.SET_SCOPE)

    def _member(self, record: EntityRecord, name: str) -> Entity | None:
        member = self._site.entities.get(name)
        if member is None or member.ghost or member.scope is not Scope.DEVICE:
            sentence = f"{quoted(name)} cannot be a member of {quoted(record.name)} here."
            self._site.load.note(record.line, sentence)
            return None
        return member
