"""The desk for scoped memories: chosen and filed by the type and the parts of an entity's name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Unpack

from remembrancer.core import names, policy
from remembrancer.core.analyser import Indexed, indexed
from remembrancer.core.author import PERSON, Author
from remembrancer.core.crossing import BrainFilter
from remembrancer.core.entity import Entity
from remembrancer.core.errors import Refused
from remembrancer.core.memory import Memory, Status
from remembrancer.core.ranking import Form, Signal
from remembrancer.service import writing
from remembrancer.service.desk import Doing
from remembrancer.service.finding import Finder
from remembrancer.service.memories import MemoriesDesk
from remembrancer.service.one_path import Ledger, Secrets, masked
from remembrancer.store.note_search import Reach

WIDE = 1_000  # memories that one question looks at
# What a memory itself has of a question, unlike what others around it have.
_OWN = (Signal.WORDS, Signal.PARTS, Signal.PHRASE, Signal.MISSPELT, Signal.AKIN)


@dataclass(frozen=True, slots=True)
class Placed:
    """A memory with the type of its entity ("" without one) and the id of the agent behind it."""

    memory: Memory
    type: str
    agent_id: int | None


@dataclass(frozen=True, slots=True)
class Selected:
    """What a question found: the first of it whole, of the rest the ids, as far as was looked."""

    placed: tuple[Placed, ...]
    left: tuple[int, ...]
    more: bool


class ScopedDesk(MemoriesDesk):
    """Memories of typed entities: what is filed must agree with the type that is there."""

    def select(self, wanted: BrainFilter, limit: int, author: Author = PERSON) -> Selected:
        """At most `limit` of the memories that `wanted` lets through and `author` may see.

        What is searched for, or what is akin to it, must stand in title or content; the best come
        first, where nothing is searched for the newest.
        """
        chosen = policy.narrowed(wanted.chosen, author)
        if chosen is None:
            return Selected((), (), more=False)
        with self._store.reading():
            wanted = replace(wanted, chosen=chosen)
            now = self._ground.clock()
            found = self._store.scoped.ids(wanted, now, WIDE + 1)
            more, ids = len(found) > WIDE, found[:WIDE]
            if chosen.words.strip():
                scoped = self._store.scoped
                reach = scoped.reach(wanted, now) if more else scoped.only(ids)
                ids = self._best(chosen.words, ids, reach)
            first = self._placed(self._store.memories.several(ids[:limit]))
            return Selected(tuple(first), tuple(ids[limit:]), more)

    def placed(self, memory: Memory) -> Placed:
        """A memory as `select` gives it."""
        with self._store.reading():
            return self._placed([memory])[0]

    def type_known(self, type_: str, author: Author) -> bool:
        """Whether an entity that `author` may see has that type."""
        if author.entity is None:
            return self._store.scoped.has_type(type_)
        own = self._store.entities.named(author.entity)
        return own is not None and not own.ghost and own.type == type_

    def remove(
        self, memory_id: int, reason: str | None, *, expected: int, **doing: Unpack[Doing]
    ) -> Memory:
        """Make a tombstone of a memory and keep why; credentials in the reason are masked."""
        seen = self.get(memory_id, doing["author"])
        if reason is not None:
            reason = names.text(reason, "reason", names.SOURCE_LIMIT, empty=True)
            reason = masked(reason, Secrets.MASK)

        def work(ledger: Ledger) -> Memory:
            memory = self._current(ledger, memory_id, expected)
            if memory.status is Status.DELETED:
                return memory
            return writing.bury(ledger, memory, self._ground.review_days())

        return self._ground.path.walk(work, entities=[seen.entity], reason=reason, **doing)

    def _entity(
        self, ledger: Ledger, name: str | None, created_as: str | None = None
    ) -> Entity | None:
        entity = super()._entity(ledger, name, created_as)
        if entity is not None and created_as is not None and entity.type != created_as:
            raise Refused(
                f"The entity {entity.name!r} is there already, with the type {entity.type!r}.",
                code="other_type",
                name=entity.name,
                type=entity.type,
            )
        return entity

    def _best(self, words: str, newest: Sequence[int], reach: Reach) -> list[int]:
        """The best within reach, then the others of the newest matches, if it stands in them."""
        found = Finder(self._store).find(words, reach)
        best = [r.candidate.id for r in found if any(e.signal in _OWN for e in r.evidence)]
        sought = _Sought(self._store.scoped.forms(words))
        named: dict[tuple[object, ...], bool] = {}

        def in_its_text(memory: Memory) -> bool:
            around = (memory.entity, memory.key, "", "", memory.tags)
            if around not in named:
                named[around] = sought.stands_in(writing.index_text(*around))
            # What the index found and the names do not hold can only stand in the text itself.
            own = f"{memory.title}\n{memory.content}"
            return not named[around] or sought.stands_in(indexed(own))

        memories = self._store.memories.several(list(dict.fromkeys((*best, *newest))))
        return [m.id for m in memories if in_its_text(m)]

    def _placed(self, memories: Sequence[Memory]) -> list[Placed]:
        ids = {m.entity_id for m in memories if m.entity_id is not None}
        types = {e.id: e.type for e in self._store.entities.several(ids)}
        agents = self._store.scoped.agents_of([m.id for m in memories])
        return [Placed(m, types.get(m.entity_id or 0, ""), agents.get(m.id)) for m in memories]


class _Sought:
    """Forms that are looked for in what the index has of a text."""

    def __init__(self, forms: Sequence[Form]) -> None:
        spoken = [f for f in forms if f.signal is Signal.PHRASE or f.text.endswith("*")]
        self._stems = {f.text for f in forms}.difference(f.text for f in spoken)
        self._spoken = [f" {f.text} ".removesuffix("* ") for f in spoken]

    def stands_in(self, text: Indexed) -> bool:
        """Whether one of them stands there."""
        words = f" {text.words} "
        own = not self._stems.isdisjoint(f"{text.stems} {text.parts}".split())
        return own or any(spoken in words for spoken in self._spoken)
