"""What is there of notes: entries by id, the board of tags, the titles under one tag."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from remembrancer.core import policy, tag_guard
from remembrancer.core.author import Author
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Memory, Status
from remembrancer.service.desk import Ground
from remembrancer.service.notes_board import Board, Boards, TagCount

_NOWHERE = 0  # the id of no entity


@dataclass(frozen=True, slots=True)
class Titles:
    """One page of the living memories under a tag, the newest first, and how many there are."""

    tag: TagCount
    page: tuple[Memory, ...]


class NotesReading:
    """The reading half of the desk for notes; an author sees what its policy lets it see."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._store = ground.store
        self._boards = Boards(ground.store)

    def fetch(self, ids: Sequence[int], author: Author) -> list[Memory]:
        """The memories with these ids, archived ones too, in their order; unknown are left out."""
        with self._store.reading():
            found = self._store.memories.several(ids)
        return [m for m in found if shown(m, author)]

    def served(self, memories: Sequence[Memory], author: Author) -> None:
        """Count that an author was given the full text of these memories."""
        given = [(memory.id, len(memory.content)) for memory in memories]
        now, extras = self._ground.clock(), self._store.extras
        if given:
            self._store.post(lambda: extras.served(author.name, given, now))

    def board(self, author: Author) -> Board:
        """The tags of what is living."""
        with self._store.reading():
            narrow = self._narrow(author)
        return self._boards.board(narrow)

    def titles(self, tag: str, author: Author, limit: int | None, offset: int = 0) -> Titles:
        """The living memories under exactly this tag; `limit` None gives all from `offset` on."""
        with self._store.reading():
            narrow = self._narrow(author)
            tag, found = self._kinds(tag, narrow)
            counts = {Kind(kind): count for kind, count in found.items()}
            most = -1 if limit is None else limit
            ids = self._store.notes.newest(tag, narrow, most, offset)
            return Titles(
                TagCount(tag, counts, sum(counts.values())),
                tuple(self._store.memories.several(ids)),
            )

    def alike(self, tag: str, author: Author) -> list[str]:
        """Tags with living memories for one that has none."""
        with self._store.reading():
            narrow = self._narrow(author)
            near = tag_guard.alike(tag, self._store.notes.names(narrow), 20)
            return [name for name in near if self._store.notes.living(name, narrow)][:5]

    def of_kinds(self, kinds: frozenset[Kind], author: Author) -> int:
        """How many living memories are of one of these kinds."""
        with self._store.reading():
            return self._store.notes.of_kinds(sorted(kinds), self._narrow(author))

    def _kinds(self, tag: str, narrow: int | None) -> tuple[str, dict[str, int]]:
        """The tag as it is known, and kind -> how many; a name has one identity, its NFC form."""
        found = self._store.notes.kinds(tag, narrow)
        composed = unicodedata.normalize("NFC", tag)
        if found or composed == tag:
            return tag, found
        return composed, self._store.notes.kinds(composed, narrow)

    def _narrow(self, author: Author) -> int | None:
        """The id of the entity that an author is locked to, None for one who is not."""
        if author.entity is None:
            return None
        entity = self._store.entities.named(author.entity)
        return _NOWHERE if entity is None else entity.id


def shown(memory: Memory, author: Author) -> bool:
    """Whether an author may see a memory, which a tombstone is not."""
    return memory.status is not Status.DELETED and policy.sees(author, memory.entity)
