"""A disk that fails is named to every caller, loses nothing, and is over when it is healthy."""

from __future__ import annotations

import logging
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

# The library's own: two SQLites in one process would take each other's locks away.
from peewee import PeeweeException, sqlite3  # pyright: ignore[reportAttributeAccessIssue]

from faults import io_errors, shim
from faults.deeds import AGENT
from faults.length import at_length, broken
from remembrancer.core.errors import (
    NotAStore,
    StoreBusy,
    StoreDamaged,
    StoreFull,
    StoreProblem,
    StoreReadOnly,
)
from remembrancer.core.memory import Draft
from remembrancer.service.library import Library
from remembrancer.store import faults
from remembrancer.store.store import Store

PATH = Path("/x/memories.db")
needs_shim = pytest.mark.skipif(shim.missing() is not None, reason=str(shim.missing()))


@pytest.fixture
def store(library: Library) -> Any:
    return library._store


@needs_shim
def test_a_failing_disk_loses_nothing_and_is_named(tmp_path: Path) -> None:
    assert broken(io_errors.measure(tmp_path, runs=21)) == []


@needs_shim
@at_length
def test_a_disk_that_fails_in_many_ways_loses_nothing_and_is_named(tmp_path: Path) -> None:
    assert broken(io_errors.measure(tmp_path, runs=168)) == []


# --- the names


def raised(name: str, text: str, *, hidden: bool = False) -> BaseException:
    """An error of the driver; `hidden` as Peewee raises it when its own rollback fails next."""
    cause = sqlite3.OperationalError(text)
    if name:
        cause.sqlite_errorname = name
    if not hidden:
        return cause
    outer = PeeweeException("cannot rollback - no transaction is active")
    outer.__context__ = cause
    return outer


@pytest.mark.parametrize("hidden", [False, True])
@pytest.mark.parametrize("named", [False, True], ids=["by its text", "by its name"])
@pytest.mark.parametrize(
    ("name", "text", "kind", "sentence", "retryable"),
    [
        ("SQLITE_FULL", "database or disk is full", StoreFull, "is full", False),
        ("SQLITE_BUSY_SNAPSHOT", "database is locked", StoreBusy, "Another program", True),
        ("SQLITE_IOERR_FSYNC", "disk I/O error", StoreProblem, "I/O error", True),
        ("SQLITE_READONLY", "attempt to write a readonly database", StoreReadOnly, "not be", False),
        ("SQLITE_CORRUPT", "database disk image is malformed", StoreDamaged, "damaged", False),
        ("SQLITE_NOTADB", "file is not a database", NotAStore, "not a store", False),
    ],
)
def test_the_true_cause_is_named_however_it_is_hidden(
    name: str, text: str, kind: type[StoreProblem], sentence: str, retryable: bool,
    named: bool, hidden: bool,
) -> None:  # fmt: skip
    problem = faults.problem(raised(name if named else "", text, hidden=hidden), PATH)
    assert type(problem) is kind
    assert sentence in str(problem)
    assert problem.facts == {"path": str(PATH), "retryable": retryable}


def test_words_of_somebody_elses_error_name_no_cause() -> None:
    error = raised("", "no such table: x")
    error.__context__ = ValueError("the disk is full and malformed")
    assert faults.problem(error, PATH).code == "store"


def test_no_cause_has_the_code_of_a_rule() -> None:
    """Dialects word some refusals by their code: a busy store is no locked agent."""
    codes = {faults.problem(raised(c.name, "x"), PATH).code for c in faults.CAUSES}
    assert not codes & {"locked", "read_only", "propose_only"}


# --- the callers of one group


def test_a_commit_that_fails_is_told_to_every_caller_of_its_group_and_leaves_nothing(
    store: Any,
) -> None:
    settings = [f"s{n}" for n in range(6)]
    answers = _in_one_group(store, settings)
    assert [type(each) for each in answers] == [StoreFull] * len(settings)
    assert len({id(each) for each in answers}) == len(settings)
    assert [store.extras.setting(name) for name in settings] == [None] * len(settings)
    store.write(lambda: store.connections.sql("PRAGMA max_page_count = 1000000"))
    store.write(lambda: store.extras.set_setting("s0", "there"))
    assert store.extras.setting("s0") == "there"


def _in_one_group(store: Any, names: list[str]) -> list[BaseException | None]:
    """What callers are told that come while one leads, whose commit then finds no room."""
    gate, begun = threading.Event(), threading.Event()

    def leads() -> None:
        begun.set()
        gate.wait(20)
        store.extras.set_setting(names[0], "x")

    def fills() -> None:
        store.extras.set_setting(names[-1], "x")
        store.connections.sql("PRAGMA max_page_count = 1")
        store.connections.sql("INSERT INTO setting VALUES ('large', hex(zeroblob(4000000)))")

    with ThreadPoolExecutor(len(names)) as pool:
        first = pool.submit(store.write, leads)
        begun.wait(20)
        others = [
            pool.submit(store.write, lambda n=n: store.extras.set_setting(n, "x"))
            for n in names[1:-1]
        ]
        while len(store._writer._jobs) < len(others):
            threading.Event().wait(0.001)
        last = pool.submit(store.write, fills)
        while len(store._writer._jobs) <= len(others):
            threading.Event().wait(0.001)
        gate.set()
        return [each.exception(20) for each in (first, *others, last)]


def test_callers_that_wait_for_a_busy_file_are_told_at_the_same_time(library: Library) -> None:
    store: Any = library._store
    begun: list[str] = []

    def impatient() -> None:
        store.connections.sql("PRAGMA busy_timeout = 300")
        store.connections.connection().set_trace_callback(begun.append)

    store.write(impatient)
    with closing(sqlite3.connect(str(library.path), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with ThreadPoolExecutor(8) as pool:
            waiting = [pool.submit(_remember, library, n) for n in range(8)]
            told = [each.exception(20) for each in waiting]
        other.execute("ROLLBACK")
    assert [type(each) for each in told] == [StoreBusy] * 8
    assert sum("BEGIN" in text for text in begun) < 8
    assert _remember(library, 99)


def _remember(library: Library, number: int) -> int:
    return library.memories.remember(Draft(f"number {number}"), **AGENT).id


def test_what_nobody_waits_for_is_logged_when_it_fails(
    store_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store: Any = Store(store_path)

    def no_room() -> None:
        store.connections.sql("PRAGMA max_page_count = 1")
        store.connections.sql("INSERT INTO setting VALUES ('large', hex(zeroblob(4000000)))")

    with caplog.at_level(logging.ERROR):
        store.post(no_room)
        store.close()
    assert "is full" in caplog.text
