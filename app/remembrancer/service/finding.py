"""The one engine of search: a question to rated memories, bounded whatever the store holds."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from remembrancer.core import ranking, seeking, stems
from remembrancer.core.kin import OwnWords
from remembrancer.core.ranking import WEIGHTS, Candidate, Evidence, Rated, Sought, Weights
from remembrancer.core.stems import Asked
from remembrancer.store.note_search import Reach
from remembrancer.store.store import Store

CANDIDATES = 160  # memories whose texts are looked at
FEW = 400  # memories within reach up to which all of them are looked at
_BUDGET = 8_000  # rows that one question may have ranked
_LINKS = 50  # relations of the best hits' entities that are looked at
_EXCUSED = 4  # times the budget that the rarest word alone may cost


class Finder:
    """Finds what answers a question in one store."""

    def __init__(self, store: Store, weights: Weights = WEIGHTS) -> None:
        self._store = store
        self.weights = weights

    def find(self, query: str, reach: Reach) -> list[Rated]:
        """What matches a question within reach, the best first; [] for one without words."""
        asked = stems.asked(query)
        if not asked.words and not asked.phrases:
            return []
        search = (_Few if self._few(reach) else _Many)(self._store, reach, self.weights)
        return search.find(asked)

    def _few(self, reach: Reach) -> bool:
        return reach.ids is not None and len(json.loads(reach.ids)) <= FEW


class _Search:
    """One question under way."""

    def __init__(self, store: Store, reach: Reach, weights: Weights) -> None:
        self._store = store
        self._reach = reach
        self._weights = weights

    def find(self, asked: Asked) -> list[Rated]:
        candidates, sought = self._gathered(asked)
        rated = self._rated(candidates, sought)
        self._gain(rated, asked, sought)
        self._befriend(rated)
        kept = (self._judged(each) for each in rated.values() if each.relevance > 0)
        return sorted(kept, key=lambda r: (-r.relevance, -r.candidate.id))

    def _gathered(self, asked: Asked) -> tuple[list[Candidate], list[Sought]]:
        raise NotImplementedError

    def _rated(self, candidates: Sequence[Candidate], sought: Sequence[Sought]) -> dict[int, Rated]:
        found = ranking.by_words(candidates, sought, self._weights)
        return {
            c.id: Rated(c, _sum(found[c.id]), tuple(found[c.id]))
            for c in candidates
            if c.id in found
        }

    def _judged(self, rated: Rated) -> Rated:
        """A question among the memories is no answer."""
        loss = self._weights.question * rated.candidate.asks
        return rated._replace(relevance=rated.relevance * (1 - loss)) if loss else rated

    def _gain(self, rated: dict[int, Rated], asked: Asked, sought: Sequence[Sought]) -> None:
        """Let memories gain from those that were written together with them."""
        best = sorted(rated.values(), key=lambda r: (-r.relevance, -r.candidate.id))
        best = [each for each in best[: ranking.TOGETHER_BEST] if each.relevance > 0]
        if not self._weights.together:
            return
        places = {r.candidate.id + by for r in best for by in ranking.TOGETHER}
        fetched = self._store.search.looked_at(places.difference(rated), self._reach)
        having = [c for c in fetched if not asked.every.isdisjoint(c.words.split())]
        rated.update({c.id: Rated(c, 0.0, ()) for c in having})
        rated.update(self._rated(fetched, sought))
        neighbours: dict[int, dict[int, float]] = {}
        for each in best:
            for by, share in ranking.TOGETHER.items():
                other = rated.get(each.candidate.id + by)
                if other is not None and _together(each.candidate, other.candidate, abs(by)):
                    neighbours.setdefault(other.candidate.id, {})[each.candidate.id] = share
        relevance = {r.candidate.id: r.relevance for r in best}
        self._add(rated, ranking.together(relevance, neighbours, self._weights))

    def _befriend(self, rated: dict[int, Rated]) -> None:
        """Let hits gain a little from others of the same and of linked entities."""
        best = sorted(rated.values(), key=lambda r: -r.relevance)[: ranking.TOGETHER_BEST]
        ids = dict.fromkeys(r.candidate.entity_id for r in best if r.candidate.entity_id)
        linked: dict[int, set[int]] = {}
        links = self._store.relations.touching(list(ids), _LINKS) if self._weights.linked else []
        for link in links:
            linked.setdefault(link.source_id, set()).add(link.target_id)
            linked.setdefault(link.target_id, set()).add(link.source_id)
        self._add(rated, ranking.kindred(rated, linked, self._weights))

    @staticmethod
    def _add(rated: dict[int, Rated], gained: Mapping[int, Sequence[Evidence]]) -> None:
        for memory_id, evidence in gained.items():
            rated[memory_id] = _with(rated[memory_id], evidence)


class _Few(_Search):
    """Within few memories every text is looked at, and only their own words count."""

    def _gathered(self, asked: Asked) -> tuple[list[Candidate], list[Sought]]:
        ids = json.loads(self._reach.ids or "[]")
        candidates = self._store.search.looked_at(ids, self._reach)
        texts = [frozenset(f"{c.stems} {c.parts}".split()) for c in candidates]
        total = len(candidates)

        def counted(forms: Iterable[str]) -> dict[str, int]:
            return {form: _times(form, texts, spoken) for form in forms}

        spoken = [f" {c.words} " for c in candidates]
        words = OwnWords(chain.from_iterable(texts))
        sought = seeking.sought(asked, counted, words, total, self._weights)
        phrases = {p: sum(f" {p} " in text for text in spoken) for p in asked.phrases}
        return candidates, [*sought, *seeking.phrases(phrases, total, self._weights)]


class _Many(_Search):
    """In a large store the index gives candidates, of the rarest words up to a budget of rows."""

    def _gathered(self, asked: Asked) -> tuple[list[Candidate], list[Sought]]:
        size = self._store.note_index.size()
        counts: dict[str, int] = {}

        def counted(forms: Iterable[str]) -> dict[str, int]:
            asked_for = {form: _in_stems(form) for form in forms}
            found = self._store.search.frequencies(asked_for.values(), size)
            counts.update(found)
            return {form: found[text] for form, text in asked_for.items()}

        sought = seeking.sought(asked, counted, self._store.words, size, self._weights)
        quoted = {phrase: f'words : "{phrase}"' for phrase in asked.phrases}
        of_phrases = self._store.search.frequencies(quoted.values(), size)
        counts.update(of_phrases)
        phrases = {phrase: of_phrases[text] for phrase, text in quoted.items()}
        return self._candidates(counts), [*sought, *seeking.phrases(phrases, size, self._weights)]

    def _candidates(self, counts: Mapping[str, int]) -> list[Candidate]:
        known = sorted((count, text) for text, count in counts.items() if count)
        if not known:
            return []
        rarest = known[0][0]
        kept, rows = [known[0][1]], rarest
        for count, text in known[1:]:
            rows += count
            if rows > _BUDGET:
                break
            kept.append(text)
        newest = rarest > _BUDGET * _EXCUSED
        return self._store.search.candidates(
            " OR ".join(kept), self._reach, CANDIDATES, newest=newest
        )


def within(store: Store, entity_ids: Sequence[int] | None, now: int) -> Reach:
    """Active, unexpired memories of these entities (None: of all) as a reach."""
    condition = "m.status = 'active' AND (m.expires_at IS NULL OR m.expires_at > ?)"
    if entity_ids is None:
        return Reach(condition, (now,))
    return store.note_index.of_entities(list(entity_ids), condition, (now,))


def _in_stems(form: str) -> str:
    if form.endswith("*"):
        return f'words : "{form[:-1]}"*'
    return f'{{stems parts}} : "{form}"'


def _times(form: str, stems: Sequence[frozenset[str]], words: Sequence[str]) -> int:
    """How many of the texts have a form, or a word that begins with it."""
    if form.endswith("*"):
        return sum(f" {form[:-1]}" in text for text in words)
    return sum(form in text for text in stems)


def _together(one: Candidate, other: Candidate, apart: int) -> bool:
    """Whether the same author wrote both, one soon after the other."""
    gap = abs(one.created_at - other.created_at)
    return one.author == other.author and gap <= apart * ranking.TOGETHER_GAP


def _sum(evidence: Sequence[Evidence]) -> float:
    return sum(each.amount for each in evidence)


def _with(rated: Rated, evidence: Sequence[Evidence]) -> Rated:
    return Rated(rated.candidate, rated.relevance + _sum(evidence), (*rated.evidence, *evidence))
