"""The desk for merging: two memories or two entities that are one become one, and can part again.

Everything of a merge is one deed of one batch, so undoing that deed is the way apart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Unpack

from remembrancer.core import memory as values
from remembrancer.core import merging, policy
from remembrancer.core.entity import Entity, Relation, Scope
from remembrancer.core.errors import BadValue, Conflict, NotFound, Refused
from remembrancer.core.memory import Edit, Memory, Status
from remembrancer.core.merging import Meeting, Plan
from remembrancer.service import joining
from remembrancer.service.desk import Doing, Ground
from remembrancer.service.one_path import Ledger, Secrets, masked, screen
from remembrancer.service.weaving import identity

_MOST = 200  # memories that are merged at once

Members = Callable[[Entity], set[int]]


@dataclass(frozen=True, slots=True)
class MemoryMerge:
    """What merging memories would do: which stays, which go, the tags and the receipts of each.

    `served` counts how often those that go were served; that stays with them. `asks` says that
    their numbers differ, so that the person has to confirm.
    """

    keep: Memory
    others: tuple[Memory, ...]
    tags: tuple[str, ...]
    served: int
    asks: bool


@dataclass(frozen=True, slots=True)
class EntityMerge:
    """What merging an entity into another would do, with names.

    `plan` says which memories move, collapse or collide; `relations` are those that move, `double`
    those that are there already, `dropped` those between the two. `groups` list the other and will
    list the one that stays, `agents` are locked to the other and will be to the one that stays.
    `digits`: the names hold other numbers; `widens`: memories of the other will apply more widely.
    """

    keep: Entity
    other: Entity
    plan: Plan
    relations: tuple[Relation, ...]
    double: tuple[Relation, ...]
    dropped: tuple[Relation, ...]
    groups: tuple[str, ...]
    agents: tuple[str, ...]
    digits: bool
    widens: bool

    @property
    def asks(self) -> bool:
        """Whether the person has to confirm twice."""
        return self.digits or self.widens


class MergingDesk:
    """Only the person merges; a preview changes nothing."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._store = ground.store

    def aliases(self, name: str) -> list[str]:
        """The former names of an entity, sorted."""
        with self._store.reading():
            return self._store.conflicts.aliases(self._entity(name).id)

    # --- memories

    def preview_memories(self, keep: int, others: Sequence[int]) -> MemoryMerge:
        """What `memories` would do with these. NotFound says that one is gone."""
        with self._store.reading():
            stays, going = self._memories(keep, others)
            served = sum(n for m in going for _, n, _, _ in self._store.extras.receipts(m.id))
        tags = merging.united(stays.tags, *(m.tags for m in going))
        return MemoryMerge(stays, going, tags, served, _differ(stays, going))

    def memories(
        self, keep: int, others: Sequence[int], *, content: str | None = None,
        title: str | None = None, expected: Mapping[int, int] | None = None,
        confirmed: bool = False, secrets: Secrets = Secrets.REFUSE, **doing: Unpack[Doing],
    ) -> Memory:  # fmt: skip
        """Let one memory stay, with `content` and `title` where given; it supersedes the others.

        Those are archived, keep their receipts, and give it their tags. `expected` are the
        revisions that the person saw, by id. Refused (`digits`) asks to confirm where numbers
        differ; Conflict says that a memory changed, or that another holds the very same content:
        that one should stay.
        """
        policy.person_only(doing["author"], "merge memories")
        edit = values.check_edit(_edit(content, title))
        screen(values.texts(edit), secrets)
        edit = Edit(**values.with_texts(edit, lambda text: masked(text, secrets)))

        def work(ledger: Ledger) -> Memory:
            stays, going = self._memories(keep, others)
            _unchanged([stays, *going], expected or {})
            if _differ(stays, going) and not confirmed:
                raise Refused(
                    "The numbers in these texts differ; they hardly say the same. Confirm to merge "
                    "them all the same.",
                    code="digits",
                )
            return joining.join_memories(ledger, stays, going, edit, self._ground.review_days())

        reason = f"Merge of {len(others)} into memory {keep}"
        return self._ground.path.walk(work, reason=reason, **doing)

    # --- entities

    def preview_entities(self, keep: str, other: str) -> EntityMerge:
        """What `entities` would do with these two. NotFound says that one is not there."""
        with self._store.reading():
            return self._preview(*self._pair(keep, other))

    def entities(
        self, keep: str, other: str, *, keys: Mapping[str, int] | None = None,
        confirmed: bool = False, **doing: Unpack[Doing],
    ) -> Entity:  # fmt: skip
        """Merge `other` into `keep`: memories, relations and groups move, its name leads there.

        `keys` says for each key that both have which memory, by id, keeps it; the other one is
        archived as superseded, without a key. A Conflict (`keys`) names those that lack; Refused
        (`digits`, `widens`) asks to confirm. Agents that are locked to the other are locked to the
        one that stays from then on.
        """
        policy.person_only(doing["author"], "merge entities")

        def work(ledger: Ledger) -> Entity:
            preview = self._preview(*self._pair(keep, other))
            _confirm(preview, confirmed)
            winners = _winners(preview.plan.collisions, keys or {})
            joining.join_entities(ledger, preview.keep, preview.other, preview.plan, winners,
                                  self._ground.review_days())  # fmt: skip
            return preview.keep

        reason = f"Merge of “{other}” into “{keep}”"
        return self._ground.path.walk(work, entities=[keep, other], reason=reason, **doing)

    # --- inside

    def _memories(self, keep: int, others: Sequence[int]) -> tuple[Memory, tuple[Memory, ...]]:
        wanted = list(dict.fromkeys((keep, *others)))
        if not 2 <= len(wanted) <= _MOST:
            raise BadValue(f"From two to {_MOST} memories can be merged.")
        found = self._store.memories.several(wanted)
        if len(found) < len(wanted) or any(m.status is Status.DELETED for m in found):
            raise NotFound("One of these memories is gone.", code="memory")
        return found[0], tuple(found[1:])

    def _entity(self, name: str) -> Entity:
        entity = self._store.entities.named(identity(name))
        if entity is None:
            raise NotFound(f"Entity with name {name} not found", code="entity", name=name)
        return entity

    def _pair(self, keep: str, other: str) -> tuple[Entity, Entity]:
        stays, goes = self._entity(keep), self._entity(other)
        if stays.id == goes.id:
            raise BadValue("An entity cannot be merged with itself.")
        if stays.ghost and not goes.ghost:
            raise Refused("A ghost goes; let the entity that was created stay.", code="ghost")
        return stays, goes

    def _preview(self, keep: Entity, other: Entity) -> EntityMerge:
        store = self._store
        plan = merging.plan(store.memories.living_of(keep.id), store.memories.living_of(other.id))
        moved, double, dropped = joining.relations_of(store, keep, other)
        groups = tuple(g.name for g in store.entities.groups_of(other.id) if g.id != keep.id)
        agents = tuple(agent.name for agent in joining.locked_to(store, other))
        return EntityMerge(
            keep, other, plan, moved, double, dropped, groups, agents,
            merging.digits_differ([keep.name, other.name]), _widens(self._members, keep, other),
        )  # fmt: skip

    def _members(self, entity: Entity) -> set[int]:
        return {member.id for member in self._store.entities.members(entity.id)}


def _edit(content: str | None, title: str | None) -> Edit:
    edit = Edit()
    if content is not None:
        edit["content"] = content
    if title is not None:
        edit["title"] = title
    return edit


def _differ(stays: Memory, going: Sequence[Memory]) -> bool:
    return merging.digits_differ([f"{m.title} {m.content}" for m in (stays, *going)])


def _unchanged(memories: Sequence[Memory], expected: Mapping[int, int]) -> None:
    for memory in memories:
        if expected.get(memory.id, memory.revision) != memory.revision:
            raise Conflict(
                "Memory changed since you opened it. Refresh before merging.",
                code="memory_changed",
                id=memory.id,
            )


def _widens(members: Members, keep: Entity, other: Entity) -> bool:
    """Whether what applied to few will apply to more."""
    if keep.scope is Scope.DEVICE or other.scope is Scope.SHARED:
        return False
    if keep.scope is Scope.SHARED:
        return True
    return not members(keep) <= members(other) | {other.id}


def _confirm(preview: EntityMerge, confirmed: bool) -> None:
    if confirmed:
        return
    if preview.digits:
        raise Refused(
            "The numbers in these two names differ; they hardly mean the same. Confirm to merge "
            "them all the same.",
            code="digits",
        )
    if preview.widens:
        raise Refused(
            f"Memories of {preview.other.name!r} would apply more widely as memories of "
            f"{preview.keep.name!r}. Confirm to merge them all the same.",
            code="widens",
        )


def _winners(collisions: Sequence[Meeting], keys: Mapping[str, int]) -> dict[str, int]:
    """The memory that keeps each key; raises Conflict where that was not said of one."""
    wanted = {str(each.ours.key): (each.ours.id, each.theirs.id) for each in collisions}
    open_ = [key for key, ids in wanted.items() if keys.get(key) not in ids]
    if open_:
        raise Conflict(
            f"Both have a memory under {', '.join(open_)}; say which one keeps the key.",
            code="keys",
            keys=tuple(open_),
        )
    return {key: keys[key] for key in wanted}
