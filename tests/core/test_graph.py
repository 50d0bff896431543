"""Who is near whom in a graph of relations."""

from __future__ import annotations

import pytest

from remembrancer.core.graph import GraphEdge, GraphNode, neighbourhood


def relations(text: str) -> list[GraphEdge]:
    """`"1>2 2>3"` as edges."""
    pairs = [pair.split(">") for pair in text.split()]
    return [GraphEdge(int(source), int(target), "knows") for source, target in pairs]


@pytest.mark.parametrize(
    ("depth", "expected"),
    [
        (0, {3}),
        (1, {2, 3, 4}),
        (2, {1, 2, 3, 4, 5}),
        (3, {1, 2, 3, 4, 5, 6}),
        (9, set(range(1, 7))),
    ],
)
def test_a_neighbourhood_grows_by_one_relation_a_depth(depth: int, expected: set[int]) -> None:
    assert neighbourhood(relations("1>2 2>3 3>4 4>5 5>6 8>9"), 3, depth) == expected


def test_the_direction_of_a_relation_does_not_matter() -> None:
    assert neighbourhood(relations("2>1 1>3"), 1, 1) == {1, 2, 3}


def test_a_circle_and_a_relation_to_itself_end() -> None:
    assert neighbourhood(relations("1>1 1>2 2>3 3>1"), 1, 5) == {1, 2, 3}


def test_a_node_without_relations_is_its_own_neighbourhood() -> None:
    assert neighbourhood(relations("1>2"), 7, 3) == {7}


def test_a_node_is_known_by_its_id_and_name_alone() -> None:
    node = GraphNode(4, "NAS")
    assert (node.ghost, node.pinned, node.x, node.y) == (False, False, None, None)
