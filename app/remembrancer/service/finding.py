"""The one engine of search: a question to rated memories, bounded whatever the store holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import nlargest

from remembrancer.core import analyser, looking, ranking
from remembrancer.core.analyser import Asked
from remembrancer.core.ranking import WEIGHTS, Candidate, Evidence, Rated, Sought, Weights
from remembrancer.service.gathering import CANDIDATES, Gatherer, Meaning, gatherer
from remembrancer.store.note_search import Reach
from remembrancer.store.store import Store

_BEFRIENDED = 30  # the best hits, which gain from one another
_PLACES = tuple(ranking.TOGETHER)
_LINKS = 50  # relations among the best hits' entities that are looked at


class Finder:
    """Finds what answers a question in one store."""

    def __init__(
        self, store: Store, weights: Weights = WEIGHTS, meaning: Meaning | None = None
    ) -> None:
        self._store = store
        self.weights = weights
        self._meaning = meaning if weights.meaning else None

    def find(self, query: str, reach: Reach, most: int = CANDIDATES) -> list[Rated]:
        """What matches a question within reach, the best first; [] for one without words.

        `most` is how many texts are looked at where the index names more.
        """
        asked = analyser.asked(query)
        if not asked.words and not asked.phrases:
            return []
        meaning = self._meaning if self._meaning is not None and self._meaning.ready else None
        source = gatherer(self._store, reach, self.weights, most)
        return _Search(self._store, reach, self.weights, query, meaning, source).find(asked)


def within(store: Store, entity_ids: Sequence[int] | None, now: int) -> Reach:
    """Active, unexpired memories of these entities (None: of all) as a reach."""
    condition = "m.status = 'active' AND (m.expires_at IS NULL OR m.expires_at > ?)"
    if entity_ids is None:
        return Reach(condition, (now,))
    return store.note_index.of_entities(list(entity_ids), condition, (now,))


class _Search:
    """One question under way."""

    def __init__(
        self,
        store: Store,
        reach: Reach,
        weights: Weights,
        query: str,
        meaning: Meaning | None,
        source: Gatherer,
    ) -> None:
        self._store = store
        self._reach = reach
        self._weights = weights
        self._query = query
        self._meaning = meaning
        self._source = source
        self._possible = 0.0
        self._spread = (0.0, 1.0)

    def find(self, asked: Asked) -> list[Rated]:
        """The memories that answer the question, the best first."""
        candidates, sought, total = self._source.gathered(asked)
        self._possible = ranking.possible((w.folded for w in asked.words), sought, total)
        rated = self._rated(candidates, sought)
        if self._meaning is not None:
            self._mean(rated, self._meaning)
        self._gain(rated, asked, sought)
        self._befriend(rated)
        kept = (self._judged(each) for each in rated.values() if each.relevance > 0)
        return sorted(kept, key=_by_relevance, reverse=True)

    def _rated(self, candidates: Sequence[Candidate], sought: Sequence[Sought]) -> dict[int, Rated]:
        return looking.by_words(candidates, sought, self._possible, self._weights)

    def _mean(self, rated: dict[int, Rated], meaning: Meaning) -> None:
        """Let memories gain that say the same in other words, even without a word of it."""
        cosines, self._spread = self._source.cosines(self._query, rated.keys(), meaning)
        gained = ranking.by_meaning(cosines, self._spread, self._possible, self._weights)
        near = (i for i in gained.keys() - rated.keys() if ranking.meant(cosines[i], self._spread))
        for candidate in self._store.search.looked_at(near, self._reach):
            rated[candidate.id] = Rated(candidate, 0.0)
        self._add(rated, {i: [each] for i, each in gained.items() if i in rated})

    def _mean_too(self, rated: dict[int, Rated], fetched: Sequence[Candidate]) -> None:
        """The same for those that were written together with hits."""
        if self._meaning is None:
            return
        cosines = self._meaning.of(self._query, [c.id for c in fetched])
        gained = ranking.by_meaning(cosines, self._spread, self._possible, self._weights)
        for candidate in fetched:
            if evidence := gained.get(candidate.id):
                rated.setdefault(candidate.id, Rated(candidate, 0.0)).gain([evidence])

    def _judged(self, rated: Rated) -> Rated:
        """A question among the memories is no answer."""
        if rated.candidate.asks:
            rated.relevance *= 1 - self._weights.question
        return rated

    def _gain(self, rated: dict[int, Rated], asked: Asked, sought: Sequence[Sought]) -> None:
        """Let memories gain from those that were written together with them."""
        if not self._weights.together:
            return
        best = nlargest(ranking.TOGETHER_BEST, rated.values(), key=_by_relevance)
        places = [(r, by, self._source.beside(r.candidate.id, by)) for r in best for by in _PLACES]
        fresh = {other for _, _, other in places if other is not None}.difference(rated)
        fetched = self._store.search.looked_at(fresh, self._reach)
        having = [c for c in fetched if not asked.every.isdisjoint(c.words.split())]
        rated.update({c.id: Rated(c, 0.0) for c in having})
        rated.update(self._rated(fetched, sought))
        self._mean_too(rated, fetched)
        neighbours: dict[int, dict[int, float]] = {}
        for each, by, other_id in places:
            other = rated.get(other_id) if other_id is not None else None
            if other is not None and _together(each.candidate, other.candidate, abs(by)):
                share = ranking.TOGETHER[by]
                neighbours.setdefault(other.candidate.id, {})[each.candidate.id] = share
        relevance = {r.candidate.id: r.relevance for r in best}
        self._add(rated, ranking.together(relevance, neighbours, self._weights))

    def _befriend(self, rated: dict[int, Rated]) -> None:
        """Let hits gain a little from others of the same and of linked entities."""
        best = [r for r in nlargest(_BEFRIENDED, rated.values(), key=_by_relevance) if r.relevance]
        ids = dict.fromkeys(r.candidate.entity_id for r in best if r.candidate.entity_id)
        linked: dict[int, set[int]] = {}
        wanted = list(ids) if self._weights.linked and len(ids) > 1 else []
        for one, other in self._store.relations.between(wanted, _LINKS):
            linked.setdefault(one, set()).add(other)
            linked.setdefault(other, set()).add(one)
        self._add(rated, ranking.kindred(best, linked, self._weights))

    @staticmethod
    def _add(rated: dict[int, Rated], gained: Mapping[int, Sequence[Evidence]]) -> None:
        for memory_id, evidence in gained.items():
            rated[memory_id].gain(evidence)


def _together(one: Candidate, other: Candidate, apart: int) -> bool:
    """Whether the same author wrote both, one soon after the other."""
    gap = abs(one.created_at - other.created_at)
    return one.author == other.author and gap <= apart * ranking.TOGETHER_GAP


def _by_relevance(rated: Rated) -> tuple[float, int]:
    return rated.relevance, rated.candidate.id
