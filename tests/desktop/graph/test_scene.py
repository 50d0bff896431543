"""The scene: nodes and relations as arrays, the important ones first."""

from __future__ import annotations

import numpy as np

from desktop.graph.drawing import make_scene
from remembrancer.core.graph import GraphEdge, GraphNode
from remembrancer.desktop.graph.scene import GraphScene


def names(scene: GraphScene, nodes: list[int]) -> list[str]:
    return [scene.names[node] for node in nodes]


def test_an_empty_graph_is_a_scene_too() -> None:
    scene = GraphScene.build([], [])
    assert scene.count == 0
    assert scene.bounds() is None
    assert scene.edges.shape == (0, 2)
    assert scene.room() > 0


def test_relations_to_unknown_nodes_and_to_oneself_have_no_line() -> None:
    nodes = [GraphNode(1, "a"), GraphNode(2, "b")]
    edges = [GraphEdge(1, 2, "x"), GraphEdge(1, 1, "x"), GraphEdge(1, 9, "x")]
    scene = GraphScene.build(nodes, edges)
    assert scene.edges.tolist() == [[0, 1]]
    assert scene.degrees.tolist() == [1, 1]


def test_types_are_numbered_by_how_often_they_occur() -> None:
    nodes = [GraphNode(i, f"n{i}", kind) for i, kind in enumerate(["b", "a", "b", "c", "a", "b"])]
    scene = GraphScene.build(nodes, [])
    assert scene.type_names == ["b", "a", "c"]
    assert scene.types.tolist() == [0, 1, 0, 2, 1, 0]


def test_relation_types_stay_with_their_lines_when_lines_are_sorted() -> None:
    nodes = [GraphNode(i, f"n{i}") for i in range(5)]
    edges = [
        GraphEdge(3, 4, "rare"),
        GraphEdge(0, 1, "often"),
        GraphEdge(0, 2, "often"),
        GraphEdge(0, 3, "often"),
        GraphEdge(1, 2, "often"),
    ]
    scene = GraphScene.build(nodes, edges)
    kinds = {
        tuple(ends): scene.edge_type_names[kind]
        for ends, kind in zip(scene.edges.tolist(), scene.edge_types.tolist(), strict=True)
    }
    assert kinds[(3, 4)] == "rare"
    assert kinds[(1, 2)] == "often"


def test_well_connected_nodes_are_larger_and_come_first() -> None:
    scene = make_scene()
    assert names(scene, scene.rank[:2].tolist()) == ["hub", "east"]
    assert scene.sizes[0] == scene.sizes.max()


def test_many_memories_make_a_node_important_too() -> None:
    scene = GraphScene.build([GraphNode(1, "empty"), GraphNode(2, "full", memories=400)], [])
    assert names(scene, scene.rank.tolist()) == ["full", "empty"]


def test_nodes_that_nobody_placed_have_no_place() -> None:
    scene = make_scene("a@1,2 b", "a>b")
    assert scene.placed().tolist() == [True, False]
    assert scene.bounds() == (1, 2, 1, 2)


def test_distances_count_relations_in_either_direction() -> None:
    scene = make_scene()
    reach = scene.distances(scene.names.index("north"), 3)
    by_name = dict(zip(scene.names, reach.tolist(), strict=True))
    assert by_name == {
        "north": 0, "hub": 1, "west": 2, "east": 2, "lost": 2, "far": 3, "lone": -1,
    }  # fmt: skip


def test_distances_end_at_the_depth() -> None:
    scene = make_scene()
    assert np.count_nonzero(scene.distances(0, 1) >= 0) == 5
    assert np.count_nonzero(scene.distances(0, 2) >= 0) == 6
