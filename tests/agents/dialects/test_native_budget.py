"""An answer within its budget is whole; beyond it, it says what is left and how to get it."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from agents.dialects.speaking import Speaker, limited
from remembrancer.core.author import PERSON
from remembrancer.core.memory import Draft
from remembrancer.service.graph import NewEntity, Triple
from remembrancer.service.library import Library

DOING: Any = {"author": PERSON, "origin": "window"}
BUDGET = 8_000


@pytest.fixture
def brief(native: Speaker) -> Speaker:
    """The same dialect for an agent whose answers are short."""
    return native.as_(limited(budget=BUDGET))


def fill(library: Library, entities: int, observations: int, length: int = 40) -> None:
    library.graph.create(
        [
            NewEntity(
                f"e{n:03}", "t", tuple(f"{n}.{m} ".ljust(length, "ö") for m in range(observations))
            )
            for n in range(entities)
        ],
        **DOING,
    )


def parted(speaker: Speaker, tool: str, **arguments: Any) -> tuple[Any, str]:
    """The answer and what is said about its missing parts ("" when it is whole)."""
    first, *rest = speaker.texts(tool, **arguments)
    assert len(first) + sum(map(len, rest)) <= BUDGET
    return json.loads(first), " ".join(rest)


@pytest.mark.parametrize("tool", ["memory_read_graph", "memory_review"])
def test_an_answer_that_just_fits_is_whole_and_exact(
    native: Speaker, library: Library, tool: str
) -> None:
    fill(library, 5, 3)
    whole = native.text(tool)
    exact = native.as_(limited(budget=len(whole)))
    assert exact.texts(tool) == [whole]
    below = native.as_(limited(budget=len(whole) - 1))
    assert len(below.texts(tool)) == 2
    assert native.as_(limited(budget=None)).texts(tool) == [whole]


def test_review_is_paged_on_until_everything_was_read(brief: Speaker, library: Library) -> None:
    fill(library, 3, 30, 120)
    seen: list[int] = []
    offset = 0
    while True:
        answer, left = parted(brief, "memory_review", limit=100, offset=offset)
        assert answer["total"] == 90
        assert (answer["limit"], answer["offset"]) == (100, offset)
        seen += [item["id"] for item in answer["items"]]
        if not left:
            break
        told = re.search(r"([\d,]+) of the .* offset=(\d+)", left)
        assert told is not None
        offset = int(told[2])
        assert int(told[1]) == 90 - offset
    assert sorted(seen) == list(range(1, 91))


def test_a_memory_longer_than_any_answer_is_cut_and_said_to_be(
    brief: Speaker, library: Library
) -> None:
    library.graph.create([NewEntity("e", "t")], **DOING)
    long = library.memories.remember(Draft('"\n' * 50_000, "e"), **DOING)
    library.memories.remember(Draft("short", "e"), **DOING)
    answer, left = parted(brief, "memory_review", offset=1)
    [item] = answer["items"]
    assert item["id"] == long.id
    assert item["content"].endswith("…")
    assert long.content.startswith(item["content"][:-1])
    assert len(item["content"]) > 1_000
    assert f"memory {long.id} has 100,000 characters" in left
    library.memories.revise(long.id, {"pinned": True}, **DOING)
    history, left = parted(brief, "memory_history", id=long.id)
    assert history[0]["fact"]["content"].endswith("…")
    assert "100,000 characters" in left


def test_history_keeps_the_newest(brief: Speaker, library: Library) -> None:
    library.graph.create([NewEntity("e", "t")], **DOING)
    memory = library.memories.remember(Draft("0" * 500, "e"), **DOING)
    for n in range(1, 30):
        library.memories.revise(memory.id, {"content": f"{n} " * 250}, **DOING)
    entries, left = parted(brief, "memory_history", id=memory.id)
    assert entries[0]["fact"]["content"].startswith("28 ")
    assert 3 < len(entries) < 29
    assert left.startswith(f"{29 - len(entries)} older revisions did not fit")


def test_the_rest_of_a_graph_is_opened_by_name(brief: Speaker, library: Library) -> None:
    fill(library, 60, 3)
    links = [Triple(f"e{n:03}", f"e{n + 1:03}", "next") for n in range(59)]
    library.graph.relate(links, **DOING)
    graph, left = parted(brief, "memory_read_graph")
    names = [e["name"] for e in graph["entities"]]
    assert names == [f"e{n:03}" for n in range(len(names))]
    assert 5 < len(names) < 60
    assert all(len(e["observations"]) == 3 for e in graph["entities"])
    assert graph["relations"]
    assert {r["from"] for r in graph["relations"]} <= set(names)
    assert left.startswith(f"This answer holds {len(names)} of 60 entities and ")
    assert "memory_open_nodes" in left
    following = re.findall(r'"(e\d+)"', left)
    assert following[0] == f"e{len(names):03}"
    opened, _ = parted(brief, "memory_open_nodes", names=following)
    assert opened["entities"][0]["name"] == following[0]
    searched, left = parted(brief, "memory_search_nodes", query="e", limit=100)
    assert [e["name"] for e in searched["entities"]] == names
    assert "of 60 entities" in left


def test_an_entity_larger_than_any_answer_shows_its_first_observations(
    brief: Speaker, library: Library
) -> None:
    fill(library, 1, 500)
    library.graph.relate([Triple("e000", "e000", f"r{n}") for n in range(300)], **DOING)
    graph, left = parted(brief, "memory_open_nodes", names=["e000"])
    [entity] = graph["entities"]
    assert 20 < len(entity["observations"]) < 500
    assert 0 < len(graph["relations"]) < 300
    assert f'{len(entity["observations"])} of 500 observations of "e000"' in left
    assert "memory_review" in left


def test_recall_keeps_to_the_answer_as_well(brief: Speaker, library: Library) -> None:
    fill(library, 1, 60, 300)
    answer, left = parted(brief, "memory_recall", entityName="e000", limit=50, maxChars=16_000)
    assert 0 < len(answer["items"]) < 50
    assert answer["truncated"] is True
    assert "memory_recall" in left


def test_a_long_list_of_what_was_done_is_cut_short(brief: Speaker) -> None:
    entities = [{"name": f"entity number {n}", "entityType": "t"} for n in range(500)]
    text = brief.text("memory_create_entities", entities=entities)
    assert text.startswith("Created 500 entities:\n  - entity number 0 (t)")
    assert re.search(r"… and \d+ more$", text)
    assert len(text) <= BUDGET


def test_a_budget_too_small_for_anything_still_gives_the_shape(
    native: Speaker, library: Library
) -> None:
    fill(library, 3, 3)
    tiny = native.as_(limited(budget=100))
    for tool in ("memory_read_graph", "memory_review", "memory_recall"):
        first, *left = tiny.texts(tool)
        assert isinstance(json.loads(first), dict)
        assert left
