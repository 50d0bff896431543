"""The desk for conflicts: what contradicts or repeats something, shown pair by pair and decided.

A search reads everything once, in the background and beside whatever else is done. It keeps ids
alone; what is shown is read when it is shown, so what was decided or changed meanwhile is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TypeVar, Unpack

from remembrancer.core import conflicts, crossing, policy, unlike
from remembrancer.core import memory as values
from remembrancer.core.conflicts import Pair, Sort
from remembrancer.core.entity import Entity
from remembrancer.core.errors import BadValue, Conflict, NotFound
from remembrancer.core.journal import Deed
from remembrancer.core.memory import Edit, Memory, Status
from remembrancer.core.unlike import Difference
from remembrancer.service import deciding, joining, searching, writing
from remembrancer.service.desk import Doing, Ground
from remembrancer.service.long_reading import LongReading, Standing
from remembrancer.service.one_path import Ledger
from remembrancer.store.store import Store

MOST = searching.MOST
_MEMORIES = frozenset({Sort.KEY, Sort.CONTRADICTION, Sort.REPEATED})

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SearchState:
    """How far a search is, in hundredths, and the pairs it has found, a thousand of a sort at most.

    `more` are the sorts of which there are more; `at` is when it ended, in microseconds.
    """

    standing: Standing = Standing.NEVER
    done: int = 0
    pairs: Mapping[Sort, tuple[Pair, ...]] = field(default_factory=lambda: MappingProxyType({}))
    more: frozenset[Sort] = frozenset()
    at: int | None = None


@dataclass(frozen=True, slots=True)
class Side:
    """One of two memories, and how often it was served."""

    memory: Memory
    served: int


@dataclass(frozen=True, slots=True)
class Card:
    """A pair as it stands: two memories and what sets them apart, two entities, or a chain.

    A chain is told from its beginning on; `broken` where it leads to nothing or in a circle.
    """

    pair: Pair
    sides: tuple[Side, ...] = ()
    difference: Difference | None = None
    entities: tuple[Entity, ...] = ()
    broken: bool = False


class ConflictsDesk(LongReading[SearchState]):
    """Searches, shows and decides; only the person decides. Any thread may ask."""

    def __init__(self, ground: Ground) -> None:
        super().__init__("conflicts", SearchState())
        self._ground = ground
        self._store = ground.store
        self._rows = ground.store.conflicts

    # --- what is shown

    def open_pairs(self) -> dict[Sort, list[Pair]]:
        """The pairs found that are still to be decided, by sort; every sort is there."""
        state, found = self._state, dict[Sort, list[Pair]]()
        with self._store.reading():
            kept = self._rows.kept()
            for sort in Sort:
                pairs = [p for p in state.pairs.get(sort, ()) if _key(p) not in kept]
                found[sort] = self._standing(sort, pairs)
        return found

    def card(self, pair: Pair) -> Card:
        """A pair as it stands now; NotFound when there is nothing to decide about it any more."""
        with self._store.reading():
            if _key(pair) in self._rows.kept() or not self._standing(pair.sort, [pair]):
                raise NotFound("This was decided or has changed meanwhile.", code="decided")
            if pair.sort is Sort.NAMES:
                found = {e.id: e for e in self._store.entities.several((pair.one, pair.other))}
                return Card(pair, entities=(found[pair.one], found[pair.other]))
            if pair.sort is Sort.CHAIN:
                path, _ = conflicts.path_from(pair.one, self._rows.links())
                return Card(pair, _sides(self._store, path), broken=not pair.other)
            one, other = _sides(self._store, (pair.one, pair.other))
            texts = (crossing.memo_text(each.memory) for each in (one, other))
            return Card(pair, (one, other), unlike.differences(*texts))

    # --- what is decided

    def keep(self, pair: Pair, winner: int, **doing: Unpack[Doing]) -> Memory:
        """Let one of two memories supersede the other, which is archived; returns that one."""
        if pair.sort not in _MEMORIES or winner not in (pair.one, pair.other):
            raise BadValue("Only one of two memories can supersede the other.")
        loser = pair.other if winner == pair.one else pair.one

        def work(ledger: Ledger) -> Memory:
            _still(self._standing(pair.sort, [pair]))
            memory = self._get(loser)
            joining.supersede(ledger, memory, winner, self._ground.review_days())
            return self._get(loser)

        return self._decide(work, f"Memory {winner} supersedes {loser}", doing)

    def keep_both(
        self, pair: Pair, *, until: Mapping[int, int] | None = None, **doing: Unpack[Doing]
    ) -> None:
        """Leave a pair as it is and do not ask about it again, unless either of the two changes.

        `until` says by id when one of the memories expires, in microseconds.
        """

        def work(ledger: Ledger) -> None:
            _still(self._standing(pair.sort, [pair]))
            for memory_id, moment in (until or {}).items():
                edit = values.check_edit(Edit(expires_at=moment))
                memory = self._get(memory_id)
                after = values.revised(memory, edit, ledger.now, ledger.author.name)
                if after is not None:
                    writing.put(ledger, memory, after, self._ground.review_days(), Deed.REVISE)
            deciding.keep_both(ledger, pair, _name(self._store, pair))

        if not set(until or {}) <= {pair.one, pair.other}:
            raise BadValue("Only one of the two can be given a date.")
        self._decide(work, "Both are kept", doing)

    def mend(self, pair: Pair, **doing: Unpack[Doing]) -> None:
        """Let every memory of a long chain lead to its end at once; take the last link off a broken
        one, so that its last memory is archived and nothing more."""
        if pair.sort is not Sort.CHAIN:
            raise BadValue("Only a chain can be mended.")

        def work(ledger: Ledger) -> None:
            _still(self._standing(pair.sort, [pair]))
            links = self._rows.links()
            path, _ = conflicts.path_from(pair.one, links)
            living = [each for each in path if each in links]
            for memory_id in living[:-1] if pair.other else living[-1:]:
                joining.lead(ledger, memory_id, pair.other or None, self._ground.review_days())

        self._decide(work, "Mended what superseded what", doing)

    # --- inside

    def _decide(self, work: Callable[[Ledger], T], reason: str, doing: Doing) -> T:
        policy.person_only(doing["author"], "decide about conflicts")
        return self._ground.path.walk(work, reason=reason, **doing)

    def _standing(self, sort: Sort, pairs: list[Pair]) -> list[Pair]:
        """Those of the pairs of which neither side has gone or changed."""
        if not pairs:
            return []
        if sort is Sort.CHAIN:
            links = self._rows.links()
            living = self._rows.living({*links, *links.values()})
            return [p for p in pairs if searching.chain(p.one, links, living) == p]
        ids = {each for pair in pairs for each in (pair.one, pair.other)}
        if sort is Sort.NAMES:
            names = self._rows.names(ids)
            both = (p for p in pairs if p.one in names and p.other in names)
            return [p for p in both if searching.name_mark(names[p.one], names[p.other]) == p.mark]
        homes = self._rows.homes(ids, self._ground.clock())
        both = (p for p in pairs if p.one in homes and p.other in homes)
        return [p for p in both if searching.mark(homes[p.one], homes[p.other]) == p.mark]

    def _get(self, memory_id: int) -> Memory:
        memory = self._store.memories.get(memory_id)
        if memory is None or memory.status is Status.DELETED:
            raise NotFound("Memory not found", code="memory")
        return memory

    # --- the search

    def _begun(self) -> SearchState:
        return replace(self._state, standing=Standing.UNDER_WAY, done=0)

    def _failed(self) -> SearchState:
        return replace(self._state, standing=Standing.FAILED, at=self._ground.clock())

    def _read(self) -> SearchState:
        found: dict[Sort, list[Pair]] = {sort: [] for sort in Sort}
        search = searching.Search(
            self._store, self._ground.clock(), lambda: not self._stop.is_set()
        )
        ended = Standing.DONE
        for done, pairs in search.steps():
            for pair in pairs:
                found[pair.sort].append(pair)
            self._tell(done, found)
            if self._stop.is_set():
                ended = Standing.STOPPED
                break
        else:
            self._tell(100, found)
        return replace(self._state, standing=ended, at=self._ground.clock())

    def _tell(self, done: int, found: Mapping[Sort, list[Pair]]) -> None:
        pairs = {sort: tuple(each[:MOST]) for sort, each in found.items()}
        more = frozenset(sort for sort, each in found.items() if len(each) > MOST)
        self._set(SearchState(Standing.UNDER_WAY, done, pairs, more))


def _key(pair: Pair) -> tuple[str, int, int, bytes]:
    return str(pair.sort), pair.one, pair.other, pair.mark


def _sides(store: Store, ids: Iterable[int]) -> tuple[Side, ...]:
    memories = store.memories.several(list(ids))
    served = store.reviewing.served([m.id for m in memories])
    return tuple(Side(m, served.get(m.id, (0, 0))[0]) for m in memories)


def _name(store: Store, pair: Pair) -> str:
    """Both sides in few words, for the journal."""
    if pair.sort is Sort.NAMES:
        return " · ".join(store.conflicts.names((pair.one, pair.other)).values())
    memories = store.memories.several([pair.one, pair.other])
    return " · ".join(memory.headline(60) for memory in memories)


def _still(standing: list[Pair]) -> None:
    if not standing:
        raise Conflict("This was decided or has changed meanwhile.", code="decided")
