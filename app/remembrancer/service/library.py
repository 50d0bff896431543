"""An open library: its desks, its doorbell, and the store beneath them."""

from __future__ import annotations

from pathlib import Path

from remembrancer.core import clock as clocks
from remembrancer.core.clock import Clock
from remembrancer.service.agents import AgentsDesk
from remembrancer.service.bell import Bell
from remembrancer.service.brain import ScopedDesk
from remembrancer.service.desk import Ground
from remembrancer.service.duplicates import DuplicatesDesk
from remembrancer.service.graph import GraphDesk
from remembrancer.service.indexing import IndexingDesk
from remembrancer.service.journal import JournalDesk
from remembrancer.service.judge import JudgeDesk
from remembrancer.service.keyed import KeyedDesk
from remembrancer.service.map import MapDesk
from remembrancer.service.meaning import MeaningDesk
from remembrancer.service.memories import MemoriesDesk
from remembrancer.service.note_search import NoteSearchDesk
from remembrancer.service.notes import NotesDesk
from remembrancer.service.one_path import OnePath
from remembrancer.service.recall import RecallDesk
from remembrancer.service.resembling import ResemblingDesk
from remembrancer.service.review import ReviewDesk
from remembrancer.service.scopes import ScopesDesk
from remembrancer.service.transfer import TransferDesk
from remembrancer.service.upkeep import UpkeepDesk
from remembrancer.store.store import Store


class Library:
    """Everything that may be done with one store; may be used from any thread."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self.bell = Bell()
        self._store = store
        ground = Ground(store, OnePath(store, self.bell, clock), clock)
        self.clock = clock
        self.memories = MemoriesDesk(ground)
        self.scoped = ScopedDesk(ground)
        self.notes = NotesDesk(ground)
        self.note_search = NoteSearchDesk(ground)
        self.resembling = ResemblingDesk(ground)
        self.duplicates = DuplicatesDesk(ground)
        self.keyed = KeyedDesk(ground)
        self.graph = GraphDesk(ground)
        self.scopes = ScopesDesk(ground)
        self.meaning = MeaningDesk(ground)
        self.bell.listen(self.meaning.wake)
        self.recall = RecallDesk(ground, meaning=self.meaning)
        self.review = ReviewDesk(ground)
        self.journal = JournalDesk(ground)
        self.agents = AgentsDesk(ground)
        self.map = MapDesk(ground)
        self.transfer = TransferDesk(ground)
        self.upkeep = UpkeepDesk(ground)
        self.judge = JudgeDesk()
        self.indexing = IndexingDesk(ground)

    @classmethod
    def open(cls, path: Path | str, clock: Clock = clocks.now, *, renews: bool = True) -> Library:
        """Open the store at `path`, made when it is not there; StoreProblem says what is wrong.

        An index of before is renewed in the background; who only looks says `renews` False.
        """
        library = cls(Store(Path(path)), clock)
        if renews:
            library.indexing.start()
        return library

    @property
    def path(self) -> Path:
        """The store's file."""
        return self._store.path

    def version(self) -> int:
        """A number that changes when anybody, in this process or another, has committed."""
        return self._store.data_version()

    def interrupt(self, thread: object) -> None:
        """Break off the query that a thread runs at the moment, if any."""
        self._store.connections.interrupt(thread)  # pyright: ignore[reportArgumentType]

    def close(self) -> None:
        """Finish what was begun and let the file go."""
        self.indexing.close()
        self.meaning.close()
        self._store.close()

    def __enter__(self) -> Library:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
