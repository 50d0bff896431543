"""One open store: its rooms for reading, and the one door for writing."""

# Peewee carries no types: what comes out of it is unknown until it is a core value.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from remembrancer.store import connections, faults
from remembrancer.store.agents import Agents, Extras
from remembrancer.store.brain import Scoped
from remembrancer.store.entities import Entities
from remembrancer.store.index_texts import IndexTexts
from remembrancer.store.journal import Journal
from remembrancer.store.keyed import Keyed
from remembrancer.store.memories import Memories
from remembrancer.store.note_search import NoteIndex
from remembrancer.store.notes import Notes
from remembrancer.store.postings import Postings
from remembrancer.store.relations import Relations
from remembrancer.store.search import Search
from remembrancer.store.words import Words
from remembrancer.store.writer import Writer

T = TypeVar("T")


class Store:
    """A store at `path`, made when it is not there. Errors come as StoreProblem sentences."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        with faults.named(self.path):
            connections.prepare(self.path)
        self.connections = connections.Connections(self.path)
        self.words = Words(self.connections)
        self.index_texts = IndexTexts(self.connections, self.words)
        self.postings = Postings(self.connections)
        self.memories = Memories(self.connections, self.words)
        self.keyed = Keyed(self.connections)
        self.entities = Entities(self.connections)
        self.relations = Relations(self.connections)
        self.journal = Journal(self.connections)
        self.search = Search(self.connections)
        self.agents = Agents(self.connections)
        self.extras = Extras(self.connections)
        self.scoped = Scoped(self.connections)
        self.notes = Notes(self.connections)
        self.note_index = NoteIndex(self.connections)
        self._writer = Writer(self.connections)

    @contextmanager
    def reading(self) -> Generator[None]:
        """One consistent picture for several questions, on any thread."""
        with faults.named(self.path), self.connections.reading():
            yield

    def write(self, work: Callable[[], T]) -> T:
        """Run `work` in the writer's transaction: all of it is durable afterwards, or nothing."""
        with faults.named(self.path):
            return self._writer.run(work)

    def post(self, work: Callable[[], object]) -> None:
        """Write what nobody waits for: a count of what was served, when an agent was seen."""
        self._writer.post(work)

    def data_version(self) -> int:
        """A number that changes when another process or thread has committed."""
        with faults.named(self.path):
            return int(self.connections.sql("PRAGMA data_version")[0][0])

    def close(self) -> None:
        """Finish what was handed in and let the file go."""
        self._writer.close()
        self.connections.close_all()
