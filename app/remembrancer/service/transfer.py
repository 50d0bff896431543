"""The desk for what travels: files brought in as one deed, and the store sent out whole."""

from __future__ import annotations

import gzip
import os
import tempfile
import zlib
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import BufferedReader, FileIO, RawIOBase
from pathlib import Path
from typing import Any, BinaryIO, cast

from remembrancer import formats
from remembrancer.core.author import Author, AuthorKind
from remembrancer.core.edge import well_formed_text
from remembrancer.core.errors import BadFile, Refused
from remembrancer.core.thinning import Why
from remembrancer.core.travel import Anomaly
from remembrancer.formats import sniff
from remembrancer.service import packing
from remembrancer.service.arriving.entities import EntitiesArriving
from remembrancer.service.arriving.memories import MemoriesArriving
from remembrancer.service.arriving.relations import RelationsArriving
from remembrancer.service.arriving.site import Site
from remembrancer.service.arriving.whole import put_whole
from remembrancer.service.backups import BackupsDesk
from remembrancer.service.desk import Ground
from remembrancer.service.one_path import Ledger, Secrets
from remembrancer.service.packing import Sent
from remembrancer.service.unpacking import Load, check_whole, unpack
from remembrancer.store.whole import Whole

IMPORTER = Author("import", AuthorKind.IMPORTER)
_NOT_EMPTY = "The store is not empty: the memories got new numbers, and their history was left out."
_DATABASE = b"SQLite format 3\0"
_PACKED = b"\x1f\x8b"  # how a gzip file begins


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What came of a file: what is new, what was `known`, and every oddity by its line.

    `batch` is the deed that an undo takes back; None where nothing was written, or where a file
    of our own became the whole of an empty store (`whole`).
    """

    format: str
    entities: int
    relations: int
    memories: int
    ghosts: int
    known: int
    anomalies: tuple[Anomaly, ...]
    whole: bool
    dry_run: bool
    batch: int | None

    def __str__(self) -> str:
        came = "would come in" if self.dry_run else "came in"
        noted = f"; {len(self.anomalies):,} oddities" if self.anomalies else ""
        known = f"; {self.known:,} were there already" if self.known else ""
        return (
            f"{self.entities:,} entities, {self.relations:,} relations, {self.memories:,} memories "
            f"and {self.ghosts:,} ghosts {came}{known}{noted}."
        )


class _Rehearsed(Exception):
    """Ends a dry run, so that nothing of it is kept."""

    def __init__(self, report: ImportReport) -> None:
        self.report = report


class TransferDesk:
    """Brings files in and sends the store out; a file that is read is never touched."""

    def __init__(self, ground: Ground, backups: BackupsDesk) -> None:
        self._ground = ground
        self._backups = backups
        self._whole = Whole(ground.store.connections, ground.store.words)

    def bring_in(
        self, path: Path, format: str | None = None, *, dry_run: bool = False,
        secrets: Secrets = Secrets.MASK, author: Author = IMPORTER, origin: str = "import",
    ) -> ImportReport:  # fmt: skip
        """Bring in a file (its format is told from its beginning) in one deed that can be undone.

        What is there already stays as it is. Into a store without memories, a file of our own
        brings numbers, times and history too. A dry run reports the same and writes nothing.
        Raises BadFile for what is no file of memories, StoreProblem where a store that is not empty
        cannot be backed up before; then nothing was written.
        """
        with _opened(path) as stream:
            format = format or sniff.sniff(stream.peek(sniff.HEAD)[: sniff.HEAD])
            load = unpack(formats.reader(format)(stream), secrets)
        if not dry_run and not self._whole.empty():
            self._backups.before(Why.IMPORT)

        def work(ledger: Ledger) -> ImportReport:
            report = self._arrive(ledger, load, format, dry_run)
            if dry_run:
                raise _Rehearsed(report)
            return report

        try:
            return self._ground.path.walk(
                work, author=author, origin=origin, entities=_touched(load)
            )
        except _Rehearsed as rehearsed:
            return rehearsed.report

    def send_out(self, path: Path, format: str = "jsonl") -> Sent:
        """Write the store into a file, whole or not at all, and say how much that was.

        Raises Refused for the store's own files and for any other database, OSError when the
        file cannot be written.
        """
        write = formats.writer(format)
        target = path.resolve()
        self._may_be_replaced(target)
        sent = Sent()
        records = packing.everything if format == "jsonl" else packing.visible
        with self._ground.store.reading(), _draft(target) as stream:
            write(records(self._ground, sent), stream)
        return sent

    def _arrive(self, ledger: Ledger, load: Load, format: str, dry_run: bool) -> ImportReport:
        kept = list(load.anomalies)  # a group of writers may be tried twice
        site = Site(ledger, self._whole, load, self._days(load))
        whole = self._is_whole(load)
        if whole:
            put_whole(site)
            self._keep_interval(load)
        else:
            _merge(site)
        counts, first = site.counts, site.ledger.first
        report = ImportReport(
            format, counts.entities, counts.relations, counts.memories, counts.ghosts,
            counts.known, tuple(sorted(load.anomalies, key=lambda a: a.line)), whole, dry_run,
            None if dry_run or not first else first,
        )  # fmt: skip
        load.anomalies[:] = kept
        return report

    def _is_whole(self, load: Load) -> bool:
        if load.header is None or not self._whole.empty():
            if load.header is not None and load.lines:
                load.note(0, _NOT_EMPTY)
            return False
        try:
            check_whole(load)
        except BadFile as problem:
            load.note(0, f"Memories came without their numbers and history, because {problem}.")
            return False
        return True

    def _days(self, load: Load) -> int:
        own = None if load.header is None else load.header.review_days
        fresh = self._ground.store.extras.setting("review_days") is None
        return own if own and fresh and self._whole.empty() else self._ground.review_days()

    def _keep_interval(self, load: Load) -> None:
        days = None if load.header is None else load.header.review_days
        if days and days != self._ground.review_days():
            self._ground.store.extras.set_setting("review_days", str(days))

    def _may_be_replaced(self, target: Path) -> None:
        store = self._ground.store.path
        own = {store, *(Path(f"{store}{end}") for end in ("-wal", "-shm", "-journal"))}
        if target in own or any(p.exists() and target.exists() and target.samefile(p) for p in own):
            raise Refused("That is the store itself; choose another file.", code="own_file")
        name = well_formed_text(str(target))
        if target.is_dir():
            raise Refused(f"{name} is a folder; name a file in it.", code="folder")
        if target.exists():
            with open(target, "rb") as file:
                if file.read(len(_DATABASE)) == _DATABASE:
                    raise Refused(f"{name} is a database; choose another file.", code="database")


def _touched(load: Load) -> set[str | None]:
    ends = {name for r in load.relations for name in (r.source, r.target)}
    return ends | {e.name for e in load.entities} | {m.entity for m, _ in load.memories}


def _merge(site: Site) -> None:
    entities = EntitiesArriving(site)
    entities.run()
    MemoriesArriving(site).run()
    RelationsArriving(site).run()
    entities.set_scopes()
    site.finish()


@contextmanager
def _opened(path: Path) -> Generator[BufferedReader[FileIO]]:
    name = well_formed_text(str(path))  # one that is no Unicode comes with half characters
    try:
        if path.is_dir():
            raise BadFile(f"{name} is a folder; name a file.", code="folder")
        with _unpacked(path) as stream:
            yield stream
    except (OSError, EOFError, zlib.error) as error:
        told = error.strerror if isinstance(error, OSError) else "it is not whole"
        why = (told or "it is not whole, or the disk failed").lower()
        raise BadFile(f"{name} cannot be read: {why}.", code="unreadable") from error


@contextmanager
def _unpacked(path: Path) -> Generator[BufferedReader[Any]]:
    """A stream of what the file holds; a text export beside the backups is unpacked on the way."""
    with BufferedReader(FileIO(path), sniff.HEAD) as stream:
        if not stream.peek(len(_PACKED)).startswith(_PACKED):
            yield stream
            return
        with BufferedReader(cast(RawIOBase, gzip.GzipFile(fileobj=stream)), sniff.HEAD) as plain:
            yield plain


@contextmanager
def _draft(target: Path) -> Generator[BinaryIO]:
    """A file beside `target` that takes its place once it is whole and on the disk."""
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    draft = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(target)
    finally:
        with suppress(FileNotFoundError):
            draft.unlink()
