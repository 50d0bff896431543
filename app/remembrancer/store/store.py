"""One open store: its rooms for reading, and the one door for writing."""

# Peewee carries no types: what comes out of it is unknown until it is a core value.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from remembrancer.core.caution import Caution
from remembrancer.core.errors import RemembrancerError, StoreProblem
from remembrancer.store import faults, looking, opening
from remembrancer.store.agents import Agents, Extras
from remembrancer.store.brain import Scoped
from remembrancer.store.conflicts import Conflicts
from remembrancer.store.connections import Connections, Mode
from remembrancer.store.entities import Entities
from remembrancer.store.examining import Examination
from remembrancer.store.holding import DAMAGED
from remembrancer.store.index_texts import IndexTexts
from remembrancer.store.journal import Journal
from remembrancer.store.keyed import Keyed
from remembrancer.store.memories import Memories
from remembrancer.store.note_search import NoteIndex
from remembrancer.store.notes import Notes
from remembrancer.store.once import Once
from remembrancer.store.opening import Before
from remembrancer.store.postings import Postings
from remembrancer.store.proposals import Proposals
from remembrancer.store.relations import Relations
from remembrancer.store.reviewing import Reviewing
from remembrancer.store.screening import Screening
from remembrancer.store.search import Search
from remembrancer.store.words import Words
from remembrancer.store.writer import Writer

T = TypeVar("T")


class Store:
    """A store at `path`, made when it is not there. Errors come as StoreProblem sentences.

    `before_change` is called with the path before a store of an earlier version is changed. One
    that may not be written is open for reading: every write then raises what `problem` says.
    """

    def __init__(self, path: Path, before_change: Before = lambda path: None) -> None:
        self.path = path.resolve()
        with faults.named(self.path):
            opened, self._hold = opening.prepare(self.path, before_change)
        self._opened = opened
        self.connections = Connections(self.path, opened.mode)
        self._examination = Examination(self.path, self._examined) if opened.unclean else None
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
        self.screening = Screening(self.connections)
        self.reviewing = Reviewing(self.connections)
        self.notes = Notes(self.connections)
        self.once = Once(self.connections)
        self.proposals = Proposals(self.connections)
        self.conflicts = Conflicts(self.connections)
        self.note_index = NoteIndex(self.connections)
        self._writer = Writer(self.connections)

    @contextmanager
    def reading(self) -> Generator[None]:
        """One consistent picture for several questions, on any thread."""
        with faults.named(self.path), self.connections.reading():
            yield

    def write(self, work: Callable[[], T]) -> T:
        """Run `work` in the writer's transaction: all of it is durable afterwards, or nothing."""
        self._see_that_it_may_be_written()
        with faults.named(self.path):
            return self._writer.run(work)

    def apart(self, work: Callable[[], T]) -> T:
        """Run a part of a `write` of which an expected failure takes back that part alone."""
        self.connections.sql("SAVEPOINT part")
        try:
            result = work()
        except RemembrancerError:
            self.connections.sql("ROLLBACK TO part")
            self.connections.sql("RELEASE part")
            raise
        self.connections.sql("RELEASE part")
        return result

    def post(self, work: Callable[[], object]) -> None:
        """Write what nobody waits for: a count of what was served, when an agent was seen.

        Nothing happens where only reading is possible.
        """
        if self.problem is not None:
            return
        if self._examination is None or self._examination.over:
            self._writer.post(work)
        else:
            self._examination.afterwards(lambda: self._writer.post(work))

    @property
    def problem(self) -> StoreProblem | None:
        """Why nothing may be written, as far as it is known at this moment; None if it may."""
        if self._opened.problem is not None:
            return self._opened.problem
        return None if self._examination is None else self._examination.problem

    @property
    def cautions(self) -> tuple[Caution, ...]:
        """What the person should know about where and how the store rests."""
        return tuple(self._opened.cautions)

    @property
    def examining(self) -> bool:
        """Whether a store that was not closed is still being examined."""
        return self._examination is not None and not self._examination.over

    def data_version(self) -> int:
        """A number that changes when another process or thread has committed."""
        with faults.named(self.path):
            return int(self.connections.sql("PRAGMA data_version")[0][0])

    def close(self) -> None:
        """Finish what was handed in and let the file go."""
        if self._examination is not None:
            self._examination.close()
        self._writer.close()
        self.connections.close_all()
        if self._opened.mode is Mode.READ:
            looking.let_go(self.path)
        self._hold.release()

    def _see_that_it_may_be_written(self) -> None:
        if self._examination is not None and not self.connections.is_writing:
            self._examination.wait()
        problem = self.problem
        if problem is not None:
            raise type(problem)(str(problem), problem.code, **problem.facts)

    def _examined(self, found: list[str]) -> None:
        """Tell who opens the store next: nothing to tell, or the damage."""
        self._hold.write(state=f"{DAMAGED} {found[0]}" if found else "")
