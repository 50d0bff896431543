"""How a backup becomes the store again: checked first, and the present store kept beside it.

At every moment the store's path leads to the old store or to the new one, whole. The new one is
made and checked beside it. The old one, its log taken in, gets a second name; then the new one
takes the first name in one step. So no log of the old one is there that could be played into it.

Of a store that SQLite cannot open, the log cannot be taken in. Its file, its log and the rest get
second names together before anything leaves its place.
"""

from __future__ import annotations

import os
import shutil
import time
from contextlib import suppress
from pathlib import Path

from remembrancer import places
from remembrancer.core import clock as clocks
from remembrancer.core.errors import (
    BadFile,
    NotAStore,
    Refused,
    StoreDamaged,
    StoreProblem,
    StoreTooNew,
)
from remembrancer.core.thinning import Why
from remembrancer.service.backups_folder import BackupFolder
from remembrancer.store import copying
from remembrancer.store.holding import FILE, STATE, Hold
from remembrancer.store.looking import SIDES

_BESIDE = (*SIDES, "-mending")  # what belongs to a store, after its name


def put_back(backup: Path, store: Path, backups: Path | None = None) -> Path | None:
    """Let a copy of `backup` be the store; returns where the former store, if any, is kept.

    The backup is not touched. Where `backups` names a folder, the present store is backed up there
    too, if it is sound. Raises BadFile when the backup cannot be read, NotAStore, StoreTooNew or
    StoreDamaged when it is no sound store, StoreBusy when anybody has the present store open. Then
    the store is what it was.
    """
    backup, store = backup.resolve(), store.resolve()
    if backup == store:
        raise Refused("That is the store itself; name a backup.", code="own_file")
    fresh = _checked_copy(backup, store)
    hold = None
    try:
        hold = Hold(store, alone=True)
        kept = _keep(store, backups) if store.exists() else None
        for end in _BESIDE:  # they have second names, or belong to nothing
            Path(f"{store}{end}").unlink(missing_ok=True)
        os.replace(fresh, store)
        places.sync_folder(store.parent)
        hold.write(**{STATE: "", FILE: ""})  # what was noted is of the former file
    finally:
        if hold is not None:
            hold.release()
        _remove(fresh)
    return kept


def _checked_copy(backup: Path, store: Path) -> Path:
    """A copy of the backup beside the store, checked and ready to take its place."""
    if not backup.is_file():
        raise BadFile(f"{backup} is no file that can be put back.", code="unreadable")
    store.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    copy = store.with_name(f".{store.name}.restoring")
    _remove(copy)
    try:
        _copy(backup, copy)
        copying.sync(copy)
    except BaseException:
        _remove(copy)
        raise
    return copy


def _copy(backup: Path, copy: Path) -> None:
    try:
        copying.copy_file(backup, copy)
        copying.make_ready(copy)
    except NotAStore:
        raise NotAStore(f"{backup} is not a store of memories.") from None
    except StoreTooNew:
        raise StoreTooNew(
            f"{backup} was written by a newer version of Remembrancer; update this one."
        ) from None
    except StoreDamaged as problem:
        raise StoreDamaged(f"{backup} is not sound and was not put back: {problem}") from None
    except OSError as error:
        raise BadFile(f"{backup} cannot be copied: {error.strerror}.", code="unreadable") from error


def _keep(store: Path, backups: Path | None) -> Path:
    """Give the present store, all of it, a second name beside its place."""
    log, aside = Path(f"{store}-wal"), store.with_name(f".{store.name}.{os.getpid()}.log")
    if log.exists():  # SQLite throws it away with a file that it does not understand
        _copy_private(log, aside)
    try:
        copying.let_go(store)
    except (StoreDamaged, NotAStore):
        if aside.exists():
            os.replace(aside, log)
        return _named_anew(store, _BESIDE)
    finally:
        aside.unlink(missing_ok=True)
    if backups is not None:
        # What was sound enough to be let go is kept in any case; this is the copy in the list.
        with suppress(StoreProblem):
            _back_up(store, backups)
    return _named_anew(store, ())


def _back_up(store: Path, backups: Path) -> None:
    files = BackupFolder(backups, store)
    files.write(clocks.now(), Why.RESTORE, lambda part: copying.copy_file(store, part))


def _named_anew(store: Path, sides: tuple[str, ...]) -> Path:
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
    kept = _free(store.with_name(f"{store.stem}-before-{stamp}{store.suffix}"))
    for end in ("", *sides):
        if Path(f"{store}{end}").exists():
            _second_name(Path(f"{store}{end}"), Path(f"{kept}{end}"))
    places.sync_folder(store.parent)
    return kept


def _second_name(file: Path, other: Path) -> None:
    """Let a file be found under both names; where there are no links, as a copy."""
    try:
        os.link(file, other)
    except OSError:
        _copy_private(file, other)


def _copy_private(file: Path, other: Path) -> None:
    os.close(os.open(other, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    shutil.copyfile(file, other)
    copying.sync(other)


def _free(path: Path) -> Path:
    number, free = 1, path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return free


def _remove(path: Path) -> None:
    for end in ("", *copying.SIDES):
        Path(f"{path}{end}").unlink(missing_ok=True)
