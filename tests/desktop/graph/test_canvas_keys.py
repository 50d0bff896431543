"""The graph without a mouse: from node to node, closer and wider, open and back."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from desktop.graph.drawing import make_scene
from remembrancer.desktop.graph.canvas import GraphCanvas
from remembrancer.desktop.graph.scene import GraphScene

Key = Qt.Key


@pytest.fixture
def press(canvas: GraphCanvas, qtbot: QtBot) -> Callable[..., None]:
    """Presses keys on the small graph."""

    def keys(*chosen: Qt.Key) -> None:
        for key in chosen:
            qtbot.keyClick(canvas, key)

    return keys


def current(canvas: GraphCanvas) -> str:
    state = canvas.state
    return "" if state.current < 0 else state.scene.names[state.current]


def test_the_first_arrow_selects_the_most_important_node(
    canvas: GraphCanvas, press: Callable[..., None]
) -> None:
    press(Key.Key_Left)
    assert current(canvas) == "hub"


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ([Key.Key_Right], "east"),
        ([Key.Key_Right, Key.Key_Right], "far"),
        ([Key.Key_Left], "west"),
        ([Key.Key_Up], "north"),
        ([Key.Key_Down], "lost"),
        ([Key.Key_Up, Key.Key_Up], "north"),
    ],
)
def test_arrows_go_to_the_nearest_neighbour_in_their_direction(
    canvas: GraphCanvas, press: Callable[..., None], keys: list[Qt.Key], expected: str
) -> None:
    canvas.select([1])
    press(*keys)
    assert current(canvas) == expected


def test_a_neighbour_is_preferred_to_a_nearer_stranger(
    new_canvas: Callable[..., GraphCanvas], qtbot: QtBot
) -> None:
    canvas = new_canvas(make_scene("a@0,0 stranger@50,0 friend@200,20", "a>friend"))
    canvas.select([1])
    qtbot.keyClick(canvas, Key.Key_Right)
    assert current(canvas) == "friend"


def test_the_focus_goes_along_with_the_arrows(
    canvas: GraphCanvas, press: Callable[..., None]
) -> None:
    canvas.fly_to(1)
    press(Key.Key_Right)
    assert canvas.state.focus == canvas.state.current
    assert current(canvas) == "east"


def test_arrows_bring_a_node_outside_the_window_into_sight(
    canvas: GraphCanvas, press: Callable[..., None]
) -> None:
    canvas.select([3])
    canvas.zoom_by(8)
    press(Key.Key_Right)
    x, y = canvas.camera.to_screen(canvas.state.scene.positions[canvas.state.current])
    assert current(canvas) == "far"
    assert 0 < x < 800
    assert 0 < y < 600


def test_enter_opens_the_current_node(canvas: GraphCanvas, press: Callable[..., None]) -> None:
    told: list[int] = []
    canvas.opened.connect(told.append)
    press(Key.Key_Return)
    assert told == []
    canvas.select([4])
    press(Key.Key_Return, Key.Key_Enter)
    assert told == [4, 4]


def test_escape_clears_the_focus_first_and_then_the_selection(
    canvas: GraphCanvas, press: Callable[..., None]
) -> None:
    canvas.fly_to(3)
    press(Key.Key_Escape)
    assert canvas.state.focus < 0
    assert canvas.selected_ids() == [3]
    press(Key.Key_Escape)
    assert canvas.selected_ids() == []


def test_plus_and_minus_zoom_at_the_middle_and_nought_fits(
    canvas: GraphCanvas, press: Callable[..., None]
) -> None:
    fitted = canvas.camera.zoom
    middle = canvas.camera.to_world(400, 300)
    press(Key.Key_Plus, Key.Key_Plus)
    assert canvas.camera.zoom > fitted * 1.5
    assert canvas.camera.to_world(400, 300) == pytest.approx(middle)
    press(Key.Key_Minus)
    press(Key.Key_0)
    assert canvas.camera.zoom == pytest.approx(fitted)


def test_the_space_bar_switches_the_focus(canvas: GraphCanvas, press: Callable[..., None]) -> None:
    canvas.select([1])
    press(Key.Key_Space)
    assert canvas.state.focus == canvas.state.current
    press(Key.Key_Space)
    assert canvas.state.focus < 0


def test_figures_set_the_depth_of_the_focus(
    canvas: GraphCanvas, press: Callable[..., None]
) -> None:
    canvas.select([1])
    dimmed = []
    for key in (Key.Key_1, Key.Key_2):
        press(key)
        dimmed.append(int(canvas.state.dimmed().sum()))
    assert dimmed == [2, 1]


def test_keys_that_mean_nothing_are_left_to_the_window(
    canvas: GraphCanvas, press: Callable[..., None]
) -> None:
    before = canvas.camera.zoom
    press(Key.Key_Q, Key.Key_F5)
    assert canvas.camera.zoom == before


def test_no_key_raises_in_an_empty_graph(
    new_canvas: Callable[..., GraphCanvas], qtbot: QtBot
) -> None:
    canvas = new_canvas(GraphScene.build([], []))
    for key in (
        Key.Key_Left, Key.Key_Up, Key.Key_Return, Key.Key_Escape, Key.Key_Space, Key.Key_0,
        Key.Key_1, Key.Key_3, Key.Key_Plus, Key.Key_Minus,
    ):  # fmt: skip
        qtbot.keyClick(canvas, key)
    assert canvas.selected_ids() == []


def test_a_screen_reader_hears_what_is_selected(canvas: GraphCanvas) -> None:
    canvas.select([1])
    assert canvas.accessibleName()
    assert canvas.accessibleDescription().startswith("hub, device")
    canvas.select([])
    assert canvas.accessibleDescription() == ""
