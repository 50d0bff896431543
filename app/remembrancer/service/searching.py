"""How a store is searched for what conflicts: sort by sort, in short readings, with progress."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence

from remembrancer.core import conflicts, crossing, grouping, look_alikes, names, unlike
from remembrancer.core.bags import LOOKED_AT, Gathering
from remembrancer.core.conflicts import Pair, Reach, Sort
from remembrancer.core.entity import Entity
from remembrancer.core.grouping import Near
from remembrancer.store.conflicts import Home
from remembrancer.store.store import Store
from remembrancer.store.texts import Chosen, Texts

MOST = 1_000  # pairs of a sort that are kept
_PAGE = 4_000  # memories that are read at once
_PAIRS = 200  # pairs of memories that are read and compared at once
_LIKE = 0.55  # likeness of two texts from which on they are compared word by word
_KEYED = 200_000  # memories under a key with several contents that are looked at
_SHARES = {Sort.KEY: 2, Sort.CHAIN: 3, Sort.NAMES: 12}  # hundredths done after each of these
_TEXTS, _GROUPS = 40, 85  # hundredths done after the texts are read, and after they are grouped

Step = tuple[int, Sequence[Pair]]  # hundredths done, pairs found by it


class Search:
    """One search of a store at a time `now`; `steps` gives what is found as it goes.

    It ends early once `going` says no.
    """

    def __init__(self, store: Store, now: int, going: Callable[[], bool] = lambda: True) -> None:
        self._going = going
        self._store = store
        self._rows = store.conflicts
        self._texts = Texts(store.connections)
        self._now = now
        self._reach = Reach(frozenset(), {})
        self._asked: set[tuple[int, int]] = set()

    def steps(self) -> Iterator[Step]:
        """Every step takes a moment; what is told first is found soonest."""
        with self._store.reading():
            self._reach = Reach(*self._rows.wide())
            keyed = self._rows.keyed(self._now, _KEYED)
        yield _SHARES[Sort.KEY], self._keys(keyed)
        yield _SHARES[Sort.CHAIN], self._chains()
        yield _SHARES[Sort.NAMES], self._names()
        yield from self._alike()

    def _keys(self, keyed: Sequence[tuple[str, Home]]) -> list[Pair]:
        by_key: dict[str, list[Home]] = {}
        for key, home in keyed:
            by_key.setdefault(key, []).append(home)
        found: list[Pair] = []
        for homes in by_key.values():
            known = {home.id: home for home in homes}
            for one, other in self._pairs(homes):
                if known[one].digest != known[other].digest:
                    self._asked.add((one, other))
                    found.append(Pair(Sort.KEY, one, other, mark(known[one], known[other])))
            if len(found) > MOST:
                break
        return found

    def _pairs(self, homes: Iterable[Home]) -> Iterator[tuple[int, int]]:
        return conflicts.pairs_among([(h.id, h.entity_id) for h in homes], self._reach)

    def _chains(self) -> list[Pair]:
        with self._store.reading():
            links = self._rows.links()
            living = self._rows.living({*links, *links.values()})
        found = (chain(start, links, living) for start in conflicts.beginnings(links))
        return [pair for pair in found if pair is not None]

    def _names(self) -> list[Pair]:
        with self._store.reading():
            entities = self._store.entities.all(ghosts=True)
        found = look_alikes.look_alikes([entity.name for entity in entities])
        return [named(entities[a], entities[b]) for a, b, _ in found[: MOST + 1]]

    # --- texts that are alike

    def _alike(self) -> Iterator[Step]:
        ids, gathering = list[int](), Gathering()
        with self._store.reading():
            total = self._texts.count(Chosen())
        while page := self._page(ids[-1] if ids else 0):
            ids += [row[0] for row in page]
            gathering.add([row[1] for row in page])
            start = _SHARES[Sort.NAMES]
            yield start + (_TEXTS - start) * len(ids) // max(total, len(ids)), ()
        groups = grouping.near_duplicates(gathering.bags(), _LIKE, lambda _: self._going()) or []
        yield _GROUPS, ()
        yield from self._compared(groups, ids)

    def _page(self, after: int) -> list[tuple[int, str]]:
        with self._store.reading():
            return self._texts.page(Chosen(), after, _PAGE, LOOKED_AT)

    def _compared(self, groups: Sequence[Near], ids: Sequence[int]) -> Iterator[Step]:
        """The pairs of each group that may meet, compared word by word."""
        likeness: dict[tuple[int, int], float] = {}
        for place, group in enumerate(groups):
            likeness.update(self._of_group(group, ids))
            if len(likeness) >= _PAIRS or place + 1 == len(groups):
                yield _GROUPS + (100 - _GROUPS) * place // len(groups), self._judged(likeness)
                likeness = {}

    def _of_group(self, group: Near, ids: Sequence[int]) -> Iterator[tuple[tuple[int, int], float]]:
        like = {ids[place]: likeness for place, likeness in group.members}
        with self._store.reading():
            homes = self._rows.homes([ids[group.representative], *like], self._now)
        for one, other in self._pairs(homes.values()):
            if (one, other) not in self._asked:
                yield (one, other), min(like.get(one, 1.0), like.get(other, 1.0))

    def _judged(self, likeness: dict[tuple[int, int], float]) -> list[Pair]:
        ids = list({each for pair in likeness for each in pair})
        with self._store.reading():
            memories = {m.id: m for m in self._store.memories.several(ids)}
            homes = self._rows.homes(ids, self._now)
        found: list[Pair] = []
        for (one, other), alike in likeness.items():
            if one in homes and other in homes:
                texts = (crossing.memo_text(memories[each]) for each in (one, other))
                sort = conflicts.sort_of(alike, *unlike.compared(*texts))
                if sort is not None:
                    found.append(Pair(sort, one, other, mark(homes[one], homes[other])))
        return found


def mark(one: Home, other: Home) -> bytes:
    """What identifies the contents of two memories."""
    return one.digest + other.digest


def named(one: Entity, other: Entity) -> Pair:
    """Two entities whose names look alike."""
    return Pair(Sort.NAMES, one.id, other.id, name_mark(one.name, other.name))


def name_mark(one: str, other: str) -> bytes:
    """What identifies two names."""
    told = "\0".join((names.lookup_key(one), one, other))
    return hashlib.blake2b(told.encode(), digest_size=16).digest()


def chain(start: int, links: dict[int, int], living: set[int]) -> Pair | None:
    """The chain from a memory, if it is broken or long."""
    path, circle = conflicts.path_from(start, links)
    broken = circle or path[-1] not in living
    if not broken and len(path) <= conflicts.LONG:
        return None
    told = ",".join(map(str, path)).encode()
    return Pair(Sort.CHAIN, start, 0 if broken else path[-1],
                hashlib.blake2b(told, digest_size=16).digest())  # fmt: skip
