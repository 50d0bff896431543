"""The folder of a store's backups: names of the files, what is in it, writing one, thinning.

A backup of `memories.db` is `memories-YYYYMMDD-HHMMSS[-n][-why].db`, a text export the same with
`.jsonl.gz`; the time is UTC. Nothing of another name is ever touched.
"""

from __future__ import annotations

import errno
import os
import re
import tempfile
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from remembrancer import places
from remembrancer.core.clock import SECOND
from remembrancer.core.errors import StoreFull, StoreProblem, StoreReadOnly
from remembrancer.core.thinning import Made, Why, staying, staying_texts
from remembrancer.store import copying, folders
from remembrancer.store.copying import Look

T = TypeVar("T")
DATABASE, TEXT = ".db", ".jsonl.gz"
_PART = ".part"
_FORSAKEN = 3_600  # seconds after which an unfinished file is nobody's any more
_REASONS = "|".join(sorted(why for why in Why if why))
_STAMP = "%Y%m%d-%H%M%S"


@dataclass(frozen=True, slots=True)
class Backup:
    """One file of ours: when and why it was made, its size in bytes, its number at that moment.

    `look` is what it says of its store; None where it cannot be read, and for a text export.
    """

    path: Path
    at: int
    why: Why
    size: int
    number: int = 1
    is_text: bool = False
    look: Look | None = None

    @property
    def made(self) -> Made:
        """What thinning needs to know of it."""
        return Made(self.at, self.why, self.number)


class BackupFolder:
    """The backups of one store in one folder; the folder is made when something is written."""

    def __init__(self, folder: Path, store: Path) -> None:
        self.path = folder
        self._stem = store.stem
        pattern = rf"{re.escape(store.stem)}-(\d{{8}}-\d{{6}})(?:-(\d{{1,6}}))?(?:-({_REASONS}))?"
        self._name = re.compile(rf"{pattern}({re.escape(DATABASE)}|{re.escape(TEXT)})")
        self._looks: dict[tuple[str, int, int], Look | None] = {}

    def all(self) -> list[Backup]:
        """Every backup and text export, the newest first, without looking into them."""
        found = [b for b in self._found() if b is not None]
        return sorted(found, key=lambda b: (b.at, b.number), reverse=True)

    def looked_at(self, backup: Backup) -> Backup:
        """The same with what it says of its store; a file that did not change is read once."""
        if backup.is_text:
            return backup
        with suppress(OSError):
            stat = backup.path.stat()
            key = (backup.path.name, stat.st_size, stat.st_mtime_ns)
            if key not in self._looks:
                self._looks[key] = _look(backup.path)
            return replace(backup, look=self._looks[key])
        return backup

    def named(self, path: Path) -> Backup:
        """One of them by its path."""
        return next(b for b in self.all() if b.path == path)

    def write(
        self, at: int, why: Why, work: Callable[[Path], T], end: str = DATABASE
    ) -> tuple[Path, T]:
        """Let `work` fill a new file (0600), which gets its name once it is whole and on the disk.

        Raises StoreProblem in a sentence; then there is no file, and nothing that was there before
        has changed.
        """
        with _worded(self.path):
            places.private_folder(self.path)
            self._sweep()
            part = self._part()
            try:
                result = work(part)
                copying.sync(part)
                target = self._named(part, at, why, end)
                places.sync_folder(self.path)
            finally:
                for side in ("", *copying.SIDES):
                    Path(f"{part}{side}").unlink(missing_ok=True)
        return target, result

    def thin(self, now: int, mine: Callable[[Look], bool]) -> list[Path]:
        """Remove what no longer stays, and return that; a file of another store's history stays."""
        files = self.all()
        own = [self.looked_at(b) for b in files if not b.is_text]
        own = [b for b in own if b.look is not None and mine(b.look)]
        texts = [b for b in files if b.is_text]
        stay = staying([b.made for b in own], now)
        stay |= staying_texts([b.made for b in texts], now)
        gone = [b.path for b in (*own, *texts) if b.made not in stay]
        for path in gone:
            with suppress(OSError):  # one that may not be removed is in nobody's way
                path.unlink()
        return gone

    def _found(self) -> Iterator[Backup | None]:
        try:
            entries = [*os.scandir(self.path)]
        except OSError:
            return
        for entry in entries:
            with suppress(OSError):
                yield self._read(entry)

    def _read(self, entry: os.DirEntry[str]) -> Backup | None:
        found = self._name.fullmatch(entry.name)
        if found is None or not entry.is_file(follow_symlinks=False):
            return None
        try:
            then = datetime.strptime(found[1], _STAMP).replace(tzinfo=UTC)
        except ValueError:
            return None
        at, size = int(then.timestamp()) * SECOND, entry.stat().st_size
        number, why, end = int(found[2] or 1), Why(found[3] or ""), found[4]
        return Backup(Path(entry.path), at, why, size, number, end == TEXT)

    def _part(self) -> Path:
        """The path of a new file that nobody else writes."""
        handle, name = tempfile.mkstemp(_PART, f".{self._stem}-", self.path)
        os.close(handle)
        os.unlink(name)  # the name is ours, and whoever fills the file makes it
        return Path(name)

    def _named(self, part: Path, at: int, why: Why, end: str) -> Path:
        """Give a finished file a free name; the number tells the order within a second."""
        stamp = time.strftime(_STAMP, time.gmtime(at // SECOND))
        same = [b.number for b in self.all() if b.at == at // SECOND * SECOND]
        number = max(same, default=0) + 1
        while True:
            again = f"-{number}" if number > 1 else ""
            reason = f"-{why}" if why else ""
            target = self.path / f"{self._stem}-{stamp}{again}{reason}{end}"
            if give_name(part, target):
                return target
            number += 1

    def _sweep(self) -> None:
        """Remove what an interrupted backup left unfinished."""
        for path in self.path.glob(f".{self._stem}-*{_PART}*"):
            with suppress(OSError):
                if time.time() - path.stat().st_mtime > _FORSAKEN:
                    path.unlink()


def give_name(file: Path, target: Path) -> bool:
    """Let `file` be found under a name that is free; False, and nothing done, when it is not."""
    try:
        os.link(file, target)
    except FileExistsError:
        return False
    except OSError:  # a file system without links
        if target.exists():
            return False
        os.replace(file, target)
    return True


def carried_by(folder: Path) -> str:
    """The program that carries what is in a folder to other machines; empty for none."""
    return folders.looked_at(folder / "backup").cloud


def _look(path: Path) -> Look | None:
    try:
        return copying.look(path)
    except StoreProblem:
        return None


@contextmanager
def _worded(folder: Path) -> Generator[None]:
    """Errors of the file system as sentences that name the folder."""
    try:
        yield
    except OSError as error:
        raise _problem(error, folder) from error


def _problem(error: OSError, folder: Path) -> StoreProblem:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return StoreFull(f"The disk that holds {folder} is full; no backup was made.", code="full")
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return StoreReadOnly(
            f"The folder {folder} may not be written to; no backup was made.", code="readonly"
        )
    why = (error.strerror or str(error)).lower()
    return StoreProblem(f"No backup could be made in {folder}: {why}.", code="folder")
