"""Why a memory is served for a question or not, told from the very filters that recall uses."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from remembrancer.core import explaining, policy, ranking
from remembrancer.core import recall as core
from remembrancer.core.author import Author
from remembrancer.core.errors import NotFound
from remembrancer.core.explaining import Crowd, Explanation, Place, Range, Room, Verdict, Words
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Memory, Status
from remembrancer.core.ranking import Evidence, Rated, Signal
from remembrancer.core.recall import Hit, Question, Recall, Why
from remembrancer.service.desk import Ground
from remembrancer.service.finding import Finder, within
from remembrancer.store.note_search import Reach

_PLAINLY = frozenset({Signal.WORDS, Signal.PARTS, Signal.PHRASE})
_SIMILAR = frozenset({Signal.MISSPELT, Signal.AKIN})
_SETTLED = {Status.DELETED: Verdict.DELETED, Status.ARCHIVED: Verdict.ARCHIVED}


class Reaching(Protocol):
    """The entities that a question reaches."""

    @property
    def applicable(self) -> Mapping[int, Why]: ...

    def why(self, memory: Memory) -> Why: ...

    def scope_ids(self) -> list[int] | None: ...


class Explaining:
    """Explains for one author; `ask` answers a question, `reach` tells what it reaches."""

    def __init__(
        self,
        ground: Ground,
        finder: Finder,
        ask: Callable[[Question, Author], Recall],
        reach: Callable[[Question, Author], Reaching],
    ) -> None:
        self._ground, self._store, self._finder = ground, ground.store, finder
        self._ask, self._reach = ask, reach

    def explain(self, question: Question, memory_id: int, author: Author) -> Explanation:
        """What became of one memory; NotFound when there is none.

        An author that is locked to an entity hears of every other id the same, used or not.
        """
        memory = self._store.memories.get(memory_id)
        if author.entity is not None and (memory is None or not policy.sees(author, memory.entity)):
            return Explanation(Verdict.LOCKED, None)
        if memory is None or (memory.status is Status.DELETED and not author.is_person):
            raise NotFound("Memory not found", code="memory")
        if memory.status in _SETTLED:
            return Explanation(_SETTLED[memory.status], memory)
        if memory.expired(self._ground.clock()):
            return Explanation(Verdict.EXPIRED, memory)
        return self._of_living(question, memory, author)

    def _of_living(self, question: Question, memory: Memory, author: Author) -> Explanation:
        reach = self._reach(question, author)
        answer = self._ask(question, author)
        inside = reach.scope_ids()
        if inside is not None and memory.entity_id not in inside:
            return self._out_of_reach(question, memory, author, answer)
        found = self._found(question, inside)
        for hit in (*answer.items, *answer.left):
            if hit.memory.id == memory.id:
                among = self._among(reach, found) if found else len(answer.items + answer.left)
                return self._ranked(question, answer, hit, among)
        if memory.id in found or self._binds(memory, reach):
            return self._beyond(question, memory, reach, answer, found)
        return self._not_found(question, memory, found)

    # --- one verdict each

    def _out_of_reach(
        self, question: Question, memory: Memory, author: Author, answer: Recall
    ) -> Explanation:
        wider = self._reach(replace(question, include_related=True), author).scope_ids()
        related = wider is not None and memory.entity_id in wider
        selected = question.entity or author.entity or ""
        facts = Range(selected, answer.scopes, related)
        return Explanation(Verdict.OUT_OF_REACH, memory, range=facts)

    def _ranked(self, question: Question, answer: Recall, hit: Hit, among: int) -> Explanation:
        """One of those that were tried: served, beaten or too long."""
        order = [h.memory.id for h in core.ranked([*answer.items, *answer.left])]
        place = Place(order.index(hit.memory.id) + 1, among, _last(answer))
        room = explaining.rooms(answer, question).get(hit.memory.id)
        return Explanation(_verdict(room), hit.memory, hit, place, room)

    def _beyond(
        self,
        question: Question,
        memory: Memory,
        reach: Reaching,
        answer: Recall,
        found: Mapping[int, Rated],
    ) -> Explanation:
        """One that was found, but not among the best, so that it was not tried."""
        now, binding = self._ground.clock(), self._binding(reach)
        others = [r for i, r in found.items() if i not in binding]
        order = [*binding, *(r.candidate.id for r in sorted(others, key=self._worth(now)))]
        hit = core.hit(
            memory, reach.why(memory), found.get(memory.id), core.query_words(question.query), now,
            mandatory=memory.id in binding, days=self._ground.review_days(),
            weights=self._finder.weights,
        )  # fmt: skip
        tried = len(answer.items) + len(answer.left)
        place = max(order.index(memory.id), tried) + 1
        facts = Place(place, max(len(order), place), _last(answer))
        return Explanation(Verdict.BEATEN, memory, hit, facts)

    def _not_found(
        self, question: Question, memory: Memory, found: Mapping[int, Rated]
    ) -> Explanation:
        """One that the words of the question did not find, or not among so many."""
        if not question.query.strip():
            crowd = Crowd((), core.CANDIDATE_LIMIT, newer=True)
            return Explanation(Verdict.NOT_LOOKED_AT, memory, crowd=crowd)
        alone = self._alone(question.query, memory)
        plainly = [e for e in alone if e.signal in _PLAINLY]
        if plainly:
            counted = self._counted(plainly, memory, question.query)
            newer = bool(found) and memory.id < min(found)
            crowd = Crowd(counted, len(found), newer)
            return Explanation(Verdict.NOT_LOOKED_AT, memory, crowd=crowd)
        similar = tuple(e for e in alone if e.signal in _SIMILAR)
        words = Words(explaining.looked_for(question.query), similar)
        return Explanation(Verdict.NO_WORDS, memory, words=words)

    # --- what the engine says

    def _found(self, question: Question, inside: Sequence[int] | None) -> dict[int, Rated]:
        if not question.query.strip():
            return {}
        reach = within(self._store, inside, self._ground.clock())
        found = self._finder.find(question.query, reach, question.looked_at)
        return {r.candidate.id: r for r in found}

    def _alone(self, query: str, memory: Memory) -> Sequence[Evidence]:
        """What a memory has of a question when no other is looked at."""
        only = Reach("m.id = ?", (memory.id,), json.dumps([memory.id]))
        return [e for rated in self._finder.find(query, only) for e in rated.evidence]

    def _binding(self, reach: Reaching) -> list[int]:
        now = self._ground.clock()
        return [m.id for m in self._store.memories.mandatory([*reach.applicable], now, 10_000)]

    def _binds(self, memory: Memory, reach: Reaching) -> bool:
        may = memory.pinned or memory.kind is Kind.CONSTRAINT
        return may and memory.id in self._binding(reach)

    def _among(self, reach: Reaching, found: Mapping[int, Rated]) -> int:
        return len({*self._binding(reach), *found})

    def _worth(self, now: int) -> Callable[[Rated], tuple[float, int]]:
        """The order in which recall tries what was found."""

        def key(rated: Rated) -> tuple[float, int]:
            one, age = rated.candidate, now - rated.candidate.updated_at
            standing = ranking.standing(one, 0, age, self._finder.weights, asked=True)
            return -(1 + rated.relevance) * standing, -one.id

        return key

    def _counted(
        self, evidence: Sequence[Evidence], memory: Memory, query: str
    ) -> tuple[tuple[str, int], ...]:
        """What was found in so many memories, each with about how many."""
        asked = {e.seen: _expression(e) for e in evidence}
        counts = self._store.note_index.frequencies(asked.values())
        seen = {explaining.told(e, memory, query): counts[asked[e.seen]] for e in evidence}
        return tuple(seen.items())


def _verdict(room: Room | None) -> Verdict:
    if room is None:
        return Verdict.SERVED
    return Verdict.BEATEN if room.full else Verdict.TOO_LONG


def _last(answer: Recall) -> Hit | None:
    return answer.items[-1] if answer.items else None


def _expression(evidence: Evidence) -> str:
    columns = "words" if evidence.signal is Signal.PHRASE else "{stems parts}"
    return f'{columns} : "{evidence.seen}"'
