"""The file: who may write, what a commit holds, which files are refused."""

from __future__ import annotations

import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

# The library's own: two SQLites in one process would take each other's locks away.
from peewee import sqlite3  # pyright: ignore[reportAttributeAccessIssue]

from notation import WINDOW, build, sketch
from remembrancer.core.errors import BadValue, NotAStore, StoreProblem
from remembrancer.core.memory import Draft
from remembrancer.service.graph import NewEntity
from remembrancer.service.library import Library
from remembrancer.store.store import Store
from remembrancer.store.tables import TABLES


@pytest.fixture
def store(library: Library) -> Any:
    return library._store


def test_only_the_writer_writes(store: Store) -> None:
    with pytest.raises(StoreProblem), store.reading():
        store.extras.set_setting("a", "b")
    store.write(lambda: store.extras.set_setting("a", "b"))
    assert store.extras.setting("a") == "b"


def test_fifty_at_once_lose_nothing_and_leave_no_gap(library: Library) -> None:
    gate = threading.Barrier(10)

    def create(n: int) -> None:
        if n < 10:
            gate.wait(20)
        wanted = [NewEntity(f"e{n}", "t", (f"first {n}", f"second {n}"))]
        library.graph.create(wanted, **WINDOW)

    with ThreadPoolExecutor(10) as pool:
        list(pool.map(create, range(50)))
    assert len(library.graph.read().nodes) == 50
    lines = library.journal.after(0)
    assert [line.sequence for line in lines] == list(range(1, 151))
    batches = {line.batch for line in lines}
    assert len(batches) == 50
    assert all(len(library.journal.batch(b)) == 3 for b in batches)


def test_what_is_posted_is_written_before_what_comes_after_it(store: Store) -> None:
    order: list[str] = []
    gate, begun = threading.Event(), threading.Event()

    def first() -> None:
        begun.set()
        gate.wait(20)
        order.append("first")

    leading = threading.Thread(target=store.write, args=(first,))
    leading.start()
    begun.wait(20)
    store.post(lambda: order.append("posted"))
    waiting = threading.Thread(target=store.write, args=(lambda: order.append("after"),))
    waiting.start()
    gate.set()
    leading.join(20)
    waiting.join(20)
    assert order == ["first", "posted", "after"]


def test_what_is_posted_while_nobody_writes_is_written_before_the_store_closes(
    store_path: Path,
) -> None:
    store = Store(store_path)
    for n in range(5):
        store.post(lambda n=n: store.extras.set_setting(f"s{n}", "x"))
    store.close()
    with sqlite3.connect(store_path) as file:
        rows = file.execute("SELECT count(*) FROM setting WHERE name LIKE 's_'").fetchone()
    assert rows[0] == 5


def test_who_is_broken_off_while_leading_takes_nobody_with_it(store: Store) -> None:
    gate, begun = threading.Event(), threading.Event()

    def leads() -> None:
        begun.set()
        gate.wait(20)
        raise KeyboardInterrupt

    def lead() -> None:
        with pytest.raises(KeyboardInterrupt):
            store.write(leads)

    leading = threading.Thread(target=lead)
    leading.start()
    begun.wait(20)
    with ThreadPoolExecutor(4) as pool:
        others = [
            pool.submit(store.write, lambda n=n: store.extras.set_setting(f"o{n}", "x"))
            for n in range(4)
        ]
        gate.set()
        for each in others:
            each.result(20)
    leading.join(20)
    assert [store.extras.setting(f"o{n}") for n in range(4)] == ["x"] * 4


def test_a_writer_may_write_and_read_within_its_own_write(store: Store) -> None:
    def outer() -> str | None:
        store.write(lambda: store.extras.set_setting("inner", "there"))
        with store.reading():
            return store.extras.setting("inner")

    assert store.write(outer) == "there"
    with pytest.raises(StoreProblem), store.reading():
        store.extras.set_setting("after", "no")


def test_a_job_that_fails_leaves_nothing_and_spares_the_others(store: Store) -> None:
    def half() -> None:
        store.extras.set_setting("half", "done")
        raise BadValue("no")

    with ThreadPoolExecutor(8) as pool:
        jobs: list[Any] = []
        for n in range(40):
            good = lambda n=n: store.extras.set_setting(f"s{n}", "x")  # noqa: E731
            jobs.append(pool.submit(store.write, half if n % 4 == 0 else good))
    assert [isinstance(j.exception(), BadValue) for j in jobs] == [n % 4 == 0 for n in range(40)]
    assert store.extras.setting("half") is None
    assert all(store.extras.setting(f"s{n}") == "x" for n in range(40) if n % 4)


def test_what_was_acknowledged_is_there_for_another_process(library: Library) -> None:
    build(library, "edge: x")
    with sqlite3.connect(library.path) as other:
        assert other.execute("SELECT content FROM memory").fetchall() == [("x",)]
        before = library.version()
        other.execute("INSERT INTO setting VALUES ('from', 'outside')")
    other.close()
    assert library.version() != before


def test_a_closed_store_says_so(library: Library) -> None:
    library.close()
    with pytest.raises(StoreProblem, match="closed"):
        library.memories.remember(Draft("x"), **WINDOW)


def test_the_file_is_the_persons_own(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "folder" / "memories.db"
    with Library.open(path) as library:
        build(library, "edge")
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_opening_again_finds_everything(store_path: Path) -> None:
    with Library.open(store_path) as library:
        first = sketch(build(library, "a -r-> b; a/k: x; g = {a}"))
    with Library.open(store_path) as library:
        assert sketch(library) == first
        assert library.upkeep.problems() == []


def test_an_empty_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "empty.db"
    path.touch()
    with pytest.raises(NotAStore, match="empty file"):
        Library.open(path)
    assert path.stat().st_size == 0


def test_a_text_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a database at all\n" * 200)
    before = path.read_bytes()
    with pytest.raises(NotAStore):
        Library.open(path)
    assert path.read_bytes() == before


def test_the_database_of_another_program_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE memory (id INTEGER)")
    other.close()
    before = path.read_bytes()
    with pytest.raises(NotAStore, match="another program"):
        Library.open(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("table", TABLES, ids=[t.__name__ for t in TABLES])
def test_schema_and_models_agree_column_by_column(store: Store, table: Any) -> None:
    types = {"BIGINT": "INTEGER", "INT": "INTEGER", "BOOL": "INTEGER", "FLOAT": "REAL"}
    fields = {
        f.column_name: (types.get(f.field_type, f.field_type), f.null)
        for f in table._meta.sorted_fields
    }
    rows = store.connections.sql(f'PRAGMA table_info("{table._meta.table_name}")')
    columns = {name: (kind, not required and not key) for _, name, kind, required, _, key in rows}
    primary = {name for _, name, _, _, _, key in rows if key}
    assert {n: kind for n, (kind, _) in fields.items()} == {
        n: kind for n, (kind, _) in columns.items()
    }
    for name in fields.keys() - primary:
        assert fields[name][1] == columns[name][1], name
    keys = table._meta.primary_key
    names = keys.field_names if hasattr(keys, "field_names") else (keys.name,)
    assert set(names) == primary


def test_every_table_is_strict(store: Store) -> None:
    rows = store.connections.sql("PRAGMA table_list")
    ours = {t._meta.table_name for t in TABLES}
    assert {row[1]: row[5] for row in rows if row[1] in ours} == dict.fromkeys(ours, 1)
