"""An open library: its desks, its doorbell, and the store beneath them."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

from remembrancer.core import clock as clocks
from remembrancer.core.caution import Caution
from remembrancer.core.clock import Clock
from remembrancer.service.agents import AgentsDesk
from remembrancer.service.backups import BackupsDesk, before_migration
from remembrancer.service.backups_path import CarefulPath
from remembrancer.service.backups_watch import BackupWatch
from remembrancer.service.bell import Bell
from remembrancer.service.brain import ScopedDesk
from remembrancer.service.conflicts import ConflictsDesk
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
from remembrancer.service.merging import MergingDesk
from remembrancer.service.note_search import NoteSearchDesk
from remembrancer.service.notes import NotesDesk
from remembrancer.service.once import Occasion, kept, once
from remembrancer.service.proposals import ProposalsDesk
from remembrancer.service.recall import RecallDesk
from remembrancer.service.resembling import ResemblingDesk
from remembrancer.service.review import ReviewDesk
from remembrancer.service.scopes import ScopesDesk
from remembrancer.service.screening import ScreeningDesk
from remembrancer.service.stays import StaysDesk
from remembrancer.service.transfer import TransferDesk
from remembrancer.service.upkeep import UpkeepDesk
from remembrancer.store.store import Store


class Library:
    """Everything that may be done with one store; may be used from any thread."""

    def __init__(self, store: Store, clock: Clock, backups: Path | None = None) -> None:
        self.bell = Bell()
        self._store = store
        path = CarefulPath(store, self.bell, clock)
        ground = Ground(store, path, clock)
        self.backups = path.backups = BackupsDesk(ground, backups or store.path.parent / "backups")
        self.backup_watch = BackupWatch(self.backups, clock)
        self.clock = clock
        self.memories = MemoriesDesk(ground)
        self.scoped = ScopedDesk(ground)
        self.notes = NotesDesk(ground)
        self.note_search = NoteSearchDesk(ground)
        self.resembling = ResemblingDesk(ground)
        self.duplicates = DuplicatesDesk(ground)
        self.merging = MergingDesk(ground)
        self.conflicts = ConflictsDesk(ground)
        self.keyed = KeyedDesk(ground)
        self.graph = GraphDesk(ground)
        self.scopes = ScopesDesk(ground)
        self.meaning = MeaningDesk(ground)
        self.bell.listen(self.meaning.wake)
        self.recall = RecallDesk(ground, meaning=self.meaning)
        self.review = ReviewDesk(ground)
        self.proposals = ProposalsDesk(ground)
        self.journal = JournalDesk(ground)
        self.agents = AgentsDesk(ground)
        self.stays = StaysDesk(ground)
        self.map = MapDesk(ground)
        self.transfer = TransferDesk(ground, self.backups)
        self.upkeep = UpkeepDesk(ground)
        self.judge = JudgeDesk()
        self.indexing = IndexingDesk(ground)
        self.screening = ScreeningDesk(ground)

    @classmethod
    def open(
        cls, path: Path | str, clock: Clock = clocks.now, *, renews: bool = True,
        backups: Path | None = None,
    ) -> Library:  # fmt: skip
        """Open the store at `path`, made when it is not there; StoreProblem says what is wrong.

        An index of before is renewed in the background; who only looks says `renews` False. Backups
        lie in the folder `backups`, or in one of that name beside the store; one is made before a
        store of an earlier version is changed. Where the store may not be written, or a newer
        version wrote it, it is open for reading alone: see `read_only`.
        """

        def before_change(store: Path) -> None:
            before_migration(store, backups or store.parent / "backups")

        store = Store(Path(path), before_change)
        try:
            library = cls(store, clock, backups)
            if renews and library.read_only is None:
                library.indexing.start()
        except BaseException:
            store.close()
            raise
        return library

    @property
    def path(self) -> Path:
        """The store's file."""
        return self._store.path

    @property
    def read_only(self) -> str | None:
        """Why nothing can be written, in a sentence, as far as it is known now; else None."""
        problem = self._store.problem
        return None if problem is None else str(problem)

    @property
    def examining(self) -> bool:
        """Whether a store that was not closed is still being examined: `read_only` may change."""
        return self._store.examining

    @property
    def cautions(self) -> tuple[Caution, ...]:
        """What the person should know about where and how the store rests, although it works."""
        return self._store.cautions

    def once(self, agent_id: int | None, key: str, call: bytes) -> AbstractContextManager[Occasion]:
        """Let what this thread does within the context have its effect once a key.

        `call` is a digest of all that is asked: the same key with another raises Refused. What was
        done before gives what it gave then. The person's `agent_id` is None.
        """
        return once(agent_id, key, call)

    def was_done(self, agent_id: int | None, key: str) -> bool:
        """Whether the first deed of a call with this key was carried out, within a week."""
        with self._store.reading():
            return self._store.once.done(agent_id or 0, kept(key)) is not None

    def version(self) -> int:
        """A number that changes when anybody, in this process or another, has committed."""
        return self._store.data_version()

    def interrupt(self, thread: object) -> None:
        """Break off the query that a thread runs at the moment, if any."""
        self._store.connections.interrupt(thread)  # pyright: ignore[reportArgumentType]

    def close(self) -> None:
        """Finish what was begun and let the file go."""
        self.backup_watch.close()
        self.indexing.close()
        self.screening.close()
        self.conflicts.close()
        self.meaning.close()
        self._store.close()

    def __enter__(self) -> Library:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
