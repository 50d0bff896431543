"""The desk for recall: gathers what a question can reach; core ranks it and keeps the budget."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from heapq import nlargest
from itertools import groupby

from remembrancer.core import names, policy, ranking
from remembrancer.core import recall as core
from remembrancer.core.author import PERSON, Author
from remembrancer.core.entity import Entity, ScopeRecord
from remembrancer.core.errors import NotFound, Refused
from remembrancer.core.explaining import Explanation
from remembrancer.core.memory import Memory
from remembrancer.core.ranking import WEIGHTS, Rated, Weights
from remembrancer.core.recall import ConflictingKey, Gathered, Question, Recall, Why
from remembrancer.service.desk import Ground
from remembrancer.service.explaining import Explaining
from remembrancer.service.finding import Finder, within
from remembrancer.service.gathering import Meaning
from remembrancer.service.scopes import record, seen_by


@dataclass(frozen=True)
class _Reach:
    """Which entities a question reaches, and why each of them."""

    applicable: dict[int, Why]
    related: frozenset[int]
    records: tuple[Entity, ...]
    selected: Entity | None

    def why(self, memory: Memory) -> Why:
        if memory.entity_id in self.applicable:
            return self.applicable[memory.entity_id]
        return Why.LIBRARY if self.selected is None else Why.RELATED

    def scope_ids(self) -> list[int] | None:
        """The entities in range; None is the whole library."""
        return None if self.selected is None else [*self.applicable, *self.related]


class RecallDesk:
    """Answers a question with exactly what an agent would get."""

    def __init__(
        self, ground: Ground, weights: Weights = WEIGHTS, meaning: Meaning | None = None
    ) -> None:
        self._ground = ground
        self._store = ground.store
        self._finder = Finder(ground.store, weights, meaning)

    def ask(self, question: Question, author: Author = PERSON) -> Recall:
        """The answer to a question; the same for the person as for an agent."""
        with self._store.reading():
            reach = self._reach(question, author)
            return core.answer(self._gather(question, reach, author), question)

    def serve(self, question: Question, author: Author) -> Recall:
        """The answer to an agent's question, with a receipt for what it was given."""
        found = self.ask(question, author)
        served = [(h.memory.id, len(h.memory.content)) for h in found.items]
        if served:
            self._receipt(author.name, served)
        return found

    def explain(self, question: Question, memory_id: int, author: Author = PERSON) -> Explanation:
        """Whether a memory is served for a question, and if not why; NotFound if there is none."""
        with self._store.reading():
            explaining = Explaining(self._ground, self._finder, self.ask, self._reach)
            return explaining.explain(question, memory_id, author)

    def _receipt(self, agent: str, served: list[tuple[int, int]]) -> None:
        # Nobody waits for it, and a store that cannot be written to can still be asked.
        now = self._ground.clock()
        self._store.post(lambda: self._store.extras.served(agent, served, now))

    def _reach(self, question: Question, author: Author) -> _Reach:
        selected = self._selected(question, author)
        reached = [(e, Why.SHARED) for e in self._store.entities.shared()]
        if selected is not None:
            reached.append((selected, Why.SELECTED))
            reached += [(e, Why.MEMBER) for e in self._store.entities.groups_of(selected.id)]
        visible = [(e, why) for e, why in reached if policy.sees(author, e.name)]
        applicable = {e.id: why for e, why in visible}
        if len(applicable) > core.APPLICABLE_LIMIT:
            raise Refused(
                "Memory scope is too large; consolidate shared policy entities before recall",
                code="scope_size",
            )
        records = {e.id: e for e, _ in visible}
        related = self._related(selected, question, author).difference(applicable)
        return _Reach(applicable, frozenset(related), tuple(records.values()), selected)

    def _selected(self, question: Question, author: Author) -> Entity | None:
        name = question.entity if question.entity is not None else author.entity
        if name is None:
            return None
        entity = self._store.entities.named(names.entity_name(name))
        if entity is None or entity.ghost or not policy.sees(author, entity.name):
            raise NotFound(
                "Entity not found; scope never substitutes another device", code="scope_entity"
            )
        return entity

    def _related(self, selected: Entity | None, question: Question, author: Author) -> set[int]:
        if selected is None or not question.include_related or author.entity is not None:
            return set()
        links = self._store.relations.touching([selected.id], core.RELATED_LIMIT)
        return {end for link in links for end in (link.source_id, link.target_id)}

    def _gather(self, question: Question, reach: _Reach, author: Author) -> Gathered:
        now = self._ground.clock()
        applicable = list(reach.applicable)
        mandatory = self._store.memories.mandatory(applicable, now, 10_000)
        binding = {m.id for m in mandatory}
        rated = self._rated(question, reach, now)
        best = self._considered(question, reach, rated, binding, now)
        found = {m.id: m for m in (*mandatory[: core.CANDIDATE_LIMIT], *best)}
        words, days = core.query_words(question.query), self._ground.review_days()
        hits = [
            core.hit(
                m, reach.why(m), rated.get(m.id), words, now, mandatory=m.id in binding, days=days,
                weights=self._finder.weights,
            )
            for m in found.values()
            if policy.sees(author, m.entity)
        ]  # fmt: skip
        conflicts, many = self._conflicts(applicable, now)
        return Gathered(
            hits=tuple(core.ranked(hits)[: core.CANDIDATE_LIMIT]),
            mandatory=len(binding),
            overflow=len(binding.union(rated)) > len(hits) or len(hits) > core.CANDIDATE_LIMIT,
            scopes=tuple(self._scopes(reach, author)),
            conflicts=tuple(conflicts),
            many_conflicts=many,
            selected=reach.selected is not None,
        )

    def _rated(self, question: Question, reach: _Reach, now: int) -> dict[int, Rated]:
        """What the words of the question find."""
        if not question.query.strip():
            return {}
        inside = within(self._store, reach.scope_ids(), now)
        found = self._finder.find(question.query, inside, question.looked_at)
        return {r.candidate.id: r for r in found}

    def _considered(
        self,
        question: Question,
        reach: _Reach,
        rated: Mapping[int, Rated],
        binding: Collection[int],
        now: int,
    ) -> list[Memory]:
        """The memories that may be served: the best found, or all when nothing is asked."""
        if not question.query.strip():
            return self._store.memories.of_entities(
                reach.scope_ids(), now, core.CANDIDATE_LIMIT + 1
            )
        weights = self._finder.weights

        def score(each: Rated) -> float:
            age = now - each.candidate.updated_at
            return (1 + each.relevance) * ranking.standing(
                each.candidate, 0, age, weights, asked=True
            )

        most = core.CANDIDATE_LIMIT if question.thorough else question.limit + core.SPARE
        others = [each for each in rated.values() if each.candidate.id not in binding]
        # What is far less relevant cannot catch up by its standing.
        near = nlargest(most * 2, others, key=lambda r: (r.relevance, r.candidate.id))
        best = sorted(near, key=lambda r: (-score(r), -r.candidate.id))[:most]
        return self._store.memories.several([r.candidate.id for r in best])

    def _scopes(self, reach: _Reach, author: Author) -> Iterable[ScopeRecord]:
        return (seen_by(author, record(self._store.entities, e)) for e in reach.records)

    def _conflicts(self, applicable: list[int], now: int) -> tuple[list[ConflictingKey], bool]:
        rows = self._store.memories.conflicts(applicable, now, core.CONFLICT_LIMIT + 1)
        found = [
            ConflictingKey(str(key), tuple(group)) for key, group in groupby(rows, lambda m: m.key)
        ]
        return found[: core.CONFLICT_LIMIT], len(found) > core.CONFLICT_LIMIT
