"""What may contradict or repeat something else: the sorts, which pairs are asked about, and why.

Applicability decides who can contradict whom: two devices may well have different ports, one device
may not, nor a device and what is shared with everybody.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice

from remembrancer.core.unlike import Difference, Verdict

REPEATED_FROM = 0.75  # likeness of two texts from which on they are asked about as repeated
LONG = 3  # links of a chain from which on it is long
_NEIGHBOURS = 4  # memories of one entity and group that each is compared with
_WIDE = 40  # pairs of one group across entities


class Sort(StrEnum):
    """What a pair is asked about for, the most pressing first."""

    KEY = "key"  # one key, several values, in scopes that meet
    CONTRADICTION = "contradiction"  # alike, but numbers, a negation or exchanged words differ
    REPEATED = "repeated"  # nearly the same
    NAMES = "names"  # names of entities that look alike
    CHAIN = "chain"  # superseded, and by what is gone, in a circle, or many times over


@dataclass(frozen=True, slots=True)
class Pair:
    """Two things to decide about, by ids: memories, or entities where `sort` is NAMES.

    Of a chain `one` is its beginning and `other` its end (0 when that is gone). `mark` changes when
    either of the two does.
    """

    sort: Sort
    one: int
    other: int
    mark: bytes


@dataclass(frozen=True, slots=True)
class Reach:
    """Whom the memories of entities apply to: the shared ones, and the members of groups."""

    shared: Collection[int]
    groups: Mapping[int, Collection[int]]

    def meet(self, one: int | None, other: int | None) -> bool:
        """Whether something may be served memories of both entities (None: unfiled)."""
        if one == other:
            return True
        if one is None or other is None:
            return False
        if one in self.shared or other in self.shared:
            return True
        ours = {one, *self.groups.get(one, ())}
        return not ours.isdisjoint({other, *self.groups.get(other, ())})

    def is_wide(self, entity: int | None) -> bool:
        """Whether an entity's memories apply to others, too."""
        return entity in self.shared or entity in self.groups


def pairs_among(homes: Sequence[tuple[int, int | None]], reach: Reach) -> Iterator[tuple[int, int]]:
    """Pairs (smaller id, larger id) of memories (id, entity) that may meet, not all of many.

    Within an entity each is paired with its next four; across entities forty pairs are given.
    """
    by_entity: dict[int | None, list[int]] = {}
    for memory, entity in sorted(homes, key=lambda each: each[0]):
        by_entity.setdefault(entity, []).append(memory)
    for together in by_entity.values():
        for place, memory in enumerate(together):
            yield from ((memory, each) for each in together[place + 1 : place + 1 + _NEIGHBOURS])
    yield from islice(_across(by_entity, reach), _WIDE)


def _across(by_entity: Mapping[int | None, list[int]], reach: Reach) -> Iterator[tuple[int, int]]:
    """The first memory of a wide entity beside the first of each it meets."""
    wide = [entity for entity in by_entity if reach.is_wide(entity)]
    done: set[tuple[int, int]] = set()
    for one in wide:
        for other, memories in by_entity.items():
            if one == other or not reach.meet(one, other):
                continue
            pair = (by_entity[one][0], memories[0])
            pair = (min(pair), max(pair))
            if pair not in done:
                done.add(pair)
                yield pair


def sort_of(likeness: float, verdict: Verdict, difference: Difference) -> Sort | None:
    """What two texts that are alike are asked about for, if at all.

    Where numbers differ, one denies more, or words are exchanged, they are never called repeated.
    """
    if verdict is Verdict.MAY_CONTRADICT:
        return Sort.CONTRADICTION
    if verdict in (Verdict.SAME, Verdict.DUPLICATE):
        return Sort.REPEATED
    apart = any(difference.numbers) or difference.contradicts
    return Sort.REPEATED if likeness >= REPEATED_FROM and not apart else None


# --- chains


def path_from(start: int, links: Mapping[int, int]) -> tuple[list[int], bool]:
    """The memories from `start` along what superseded each, and whether it runs in a circle."""
    path, seen = [start], {start}
    while (following := links.get(path[-1])) is not None:
        if following in seen:
            return path, True
        path.append(following)
        seen.add(following)
    return path, False


def beginnings(links: Mapping[int, int]) -> list[int]:
    """Where chains begin, one beginning for each circle that nothing leads into, by id."""
    led_to = set(links.values())
    found = [start for start in links if start not in led_to]
    reached = {each for start in found for each in path_from(start, links)[0]}
    for start in sorted(links):
        if start not in reached:
            found.append(start)
            reached.update(path_from(start, links)[0])
    return sorted(found)
