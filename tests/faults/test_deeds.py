"""The proof that a store has what was acknowledged finds what is missing, and what does not fit."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

# The library's own: two SQLites in one process would take each other's locks away.
from peewee import sqlite3  # pyright: ignore[reportAttributeAccessIssue]

from faults.deeds import Ack, Doer, examined, make_store
from remembrancer.service.library import Library


@pytest.fixture(scope="module")
def worked_on(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Ack]]:
    store = make_store(tmp_path_factory.mktemp("deeds") / "memories.db")
    with Library.open(store) as library:
        doer = Doer(library, 1)
        return store, [ack for ack in (doer.one() for _ in range(60)) if ack is not None]


@pytest.fixture
def acks(worked_on: tuple[Path, list[Ack]], tmp_path: Path) -> list[Ack]:
    shutil.copy(worked_on[0], tmp_path / "memories.db")
    return worked_on[1]


@pytest.fixture
def file(acks: list[Ack], tmp_path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(tmp_path / "memories.db")) as opened:
        yield opened
        opened.commit()


def test_a_store_that_has_all_of_it_is_found_sound(acks: list[Ack], tmp_path: Path) -> None:
    assert {ack.verb for ack in acks} == {"remember", "revise", "delete", "relate"}
    found = examined(tmp_path / "memories.db", acks)
    assert (found.lost, found.problems) == (0, ())


@pytest.mark.parametrize("verb", ["remember", "revise", "delete", "relate"])
def test_what_was_acknowledged_and_is_not_there_is_lost(
    acks: list[Ack], tmp_path: Path, verb: str
) -> None:
    there = next(ack for ack in acks if ack.verb == verb)
    other = there._replace(text="other words")
    assert examined(tmp_path / "memories.db", [*acks, other]).lost == 1


@pytest.mark.parametrize(
    ("harm", "told"),
    [
        ("DELETE FROM journal WHERE sequence = 20", "a journal with a gap"),
        ("UPDATE memory SET revision = revision + 1 WHERE id = 1", "revisions with a gap"),
        ("UPDATE journal SET snapshot = NULL WHERE sequence = 12", "without its snapshot"),
        ("UPDATE memory SET content = 'x' WHERE id = 2", "other than its newest revision"),
        ("DELETE FROM tag", "a memory without its tags"),
        ("INSERT INTO relation VALUES (999, 1, 2, 'x', 1, NULL)", "a relation without its line"),
        ("DROP INDEX memory_key; UPDATE memory SET entity_id = 1, key = 'k'", "one key twice"),
        ("UPDATE memory_index SET stems = 'x' WHERE rowid = 1", ""),
        ("PRAGMA foreign_keys = 0; UPDATE memory SET entity_id = 999 WHERE id = 3", "missing row"),
    ],
)
def test_what_does_not_fit_together_is_told(
    file: sqlite3.Connection, tmp_path: Path, harm: str, told: str
) -> None:
    file.executescript(harm)
    file.commit()
    problems = examined(tmp_path / "memories.db", ()).problems
    assert any(told in problem for problem in problems)
