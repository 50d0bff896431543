"""A file of the third version, whose index knew stems alone, is brought up with all it holds."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from peewee import sqlite3 as driver  # pyright: ignore[reportAttributeAccessIssue]

from conftest import Hand
from notation import WINDOW, build, sketch
from remembrancer.core.filters import Filter, State
from remembrancer.core.journal import JournalLine
from remembrancer.core.memory import Draft, Edit
from remembrancer.core.recall import Question
from remembrancer.service.library import Library
from remembrancer.store import connections, migrations
from remembrancer.store.store import Store

SHED = """\
shed: the pumps were leaking
shed/port: listens on 8080
barn: die Fusionskatalysatoren an Bord müssen gewartet werden
barn = shared; shed -near-> barn
: 三楼的路由器"""


@pytest.fixture
def now(library: Library) -> Library:
    """A library of today, with memories of every sort and a history."""
    build(library, SHED)
    library.memories.revise(1, Edit(content="the pumps are leaking"), **WINDOW)
    library.memories.revise(1, Edit(pinned=True), **WINDOW)
    library.memories.remember(Draft("an old lamp", "shed", tags=("light", "old")), **WINDOW)
    library.memories.archive(5, why="sold", **WINDOW)
    library.memories.remember(Draft("nothing", "shed"), **WINDOW)
    library.memories.delete(6, **WINDOW)
    return library


@pytest.fixture
def earlier(now: Library, tmp_path: Path) -> Path:
    """The same as the third version would have written it."""
    now.upkeep.tidy()
    path = tmp_path / "third.db"
    conn: Any = driver.connect(str(path), isolation_level=None)
    for step in migrations.STEPS[:3]:
        step(conn.execute)
    conn.execute("ATTACH ? AS now", (str(now.path),))
    for table in ("entity", "group_member", "relation", "memory", "tag", "journal"):
        names = [row[1] for row in conn.execute(f"PRAGMA main.table_info({table})")]
        taken = [f"words || ' ' || {name}" if name == "stems" else name for name in names]
        conn.execute(
            f"INSERT INTO main.{table} ({', '.join(names)})"
            f" SELECT {', '.join(taken)} FROM now.{table}"
        )
    conn.execute("DETACH now")
    conn.execute(f"PRAGMA application_id = {connections.APPLICATION_ID}")
    conn.execute("PRAGMA user_version = 3")
    conn.close()
    return path


def history(library: Library) -> list[list[JournalLine]]:
    return [library.memories.history(number) for number in range(1, 7)]


def found(library: Library, query: str, entity: str | None = None) -> set[str]:
    return {h.memory.content for h in library.recall.ask(Question(query, entity)).items}


def test_it_opens_with_all_its_memories_and_their_history(now: Library, earlier: Path) -> None:
    with Library.open(earlier, Hand()) as opened:
        assert opened.indexing.bring_up()
        assert sketch(opened) == sketch(now)
        chosen = Filter(state=State.ALL)
        assert opened.memories.browse(chosen) == now.memories.browse(chosen)
        assert opened.journal.after(0) == now.journal.after(0)
        assert history(opened) == history(now)
        assert opened.memories.get(1).revision == 3
        assert opened.upkeep.problems() == []


@pytest.mark.parametrize("entity", [None, "shed"])
@pytest.mark.parametrize(
    ("query", "content"),
    [
        ("pump leak", "the pumps are leaking"),
        ("8080", "listens on 8080"),
        ("Fusionskatalysator", "die Fusionskatalysatoren an Bord müssen gewartet werden"),
        ("mussen", "die Fusionskatalysatoren an Bord müssen gewartet werden"),
    ],
)
def test_its_memories_are_found_by_words(
    earlier: Path, query: str, content: str, entity: str | None
) -> None:
    with Library(Store(earlier), Hand()) as opened:
        for _ in range(2):
            assert content in found(opened, query, entity)
            assert opened.memories.browse(Filter(words=query))[0].content == content
            opened.indexing.bring_up()


def test_what_is_written_afterwards_is_found_beside_it(earlier: Path) -> None:
    with Library.open(earlier, Hand()) as opened:
        build(opened, "shed: the pumpkin is ripe")
        opened.memories.revise(2, Edit(content="listens on 9090"), **WINDOW)
        opened.memories.restore(1, 1, **WINDOW)
        assert found(opened, "pumpkins") == {"the pumpkin is ripe"}
        assert found(opened, "9090") == {"listens on 9090"}
        assert found(opened, "8080") == set()
        assert "the pumps were leaking" in found(opened, "pump")
        opened.memories.purge(2, **WINDOW)
        assert found(opened, "9090") == set()
    with Library.open(earlier) as opened:
        assert opened.upkeep.problems() == []


@pytest.mark.parametrize(
    ("query", "content"),
    [
        ("pumpz", "the pumps are leaking"),
        ("Katalysator", "die Fusionskatalysatoren an Bord müssen gewartet werden"),
        ("三楼的", "三楼的路由器"),
    ],
)
def test_its_memories_are_soon_found_as_those_of_today(
    earlier: Path, query: str, content: str
) -> None:
    with Library.open(earlier, Hand()) as opened:
        opened.indexing.bring_up()
        assert content in found(opened, query)


def test_opening_it_again_changes_nothing(earlier: Path) -> None:
    with Library.open(earlier) as opened:
        opened.indexing.bring_up()
    first = earlier.read_bytes()
    Library.open(earlier).close()
    assert earlier.read_bytes() == first
    with sqlite3.connect(f"file:{earlier}?mode=ro", uri=True) as conn:
        assert conn.execute("PRAGMA user_version").fetchone() == (len(migrations.STEPS),)
    conn.close()
