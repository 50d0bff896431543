"""What a question has to be ranked: from few memories all of them, from many what the index names.

What only others have never shows: within some entities, their own memories alone are counted.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple, Protocol

from remembrancer.core import ranking, seeking
from remembrancer.core.analyser import Asked
from remembrancer.core.kin import OwnWords
from remembrancer.core.ranking import Candidate, Form, Signal, Sought, Weights
from remembrancer.store.note_search import Reach
from remembrancer.store.postings import Posting, expression
from remembrancer.store.store import Store

CANDIDATES = 80  # memories whose texts are looked at, unless it is said how many are wanted
FEW = 1_000  # memories within reach up to which all of them are looked at
_NEAREST = 200  # memories that are near in meaning
_SAMPLE = 256  # memories that tell how near a question is to any of them
_FIRST = 250  # memories with a form that are listed before it is known whether it is rare
_RARE = 20  # memories with a form of which those out of reach are not counted
_BUDGET = 2_000  # memories that the lists of a question may name, all in all
_COMMON = 20_000  # memories with a form from which on those within a narrow reach are not sought
_PAGES = 10  # of candidates, where most are out of reach

Cosines = tuple[dict[int, float], tuple[float, float]]


class Meaning(Protocol):
    """What knows the meaning of memories, where there is such an extra; cosines from -1 to 1."""

    @property
    def ready(self) -> bool:
        """Whether it answers; looked at once for every question."""
        ...

    def nearest(
        self, query: str, most: int, ids: Collection[int] | None = None
    ) -> list[tuple[int, float]]:
        """At most `most` memories with their cosines to a question; [] while it is not ready."""
        ...

    def of(self, query: str, ids: Iterable[int]) -> dict[int, float]:
        """The cosines of these memories, as far as they are known."""
        ...

    def spread(self, query: str) -> tuple[float, float]:
        """Mean and deviation of the cosines that all memories have."""
        ...


class Gathered(NamedTuple):
    """Candidates, the words asked for, and among how many memories they are looked for."""

    candidates: list[Candidate]
    sought: list[Sought]
    total: int


class Gatherer(Protocol):
    """Where the candidates of a question come from."""

    def gathered(self, asked: Asked) -> Gathered:
        """What is to be ranked."""
        ...

    def cosines(self, query: str, known: Collection[int], meaning: Meaning) -> Cosines:
        """How near memories are in meaning, the `known` ones too, and how near on average."""
        ...

    def beside(self, memory_id: int, by: int) -> int | None:
        """The id that comes so many places after another (before it, if negative)."""
        ...


def gatherer(store: Store, reach: Reach, weights: Weights, most: int = CANDIDATES) -> Gatherer:
    """The gatherer for a reach; in a large store it names about `most` candidates."""
    ids = None if reach.ids is None else sorted(json.loads(reach.ids))
    if ids is not None and len(ids) <= FEW:
        return _Few(store, reach, ids, weights)
    return _Many(store, reach, ids, weights, most)


class _Few:
    """Within few memories every text is looked at, and only their own words count."""

    def __init__(self, store: Store, reach: Reach, ids: list[int], weights: Weights) -> None:
        self._store = store
        self._reach = reach
        self._ids = ids
        self._weights = weights

    def gathered(self, asked: Asked) -> Gathered:
        """All of them."""
        candidates = self._store.search.looked_at(self._ids, self._reach)
        texts = [frozenset(f"{c.stems} {c.parts}".split()) for c in candidates]
        spoken = [f" {c.words} " for c in candidates]
        total = len(candidates)

        def counted(forms: Iterable[str]) -> dict[str, int]:
            return {form: _times(form, texts, spoken) for form in forms}

        words = OwnWords(chain.from_iterable(texts))
        sought = seeking.sought(asked, counted, words, total, self._weights)
        phrases = {p: sum(f" {p} " in text for text in spoken) for p in asked.phrases}
        every = [*sought, *seeking.phrases(phrases, total, self._weights)]
        return Gathered(candidates, every, total)

    def cosines(self, query: str, known: Collection[int], meaning: Meaning) -> Cosines:
        """Those of all of them."""
        found = meaning.of(query, self._ids)
        return found, ranking.spread(found.values())

    def beside(self, memory_id: int, by: int) -> int | None:
        """A place further among them."""
        return _beside(self._ids, memory_id, by)


class _Many:
    """In a large store the index names candidates, by the rarest words up to a budget of rows."""

    def __init__(
        self, store: Store, reach: Reach, ids: list[int] | None, weights: Weights, most: int
    ) -> None:
        self._store = store
        self._reach = reach
        self._ids = ids
        self._weights = weights
        self._most = most
        self._narrow = reach if ids is not None or reach.narrow else None
        self._whole = store.note_index.size()
        self._size = self._whole if ids is None else len(ids)
        self._postings: dict[str, Posting] = {}

    def gathered(self, asked: Asked) -> Gathered:
        """What has most of the rarest words."""
        words = seeking.sought(asked, self._counted, self._store.words, self._size, self._weights)
        quoted = {phrase: expression(phrase, phrase=True) for phrase in asked.phrases}
        counts = self._count(list(quoted.values()))
        of_phrases = {phrase: counts[text] for phrase, text in quoted.items()}
        sought = [*words, *seeking.phrases(of_phrases, self._size, self._weights)]
        self._read_on()
        return Gathered(self._candidates(sought), sought, self._size)

    def cosines(self, query: str, known: Collection[int], meaning: Meaning) -> Cosines:
        """Those of the nearest, and of what the words found."""
        near = dict(meaning.nearest(query, _NEAREST, self._ids))
        if not near:
            return {}, (0.0, 1.0)
        found = meaning.of(query, known) | near
        if self._ids is None:
            return found, meaning.spread(query)
        # How near any of its own are, so that nothing of others shows.
        some = meaning.of(query, self._ids[:: len(self._ids) // _SAMPLE + 1])
        return found, ranking.spread(some.values())

    def beside(self, memory_id: int, by: int) -> int | None:
        """What was written next, by the ids."""
        return memory_id + by if self._ids is None else _beside(self._ids, memory_id, by)

    def _counted(self, forms: Iterable[str]) -> dict[str, int]:
        expressions = {form: expression(form) for form in forms}
        found = self._count(list(expressions.values()))
        return {form: found[text] for form, text in expressions.items()}

    def _count(self, expressions: Sequence[str]) -> dict[str, int]:
        fresh = [each for each in expressions if each not in self._postings]
        found = self._store.postings.of(fresh, _FIRST, self._whole)
        if self._narrow is not None:
            found = self._narrowed(found, self._narrow)
        self._postings.update(self._without_hidden(found))
        return {each: self._postings[each].frequency for each in expressions}

    def _narrowed(self, found: Mapping[str, Posting], narrow: Reach) -> dict[str, Posting]:
        """The same lists of memories within reach alone; of what is very common there are none."""
        sought = [each for each, p in found.items() if 0 < p.frequency <= _COMMON]
        inside = self._store.postings.within(sought, _FIRST, self._size, narrow)
        common = Posting([], self._size)
        return {e: inside.get(e, common if p.frequency else p) for e, p in found.items()}

    def _without_hidden(self, found: Mapping[str, Posting]) -> dict[str, Posting]:
        """A rare word that only hidden memories have is no word that anybody has."""
        rare = {each: p for each, p in found.items() if 0 < len(p.ids) <= _RARE}
        ids = {i for p in rare.values() for i in p.ids}
        seen = self._store.search.inside(ids, self._reach) if ids else frozenset[int]()
        kept = {each: [i for i in p.ids if i in seen] for each, p in rare.items()}
        return {**found, **{each: Posting(left, len(left)) for each, left in kept.items()}}

    def _read_on(self) -> None:
        """Read the lists of more forms to their end, the rarest first, while the budget lasts."""
        room = _BUDGET - sum(len(p.ids) for p in self._postings.values() if p.whole)
        longer = [
            (p.frequency, each) for each, p in self._postings.items() if p.ids and not p.whole
        ]
        for frequency, each in sorted(longer):
            if frequency > room:
                return
            read = self._list(each, room + _FIRST)
            self._postings[each] = read
            room -= len(read.ids)

    def _list(self, expression: str, most: int) -> Posting:
        postings = self._store.postings
        if self._narrow is None:
            return postings.of([expression], most, self._size)[expression]
        return postings.within([expression], most, self._size, self._narrow)[expression]

    def _ids_of(self, form: Form) -> list[int]:
        text = expression(form.text, phrase=form.signal is Signal.PHRASE)
        return self._postings[text].ids

    def _candidates(self, sought: Sequence[Sought]) -> list[Candidate]:
        """The first candidates that are within reach; the more are not, the more are tried."""
        found: list[Candidate] = []
        seen = 0
        for most in (self._most, self._most * _PAGES):
            ids = ranking.chosen(sought, self._ids_of, most)
            found += self._store.search.looked_at(ids[seen:], self._reach)
            seen = most
            if len(found) >= self._most // 2 or len(ids) < most:
                break
        if not found and self._narrow is not None and sought:
            # Only words that nearly every memory has: the newest within reach have them, too.
            return self._store.search.newest(self._reach, self._most)
        return found[: self._most * 2]


def _beside(ids: Sequence[int], memory_id: int, by: int) -> int | None:
    at = bisect_left(ids, memory_id) + by
    return ids[at] if 0 <= at < len(ids) else None


def _times(form: str, stems: Sequence[frozenset[str]], words: Sequence[str]) -> int:
    """How many of the texts have a form, or a word that begins with it."""
    if form.endswith("*"):
        return sum(f" {form[:-1]}" in text for text in words)
    return sum(form in text for text in stems)
