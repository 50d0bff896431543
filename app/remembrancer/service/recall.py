"""The desk for recall: gathers what a question can reach; core ranks it and keeps the budget."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from remembrancer.core import names, policy
from remembrancer.core import recall as core
from remembrancer.core.author import PERSON, Author
from remembrancer.core.entity import Entity, ScopeRecord
from remembrancer.core.errors import NotFound, Refused
from remembrancer.core.memory import Memory, Status
from remembrancer.core.recall import ConflictingKey, Gathered, Hit, Question, Recall, Why
from remembrancer.core.stems import match_expression
from remembrancer.service.desk import Ground
from remembrancer.service.scopes import record, seen_by

_WIDE = 2_000  # ranked index entries looked at before the filters of scope and state


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

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._store = ground.store

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
        bound = core.CANDIDATE_LIMIT + 1
        applicable = list(reach.applicable)
        mandatory = self._store.memories.mandatory(applicable, now, 10_000)
        binding = {m.id for m in mandatory}
        found = {m.id: m for m in mandatory[:bound]}
        for memory in self._matching(question, reach, bound, now):
            found.setdefault(memory.id, memory)
        words, days = core.query_words(question.query), self._ground.review_days()
        hits = [
            core.hit(m, reach.why(m), words, now, mandatory=m.id in binding, days=days)
            for m in found.values()
            if policy.sees(author, m.entity)
        ]
        conflicts, many = self._conflicts(applicable, now)
        return Gathered(
            hits=tuple(_bounded(hits)),
            mandatory=len(binding),
            overflow=len(hits) > core.CANDIDATE_LIMIT,
            scopes=tuple(self._scopes(reach, author)),
            conflicts=tuple(conflicts),
            many_conflicts=many,
            selected=reach.selected is not None,
        )

    def _matching(
        self, question: Question, reach: _Reach, bound: int, now: int
    ) -> Iterable[Memory]:
        ids = reach.scope_ids()
        if not question.query.strip():
            return self._store.memories.of_entities(ids, now, bound)
        expression = match_expression(question.query)
        if expression is None:
            return ()
        return self._visible(self._found(expression, ids, bound), bound, now)

    def _found(self, expression: str, ids: list[int] | None, bound: int) -> list[int]:
        """The ids that the expression finds; ranked where there are more than can be taken."""
        if ids is None:
            return self._store.search.ranked(expression, _WIDE)
        found = self._store.search.matches_of(expression, ids, bound)
        if len(found) < bound:
            return found
        return self._store.search.ranked_of(expression, ids, _WIDE)

    def _visible(self, ids: Sequence[int], bound: int, now: int) -> list[Memory]:
        """The first `bound` of these memories that are active and unexpired."""
        kept: list[Memory] = []
        for start in range(0, len(ids), bound):
            page = self._store.memories.several(ids[start : start + bound])
            kept += [m for m in page if m.status is Status.ACTIVE and not m.expired(now)]
            if len(kept) >= bound:
                break
        return kept[:bound]

    def _scopes(self, reach: _Reach, author: Author) -> Iterable[ScopeRecord]:
        return (seen_by(author, record(self._store.entities, e)) for e in reach.records)

    def _conflicts(self, applicable: list[int], now: int) -> tuple[list[ConflictingKey], bool]:
        rows = self._store.memories.conflicts(applicable, now, core.CONFLICT_LIMIT + 1)
        found = [
            ConflictingKey(str(key), tuple(group)) for key, group in groupby(rows, lambda m: m.key)
        ]
        return found[: core.CONFLICT_LIMIT], len(found) > core.CONFLICT_LIMIT


def _bounded(hits: list[Hit]) -> list[Hit]:
    return core.ranked(hits)[: core.CANDIDATE_LIMIT]
