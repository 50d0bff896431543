"""Literal search finds through its index what reading everything finds, and nothing else."""

from __future__ import annotations

import shutil
import sqlite3
import sys
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from peewee import sqlite3 as driver  # pyright: ignore[reportAttributeAccessIssue]

from notation import WINDOW, build
from remembrancer.core.author import PERSON
from remembrancer.core.memory import Draft
from remembrancer.service.graph import NewEntity
from remembrancer.service.library import Library
from remembrancer.store import connections, letters, memories, migrations, schema
from remembrancer.store.letters import Letters, expression

LATER = 2**62


@pytest.fixture
def index(library: Library) -> Letters:
    return Letters(library._store.connections)


def named(library: Library, ids: list[int]) -> list[str]:
    return [e.name for e in library._store.entities.several(ids)]


def test_every_letter_is_found_by_its_other_case(library: Library, index: Letters) -> None:
    every = map(chr, range(sys.maxunicode + 1))
    cased = [c for c in every if c.lower() != c and unicodedata.category(c) != "Cs"]
    assert len(cased) > 1_300
    wanted = [NewEntity(f"x{n}", "t", (f"{c}ab cd{c}ef gh{c}",)) for n, c in enumerate(cased)]
    library.graph.create(wanted, **WINDOW)
    asked = 0
    for number, capital in enumerate(cased):
        small, at_the_end = capital.lower(), f"gh{capital}".lower()
        for query in (f"{small}ab", f"D{small}E", at_the_end[:3], f"{capital}AB"):
            if expression([query]) is not None:  # without the index everything is read
                asked += 1
                found = index.holding(query, LATER)
                assert number + 1 in found, (hex(ord(capital)), query)
    assert asked > 2_500


TEXTS = st.text("aAbBiIkKsSßẞïİı\u0307\u212aΣσςäÄéÉe\u0301Ԩԩ\"'%_*( )東京😀", max_size=8)


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(held=TEXTS.filter(bool), query=TEXTS.filter(bool))
def test_the_index_says_what_reading_everything_says(
    library: Library, index: Letters, held: str, query: str
) -> None:
    [made] = library.graph.create([NewEntity(f"n{query}", f"t{held}", (held,))], **WINDOW)
    for asked in filter(None, (query, held[1:], held[:-1], held.swapcase())):
        expected = any(
            each.lower() in text.lower()
            for each in (asked, unicodedata.normalize("NFC", asked))
            for text in (made.name, made.type, held)
        )
        assert (made.id in index.holding(asked, LATER)) == expected
    library.graph.delete([made.name], **WINDOW)
    assert made.id not in index.holding(query, LATER)


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(held=TEXTS.filter(bool), query=TEXTS)
def test_the_literal_search_is_blind_to_ascii_case_alone(
    library: Library, index: Letters, held: str, query: str
) -> None:
    [made] = library.graph.create([NewEntity("n", "t", (held,))], **WINDOW)
    composed = unicodedata.normalize("NFC", query)
    expected = query in ("n", "N", "t", "T", "") or any(
        _ascii_lower(each) in _ascii_lower(held) for each in (query, composed)
    )
    assert (made.id in index.literal(query, LATER, 10)) == expected
    library.graph.delete(["n"], **WINDOW)


def _ascii_lower(text: str) -> str:
    return "".join(c.lower() if c.isascii() else c for c in text)


def test_the_index_is_asked_where_it_can_answer() -> None:
    assert expression(["tea"]) == '(("tea"))'
    assert expression(["teapot"]) == '("tea" AND "eap" AND "apo" AND ("pot"))'
    assert expression(['a"b']) == '(("a""b"))'
    assert expression(["wifi"]) == '("wif" AND ("ifi" OR "if\u0130"))'
    for text in ("ab", "", "i\u0307zmir", "ԩab", "a\0bc"):
        assert expression([text]) is None
    long = expression(["".join(chr(0x4E00 + n) for n in range(2_048))])
    assert long is not None
    assert long.count("AND") <= letters.LONGEST + 1


def test_what_changes_is_found_anew(library: Library, index: Letters) -> None:
    build(library, "first: old words; second: x")
    memory = library.memories.get(1)
    library.memories.revise(memory.id, {"content": "new words"}, **WINDOW)
    library.graph.change("first", new_name="renamed", new_type="gadget", **WINDOW)
    for query, names in {
        "old": [], "new w": ["renamed"], "first": [], "NAMED": ["renamed"], "gadg": ["renamed"],
    }.items():  # fmt: skip
        assert named(library, index.holding(query, LATER)) == names, query
    library.memories.archive(memory.id, **WINDOW)
    assert index.holding("new words", LATER) == []
    library.memories.revive(memory.id, **WINDOW)
    assert named(library, index.holding("new words", LATER)) == ["renamed"]
    check(library)


def test_what_is_forgotten_for_good_leaves_the_index(library: Library) -> None:
    build(library, "a: zyxwvutsrq")
    library.memories.purge(1, **WINDOW)
    check(library)
    library._store.connections.sql("PRAGMA wal_checkpoint(TRUNCATE)")
    blocks = library._store.connections.sql("SELECT block FROM memory_letters_data")
    assert not any(b"yxw" in bytes(row[0]) for row in blocks)


def check(library: Library) -> None:
    """Let SQLite compare the indexes with what they are of."""
    store = library._store
    for table in ("memory_letters", "entity_letters"):
        text = f"INSERT INTO {table} ({table}, rank) VALUES ('integrity-check', 1)"
        store.write(lambda text=text: store.connections.sql(text))


def first_version(path: Path) -> Path:
    """A file as the first version left it, with an entity and a memory."""
    conn: Any = driver.connect(str(path), isolation_level=None)
    digest = memories.digest("likes tea").hex()
    for statement in migrations.statements(schema.FIRST):
        conn.execute(statement)
    conn.execute(
        "INSERT INTO entity VALUES (1, 'Ada', 'ada', 'person', 'device', 0, 0, 1, 1, NULL)"
    )
    conn.execute(
        f"INSERT INTO memory VALUES (1, 1, NULL, '', 'likes tea', x'{digest}', 'fact', 'legacy',"
        " 0.5, 0, NULL, NULL, NULL, NULL, NULL, 0, 'active', NULL, NULL, NULL, NULL,"
        " 'you', 1, 1, 1, 'tea')"
    )
    conn.execute(f"PRAGMA application_id = {connections.APPLICATION_ID}")
    conn.execute("PRAGMA user_version = 1")
    conn.close()
    return path


def test_a_file_of_the_first_version_is_brought_up(tmp_path: Path) -> None:
    path = first_version(tmp_path / "old.db")
    with Library.open(path) as library:
        assert [n.entity.name for n in library.graph.holding("KES TE").nodes] == ["Ada"]
        assert [n.entity.name for n in library.graph.search("ada", 5).nodes] == ["Ada"]
        library.memories.remember(Draft("hates rain", "Ada"), author=PERSON, origin="window")
        assert [n.entity.name for n in library.graph.holding("rain").nodes] == ["Ada"]
        check(library)
        assert library.upkeep.problems() == []
    with sqlite3.connect(path) as conn:
        assert conn.execute("PRAGMA user_version").fetchone() == (len(migrations.STEPS),)
    conn.close()
    shutil.copy(path, tmp_path / "again.db")
    Library.open(tmp_path / "again.db").close()
