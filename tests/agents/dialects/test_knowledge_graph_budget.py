"""An answer of the knowledge graph within its budget is whole; beyond it, it says what is left."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from agents.dialects.graphing import create, entity, link
from agents.dialects.speaking import Speaker, limited
from remembrancer.agents.dialects.knowledge_graph import KnowledgeGraph
from remembrancer.service.library import Library

BUDGET = 4_000


@pytest.fixture
def graph(library: Library) -> Speaker:
    return Speaker(KnowledgeGraph(library))


@pytest.fixture
def brief(graph: Speaker) -> Speaker:
    """The same dialect for an agent whose answers are short."""
    return graph.as_(limited(budget=BUDGET))


def fill(graph: Speaker, count: int) -> None:
    create(graph, *(entity(f"e{n:03}", f"{n} first", f"{n} second") for n in range(count)))
    links = [link(f"e{n:03} -next-> e{n + 1:03}") for n in range(count - 1)]
    graph("create_relations", relations=links)


def parted(graph: Speaker, tool: str, **arguments: Any) -> tuple[Any, str]:
    """The answer, and what is said beside it."""
    first, *rest = graph.texts(tool, **arguments)
    assert len(first) + sum(map(len, rest)) <= BUDGET
    return json.loads(first), " ".join(rest)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("read_graph", {}),
        ("search_nodes", {"query": "e"}),
        ("search_nodes", {"query": ""}),
        ("open_nodes", {"names": ["e001", "e002"]}),
    ],
)
def test_an_answer_that_just_fits_is_whole_and_exact(
    graph: Speaker, tool: str, arguments: Any
) -> None:
    fill(graph, 5)
    whole = graph.text(tool, **arguments)
    assert graph.as_(limited(budget=len(whole))).texts(tool, **arguments) == [whole]
    assert len(graph.as_(limited(budget=len(whole) - 1)).texts(tool, **arguments)) == 2
    assert graph.as_(limited(budget=None)).texts(tool, **arguments) == [whole]


def test_the_rest_of_a_graph_is_opened_by_name(graph: Speaker, brief: Speaker) -> None:
    fill(graph, 60)
    every = [e["name"] for e in graph("read_graph")["entities"]]
    for tool, arguments in (("read_graph", {}), ("search_nodes", {"query": "first"})):
        answer, left = parted(brief, tool, **arguments)
        names = [e["name"] for e in answer["entities"]]
        assert names == every[: len(names)]
        assert 5 < len(names) < 60
        assert answer["relations"]
        assert {r["from"] for r in answer["relations"]} <= set(names)
        assert left.startswith(f"This answer holds {len(names)} of 60 entities and ")
        assert "search_nodes" in left
        following = re.findall(r'"(e\d+)"', left)
        assert following[0] == every[len(names)]
        opened, _ = parted(brief, "open_nodes", names=following)
        assert opened["entities"][0]["name"] == following[0]


def test_an_entity_larger_than_any_answer_shows_its_first_observations(
    graph: Speaker, brief: Speaker
) -> None:
    create(graph, entity("big", *(f"{n} {'x' * 40}" for n in range(200))))
    answer, left = parted(brief, "open_nodes", names=["big"])
    [shown] = answer["entities"]
    assert 20 < len(shown["observations"]) < 200
    assert f'{len(shown["observations"])} of 200 observations of "big" are shown' in left


def test_an_observation_larger_than_any_answer_is_cut_and_said_to_be(
    graph: Speaker, brief: Speaker
) -> None:
    create(graph.as_(limited(budget=None)), entity("big", '"\n' * 50_000, "more"))
    answer, left = parted(brief, "read_graph")
    [shown] = answer["entities"]
    [beginning] = shown["observations"]
    assert beginning.endswith("…")
    assert len(beginning) > 500
    assert "100,000 characters" in left
    assert "do not write it back" in left


def test_what_was_written_is_written_although_the_answer_is_short(
    graph: Speaker, brief: Speaker
) -> None:
    wanted = [entity(f"number {n}", "x") for n in range(200)]
    answer, left = parted(brief, "create_entities", entities=wanted)
    assert answer == wanted[: len(answer)]
    assert f"holds {len(answer)} of 200 entries" in left
    assert "open_nodes" in left
    assert len(graph("read_graph")["entities"]) == 200


def test_a_budget_too_small_for_anything_still_gives_the_shape(graph: Speaker) -> None:
    fill(graph, 3)
    tiny = graph.as_(limited(budget=100))
    for tool, arguments in (("read_graph", {}), ("search_nodes", {"query": "e"})):
        first, *left = tiny.texts(tool, **arguments)
        assert set(json.loads(first)) == {"entities", "relations"}
        assert left
