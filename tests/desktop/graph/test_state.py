"""Colours and their legend, selection and focus."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from desktop.graph.drawing import make_scene
from remembrancer.core.graph import GraphNode
from remembrancer.desktop.graph.scene import GraphScene
from remembrancer.desktop.graph.state import NOBODY, ColourBy, GraphState
from remembrancer.desktop.look import theme


def state_of(*nodes: GraphNode, colour_by: ColourBy = ColourBy.TYPE) -> GraphState:
    state = GraphState(GraphScene.build(list(nodes), []))
    state.colour_by = colour_by
    state.regroup()
    return state


def legend(state: GraphState) -> list[tuple[str, int]]:
    return [(entry.label, entry.count) for entry in state.legend()]


def test_the_legend_counts_types_and_names_ghosts_last() -> None:
    state = state_of(
        GraphNode(1, "a", "device"),
        GraphNode(2, "b", "person"),
        GraphNode(3, "c", "device"),
        GraphNode(4, "d", "", ghost=True),
        GraphNode(5, "e", ""),
    )
    assert legend(state) == [
        ("device", 2),
        ("without type", 1),
        ("person", 1),
        ("mentioned only", 1),
    ]
    assert [entry.ghost for entry in state.legend()] == [False, False, False, True]


def test_more_types_than_colours_share_the_last_colour() -> None:
    nodes = [GraphNode(i, f"n{i}", f"type {i % 11:02}") for i in range(22)]
    state = state_of(*nodes)
    assert legend(state)[-1] == ("other", 8)
    assert sum(count for _, count in legend(state)) == 22
    assert len({entry.colour for entry in state.legend()}) == 8


def test_eight_types_need_no_shared_colour() -> None:
    state = state_of(*[GraphNode(i, f"n{i}", f"type {i}") for i in range(8)])
    assert len(legend(state)) == 8
    assert "other" not in dict(legend(state))


def test_colours_can_tell_scopes() -> None:
    state = state_of(
        GraphNode(1, "a", scope="device"),
        GraphNode(2, "b", scope="shared"),
        GraphNode(3, "c", scope="shared"),
        colour_by=ColourBy.SCOPE,
    )
    assert legend(state) == [("shared", 2), ("device", 1)]


def test_colours_can_tell_staleness_from_fresh_to_stale() -> None:
    nodes = [GraphNode(i, f"n{i}", stale=value) for i, value in enumerate((0, 0.2, 0.3, 0.6, 1))]
    state = state_of(*nodes, colour_by=ColourBy.STALENESS)
    assert legend(state) == [("fresh", 2), ("ageing", 1), ("old", 1), ("stale", 1)]


def test_an_empty_scene_has_an_empty_legend() -> None:
    for meaning in ColourBy:
        assert legend(state_of(colour_by=meaning)) == []


def test_the_theme_changes_the_colours_of_the_legend(qapp: QApplication) -> None:
    state = state_of(GraphNode(1, "a", "device"))
    light = state.legend()[0].colour
    theme.apply(qapp, "dark")
    assert state.legend()[0].colour != light


@pytest.mark.parametrize(
    ("depth", "clear"),
    [
        (1, {"hub", "west", "east", "north", "lost"}),
        (2, {"hub", "west", "east", "north", "lost", "far"}),
    ],
)
def test_the_focus_dims_what_is_beyond_its_depth(depth: int, clear: set[str]) -> None:
    state = GraphState(make_scene())
    state.focus_on(0, depth)
    dimmed = state.dimmed()
    assert {name for name, dim in zip(state.scene.names, dimmed, strict=True) if not dim} == clear


def test_the_depth_stays_between_one_and_three() -> None:
    state = GraphState(make_scene())
    state.focus_on(0, 9)
    assert state.depth == 3
    state.focus_on(0, 0)
    assert state.depth == 1


def test_without_a_focus_nothing_is_dimmed() -> None:
    state = GraphState(make_scene())
    state.focus_on(0)
    state.focus_on(NOBODY)
    assert not state.dimmed().any()
