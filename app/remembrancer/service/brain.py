"""The desk for scoped memories: chosen and filed by the type and the parts of an entity's name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Unpack

from remembrancer.core import names, policy
from remembrancer.core.author import PERSON, Author
from remembrancer.core.crossing import BrainFilter
from remembrancer.core.entity import Entity
from remembrancer.core.errors import Refused
from remembrancer.core.memory import Memory, Status
from remembrancer.core.stems import indexed, match_expression
from remembrancer.service import writing
from remembrancer.service.desk import Doing
from remembrancer.service.memories import MemoriesDesk
from remembrancer.service.one_path import Ledger, Secrets, masked

WIDE = 1_000  # memories that one question looks at


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

        Searched words must stand in title or content; the best come first, else the newest.
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
                ids = self._best(wanted, self._nearest(wanted, ids, now) if more else ids)
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

    def _nearest(self, wanted: BrainFilter, newest: list[int], now: int) -> list[int]:
        """The newest of too many matches, and those that the whole library's index ranks best."""
        expression = match_expression(wanted.chosen.words)
        best = self._store.search.ranked(expression, WIDE) if expression else []
        return list({*newest, *self._store.scoped.among(best, wanted, now)})

    def _best(self, wanted: BrainFilter, ids: list[int]) -> list[int]:
        """Those whose title or content holds a word that is searched for, the best first."""
        words = wanted.chosen.words
        ranked = self._store.memories.several(self._store.scoped.ranked(words, ids))
        forms = (match_expression(words) or "").replace('"', "").replace("*", "").split(" OR ")
        sought = re.compile(rf"(?:^|[\s_])(?:{'|'.join(map(re.escape, forms))})")
        named: dict[tuple[object, ...], bool] = {}

        def in_its_text(memory: Memory) -> bool:
            around = (memory.entity, memory.key, "", "", memory.tags)
            if around not in named:
                named[around] = bool(sought.search(writing.index_text(*around).everything()))
            # What the index found and the names do not hold can only stand in the text itself.
            own = f"{memory.title}\n{memory.content}"
            return not named[around] or bool(sought.search(indexed(own).everything()))

        return [m.id for m in ranked if in_its_text(m)]

    def _placed(self, memories: Sequence[Memory]) -> list[Placed]:
        ids = {m.entity_id for m in memories if m.entity_id is not None}
        types = {e.id: e.type for e in self._store.entities.several(ids)}
        agents = self._store.scoped.agents_of([m.id for m in memories])
        return [Placed(m, types.get(m.entity_id or 0, ""), agents.get(m.id)) for m in memories]
