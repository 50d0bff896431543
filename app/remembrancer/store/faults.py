"""What went wrong beneath Peewee, named: its own errors often hide the cause in their context."""

# Peewee carries no types: what comes out of it is unknown until it is a core value.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from peewee import PeeweeException, sqlite3  # pyright: ignore[reportAttributeAccessIssue]

from remembrancer.core.errors import (
    NotAStore,
    StoreBusy,
    StoreDamaged,
    StoreFull,
    StoreProblem,
    StoreReadOnly,
)

_Cause = tuple[str, type[StoreProblem], str]

# Text in SQLite's message, our error, our sentence ({path} is the store's file).
_CAUSES: tuple[_Cause, ...] = (
    ("full", StoreFull, "The disk that holds {path} is full; make room, then try again."),
    ("locked", StoreBusy, "Another program is writing to {path}; try again in a moment."),
    ("busy", StoreBusy, "Another program is writing to {path}; try again in a moment."),
    ("readonly", StoreReadOnly, "{path} or its folder may not be written to; check permissions."),
    ("malformed", StoreDamaged, "{path} is damaged; run `remembrancer doctor` before going on."),
    ("not a database", NotAStore, "{path} is not a store of memories."),
    ("unable to open", StoreProblem, "{path} cannot be opened; check that its folder exists."),
    ("disk i/o", StoreProblem, "The disk that holds {path} failed to read or write; nothing kept."),
)
_UNNAMED = "cannot rollback", "cannot commit", "no transaction is active"


@contextmanager
def named(path: Path) -> Generator[None]:
    """Run a block; an error of SQLite leaves it as a StoreProblem that names the true cause."""
    try:
        yield
    except (PeeweeException, sqlite3.Error) as error:
        raise problem(error, path) from error


def problem(error: BaseException, path: Path) -> StoreProblem:
    """The StoreProblem for an error of Peewee or SQLite, by the cause that says something."""
    causes = [text for text in _messages(error) if not any(u in text for u in _UNNAMED)]
    for text in causes:
        for mark, kind, sentence in _CAUSES:
            if mark in text:
                return kind(sentence.format(path=path), code=mark, path=str(path))
    told = causes[0] if causes else str(error)
    return StoreProblem(f"{path} refused the work: {told}.", code="store", path=str(path))


def _messages(error: BaseException) -> list[str]:
    found: list[str] = []
    seen: set[int] = set()
    queue: list[BaseException | None] = [error]
    while queue:
        this = queue.pop(0)
        if this is None or id(this) in seen:
            continue
        seen.add(id(this))
        found.append(str(this).lower())
        queue += [this.__cause__, this.__context__]
    return found
