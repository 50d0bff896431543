"""What a tooltip and a screen reader say about a node."""

from __future__ import annotations

from remembrancer.core.graph import GraphEdge, GraphNode
from remembrancer.desktop.graph import words
from remembrancer.desktop.graph.scene import GraphScene
from remembrancer.desktop.graph.state import GraphState


def state_of(*nodes: GraphNode) -> GraphState:
    edges = [GraphEdge(nodes[0].id, node.id, "knows") for node in nodes[1:]]
    return GraphState(GraphScene.build(nodes, edges))


def test_a_node_is_described_by_type_scope_memories_and_links() -> None:
    state = state_of(GraphNode(1, "NAS", "device", "group", memories=3), GraphNode(2, "b"))
    assert words.describe(state, 0) == ["NAS", "device · group", "Memories: 3 · Links: 1"]


def test_a_ghost_is_called_what_it_is() -> None:
    state = state_of(GraphNode(1, "Otto", ghost=True))
    assert words.spoken(state, 0) == "Otto, Mentioned only; nobody created it, Links: 0"


def test_a_pinned_node_says_so() -> None:
    assert "Pinned in its place" in words.describe(state_of(GraphNode(1, "a", pinned=True)), 0)


def test_markup_in_a_name_is_shown_and_not_followed() -> None:
    state = state_of(GraphNode(1, "<img src=x onerror=y>&", "<b>"))
    tooltip = words.tooltip_of(state, 0)
    assert "<img" not in tooltip
    assert "&lt;img src=x onerror=y&gt;&amp;" in tooltip
    assert "&lt;b&gt;" in tooltip


def test_hidden_characters_and_long_names_do_no_harm() -> None:
    state = state_of(GraphNode(1, "safe\u202egnp.exe\n" + "x" * 5000))
    first = words.describe(state, 0)[0]
    assert "\u202e" not in first
    assert "\n" not in first
    assert len(first) <= 200
