"""The desk for scopes: to whom an entity's memories apply."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Unpack

from remembrancer.core import names, policy, secrets
from remembrancer.core.author import PERSON, Author
from remembrancer.core.entity import Entity, Scope, ScopeRecord
from remembrancer.core.errors import Conflict, NotFound, Refused
from remembrancer.core.journal import Deed
from remembrancer.service import burial
from remembrancer.service.desk import Doing, Ground
from remembrancer.service.one_path import Ledger
from remembrancer.store.entities import Entities

_NOT_FOUND = "Entity not found; scope never substitutes another device"


class ScopesDesk:
    """Reads and sets scopes; a check that fails changes nothing."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._entities = ground.store.entities

    def get(self, name: str, author: Author = PERSON) -> ScopeRecord:
        """The scope of an entity; one that was never set reads as device at revision 0."""
        with self._ground.store.reading():
            return seen_by(author, record(self._entities, self._target(name, author)))

    def set(
        self, name: str, scope: Scope, *, members: Sequence[str] = (), expected: int,
        confirmed: bool = False, **doing: Unpack[Doing],
    ) -> ScopeRecord:  # fmt: skip
        """Set a scope; `expected` is the revision seen, `confirmed` that sharing is meant.

        No change returns the present record and leaves the revision.
        """
        wanted = sorted({names.entity_name(m) for m in members})

        def work(ledger: Ledger) -> ScopeRecord:
            entity = self._target(name, doing["author"])
            current = record(self._entities, entity)
            self._check(entity, current, scope, wanted, expected, confirmed)
            found = self._members(entity, wanted)
            if (current.scope, list(current.members)) == (scope, wanted):
                return seen_by(doing["author"], current)
            after = replace(entity, scope=scope, scope_revision=current.revision + 1)
            self._entities.set_members(entity.id, [m.id for m in found])
            burial.put_entity(ledger, replace(after, updated_at=ledger.now), Deed.SET_SCOPE)
            return seen_by(doing["author"], record(self._entities, after))

        return self._ground.path.walk(work, entities=[name, *wanted], **doing)

    def _target(self, name: str, author: Author) -> Entity:
        entity = self._entities.named(names.entity_name(name))
        if entity is None or entity.ghost or not policy.sees(author, entity.name):
            raise NotFound(_NOT_FOUND, code="scope_entity")
        return entity

    def _check(
        self, entity: Entity, current: ScopeRecord, scope: Scope, wanted: Sequence[str],
        expected: int, confirmed: bool,
    ) -> None:  # fmt: skip
        if current.revision != expected:
            raise Conflict(
                "Scope changed since you opened it. Refresh before editing.", code="scope_changed"
            )
        if wanted and scope is not Scope.GROUP:
            raise Refused("Invalid scope: only groups can have members", code="members")
        if scope is not Scope.DEVICE and not confirmed:
            raise Refused(
                "Invalid scope: confirm sharing all memories of this entity explicitly",
                code="confirm",
            )
        if scope is not Scope.DEVICE and self._entities.groups_of(entity.id):
            raise Refused(
                "Invalid scope: remove this entity from its groups before sharing it",
                code="is_member",
            )

    def _members(self, entity: Entity, wanted: Sequence[str]) -> list[Entity]:
        found: list[Entity] = []
        for name in wanted:
            member = self._entities.named(name)
            if member is None or member.ghost:
                told = secrets.mask(name)[0]
                raise NotFound(f"{_NOT_FOUND}: {told}", code="member", name=told)
            if member.id == entity.id or member.scope is not Scope.DEVICE:
                raise Refused(
                    "Invalid scope: members must be other entities of scope device; nested groups "
                    f"are not supported: {name}",
                    code="nested",
                )
            found.append(member)
        return found


def seen_by(author: Author, whole: ScopeRecord) -> ScopeRecord:
    """The record without the names that `author` may not see."""
    return replace(whole, members=tuple(m for m in whole.members if policy.sees(author, m)))


def record(entities: Entities, entity: Entity) -> ScopeRecord:
    """The scope record of an entity."""
    members = tuple(m.name for m in entities.members(entity.id))
    return ScopeRecord(entity.name, entity.scope, entity.scope_revision, members)
