"""What the index holds of each memory, apart from the memory itself."""

from __future__ import annotations

import json
from collections.abc import Sequence

from remembrancer.core.analyser import Indexed
from remembrancer.store.connections import Connections
from remembrancer.store.words import NOTHING, Words

_SET = "UPDATE memory SET words = ?, stems = ?, parts = ? WHERE id = ?"


class IndexTexts:
    """The indexed texts of one store. Setting them belongs inside the writer."""

    def __init__(self, connections: Connections, words: Words) -> None:
        self._db = connections
        self._words = words

    def of(self, memory_id: int) -> Indexed:
        """What the index holds of a memory."""
        rows = self._db.sql("SELECT words, stems, parts FROM memory WHERE id = ?", [memory_id])
        return Indexed(*rows[0]) if rows else NOTHING

    def set(self, texts: Sequence[tuple[int, Indexed]]) -> None:
        """Give memories' index entries other texts: (id, text)."""
        self._words.learn([text for _, text in texts])
        for memory_id, text in texts:
            before = self.of(memory_id)
            self._db.sql(_SET, (text.words, text.stems, text.parts, memory_id))
            self._words.forget(before, text)

    def ids_after(self, memory_id: int, most: int) -> list[int]:
        """The next ids after one, tombstones too."""
        text = "SELECT id FROM memory WHERE id > ? ORDER BY id LIMIT ?"
        return [row[0] for row in self._db.sql(text, (memory_id, most))]

    def revisions(self, ids: Sequence[int]) -> dict[int, int]:
        """id -> the revision of each of these memories."""
        text = "SELECT id, revision FROM memory WHERE id IN (SELECT value FROM json_each(?))"
        return dict(self._db.sql(text, (json.dumps(list(ids)),)))
