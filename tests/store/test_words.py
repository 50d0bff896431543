"""The table of words: it has what the memories have, all of it, and nothing that is gone."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from notation import WINDOW, build
from remembrancer.core.filters import Filter, State
from remembrancer.core.memory import Draft
from remembrancer.core.recall import Question
from remembrancer.service.graph import NewEntity
from remembrancer.service.library import Library
from remembrancer.store.words import Words

SOME = (
    "pumps leaking Häuser Fusionskatalysatoren ab12 8080 getUserName Wi-Fi 路由器 und"
    " Ωmega привет 𞤀𞤣𞤤𞤢𞤥 ꭰꭱꭲ İstanbul"
)
ANY = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0_"), min_size=1)
TEXTS = st.one_of(
    st.lists(st.sampled_from(SOME.split()), min_size=1, max_size=5).map(" ".join), ANY
)
DEEDS = st.lists(st.tuples(st.sampled_from(("remember", "revise", "purge", "delete")), TEXTS))


def rows(library: Library, text: str) -> set[object]:
    return {row[0] for row in library._store.connections.sql(text)}


def terms(library: Library) -> set[object]:
    return rows(library, "SELECT term FROM word")


def expected(library: Library) -> set[str]:
    """The words of letters, of three to forty, among the stems and parts that memories have."""
    held = library._store.connections.sql("SELECT stems || ' ' || parts FROM memory")
    words = {word for row in held for word in row[0].split()}
    return {word for word in words if word.isalpha() and 3 <= len(word) <= 40}


def check(library: Library) -> None:
    """Compare the table with the memories, its neighbours with it, and its index with it."""
    assert terms(library) == expected(library)
    orphans = "SELECT word_id FROM word_near WHERE word_id NOT IN (SELECT id FROM word)"
    assert rows(library, orphans) == set()
    lonely = "SELECT term FROM word WHERE id NOT IN (SELECT word_id FROM word_near)"
    assert all(len(str(term)) < 4 for term in rows(library, lonely))
    compare = "INSERT INTO word_letters (word_letters, rank) VALUES ('integrity-check', 1)"
    library._store.write(lambda: library._store.connections.sql(compare))


@pytest.fixture
def words(library: Library) -> Words:
    return library._store.words


@pytest.fixture(scope="module")
def lasting(empty_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """A library that grows from example to example."""
    path = Path(shutil.copy(empty_store, tmp_path_factory.mktemp("words") / "memories.db"))
    with Library.open(path) as opened:
        build(opened, "shed; barn")
        yield opened


def test_a_word_is_there_from_its_memory_on_and_goes_with_the_last(library: Library) -> None:
    build(library, "shed: the pumps; barn: the pumps leak")
    assert terms(library) == {"the", "shed", "barn", "pump", "leak"}
    library.memories.purge(2, **WINDOW)
    assert terms(library) == {"the", "shed", "pump"}
    library.memories.revise(1, {"content": "a lamp"}, **WINDOW)
    assert terms(library) == {"shed", "lamp"}
    library.memories.archive(1, **WINDOW)
    assert terms(library) == {"shed", "lamp"}
    library.graph.change("shed", new_name="house", **WINDOW)
    assert terms(library) == {"hous", "lamp"}
    check(library)


def test_digits_signs_and_very_long_words_are_no_words(library: Library) -> None:
    long = "x" * 41
    build(library, f"shed: the port 8080 of ab12 v7 {long} 路由器 pre-edit 10.0.0.1")
    assert terms(library) == {"the", "shed", "port", "pre", "edit", "preedit"}


def test_parts_of_compounds_are_words(library: Library) -> None:
    build(library, "shed: die Fusionskatalysatoren sind an Bord")
    assert {"fusion", "katalysator", "fusionskatalysator"} <= terms(library)
    library.memories.purge(1, **WINDOW)
    assert terms(library) == set()


@settings(max_examples=60, deadline=None)
@given(DEEDS)
def test_the_table_has_what_the_memories_have_whatever_is_done(
    lasting: Library, deeds: list[tuple[str, str]]
) -> None:
    for state in (State.ALL, State.DELETED):
        for number in lasting.memories.ids(Filter(state=state)):
            lasting.memories.purge(number, **WINDOW)
    assert terms(lasting) == set()
    made: list[int] = []
    for deed, text in deeds:
        if deed == "remember" and text.strip():
            made.append(lasting.memories.remember(Draft(text), **WINDOW).id)
        elif deed == "revise" and made:
            lasting.memories.revise(made[-1], {"title": text[:100]}, **WINDOW)
        elif deed == "delete" and made:
            lasting.memories.delete(made[-1], **WINDOW)
        elif deed == "purge" and made:
            lasting.memories.purge(made.pop(), **WINDOW)
    assert terms(lasting) == expected(lasting)


def test_many_words_at_once_are_all_kept(library: Library, words: Words) -> None:
    letters = "abcdefghijkl"
    many = [f"zz{a}{b}{c}zz" for a in letters for b in letters for c in letters]
    library.graph.create([NewEntity("shed", "thing", (" ".join(["the", *many]),))], **WINDOW)
    assert len(terms(library)) == len(many) + 2
    found = words.near([f"{term[:-1]}" for term in many[:40]])
    assert all(term in found[term[:-1]] for term in many[:40])
    check(library)


def test_what_an_import_brings_is_learnt_and_undone(library: Library, tmp_path: Path) -> None:
    file = tmp_path / "memory.jsonl"
    line = '{"type":"entity","name":"shed","entityType":"t","observations":["the pumps leak"]}'
    file.write_text(line, encoding="utf-8")
    library.transfer.bring_in(file)
    assert terms(library) == {"the", "shed", "pump", "leak"}
    check(library)


@pytest.mark.parametrize(
    ("asked", "near"),
    [("pmup", "pump"), ("pum", ""), ("pimp", "pump"), ("umps", "pump"), ("pumpx", "pump"),
     ("8080", ""), ("pumpen", ""), ("pump", ""), ("x" * 41, "")],
)  # fmt: skip
def test_nearly_the_same_are(library: Library, words: Words, asked: str, near: str) -> None:
    build(library, "shed: the pump; shed: 8081 lamp")
    assert " ".join(words.near([asked]).get(asked, [])) == near


def test_longer_words_and_shorter_ones_are_found(library: Library, words: Words) -> None:
    build(library, "shed: the waterfall underwater water wat fall")
    held = words.holding(["water", "fal", "wa", "zzz", "water"])
    assert held == {"water": ["waterfal", "underwat"][:1], "fal": ["fall", "waterfal"]}
    assert words.within(["waterfalls"], 4) == {"waterfalls": ["waterfal", "water", "fall"]}
    assert words.within(["8080"], 3) == words.near([]) == words.holding([]) == {}


@settings(max_examples=150, deadline=None)
@given(st.lists(st.text(st.characters(exclude_categories=())), max_size=20))
def test_the_table_may_be_asked_for_anything(lasting: Library, asked: list[str]) -> None:
    words = lasting._store.words
    assert not any(words.near(asked).values())
    assert words.holding(asked) == {}
    assert not any(words.within(asked, 3).values())


def test_what_is_forgotten_for_good_leaves_no_trace_in_the_file(library: Library) -> None:
    build(library, "shed: the zyxwvutsrq is here; shed: the lamp is red")
    library.upkeep.tidy()
    assert b"xwvutsr" in library.path.read_bytes()
    library.memories.purge(1, **WINDOW)
    library.upkeep.tidy()
    assert b"xwvutsr" not in library.path.read_bytes()
    assert library._store.words.near(["zyxwvutsrqq"]) == {"zyxwvutsrqq": []}
    check(library)


def test_a_word_that_began_a_longer_one_goes_with_both(library: Library) -> None:
    build(library, "shed: the snake; shed: die snake_case und der")
    library.memories.purge(1, **WINDOW)
    library.memories.purge(2, **WINDOW)
    assert terms(library) == set()


def test_a_sound_file_is_found_sound_after_it_was_searched_and_written_to(
    library: Library,
) -> None:
    build(library, "shed: the pumps leak")
    library.recall.ask(Question("pumps"))
    library.memories.revise(1, {"content": "the lamp is red"}, **WINDOW)
    assert library.upkeep.problems() == []
