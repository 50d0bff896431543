"""The memories of a load: new ones are written under new numbers, known ones are passed over."""

from __future__ import annotations

from dataclasses import replace

from remembrancer.core.analyser import Indexed
from remembrancer.core.journal import Deed, Subject
from remembrancer.core.memory import Memory, Status
from remembrancer.core.travel import MemoryRecord
from remembrancer.service.arriving.site import Site, as_memory, quoted, snapshot
from remembrancer.store.memories import digest

_Held = tuple[dict[bytes, int], set[str]]  # digests of contents -> number; keys


class MemoriesArriving:
    """Writes the memories of a load whose entities are there."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._held: dict[int | None, _Held] = {}
        self._first = site.whole.next_memory()
        self._next = self._first
        self._numbers: dict[int, int] = {}  # of the file -> here

    def run(self) -> None:
        """Write what is new."""
        accepted: list[tuple[MemoryRecord, Indexed, int]] = []
        for record, text in self._site.load.memories:
            if record.status is Status.DELETED:
                continue
            number = self._number(record)
            if number == self._next:
                accepted.append((self._with_free_key(record), text, number))
                self._next += 1
            if record.id is not None:
                self._numbers[record.id] = number
        made = [(self._memory(record, number), text) for record, text, number in accepted]
        self._site.whole.put_memories(made)
        for memory, _ in made:
            self._remember(memory)
        self._site.counts.memories = len(made)

    def _number(self, record: MemoryRecord) -> int:
        """The number of the memory with this content: the next one, or of the one that has it."""
        number = self._of(record)[0].setdefault(digest(record.content), self._next)
        if number < self._first:
            self._site.counts.known += 1
        elif number < self._next:
            self._site.load.note(record.line, "The text stands in the file before; kept once.")
        return number

    def _with_free_key(self, record: MemoryRecord) -> MemoryRecord:
        if record.key is None or record.entity is None:
            return record
        keys = self._of(record)[1]
        if record.key not in keys:
            keys.add(record.key)
            return record
        self._site.load.note(
            record.line,
            f"The key {record.key!r} of {quoted(record.entity)} names another memory; the one of "
            "the file was brought in without it.",
        )
        return replace(record, key=None)

    def _of(self, record: MemoryRecord) -> _Held:
        entity = None if record.entity is None else self._site.entities[record.entity].id
        if entity not in self._held:
            made = record.entity in self._site.made
            self._held[entity] = ({}, set()) if made else self._site.whole.living(entity)
        return self._held[entity]

    def _memory(self, record: MemoryRecord, number: int) -> Memory:
        entity = None if record.entity is None else self._site.entities[record.entity]
        created = record.created_at or self._site.now
        replaced = None if record.superseded_by is None else self._numbers.get(record.superseded_by)
        complete = replace(
            record, author=record.author or self._site.ledger.author.name, revision=1,
            created_at=created, updated_at=record.updated_at or created, superseded_by=replaced,
        )  # fmt: skip
        return as_memory(complete, number, entity, self._site.days)

    def _remember(self, memory: Memory) -> None:
        self._site.ledger.line(
            Deed.REMEMBER, Subject.MEMORY, memory.id, snapshot(memory),
            entity_id=memory.entity_id, revision=memory.revision,
        )  # fmt: skip
