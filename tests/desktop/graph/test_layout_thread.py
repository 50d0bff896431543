"""The layout beside the window: it ends, it can be stopped, and it is the same each time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from desktop.graph.drawing import make_scene
from remembrancer.core.graph import GraphEdge, GraphNode
from remembrancer.core.layout import layout
from remembrancer.desktop.graph.layout_thread import Layouter, LayoutThread, stop_all
from remembrancer.desktop.graph.scene import GraphScene


def tree(count: int) -> GraphScene:
    nodes = [GraphNode(i, f"n{i}") for i in range(count)]
    edges = [GraphEdge(i, (i - 1) // 3, "part of") for i in range(1, count)]
    return GraphScene.build(nodes, edges)


@pytest.fixture
def layouter(qtbot: QtBot) -> Any:
    made = Layouter()
    yield made
    made.stop()


def settled(qtbot: QtBot, layouter: Layouter, thread: LayoutThread) -> np.ndarray:
    with qtbot.waitSignal(layouter.settled, timeout=20_000) as told:
        layouter.begin(thread)
    assert told.args
    return told.args[0]


def test_the_thread_ends_with_what_the_layout_says(qtbot: QtBot, layouter: Layouter) -> None:
    scene = tree(300)
    thread = LayoutThread.of(scene, seed=5)
    positions = settled(qtbot, layouter, thread)
    assert np.array_equal(positions, layout(300, scene.edges, seed=5))
    assert thread.isFinished()
    assert not layouter.busy


def test_it_tells_of_pictures_on_the_way(qtbot: QtBot, layouter: Layouter) -> None:
    shapes: list[tuple[int, ...]] = []
    layouter.pictured.connect(lambda positions: shapes.append(positions.shape))
    settled(qtbot, layouter, LayoutThread.of(tree(2000)))
    assert shapes
    assert set(shapes) == {(2000, 2)}


def test_a_stopped_layout_is_silent_and_gone(qtbot: QtBot, layouter: Layouter) -> None:
    told: list[object] = []
    layouter.pictured.connect(told.append)
    layouter.settled.connect(told.append)
    thread = LayoutThread.of(tree(20_000))
    layouter.begin(thread)
    layouter.stop()
    qtbot.wait(1)
    assert thread.isFinished()
    assert told == []
    assert not layouter.busy


def test_a_new_layout_ends_the_one_before(qtbot: QtBot, layouter: Layouter) -> None:
    first = LayoutThread.of(tree(20_000))
    layouter.begin(first)
    positions = settled(qtbot, layouter, LayoutThread.of(tree(50)))
    assert first.isFinished()
    assert positions.shape == (50, 2)


def test_pinned_nodes_stay_and_known_places_are_kept(qtbot: QtBot, layouter: Layouter) -> None:
    scene = make_scene("!a@500,500 b@560,500 c", "a>b b>c")
    positions = settled(qtbot, layouter, LayoutThread.of(scene))
    assert positions[0].tolist() == [500, 500]
    assert np.abs(positions[1] - (560, 500)).max() < 40
    assert np.isfinite(positions).all()


def test_afresh_keeps_only_what_is_pinned(qtbot: QtBot, layouter: Layouter) -> None:
    scene = make_scene("!a@500,500 b@9000,500 c@-9000,0", "a>b b>c")
    positions = settled(qtbot, layouter, LayoutThread.of(scene, afresh=True))
    assert positions[0].tolist() == [500, 500]
    assert np.abs(positions[1:] - 500).max() < 500


def test_a_layout_that_fails_leaves_the_window_alone(
    qtbot: QtBot, layouter: Layouter, caplog: pytest.LogCaptureFixture
) -> None:
    thread = LayoutThread(2, np.array([[0, 7]]))
    layouter.begin(thread)
    qtbot.waitUntil(lambda: not layouter.busy, timeout=5000)
    assert "could not be laid out" in caplog.text


def test_threads_are_joined_when_the_application_goes(layouter: Layouter) -> None:
    thread = LayoutThread.of(tree(20_000))
    layouter.begin(thread)
    stop_all()
    assert thread.isFinished()


def test_an_empty_graph_settles_too(qtbot: QtBot, layouter: Layouter) -> None:
    scene = GraphScene.build([], [])
    assert settled(qtbot, layouter, LayoutThread.of(scene)).shape == (0, 2)
