"""What is there of memories: get, browse, count, history, receipts."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from remembrancer.core import policy
from remembrancer.core.author import PERSON, Author
from remembrancer.core.errors import NotFound
from remembrancer.core.filters import Filter, Order
from remembrancer.core.journal import JournalLine, Subject
from remembrancer.core.memory import Memory, Status
from remembrancer.service.desk import Ground


class MemoryReading:
    """The reading half of the desk for memories; an author sees what its policy lets it see."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._store = ground.store

    def get(self, memory_id: int, author: Author = PERSON) -> Memory:
        """The memory with that id; NotFound when there is none that `author` may see."""
        memory = self._store.memories.get(memory_id)
        hidden = memory is None or not policy.sees(author, memory.entity)
        if memory is None or hidden or (memory.status is Status.DELETED and not author.is_person):
            raise NotFound("Memory not found", code="memory")
        return memory

    def several(self, ids: Sequence[int]) -> list[Memory]:
        """The memories with these ids, in their order; unknown ones are left out."""
        with self._store.reading():
            return self._store.memories.several(ids)

    def browse(
        self, chosen: Filter, order: Order = Order.NEWEST, limit: int = 50, offset: int = 0,
        author: Author = PERSON,
    ) -> list[Memory]:  # fmt: skip
        """One page of the memories that `chosen` lets through and `author` may see."""
        seen = policy.narrowed(chosen, author)
        if seen is None:
            return []
        with self._store.reading():
            return self._store.memories.page(seen, order, self._ground.clock(), limit, offset)

    def ids(self, chosen: Filter, order: Order = Order.NEWEST) -> array[int]:
        """Every id that `chosen` lets through, in order, eight bytes each."""
        with self._store.reading():
            return self._store.memories.ids(chosen, order, self._ground.clock())

    def count(
        self, chosen: Filter, bound: int | None = None, author: Author = PERSON
    ) -> int:  # fmt: skip
        """How many of them there are; counting stops at `bound`."""
        seen = policy.narrowed(chosen, author)
        if seen is None:
            return 0
        with self._store.reading():
            return self._store.memories.count(seen, self._ground.clock(), bound)

    def history(self, memory_id: int, author: Author = PERSON) -> list[JournalLine]:
        """The lines about a memory, newest first; each one's snapshot is its revision.

        An author locked to an entity sees those from the time in which the memory was its own.
        """
        memory = self.get(memory_id, author)
        lines = self._store.journal.of(Subject.MEMORY, memory_id)
        if author.entity is None:
            return lines
        return [x for x in lines if x.entity_id == memory.entity_id]

    def receipts(self, memory_id: int) -> list[tuple[str, int, int, int]]:
        """(agent, times served, characters, last when in microseconds), the most served first."""
        return self._store.extras.receipts(memory_id)
