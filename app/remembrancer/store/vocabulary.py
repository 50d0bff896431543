"""The words that the index holds, kept in memory: in which longer words a word is contained."""

from __future__ import annotations

import threading
from collections.abc import Iterator

from remembrancer.core.journal import Deed, Subject
from remembrancer.store.connections import Connections

_SHORTEST, _LONGEST = 6, 60
_BEHIND = 2_000  # journal lines that are read on; after more, the index is read anew
_LOOKED_AT = 2_000  # words that one question looks at
# Deeds that change words of memories without a line of theirs, or take words away.
_SWEEPING = (Deed.PURGE, Deed.CHANGE_ENTITY, Deed.RESTORE_ENTITY)

_TABLE = (
    "CREATE VIRTUAL TABLE IF NOT EXISTS temp.memory_word USING fts5vocab(main, memory_index, row)"
)
_WORDS = "SELECT term FROM temp.memory_word WHERE term >= 'a' AND length(term) BETWEEN ? AND ?"
_SINCE = "SELECT deed, subject, subject_id FROM journal WHERE sequence > ? LIMIT ?"


class Vocabulary:
    """Longer words that contain a word; follows the journal, so that new words are known."""

    def __init__(self, connections: Connections) -> None:
        self._db = connections
        self._lock = threading.Lock()
        self._words = "\n"
        self._added: set[str] = set()
        self._seen: int | None = None

    def containing(self, form: str, most: int) -> list[str]:
        """At most `most` words with `form` inside: those that end with it first, then the short."""
        with self._lock:
            self._follow()
            words = self._words
        found = {word for word in _around(words, f"{form}\n") if word != form}
        found.update(word for word in _around(words, form) if word != form)
        return sorted(found, key=lambda w: (not w.endswith(form), len(w), w))[:most]

    def _follow(self) -> None:
        """Take in what was written since the last look."""
        head = int(self._db.sql("SELECT coalesce(max(sequence), 0) FROM journal")[0][0])
        if self._seen == head:
            return
        lines = self._db.sql(_SINCE, (self._seen, _BEHIND + 1)) if self._seen is not None else []
        if self._seen is None or len(lines) > _BEHIND or any(x[0] in _SWEEPING for x in lines):
            self._read()
        else:
            self._add([line[2] for line in lines if line[1] == Subject.MEMORY])
        self._seen = head

    def _read(self) -> None:
        # This table rests on the connection alone, which is otherwise kept from writing anything.
        guarded = self._db.sql("PRAGMA query_only")[0][0]
        self._db.sql("PRAGMA query_only = 0")
        try:
            self._db.sql(_TABLE)
        finally:
            self._db.sql(f"PRAGMA query_only = {guarded}")
        rows = self._db.sql(_WORDS, (_SHORTEST, _LONGEST))
        self._words = "\n".join(["", *(row[0] for row in rows if row[0].isalpha()), ""])
        self._added = set()

    def _add(self, ids: list[int]) -> None:
        marks = ",".join("?" * len(ids))
        rows = self._db.sql(f"SELECT stems FROM memory WHERE id IN ({marks})", ids)
        words = {word for row in rows for word in row[0].split() if word.isalpha()}
        fresh = [w for w in words - self._added if _SHORTEST <= len(w) <= _LONGEST]
        self._added.update(fresh)
        self._words += "".join(f"{word}\n" for word in fresh)


def _around(words: str, sought: str) -> Iterator[str]:
    """The first words in which `sought` is found; its end may be that of the word."""
    at = words.find(sought)
    for _ in range(_LOOKED_AT):
        if at < 0:
            return
        end = words.index("\n", at)
        yield words[words.rindex("\n", 0, at + 1) + 1 : end]
        at = words.find(sought, end)
