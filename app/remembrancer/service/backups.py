"""The desk for backups: made in time, checked, thinned, and looked into before one is put back.

When there is one:

- before an earlier file is brought to this version, before an import into a store that is not
  empty, before another store is put in this one's place;
- before a deed of the person that deletes more than `BULK` memories, and before the first memory
  in an hour that the person forgets for good: the deed is tried, and where it would do that,
  nothing of it is kept until the backup is there;
- after a call of an agent that deleted more than `BULK` memories. It is not made to wait for a
  backup before: what an agent deletes stays in the file, as a tombstone and as a line of the
  journal, so a backup that is younger than the call holds every word of it and the way back;
- while the window or the server is open: when the store changed and the last one is a day old, or
  200 changes old (five minutes apart at least).

Where a backup has to be there first and cannot be made, the deed is refused with the reason; but a
deletion that can be undone is not.
"""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass, replace
from pathlib import Path

from remembrancer.core import clock as clocks
from remembrancer.core.author import Author
from remembrancer.core.clock import MINUTE, Clock
from remembrancer.core.errors import RemembrancerError, StoreProblem
from remembrancer.core.thinning import OLDEST, Why, is_due
from remembrancer.service import backups_text
from remembrancer.service.backups_cleaning import Cleaned, clean
from remembrancer.service.backups_folder import TEXT, Backup, BackupFolder, carried_by
from remembrancer.service.desk import Ground
from remembrancer.store import copying, upkeep
from remembrancer.store.copying import Look
from remembrancer.store.upkeep import Since

BULK = 10  # memories that one call may delete without a backup
RECENT = 60 * MINUTE  # a backup of that age is enough before a memory is forgotten
_UNEXPECTED = "Something went wrong while a backup was made; the log has the details."
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class BackupState:
    """How the backups stand: the newest one's time, why the last attempt failed (else empty).

    `next_at` is when the next one is due at the latest, None while nothing changed. `changes`
    counts the journal's lines since; `busy` tells that one is being made. Microseconds UTC.
    """

    last_at: int | None
    next_at: int | None
    changes: int
    failure: str
    busy: bool


def before_migration(store: Path, folder: Path) -> None:
    """Make a checked backup of a closed store that is about to be brought to this version.

    Raises StoreProblem where it cannot; then the file must be left as it is.
    """
    made = BackupFolder(folder, store)
    made.write(clocks.now(), Why.MIGRATION, lambda part: copying.copy_file(store, part))


class BackupsDesk:
    """Makes and lists the backups of one store; may be used from any thread."""

    def __init__(self, ground: Ground, folder: Path) -> None:
        self._ground = ground
        self._connections = ground.store.connections
        self._clock: Clock = ground.clock
        self._files = BackupFolder(folder, ground.store.path)
        self._one_at_a_time = threading.Lock()
        self._failure = ""

    @property
    def folder(self) -> Path:
        """Where they lie."""
        return self._files.path

    @property
    def notice(self) -> str:
        """The program that carries the backups to other machines; empty for none."""
        return carried_by(self.folder)

    def make(self, why: Why = Why.HAND, folder: Path | None = None) -> Backup:
        """Make a checked backup now; in another folder than ours nothing is thinned."""
        files = self._files if folder is None else BackupFolder(folder, self._ground.store.path)
        with self._one_at_a_time:
            try:
                made = self._make(files, why)
            except StoreProblem as problem:
                if files is self._files:
                    self._failure = str(problem)
                raise
            if files is self._files:
                self._failure = ""
                files.thin(self._clock(), self.is_mine)
        return made

    def all(self) -> list[Backup]:
        """The backups in the folder, the newest first, each with what it says of its store."""
        return [self._files.looked_at(b) for b in self._files.all() if not b.is_text]

    def texts(self) -> list[Backup]:
        """The text exports in the folder, the newest first."""
        return [b for b in self._files.all() if b.is_text]

    def newest(self) -> Backup | None:
        """The newest one of this store that can be read and is not from the future."""
        now = self._clock()
        files = (b for b in self._files.all() if not b.is_text and b.at <= now)
        looked = (self._files.looked_at(b) for b in files)
        return next((b for b in looked if b.look is not None and self.is_mine(b.look)), None)

    def since(self, backup: Backup) -> Since | None:
        """What happened to memories after a backup; None where it is of another history."""
        if backup.look is None or not self.is_mine(backup.look):
            return None
        return upkeep.since(self._connections, backup.look.head)

    def changes_after(self, backup: Backup | None) -> int:
        """The journal's lines after a backup; all of them where it is of another history."""
        head = self._ground.store.journal.head()
        if backup is None or backup.look is None:
            return head
        return head - backup.look.head if self._holds(backup.look) else max(head, 1)

    @property
    def state(self) -> BackupState:
        """How the backups stand now."""
        newest = self.newest()
        last, changes = newest.at if newest else None, self.changes_after(newest)
        following = (self._clock() if last is None else last + OLDEST) if changes else None
        busy = self._one_at_a_time.locked()
        return BackupState(last, following, changes, self._failure, busy)

    def due(self) -> Why | None:
        """Why another one is due now, if it is."""
        newest = self.newest()
        changes = self.changes_after(newest)
        if newest is None or newest.look is None or not self._holds(newest.look):
            return is_due(None, changes, self._clock())
        if changes > BULK:
            most = upkeep.most_deleted_at_once(self._connections, newest.look.head)
            if most > BULK:
                return Why.DELETION
        return is_due(newest.at, changes, self._clock())

    def before(self, why: Why) -> None:
        """See that there is a backup of the store as it is; StoreProblem where there cannot be."""
        if not self.is_ready(why):
            self.make(why)

    def is_ready(self, why: Why, head: int | None = None) -> bool:
        """Whether what such a deed needs is there already.

        `head` is the journal's last line before the deed, for who asks in the middle of it.
        """
        head = self._ground.store.journal.head() if head is None else head
        newest = self.newest()
        if newest is None or newest.look is None:
            return head == 0
        if why is Why.PURGE and self._clock() - newest.at < RECENT:
            return True
        return newest.look.head == head and self._holds(newest.look)

    def write_text(self) -> Path:
        """Write a text export of everything into the folder, checked and thinned too."""
        now = self._clock()

        def work(part: Path) -> None:
            backups_text.write(self._ground, part)

        with self._one_at_a_time:
            path, _ = self._files.write(now, Why.HAND, work, TEXT)
            self._files.thin(now, self.is_mine)
        return path

    def forget(self, memory_id: int, author: Author) -> Cleaned:
        """Take a memory that was forgotten for good out of the backups too; the person's deed.

        Each backup that holds it is written anew without it, the text exports are made anew. What
        cannot be read is left and named. Raises StoreProblem where nothing can be written.
        """
        return clean(self, self._ground.store.path, memory_id, author)

    def look_after(self) -> None:
        """Make what is due now, a backup or the week's text; what fails is kept in the state."""
        try:
            why = self.due()
            if why is not None:
                self.make(why)
            if backups_text.is_due(self.texts(), self._clock(), self.newest()):
                self.write_text()
        except (RemembrancerError, OSError) as problem:
            self._failure = str(problem)
            _log.warning("No backup could be made: %s", problem)
        except Exception:
            self._failure = _UNEXPECTED
            _log.exception("The backups could not be looked after")

    def _make(self, files: BackupFolder, why: Why) -> Backup:
        now, connections = self._clock(), self._connections

        def work(part: Path) -> Look:
            return copying.copy_open(connections, part)

        path, look = files.write(now, why, work)
        return replace(files.named(path), look=look)

    def is_mine(self, look: Look) -> bool:
        """Whether a backup is of this store's history, also of what was given up for another."""
        return look.head == 0 or look.first_at == upkeep.first_at(self._connections)

    def _holds(self, look: Look) -> bool:
        """Whether this store went on from where the backup stands."""
        return look.last_at == upkeep.written_at(self._connections, look.head)
