"""A list within its budget is whole; beyond it whole items come, and what is left is said."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agents.dialects.memcore_phrases import wrote
from agents.dialects.speaking import Speaker, limited
from notation import WINDOW
from remembrancer.agents.dialects.memcore import Memcore
from remembrancer.service.graph import NewEntity
from remembrancer.service.library import Library

BUDGET = 4_000


@pytest.fixture
def memcore(library: Library) -> Speaker:
    return Speaker(Memcore(library))


@pytest.fixture
def brief(memcore: Speaker, library: Library) -> Speaker:
    """An agent whose answers are short, in a library with many scopes and a long log."""
    entities = [NewEntity(f"scope {n:03}", "t", (f"pump {n} " * 10,)) for n in range(120)]
    library.graph.create(entities, **WINDOW)
    for n in range(60):
        wrote(memcore, "web", "port", f"{n} " * 100)
    return memcore.as_(limited(budget=BUDGET))


def parted(speaker: Speaker, tool: str, arguments: dict[str, Any]) -> tuple[list[Any], str]:
    """The items of a list, and what is said about those that did not fit."""
    *items, note = speaker.texts(tool, **arguments)
    assert sum(map(len, [*items, note])) <= BUDGET
    return [json.loads(item) for item in items], note


LISTS: list[tuple[str, dict[str, Any]]] = [
    ("memory_search", {"query": "pump"}),
    ("memory_recent", {"limit": 200}),
    ("memory_list", {}),
    ("memory_events", {}),
    ("memory_scopes", {}),
    ("memory_history", {"scope": "web", "name": "port", "limit": 60}),
]


@pytest.mark.parametrize(("tool", "arguments"), LISTS)
def test_a_list_is_cut_at_whole_items_and_says_so(
    brief: Speaker, memcore: Speaker, tool: str, arguments: dict[str, Any]
) -> None:
    whole = [json.loads(text) for text in memcore.texts(tool, **arguments)]
    items, note = parted(brief, tool, arguments)
    assert 0 < len(items) < len(whole)
    assert items == whole[: len(items)]
    assert note.startswith(f"{len(whole) - len(items)} ")
    assert brief.result(tool, arguments).structured_content == {"result": items}


@pytest.mark.parametrize(("tool", "arguments"), LISTS)
def test_a_list_that_just_fits_is_whole(
    brief: Speaker, tool: str, arguments: dict[str, Any]
) -> None:
    whole = brief.as_(limited(budget=None)).texts(tool, **arguments)
    size = sum(map(len, whole))
    assert brief.as_(limited(budget=size)).texts(tool, **arguments) == whole
    assert brief.as_(limited(budget=size - 1)).texts(tool, **arguments) != whole


@pytest.mark.parametrize(
    ("tool", "arguments", "name"),
    [
        ("memory_stats", {}, "scopes"),
        ("memory_search", {"query": "pump", "debug": True}, "results"),
    ],
)
def test_an_object_keeps_its_shape(
    brief: Speaker, tool: str, arguments: dict[str, Any], name: str
) -> None:
    whole = json.loads(brief.as_(limited(budget=None)).text(tool, **arguments))
    text, note = brief.texts(tool, **arguments)
    assert len(text) + len(note) <= BUDGET
    part = json.loads(text)
    assert {**part, name: []} == {**whole, name: []}
    assert part[name] == whole[name][: len(part[name])]
    assert 0 < len(part[name]) < len(whole[name])
    assert note.startswith(f"{len(whole[name]) - len(part[name])} ")


def test_what_did_not_fit_of_a_search_is_named(brief: Speaker) -> None:
    items, note = parted(brief, "memory_search", {"query": "pump"})
    whole = brief.as_(limited(budget=None)).texts("memory_search", query="pump")
    following = json.loads(whole[len(items)])
    assert f'next: "{following["scope"]}" / "{following["name"]}"' in note
    assert "memory_get" in note


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("memory_get", {"scope": "web", "name": "long"}),
        ("memory_search", {"query": "needle"}),
        ("memory_history", {"scope": "web", "name": "long"}),
    ],
)
def test_a_content_longer_than_any_answer_is_cut_and_said_to_be(
    memcore: Speaker, tool: str, arguments: dict[str, Any]
) -> None:
    wrote(memcore, "web", "long", 'needle "\n' * 9_000)
    wrote(memcore, "web", "long", 'needle "\n' * 10_000)
    brief = memcore.as_(limited(budget=BUDGET))
    items, note = parted(brief, tool, arguments)
    assert len(items) == 1
    assert items[0]["content"].endswith("…")
    assert ('needle "\n' * 10_000).startswith(items[0]["content"][:-1])
    assert len(items[0]["content"]) > 1_500
    assert '"web" / "long" has ' in note
    assert "do not write it back" in note


def test_a_long_result_inside_an_object_is_cut_too(memcore: Speaker) -> None:
    wrote(memcore, "web", "long", "needle " * 10_000)
    brief = memcore.as_(limited(budget=BUDGET))
    text, note = brief.texts("memory_search", query="needle", debug=True)
    assert len(text) + len(note) <= BUDGET
    assert json.loads(text)["results"][0]["content"].endswith("…")
