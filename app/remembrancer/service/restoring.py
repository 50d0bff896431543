"""How a backup becomes the store again: checked first, and the present store kept beside it."""

from __future__ import annotations

import os
import shutil
import time
from contextlib import suppress
from pathlib import Path

from remembrancer.core.errors import (
    BadFile,
    NotAStore,
    Refused,
    StoreBusy,
    StoreDamaged,
    StoreProblem,
)
from remembrancer.service.library import Library

_SIDES = ("-wal", "-shm", "-journal")


def put_back(backup: Path, store: Path) -> Path | None:
    """Let a copy of `backup` be the store; returns where the former store, if any, is kept.

    The backup is not touched. Raises BadFile when it cannot be read, NotAStore or StoreDamaged
    when it is no sound store, StoreBusy when another program has the present store open.
    """
    backup, store = backup.resolve(), store.resolve()
    if backup == store:
        raise Refused("That is the store itself; name a backup.", code="own_file")
    fresh = _checked_copy(backup, store)
    try:
        kept = _set_aside(store)
        os.replace(fresh, store)
    finally:
        _remove(fresh)
    return kept


def _checked_copy(backup: Path, store: Path) -> Path:
    """A copy of the backup beside the store, opened, brought to our version and found sound."""
    if not backup.is_file():
        raise BadFile(f"{backup} is no file that can be put back.", code="unreadable")
    store.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    copy = store.with_name(f".{store.name}.restoring")
    _remove(copy)
    try:
        _copy(backup, copy)
        _check(copy, backup)
    except BaseException:
        _remove(copy)
        raise
    return copy


def _copy(backup: Path, copy: Path) -> None:
    """Copy the file, and its log where the backup is a store that was not closed."""
    try:
        for end in ("", "-wal"):
            source, target = Path(f"{backup}{end}"), Path(f"{copy}{end}")
            if source.exists():
                os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
                shutil.copyfile(source, target)
    except OSError as error:
        raise BadFile(f"{backup} cannot be copied: {error.strerror}.", code="unreadable") from error


def _check(copy: Path, backup: Path) -> None:
    try:
        with Library.open(copy) as library:
            problems = library.upkeep.problems()
            library.upkeep.tidy()
    except NotAStore:
        raise NotAStore(f"{backup} is not a store of memories.") from None
    except StoreDamaged:
        problems = ["SQLite cannot read it"]
    if problems:
        raise StoreDamaged(f"{backup} is not sound and was not put back: {problems[0]}")


def _set_aside(store: Path) -> Path | None:
    """Give the present store another name beside its place; all of its files when it is damaged."""
    if not store.exists():
        return None
    with suppress(StoreDamaged, NotAStore), Library.open(store) as library:
        library.upkeep.tidy()
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
    kept = _free(store.with_name(f"{store.stem}-before-{stamp}{store.suffix}"))
    # The last one to close a store takes its log in; one that is left is in use elsewhere.
    if Path(f"{store}-wal").exists() and _sound(store):
        raise StoreBusy("Another program has the store open; close it, then try again.")
    os.replace(store, kept)
    for end in _SIDES:
        if Path(f"{store}{end}").exists():
            os.replace(f"{store}{end}", f"{kept}{end}")
    return kept


def _sound(store: Path) -> bool:
    try:
        Library.open(store).close()
    except StoreProblem:
        return False
    return True


def _free(path: Path) -> Path:
    number = 1
    free = path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return free


def _remove(path: Path) -> None:
    for end in ("", *_SIDES):
        Path(f"{path}{end}").unlink(missing_ok=True)
