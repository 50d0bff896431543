"""The desk for the file itself: is it sound, where is it, how large."""

from __future__ import annotations

from typing import Any

from remembrancer.core.errors import StoreProblem
from remembrancer.service.desk import Ground
from remembrancer.store import faults, upkeep


class UpkeepDesk:
    """Checks the store."""

    def __init__(self, ground: Ground) -> None:
        self._store = ground.store

    def problems(self) -> list[str]:
        """What is wrong with the file, in sentences; an empty list for a sound one."""
        with faults.named(self._store.path):
            found = upkeep.problems(self._store.connections)
        return found + self._index_problems()

    def facts(self) -> dict[str, Any]:
        """The file's path, size, version and rows, and SQLite's version."""
        with faults.named(self._store.path):
            connections = self._store.connections
            rows = upkeep.rows(connections)
            return {"path": str(self._store.path), **upkeep.facts(connections), "rows": rows}

    def tidy(self) -> None:
        """Move the write-ahead log into the file."""
        self._store.write(lambda: None)
        with faults.named(self._store.path):
            upkeep.take_in_log(self._store.connections)

    def _index_problems(self) -> list[str]:
        try:
            self._store.write(self._store.search.check)
        except StoreProblem as problem:
            return [f"The search index does not match the memories: {problem}"]
        return []
