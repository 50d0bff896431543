"""The desk for duplicates: memories all over the store that say the same, and look-alike names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from remembrancer.core import crossing, grouping, look_alikes, names, unlike
from remembrancer.core.author import PERSON, Author
from remembrancer.core.bags import LOOKED_AT, Gathering
from remembrancer.core.entity import Entity
from remembrancer.core.grouping import Near
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Memory, Status
from remembrancer.core.resembling import ALMOST
from remembrancer.core.unlike import Difference, Verdict
from remembrancer.service.desk import Ground
from remembrancer.store.texts import Chosen, Texts

_PAGE = 4_000  # memories that are read at once
_SHOWN = 200  # members of a group that are given
_EXACT = (Verdict.SAME, Verdict.DUPLICATE)

Progress = Callable[[int, int], bool]


@dataclass(frozen=True, slots=True)
class Member:
    """A memory beside its group's representative: how alike, and what sets them apart.

    `difference` is told from this memory to the representative. `likeness` (0 to 1) stays below 1
    unless the two are the same or duplicates.
    """

    memory: Memory
    likeness: float
    verdict: Verdict
    difference: Difference


@dataclass(frozen=True, slots=True)
class DuplicateGroup:
    """The memory that most others resemble, with those others, the closest first.

    `size` counts the representative and all members; at most 200 members are given.
    """

    representative: Memory
    members: tuple[Member, ...]
    size: int

    @property
    def best(self) -> float:
        """The likeness of the closest member."""
        return max(member.likeness for member in self.members)


@dataclass(frozen=True, slots=True)
class Duplicates:
    """The closest groups among `entries` memories, of all that were `found`."""

    entries: int
    groups: tuple[DuplicateGroup, ...]
    found: int


@dataclass(frozen=True, slots=True)
class LookAlike:
    """Two entities whose names look alike; `distance` counts the letters that differ, 0 or 1."""

    one: Entity
    other: Entity
    distance: int


class DuplicatesDesk:
    """Compares everything with everything; takes seconds, so call it from a thread of its own."""

    def __init__(self, ground: Ground) -> None:
        self._store = ground.store
        self._texts = Texts(ground.store.connections)

    def groups(
        self,
        *,
        entity: str | None = None,
        kinds: frozenset[Kind] | None = None,
        threshold: float = 0.6,
        most: int = 100,
        author: Author = PERSON,
        progress: Progress = lambda done, total: True,
    ) -> Duplicates | None:
        """Groups of active memories (of an entity, of kinds) that are nearly the same.

        Two are when they share `threshold` (0.5 to 1) of the stems of their words. `progress(done,
        total)` is called every few thousand memories; when it says no, None comes back.
        BadValue says that no entity can have such a name.
        """
        entity = None if entity is None else names.entity_name(entity)
        if author.entity is not None and entity not in (None, author.entity):
            return Duplicates(0, (), 0)
        chosen = Chosen(entity if author.entity is None else author.entity, kinds)
        ids, gathering = list[int](), Gathering()
        with self._store.reading():
            total = self._texts.count(chosen)
        while page := self._page(chosen, ids[-1] if ids else 0):
            ids += [row[0] for row in page]
            gathering.add([row[1] for row in page])
            if not progress(len(ids), 2 * max(total, len(ids))):
                return None
        count = len(ids)
        near = grouping.near_duplicates(
            gathering.bags(),
            min(max(threshold, 0.5), 1.0),
            lambda done: progress(count + count * done // grouping.BANDS, 2 * count),
        )
        if near is None:
            return None
        groups = (self._group(each, ids) for each in near[: max(0, most)])
        return Duplicates(count, tuple(filter(None, groups)), len(near))

    def look_alike_names(self, most: int = 100, author: Author = PERSON) -> tuple[LookAlike, ...]:
        """Pairs of entities, ghosts too, whose names look alike, the closest first."""
        if author.entity is not None:
            return ()
        with self._store.reading():
            entities = self._store.entities.all(ghosts=True)
        found = look_alikes.look_alikes([entity.name for entity in entities])
        return tuple(
            LookAlike(entities[a], entities[b], far) for a, b, far in found[: max(0, most)]
        )

    def _page(self, chosen: Chosen, after: int) -> list[tuple[int, str]]:
        """The next memories; no longer transaction is open than for these."""
        with self._store.reading():
            return self._texts.page(chosen, after, _PAGE, LOOKED_AT)

    def _group(self, near: Near, ids: list[int]) -> DuplicateGroup | None:
        """A group as it is now; None when nothing is left of it."""
        alike = {ids[place]: likeness for place, likeness in near.members[:_SHOWN]}
        with self._store.reading():
            memories = self._store.memories.several([ids[near.representative], *alike])
        active = [memory for memory in memories if memory.status is Status.ACTIVE]
        if len(active) < 2 or active[0].id in alike:
            return None
        first, *others = active
        members = tuple(_member(each, first, alike[each.id]) for each in others)
        return DuplicateGroup(first, members, len(near.members) + 1)


def _member(memory: Memory, first: Memory, likeness: float) -> Member:
    old, new = crossing.memo_text(memory), crossing.memo_text(first)
    verdict, difference = unlike.compared(old, new)
    told = likeness if verdict in _EXACT else min(likeness, ALMOST)
    return Member(memory, told, verdict, difference)
