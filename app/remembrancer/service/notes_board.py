"""The board of tags, counted once and then kept up with the journal, line by line."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from remembrancer.core import tag_guard
from remembrancer.core.journal import Deed, JournalLine, Subject, snapshot_memory
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Memory, Status
from remembrancer.store.store import Store

_KEPT = 16  # boards: one for all memories, one for each entity that agents are locked to
_FOLLOWED = 500  # lines that are cheaper to follow than counting anew


@dataclass(frozen=True, slots=True)
class TagCount:
    """A tag with its living memories, by kind and in total."""

    tag: str
    kinds: Mapping[Kind, int]
    total: int


@dataclass(frozen=True, slots=True)
class Board:
    """Every tag with living memories, the most used first; `untagged` of `entries` have none."""

    tags: tuple[TagCount, ...]
    entries: int
    untagged: int


@dataclass(slots=True)
class _Tally:
    """The counts behind a board, as of one line of the journal."""

    head: int
    entries: int
    untagged: int
    counts: dict[str, Counter[Kind]] = field(default_factory=dict[str, Counter[Kind]])
    rows: dict[str, TagCount] = field(default_factory=dict[str, TagCount])
    drawn: Board | None = None

    def add(self, tag: str, kind: Kind, number: int) -> None:
        """Count more memories under a tag, or fewer."""
        counts = self.counts.setdefault(tag, Counter())
        counts[kind] += number
        if not counts[kind]:
            del counts[kind]
        if not counts:
            del self.counts[tag]
        self.rows.pop(tag, None)

    def board(self) -> Board:
        """The board that these counts make."""
        if self.drawn is None:
            for tag in self.counts.keys() - self.rows.keys():
                counts = dict(self.counts[tag])
                self.rows[tag] = TagCount(tag, counts, sum(counts.values()))
            rows = sorted(self.rows.values(), key=lambda row: (-row.total, row.tag))
            self.drawn = Board(tuple(rows), self.entries, self.untagged)
        return self.drawn


class Boards:
    """The boards of one store; may be asked from any thread."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._tallies: dict[int | None, _Tally] = {}

    def board(self, entity_id: int | None) -> Board:
        """The board of all memories, or of one entity's; not within `reading` of the caller."""
        # The picture is taken within the lock, so that no thread brings an older one.
        with self._lock, self._store.reading():
            tally = self._tallies.get(entity_id)
            if tally is None or not self._followed(tally, entity_id):
                self._make_room()
                tally = self._tallies[entity_id] = self._counted(entity_id)
            return tally.board()

    def _make_room(self) -> None:
        if len(self._tallies) >= _KEPT:
            self._tallies.clear()

    def _counted(self, entity_id: int | None) -> _Tally:
        notes = self._store.notes
        head, entries = self._store.journal.head(), notes.total(entity_id)
        tally = _Tally(head, entries, notes.untagged(entity_id))
        for name, kind, count in notes.counts_by_entity(entity_id):
            tally.add(name, Kind(kind), count)
        for name, kind, count in notes.counts_by_tag(entity_id):
            if not tag_guard.is_kind_word(name):
                tally.add(name, Kind(kind), count)
        return tally

    def _followed(self, tally: _Tally, entity_id: int | None) -> bool:
        """Bring a tally up to the present; False when it has to be counted anew."""
        lines = self._store.journal.after(tally.head, _FOLLOWED + 1)
        if len(lines) > _FOLLOWED or any(_moves_names(line) for line in lines):
            return False
        ids = list(dict.fromkeys(x.subject_id for x in lines if x.subject is Subject.MEMORY))
        earlier = [self._earlier(memory_id, tally.head) for memory_id in ids]
        if any(line is not None and line.snapshot is None for line in earlier):
            return False
        before = [snapshot_memory(x.snapshot) for x in earlier if x is not None and x.snapshot]
        gone = {x.subject_id for x in earlier if x is not None and x.removal}
        self._put(tally, (m for m in before if m.id not in gone), entity_id, -1)
        self._put(tally, self._store.memories.several(ids), entity_id, +1)
        if lines:
            tally.head, tally.drawn = lines[-1].sequence, None
        return True

    def _earlier(self, memory_id: int, head: int) -> JournalLine | None:
        """The line that says how a memory stood at `head`; None: it was not there yet."""
        found = self._store.journal.of(Subject.MEMORY, memory_id, before=head + 1, limit=1)
        return found[0] if found else None

    def _put(
        self, tally: _Tally, memories: Iterable[Memory], entity_id: int | None, number: int
    ) -> None:
        for memory in memories:
            inside = entity_id is None or memory.entity_id == entity_id
            if memory.status is not Status.ACTIVE or not inside:
                continue
            entity = self._name(memory.entity_id)
            tally.entries += number
            tally.untagged += number if entity is None and not memory.tags else 0
            for tag in _tags(memory, entity):
                tally.add(tag, memory.kind, number)

    def _name(self, entity_id: int | None) -> str | None:
        entity = None if entity_id is None else self._store.entities.get(entity_id)
        return None if entity is None else entity.name


def _moves_names(line: JournalLine) -> bool:
    """Whether a line may have changed under which name memories stand."""
    return line.subject is Subject.ENTITY and line.deed is not Deed.CREATE_ENTITY


def _tags(memory: Memory, entity: str | None) -> list[str]:
    """What a memory of the entity with this name counts under."""
    own = [] if entity is None else [entity]
    others = (tag for tag in memory.tags if tag != entity)
    return [*own, *(tag for tag in others if not tag_guard.is_kind_word(tag))]
