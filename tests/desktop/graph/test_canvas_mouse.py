"""The graph under the mouse: zoom, pan, pick, drag, band, map."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QNativeGestureEvent, QPointingDevice
from PySide6.QtWidgets import QApplication, QToolTip

from desktop.graph.drawing import Mouse, make_scene
from remembrancer.core.graph import GraphNode
from remembrancer.desktop.graph.canvas import GraphCanvas
from remembrancer.desktop.graph.scene import GraphScene

SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


def heard(signal: object) -> list[object]:
    """Everything a signal of one argument says from now on."""
    told: list[object] = []
    signal.connect(told.append)  # type: ignore[attr-defined]
    return told


def chosen(canvas: GraphCanvas) -> set[str]:
    scene = canvas.state.scene
    return {scene.names[scene.index_of[id_]] for id_ in canvas.selected_ids()}


@pytest.mark.parametrize("turns", [3, -3])
def test_the_wheel_zooms_and_keeps_the_place_under_the_pointer(
    canvas: GraphCanvas, mouse: Mouse, turns: int
) -> None:
    before, zoom = canvas.camera.to_world(200, 150), canvas.camera.zoom
    mouse.wheel((200, 150), turns)
    assert canvas.camera.to_world(200, 150) == pytest.approx(before)
    assert (canvas.camera.zoom > zoom) is (turns > 0)


def test_two_fingers_zoom_too(canvas: GraphCanvas) -> None:
    at, zoom = QPointF(300, 200), canvas.camera.zoom
    before = canvas.camera.to_world(300, 200)
    event = QNativeGestureEvent(
        Qt.NativeGestureType.ZoomNativeGesture,
        QPointingDevice.primaryPointingDevice(),
        2,
        at,
        at,
        canvas.mapToGlobal(at),
        0.5,
        QPointF(),
    )
    QApplication.sendEvent(canvas, event)
    assert canvas.camera.zoom == pytest.approx(zoom * 1.5)
    assert canvas.camera.to_world(300, 200) == pytest.approx(before)


def test_dragging_the_ground_moves_the_picture(canvas: GraphCanvas, mouse: Mouse) -> None:
    before = mouse.at("hub")
    mouse.drag((60, 60), by=(120, 40))
    after = mouse.at("hub")
    assert (after - before).toTuple() == pytest.approx((120, 40))
    assert not canvas.state.scene.pinned.any()


def test_a_dragged_node_is_pinned_where_it_is_dropped(canvas: GraphCanvas, mouse: Mouse) -> None:
    told = heard(canvas.moved)
    goal = mouse.at("east") + QPointF(30, -45)
    mouse.drag("east", by=(30, -45))
    east = canvas.state.scene.names.index("east")
    assert mouse.at("east").toTuple() == pytest.approx(goal.toTuple())
    assert canvas.state.scene.pinned[east]
    ((id_, x, y),) = told[0]  # type: ignore[misc]
    assert id_ == canvas.state.scene.ids[east]
    assert (x, y) == pytest.approx(tuple(canvas.state.scene.positions[east]))


def test_a_selection_is_dragged_as_one(canvas: GraphCanvas, mouse: Mouse) -> None:
    canvas.select([2, 3])
    apart = mouse.at("east") - mouse.at("west")
    told = heard(canvas.moved)
    mouse.drag("west", by=(20, 20))
    assert (mouse.at("east") - mouse.at("west")).toTuple() == pytest.approx(apart.toTuple())
    assert len(told[0]) == 2  # type: ignore[arg-type]


def test_a_trembling_click_moves_nothing(canvas: GraphCanvas, mouse: Mouse) -> None:
    told = heard(canvas.moved)
    mouse.drag("east", by=(1, 1))
    assert told == []
    assert chosen(canvas) == {"east"}


def test_a_click_selects_and_focuses(canvas: GraphCanvas, mouse: Mouse) -> None:
    selected, focused = heard(canvas.selected), heard(canvas.focused)
    mouse.click("east")
    assert chosen(canvas) == {"east"}
    assert selected[-1] == [3]
    assert focused[-1] == 3


def test_a_click_on_the_ground_lets_go(canvas: GraphCanvas, mouse: Mouse) -> None:
    mouse.click("east")
    focused = heard(canvas.focused)
    mouse.click((60, 60))
    assert chosen(canvas) == set()
    assert focused == [None]


def test_a_click_with_control_adds_and_takes_away(canvas: GraphCanvas, mouse: Mouse) -> None:
    mouse.click("east")
    mouse.click("west", CONTROL)
    assert chosen(canvas) == {"east", "west"}
    mouse.click("east", CONTROL)
    assert chosen(canvas) == {"west"}


def test_a_band_with_shift_selects_what_is_inside(canvas: GraphCanvas, mouse: Mouse) -> None:
    start = mouse.at("hub") - QPointF(40, 40)
    way = mouse.at("far") + QPointF(40, 40) - start
    mouse.drag(start.toTuple(), by=way.toTuple(), keys=SHIFT)
    assert chosen(canvas) == {"hub", "east", "far"}


def test_a_band_adds_to_the_selection(canvas: GraphCanvas, mouse: Mouse) -> None:
    canvas.select([2])
    start = mouse.at("far") - QPointF(30, 30)
    mouse.drag(start.toTuple(), by=(60, 60), keys=SHIFT)
    assert chosen(canvas) == {"west", "far"}


def test_the_band_is_painted_while_it_is_drawn(canvas: GraphCanvas, mouse: Mouse) -> None:
    mouse.press((100, 100), SHIFT)
    before = canvas.grab().toImage()
    mouse.move((300, 250))
    assert canvas.grab().toImage() != before
    mouse.release((300, 250))
    assert canvas.band() is None


def test_a_double_click_opens(canvas: GraphCanvas, mouse: Mouse) -> None:
    told = heard(canvas.opened)
    mouse.double_click("far")
    mouse.double_click((60, 60))
    assert told == [4]


def test_hovering_tells_once_what_is_under_the_pointer(canvas: GraphCanvas, mouse: Mouse) -> None:
    told = heard(canvas.hovered)
    mouse.move("west")
    mouse.move("west")
    mouse.move((60, 60))
    assert told == [2, None]


def test_leaving_the_canvas_ends_the_hover(canvas: GraphCanvas, mouse: Mouse) -> None:
    mouse.move("west")
    told = heard(canvas.hovered)
    QApplication.sendEvent(canvas, QEvent(QEvent.Type.Leave))
    assert told == [None]


@pytest.mark.qt_log_ignore("raise")
def test_the_tooltip_shows_markup_as_text(new_canvas: Callable[..., GraphCanvas]) -> None:
    canvas = new_canvas(GraphScene.build([GraphNode(1, "<h1>big</h1>", x=0, y=0)], []))
    at = QPoint(400, 300)
    QApplication.sendEvent(canvas, QHelpEvent(QEvent.Type.ToolTip, at, canvas.mapToGlobal(at)))
    assert "&lt;h1&gt;big" in QToolTip.text()
    QToolTip.hideText()


def test_a_right_click_asks_for_the_menu_of_a_node(canvas: GraphCanvas, mouse: Mouse) -> None:
    told: list[object] = []
    canvas.menu_asked.connect(lambda id_, at: told.append(id_))
    for where in (mouse.at("far"), QPointF(60, 60)):
        at = where.toPoint()
        reason = QContextMenuEvent.Reason.Mouse
        QApplication.sendEvent(canvas, QContextMenuEvent(reason, at, canvas.mapToGlobal(at)))
    assert told == [4, None]


def test_the_map_takes_one_to_another_place(new_canvas: Callable[..., GraphCanvas]) -> None:
    spots = " ".join(f"n{i}@{i * 100},{i % 4 * 80}" for i in range(30))
    canvas = new_canvas(make_scene(spots, ""))
    place = canvas.map_place()
    assert place is not None
    mouse = Mouse(canvas)
    mouse.drag(place.center().toTuple(), by=(70, 0))
    left, _, right, _ = canvas.state.scene.bounds() or (0, 0, 0, 0)
    assert (left + right) / 2 < canvas.camera.x < right


def test_a_node_under_several_pixels_of_another_is_the_nearer_one(
    new_canvas: Callable[..., GraphCanvas],
) -> None:
    canvas = new_canvas(make_scene("a@0,0 b@12,0 c@500,0", ""))
    a, b = Mouse(canvas).at("a"), Mouse(canvas).at("b")
    assert canvas.id_at(a * 0.6 + b * 0.4) == 1
    assert canvas.id_at(a * 0.4 + b * 0.6) == 2


def test_a_scene_that_changes_during_a_drag_ends_the_drag(
    canvas: GraphCanvas, mouse: Mouse
) -> None:
    mouse.press("east")
    canvas.set_scene(make_scene("one@0,0", ""))
    mouse.move((500, 500))
    mouse.release((500, 500))
    assert np.array_equal(canvas.state.scene.positions, [[0, 0]])
