"""The strict search: all words first, any word else; what it looks at, and what it says."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents.dialects.memcore_phrases import names, rows, wrote
from agents.dialects.speaking import Speaker
from notation import WINDOW, build
from remembrancer.agents.dialects.memcore import Memcore
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Draft
from remembrancer.service.graph import NewEntity
from remembrancer.service.library import Library


@pytest.fixture
def memcore(library: Library) -> Speaker:
    return Speaker(Memcore(library))


@pytest.fixture
def filled(memcore: Speaker) -> Speaker:
    """A few entries about a house."""
    for scope, name, type_, description, content in (
        ("cellar", "boiler", "project", "Heating", "The boiler heats the water until March."),
        ("cellar", "wine", "user", "", "Likes the Malbec from Mendoza best."),
        ("roof", "gutter", "reference", "Drains water", "Cleaned in Größe 3, see the Häuser list."),
        ("roof", "solar-panels", "feedback", "", "Ask before touching the inverter."),
    ):
        wrote(memcore, scope, name, content, type=type_, description=description)
    return memcore


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("water", ["boiler", "gutter"]),
        ("WAT", ["boiler", "gutter"]),
        ("water march", ["boiler"]),
        ("march water", ["boiler"]),
        ("ater", []),
        ("malb mendo", ["wine"]),
        ("cellar", ["boiler", "wine"]),
        ("roof water", ["gutter"]),
        ("solar", ["solar-panels"]),
        ("solar-panels", ["solar-panels"]),
        ("drains", ["gutter"]),
        ("grosse hauser", ["gutter"]),
        ("GRÖSSE Häuser", ["gutter"]),
        ("project", ["boiler"]),
        ("proj cellar", ["boiler"]),
        ("feedback inverter", ["solar-panels"]),
        ("user malbec", ["wine"]),
        ("user water", ["boiler", "gutter", "wine"]),
        ("nothing here", []),
        ("malbec nothing", ["wine"]),
        ("malbec inverter", ["solar-panels", "wine"]),
        ('water "march"', ["boiler"]),
        ('"', []),
        ("- & !", []),
        ("water & march", ["boiler"]),
        ("water AND march", ["boiler", "gutter"]),
    ],
)
def test_all_words_are_wanted_and_else_any(filled: Speaker, query: str, found: list[str]) -> None:
    assert sorted(names(filled, "search", query=query)) == found


def test_a_result_has_these_fields_in_this_order(filled: Speaker) -> None:
    [row] = rows(filled, "search", query="malbec")
    assert list(row) == [
        "id", "scope", "type", "name", "description", "content", "source_path", "updated_at",
        "snippet", "rank",
    ]  # fmt: skip
    assert row["content"] == "Likes the Malbec from Mendoza best."
    assert row["snippet"] == "Likes the [Malbec] from Mendoza best."
    assert row["rank"] < 0


def test_better_matches_come_first_and_have_a_smaller_rank(memcore: Speaker) -> None:
    wrote(memcore, "s", "long", "pump " + "and much more about other things " * 20)
    wrote(memcore, "s", "short", "pump pump")
    wrote(memcore, "s", "none", "nothing of it")
    found = rows(memcore, "search", query="pump")
    assert [row["name"] for row in found] == ["short", "long"]
    assert found[0]["rank"] < found[1]["rank"] < 0


@pytest.mark.parametrize("query", ["", " \t\n", "x" * 2_001])
def test_blank_and_endless_queries_find_nothing(filled: Speaker, query: str) -> None:
    assert rows(filled, "search", query=query) == []
    assert filled("memory_search", query=query, debug=True) == {
        "results": [],
        "mode": None,
        "and_query": None,
        "or_query": None,
        "semantic_available": False,
    }


@pytest.mark.parametrize(
    ("query", "more", "mode", "or_query"),
    [
        ("water march", {}, "and", None),
        ("water nothing", {}, "or_fallback", '"water"* OR "nothing"*'),
        ("nothing", {}, "and", None),
        ("nothing whatever", {}, "and", '"nothing"* OR "whatever"*'),
        ("water", {"semantic": False}, "and", None),
        ("water", {"semantic": True}, "lexical_fallback", None),
    ],
)
def test_debug_says_how_was_searched(
    filled: Speaker, query: str, more: dict[str, Any], mode: str, or_query: str | None
) -> None:
    answer = filled("memory_search", query=query, debug=True, **more)
    assert list(answer) == ["results", "mode", "and_query", "or_query", "semantic_available"]
    assert (answer["mode"], answer["or_query"]) == (mode, or_query)
    assert answer["and_query"] == " ".join(f'"{word}"*' for word in query.split())
    assert answer["semantic_available"] is False
    assert {row["_search_mode"] for row in answer["results"]} <= {mode}
    plain = rows(filled, "search", query=query, **more)
    assert answer["results"] == [{**row, "_search_mode": mode} for row in plain]


def test_a_scope_narrows_the_search(filled: Speaker) -> None:
    assert names(filled, "search", query="water", scope="roof") == ["gutter"]
    assert names(filled, "search", query="water malbec", scope="roof") == ["gutter"]
    assert names(filled, "search", query="project", scope="roof") == []
    assert names(filled, "search", query="water", scope="nowhere") == []
    assert len(names(filled, "search", query="water", scope="")) == 2


def test_records_of_other_vocabularies_are_found_as_they_are_shown(
    memcore: Speaker, library: Library
) -> None:
    build(library, "web: It listens at 80.; : Loose words.")
    decided = Draft("Use TLS everywhere.", "web", kind=Kind.DECISION, tags=("security",))
    library.memories.remember(decided, **WINDOW)
    assert names(memcore, "search", query="project tls") == ["m-3"]
    assert names(memcore, "search", query="loose", scope="unfiled") == ["m-2"]
    assert names(memcore, "search", query="reference") == ["m-2", "m-1"]
    assert names(memcore, "search", query="security") == []  # a tag, which is shown nowhere


def test_a_tagged_memory_does_not_hide_the_ones_after_it(
    memcore: Speaker, library: Library
) -> None:
    build(library, "web:site")
    for n in range(30):
        library.memories.remember(Draft(f"n{n}", "web", tags=("pump",)), **WINDOW)
    library.memories.remember(Draft("The pump is old and rather loud.", "web"), **WINDOW)
    assert names(memcore, "search", query="pump", limit=2) == ["m-31"]


def test_a_frequent_word_gives_the_newest(memcore: Speaker, library: Library) -> None:
    texts = tuple(f"common {n}" for n in range(4_100))
    library.graph.create([NewEntity("web", "site", texts)], **WINDOW)
    found = names(memcore, "search", query="common", limit=3)
    assert found == ["m-4100", "m-4099", "m-4098"]
    assert names(memcore, "search", query="common 4077", limit=1) == ["m-4078"]
    assert names(memcore, "search", query="common zebra", limit=1) == ["m-4100"]
    wrote(memcore, "else", "zoo", "A zebra.")
    assert names(memcore, "search", query="common zebra", limit=2) == ["zoo", "m-4100"]


@given(query=st.text(max_size=80))
@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_no_query_is_an_error(filled: Speaker, query: str) -> None:
    query = "".join(c for c in query if c != "\0" and not 0xD800 <= ord(c) < 0xE000)
    for debug in (False, True):
        assert not filled.result("memory_search", {"query": query, "debug": debug}).is_error


@given(word=st.text(st.characters(categories=["L", "Nd"]), min_size=1, max_size=12))
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_every_word_that_was_written_is_found(memcore: Speaker, word: str) -> None:
    wrote(memcore, "words", "word", f"before {word} after")
    assert names(memcore, "search", query=f"{word} words", scope="words") == ["word"]
