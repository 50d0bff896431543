"""What the place of entities reads from the library, all of it off the GUI thread."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass

from remembrancer.core.entity import Entity, Relation, ScopeRecord
from remembrancer.core.filters import Filter
from remembrancer.service.library import Library


@dataclass(frozen=True)
class Wanted:
    """What the list of entities shows: those holding `words`, of one type when it is not None."""

    words: str = ""
    type: str | None = None


@dataclass(frozen=True)
class Portrait:
    """All that is shown of one entity; `memory_ids` are its active memories, newest first."""

    entity: Entity
    scope: ScopeRecord
    relations: tuple[Relation, ...]
    alike: tuple[Entity, ...]
    memory_ids: array[int]


def portrait(library: Library, entity_id: int) -> Portrait | None:
    """The portrait of a living entity; None when it is gone."""
    entity = library.map.entity(entity_id)
    if entity is None:
        return None
    return Portrait(
        entity,
        library.map.scope(entity),
        tuple(library.map.relations(entity.id)),
        tuple(library.map.alike(entity)),
        library.memories.ids(Filter(entity=entity.name)),
    )


def look_again(
    library: Library, wanted: Wanted, entity_ids: Iterable[int]
) -> list[tuple[int, Entity | None]]:
    """Each entity as a list of `wanted` shows it now; None for one that it no longer shows."""
    return [(i, _shown(library, wanted, i)) for i in entity_ids]


def just_before(name: str) -> str:
    """A text right before `name` in the order of the store, so that paging after it begins there.

    No name lies between the two: the last character is one lower and the highest one follows.
    """
    code = ord(name[-1])
    if code <= 1:
        return name[:-1]
    lower = 0xD7FF if code == 0xE000 else code - 1
    return f"{name[:-1]}{chr(lower)}\U0010ffff"


def _shown(library: Library, wanted: Wanted, entity_id: int) -> Entity | None:
    entity = library.map.entity(entity_id)
    if entity is None:
        return None
    before = just_before(entity.name)
    found = library.map.entities(wanted.words, wanted.type, 1, before)
    return found[0] if found and found[0].id == entity_id else None
