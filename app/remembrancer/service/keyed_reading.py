"""What is there by scope and name: one entry, lists, the journal of entries, the strict search."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from remembrancer.core import crossing, kinds, policy, prefixes
from remembrancer.core.author import PERSON, Author
from remembrancer.core.keyed import Event, Found, Hit, Listing, Place, Within
from remembrancer.core.kinds import MEMCORE, Kind
from remembrancer.core.memory import Memory, Status
from remembrancer.service.desk import Ground
from remembrancer.store.keyed import RANKED, UNRANKED

_CANDIDATES = 1_000  # ranked matches of which some may fail the check


class KeyedReading:
    """The reading half of the desk; `place` None is everywhere that the author may see."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._store = ground.store

    def get(self, place: Place, name: str, author: Author = PERSON) -> Memory | None:
        """The entry of that name, archived or not; None when there is none for this author."""
        if not policy.sees(author, place.entity):
            return None
        with self._store.reading():
            return self._known(place, name)

    def recent(
        self, place: Place | None, limit: int, *, archived: bool = False, author: Author = PERSON
    ) -> list[Listing]:
        """The newest entries; the archived ones among them when asked for."""
        statuses = [Status.ACTIVE, *([Status.ARCHIVED] if archived else [])]
        with self._store.reading():
            within = self._within(place, author)
            return [] if within is None else self._store.keyed.recent(within, statuses, limit)

    def listed(
        self, place: Place | None, limit: int, *, type: str | None = None,
        archived: bool = False, author: Author = PERSON,
    ) -> list[Listing]:  # fmt: skip
        """The active or the archived entries that are shown as that type, by scope and name."""
        of_type = frozenset[Kind]() if type is None else kinds.shown_as(type, MEMCORE)
        status = Status.ARCHIVED if archived else Status.ACTIVE
        with self._store.reading():
            within = self._within(place, author)
            if within is None:
                return []
            found = self._store.keyed.listed(within, status, of_type, limit)
        return sorted(found, key=_by_scope_and_name)[:limit]

    def scopes(self, author: Author = PERSON) -> list[tuple[str | None, int]]:
        """(entity, how many active memories), the largest first."""
        with self._store.reading():
            within = self._within(None, author)
            return [] if within is None else self._store.keyed.scopes(within)

    def counts(self, author: Author = PERSON) -> tuple[int, int]:
        """How many memories are active, and how many archived."""
        with self._store.reading():
            within = self._within(None, author)
            return (0, 0) if within is None else self._store.keyed.counts(within)

    def events(
        self, place: Place | None, name: str | None, limit: int, author: Author = PERSON
    ) -> list[Event]:
        """The newest lines of the journal about entries, or about those of one name."""
        with self._store.reading():
            within = self._within(place, author)
            if within is None:
                return []
            ids = None if name is None else self._ids(within, name)
            return self._store.keyed.events(within, ids, limit)

    def search(self, query: str, place: Place | None, limit: int, author: Author = PERSON) -> Found:
        """Entries in which every word of the query begins a word of scope, name, texts or type.

        Where there is none, those in which one of several words does. Archived ones are not found.
        """
        words = prefixes.asked(query)
        with self._store.reading():
            within = self._within(place, author)
            if not words or within is None:
                return Found((), words, strict=True)
            hits = self._strict(words, within, limit)
            strict = bool(hits) or len(words) == 1
            if not strict:
                hits = self._loose(words, within, limit)
        return Found(tuple(hits if author.entity is None else _by_place(hits)), words, strict)

    # --- inside one picture of the store

    def _within(self, place: Place | None, author: Author) -> Within | None:
        """Where a question may look; None when there is nothing for this author."""
        if author.entity is not None:
            if place is not None and place.entity != author.entity:
                return None
            place = Place(author.entity)
        if place is None:
            return ()
        if place.entity is None:
            return (None,)
        composed = unicodedata.normalize("NFC", place.entity)
        entity = self._store.entities.named(composed)
        return None if entity is None or entity.ghost else (entity.id,)

    def _known(self, place: Place, name: str) -> Memory | None:
        within = self._within(place, PERSON)
        return None if within is None else self._named(within[0], name)

    def _named(self, entity_id: int | None, name: str) -> Memory | None:
        """The living memory of that name: under its key or, where it has none, by its id."""
        keyed = self._store.memories.by_key(entity_id, name)
        number = crossing.slug_id(name)
        if keyed is not None or number is None:
            return keyed
        found = self._store.memories.get(number)
        if found is None or found.key is not None or found.status is Status.DELETED:
            return None
        return found if found.entity_id == entity_id else None

    def _ids(self, within: Within, name: str) -> list[int]:
        if within:
            found = self._named(within[0], name)
            return [] if found is None else [found.id]
        ids = self._store.keyed.under_key(name)
        number = crossing.slug_id(name)
        memory = None if number is None else self._store.memories.get(number)
        return [*ids, memory.id] if memory is not None and memory.key is None else ids

    def _strict(self, words: Sequence[str], within: Within, limit: int) -> list[Hit]:
        keyed = self._store.keyed
        ranks = dict(keyed.matching(prefixes.all_of(words), within, (), _CANDIDATES))
        for of_type, rest in _by_type(words):
            if rest:
                found = keyed.matching(prefixes.all_of(rest), within, of_type, _CANDIDATES)
            else:
                newest = keyed.newest_of(within, of_type, limit)
                found = [(memory_id, UNRANKED) for memory_id in newest]
            for memory_id, rank in found:
                ranks.setdefault(memory_id, rank)
        best = sorted(ranks, key=lambda i: ranks[i])
        return self._checked(best, ranks, words, limit)

    def _checked(
        self, ids: Sequence[int], ranks: dict[int, float], words: Sequence[str], limit: int
    ) -> list[Hit]:
        """The first hits in which every word stands where this search looks for it."""
        kept: list[Hit] = []
        for start in range(0, len(ids), limit):
            part = self._store.memories.several(ids[start : start + limit])
            kept += [Hit(m, ranks[m.id]) for m in part if _holds(m, words)]
            if len(kept) >= limit:
                break
        return kept[:limit]

    def _loose(self, words: Sequence[str], within: Within, limit: int) -> list[Hit]:
        """The best matches of the rare words, then the newest of the others and of the types."""
        keyed = self._store.keyed
        counted = sorted((keyed.frequency(prefixes.all_of([w]), within), w) for w in words)
        rare, others = _affordable([(count, word) for count, word in counted if count])
        ranks = dict(keyed.matching(prefixes.any_of(rare), within, (), limit)) if rare else {}
        for word in others if len(ranks) < limit else ():
            for memory_id, _ in keyed.matching(prefixes.all_of([word]), within, (), limit):
                ranks.setdefault(memory_id, UNRANKED)
        for of_type, _ in _by_type(words):
            for memory_id in keyed.newest_of(within, of_type, limit):
                ranks.setdefault(memory_id, UNRANKED)
        best = sorted(ranks, key=lambda i: ranks[i])[:limit]
        return [Hit(m, ranks[m.id]) for m in self._store.memories.several(best)]


def _by_scope_and_name(row: Listing) -> tuple[str, str]:
    return crossing.memcore_scope(row.entity), row.key or f"m-{row.id}"


def _by_type(words: Sequence[str]) -> list[tuple[frozenset[Kind], list[str]]]:
    """The kinds whose shown word some of these words begin, with the words that remain."""
    found: list[tuple[frozenset[Kind], list[str]]] = []
    for type_ in kinds.words(MEMCORE):
        rest = [word for word in words if not type_.startswith(word)]
        if len(rest) < len(words):
            found.append((kinds.shown_as(type_, MEMCORE), rest))
    return found


def _by_place(hits: Sequence[Hit]) -> list[Hit]:
    """The hits ranked by nothing but their order: bm25 counts the words of every entity."""
    return [replace(hit, rank=-1.0 / place) for place, hit in enumerate(hits, 1)]


def _holds(memory: Memory, words: Sequence[str]) -> bool:
    """Whether the words stand in what is shown; only tags are in the index and shown nowhere."""
    if not memory.tags:
        return True
    shown = (
        crossing.memcore_scope(memory.entity),
        crossing.slug(memory),
        memory.title,
        memory.content,
        kinds.word(memory.kind, MEMCORE),
    )
    return prefixes.holds("\n".join(shown), words)


def _affordable(counted: Sequence[tuple[int, str]]) -> tuple[list[str], list[str]]:
    """The rarest words (count, word) whose matches together can be ranked, and the others."""
    total = list(accumulate(count for count, _ in counted))
    many = sum(count <= RANKED for count in total)
    return [word for _, word in counted[:many]], [word for _, word in counted[many:]]
