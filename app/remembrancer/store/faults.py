"""What went wrong beneath Peewee, named: its own errors often hide the cause in their context."""

# Peewee carries no types: what comes out of it is unknown until it is a core value.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from peewee import PeeweeException, sqlite3  # pyright: ignore[reportAttributeAccessIssue]

from remembrancer.core.errors import (
    NotAStore,
    StoreBusy,
    StoreDamaged,
    StoreFull,
    StoreProblem,
    StoreReadOnly,
)

DRIVER_ERRORS: tuple[type[Exception], ...] = (PeeweeException, sqlite3.Error)


class _Cause(NamedTuple):
    """One sort of failure, told by how SQLite's name for it begins or by a part of its message.

    `retryable` when the same call may succeed a moment later without anybody doing anything.
    """

    name: str
    mark: str
    kind: type[StoreProblem]
    code: str
    sentence: str
    retryable: bool = False


_BUSY = "Another program is writing to {path}; try again in a moment."
CAUSES = (
    _Cause(
        "SQLITE_FULL", "is full", StoreFull, "full",
        "The disk that holds {path} is full; make room, then try again.",
    ),
    _Cause("SQLITE_BUSY", "database is locked", StoreBusy, "busy", _BUSY, True),
    _Cause("SQLITE_LOCKED", "table is locked", StoreBusy, "busy", _BUSY, True),
    _Cause("SQLITE_PROTOCOL", "locking protocol", StoreBusy, "busy", _BUSY, True),
    _Cause(
        "SQLITE_READONLY", "readonly", StoreReadOnly, "readonly",
        "{path} or its folder may not be written to; check permissions.",
    ),
    # A disk that cannot read is told so, too: SQLite does not tell the two apart.
    _Cause(
        "SQLITE_CORRUPT", "malformed", StoreDamaged, "malformed",
        "{path} is damaged, or its disk fails (I/O error); run `remembrancer doctor` before going "
        "on.",
    ),
    _Cause(
        "SQLITE_NOTADB", "not a database", NotAStore, "not a database",
        "{path} is not a store of memories.",
    ),
    _Cause(
        "SQLITE_CANTOPEN", "unable to open", StoreProblem, "unable to open",
        "{path} cannot be opened; check that its folder exists.",
    ),
    # After a failed sync nobody knows what the disk has.
    _Cause(
        "SQLITE_IOERR", "disk i/o", StoreProblem, "disk i/o",
        "The disk that holds {path} failed to read or write (I/O error); a change under way may or "
        "may not have been kept. Check the disk, then look what is there.", True,
    ),
)  # fmt: skip
_UNNAMED = "cannot rollback", "cannot commit", "no transaction is active"


@contextmanager
def named(path: Path) -> Generator[None]:
    """Run a block; an error of SQLite leaves it as a StoreProblem that names the true cause."""
    try:
        yield
    except DRIVER_ERRORS as error:
        raise problem(error, path) from error


def problem(error: BaseException, path: Path) -> StoreProblem:
    """The StoreProblem for an error of Peewee or SQLite, by the cause that says something.

    Its facts are the `path` and whether it is `retryable` as it is, without anybody's help.
    """
    errors = list(_chain(error))
    found = next((cause for each in errors if (cause := _cause(each)) is not None), None)
    if found is not None:
        sentence = found.sentence.format(path=path)
        return found.kind(sentence, found.code, path=str(path), retryable=found.retryable)
    texts = [str(each).lower() for each in errors]
    told = next((text for text in texts if not any(u in text for u in _UNNAMED)), texts[0])
    return StoreProblem(
        f"{path} refused the work: {told}.", "store", path=str(path), retryable=False
    )


def _cause(error: BaseException) -> _Cause | None:
    """The sort of an error of the driver, by its name or, where a driver gives none, its text."""
    if not isinstance(error, DRIVER_ERRORS):
        return None
    name, text = str(getattr(error, "sqlite_errorname", "")), str(error).lower()
    for cause in CAUSES:
        if name.startswith(cause.name) or (not name and cause.mark in text):
            return cause
    return None


def _chain(error: BaseException) -> Iterator[BaseException]:
    """An error, then what it came from, the nearest first."""
    seen: set[int] = set()
    queue: list[Any] = [error]
    while queue:
        this: BaseException | None = queue.pop(0)
        if this is not None and id(this) not in seen:
            seen.add(id(this))
            yield this
            queue += [this.__cause__, this.__context__]
