"""An index made by an earlier analyser: memories are found meanwhile, and better afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest
from peewee import sqlite3  # pyright: ignore[reportAttributeAccessIssue]

from notation import WINDOW, build
from remembrancer.core.memory import Edit
from remembrancer.core.recall import Question
from remembrancer.service.indexing import PAGE
from remembrancer.service.library import Library
from remembrancer.store.store import Store

COMPOUND = "der Fusionskatalysator an Bord"


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A store whose index an earlier analyser made: whole words as stems, and nothing else."""
    path = tmp_path / "old.db"
    with Library.open(path) as library:
        build(library, f"edge: {COMPOUND}")
        library.graph.observe([("edge", [f"entry {n}" for n in range(PAGE + 20)])], **WINDOW)
    with sqlite3.connect(path) as raw:
        raw.execute("UPDATE memory SET words = '', parts = '', stems = lower(content)")
        raw.execute("DELETE FROM word")
        raw.execute("DELETE FROM word_near")
        raw.execute("DELETE FROM setting WHERE name = 'analyser'")
    raw.close()
    return path


def unhurried(path: Path) -> Library:
    """The library without its work in the background."""
    return Library(Store(path), lambda: 2_000_000_000_000_000)


def found(library: Library, query: str) -> list[str]:
    return [hit.memory.content for hit in library.recall.ask(Question(query)).items]


def test_a_new_store_has_nothing_to_do(library: Library) -> None:
    assert library.indexing.state.current
    build(library, "edge: text")
    state = library.indexing.state
    assert (state.done, state.total, state.current) == (1, 1, True)


def test_words_of_before_find_memories_until_their_parts_do_too(old: Path) -> None:
    with unhurried(old) as library:
        assert found(library, "Fusionskatalysator") == [COMPOUND]
        assert found(library, "Katalysator") == []
        assert library.indexing.bring_up()
        assert found(library, "Katalysator") == [COMPOUND]
        assert library.upkeep.problems() == []


def test_progress_is_told_and_what_was_done_is_kept(old: Path) -> None:
    told: list[tuple[int, int]] = []
    with unhurried(old) as library:
        assert not library.indexing.bring_up(lambda done, total: bool(told.append((done, total))))
    with unhurried(old) as library:
        state = library.indexing.state
        assert not state.current
        assert told == [(0, state.total)]
        assert library.indexing.bring_up(lambda done, _: done >= state.done)
        assert library.indexing.state.current


def test_what_is_changed_meanwhile_keeps_its_new_words(old: Path) -> None:
    with unhurried(old) as library, unhurried(old) as other:
        [hit] = library.recall.ask(Question("Fusionskatalysator")).items

        def changing(done: int, total: int) -> bool:
            memory = other.memories.get(hit.memory.id)
            other.memories.revise(memory.id, Edit(content=f"Anlasser {done}"), **WINDOW)
            return True

        assert library.indexing.bring_up(changing)
        assert found(library, "Katalysator") == []
        assert len(found(library, "Anlasser")) == 1


def test_it_runs_in_the_background_and_ends_with_the_library(old: Path) -> None:
    with Library.open(old):
        pass  # closed at once, it goes on at the next opening
    with Library.open(old) as library:
        worker = library.indexing._thread
        if worker is not None:
            worker.join(60)
        assert library.indexing.state.current
        assert found(library, "Katalysator") == [COMPOUND]
