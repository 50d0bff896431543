"""What the canvas shows: scenes, places, flights, rest, and pictures of it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QBuffer, QIODevice, QPointF, QTimer
from PySide6.QtGui import QColor, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktop.graph.drawing import Mouse, make_scene, picture
from remembrancer.core.graph import GraphEdge, GraphNode
from remembrancer.desktop.graph.canvas import GraphCanvas
from remembrancer.desktop.graph.scene import GraphScene
from remembrancer.desktop.graph.state import ColourBy
from remembrancer.desktop.look import theme

NewCanvas = Callable[..., GraphCanvas]


def on_screen(canvas: GraphCanvas, id_: int) -> tuple[float, float]:
    node = canvas.state.scene.index_of[id_]
    x, y = canvas.camera.to_screen(canvas.state.scene.positions[node]).tolist()
    return x, y


def colour_at(canvas: GraphCanvas, name: str) -> QColor:
    at = Mouse(canvas).at(name).toPoint()
    return picture(canvas).pixelColor(at)


def running_timers(widget: QWidget) -> list[QTimer]:
    return [timer for timer in widget.findChildren(QTimer) if timer.isActive()]


def test_a_new_scene_is_shown_whole(canvas: GraphCanvas) -> None:
    for id_ in canvas.state.scene.ids.tolist():
        x, y = on_screen(canvas, id_)
        assert 0 < x < 800
        assert 0 < y < 600


def test_everything_stays_in_sight_when_the_window_grows(canvas: GraphCanvas) -> None:
    before = canvas.camera.zoom
    canvas.resize(1600, 1200)
    assert canvas.camera.zoom > before


def test_the_view_stays_when_the_person_has_chosen_it(canvas: GraphCanvas, mouse: Mouse) -> None:
    mouse.wheel("hub", 4)
    zoom = canvas.camera.zoom
    canvas.resize(1000, 700)
    canvas.show_positions(canvas.state.scene.positions * 3)
    assert canvas.camera.zoom == zoom


def test_fly_to_brings_a_node_to_the_middle_and_into_focus(canvas: GraphCanvas) -> None:
    canvas.fly_to(4)
    assert on_screen(canvas, 4) == pytest.approx((400, 300))
    assert canvas.selected_ids() == [4]
    assert canvas.state.dimmed().any()


def test_an_animated_flight_arrives_at_the_same_place(canvas: GraphCanvas, qtbot: QtBot) -> None:
    canvas.animations = True
    canvas.fly_to(4)
    assert on_screen(canvas, 4) != pytest.approx((400, 300))
    qtbot.waitUntil(lambda: on_screen(canvas, 4) == pytest.approx((400, 300)), timeout=5000)


def test_flying_to_an_unknown_node_does_nothing(canvas: GraphCanvas) -> None:
    before = on_screen(canvas, 1)
    canvas.fly_to(999)
    assert on_screen(canvas, 1) == before


def test_nothing_runs_when_nothing_moves(canvas: GraphCanvas, mouse: Mouse, qtbot: QtBot) -> None:
    canvas.animations = True
    mouse.wheel("hub", 1)
    canvas.fly_to(2)
    assert canvas.moving or running_timers(canvas)
    qtbot.waitUntil(lambda: not canvas.moving and not canvas.flying, timeout=5000)
    assert running_timers(canvas) == []


def test_a_move_is_painted_quickly_and_in_full_after_a_rest(
    canvas: GraphCanvas, mouse: Mouse, qtbot: QtBot
) -> None:
    mouse.wheel("hub", 1)
    assert canvas.moving
    qtbot.waitUntil(lambda: not canvas.moving, timeout=5000)


def test_positions_of_another_graph_are_ignored(canvas: GraphCanvas) -> None:
    before = canvas.state.scene.positions.copy()
    canvas.show_positions(np.zeros((3, 2)))
    assert np.array_equal(canvas.state.scene.positions, before)


def test_new_positions_leave_pinned_nodes_alone(new_canvas: NewCanvas) -> None:
    canvas = new_canvas(make_scene("!a@10,20 b@1,1 !c", "a>b"))
    canvas.show_positions(np.full((3, 2), 7.0))
    assert canvas.state.scene.positions.tolist() == [[10, 20], [7, 7], [7, 7]]


def test_a_changed_scene_keeps_view_selection_and_focus(canvas: GraphCanvas, mouse: Mouse) -> None:
    canvas.fly_to(3)
    mouse.wheel("east", 1)
    view = (canvas.camera.x, canvas.camera.y, canvas.camera.zoom)
    nodes = "newer@9,9 hub@0,0 west@-200,0 east@200,0"
    changed = make_scene(nodes, "hub>east")
    again = GraphScene.build(
        [GraphNode(9, "newer", x=9, y=9), GraphNode(3, "east", x=200, y=0)],
        [GraphEdge(9, 3, "x")],
    )
    canvas.set_scene(again, keep_view=True)
    assert canvas.selected_ids() == [3]
    assert canvas.state.focus == 1
    assert (canvas.camera.x, canvas.camera.y, canvas.camera.zoom) == view
    canvas.set_scene(changed)
    assert canvas.selected_ids() == []
    assert (canvas.camera.x, canvas.camera.y, canvas.camera.zoom) != view


def test_the_meaning_of_colours_stays_from_scene_to_scene(canvas: GraphCanvas) -> None:
    canvas.set_colour_by(ColourBy.SCOPE)
    canvas.set_scene(make_scene())
    assert canvas.legend()[0].label == "shared"


def test_a_ghost_is_hollow_and_an_entity_is_filled(canvas: GraphCanvas) -> None:
    ground = theme.current().color("bg")
    assert colour_at(canvas, "lost") == ground
    assert colour_at(canvas, "far").name() == canvas.legend()[0].colour


def test_what_is_out_of_focus_is_painted_paler(canvas: GraphCanvas) -> None:
    clear = colour_at(canvas, "far")
    canvas.focus_on(2)
    pale = colour_at(canvas, "far")
    assert pale.lightness() > clear.lightness() + 30
    canvas.focus_on(2, depth=3)
    assert colour_at(canvas, "far") == clear


def test_a_dark_theme_paints_a_dark_picture(canvas: GraphCanvas, qapp: QApplication) -> None:
    light = canvas.grab().toImage().pixelColor(5, 5)
    theme.apply(qapp, "dark")
    dark = canvas.grab().toImage().pixelColor(5, 5)
    assert light.lightness() > 200 > 60 > dark.lightness()


def test_a_picture_can_have_another_size(canvas: GraphCanvas) -> None:
    image = picture(canvas, 1600, 1200)
    at = (QPointF(*on_screen(canvas, 4)) * 2).toPoint()
    assert image.pixelColor(at).name() == canvas.legend()[0].colour


def test_a_vector_picture_holds_shapes_and_no_images(canvas: GraphCanvas) -> None:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    painter = QPainter(generator)
    canvas.render_to(painter, 800, 600)
    painter.end()
    text = bytes(buffer.data().data()).decode()
    assert "<image" not in text
    assert text.count("<circle") >= canvas.state.scene.count


def test_names_are_written_and_dense_names_are_left_out(new_canvas: NewCanvas) -> None:
    apart = new_canvas(make_scene("a@0,0 b@300,0 c@600,0", ""))
    apart.grab()
    assert apart.named() == {1, 2, 3}
    heap = " ".join(f"name-{i}@{i % 20},{i // 20}" for i in range(400))
    dense = new_canvas(make_scene(heap, ""))
    dense.grab()
    assert 0 < len(dense.named()) < 150


def test_the_focused_node_always_has_its_name(new_canvas: NewCanvas) -> None:
    heap = " ".join(f"name-{i}@{i % 20},{i // 20}" for i in range(400))
    canvas = new_canvas(make_scene(heap, ""))
    canvas.focus_on(217)
    canvas.grab()
    assert 217 in canvas.named()


def test_an_empty_graph_paints_an_empty_ground(new_canvas: NewCanvas) -> None:
    canvas = new_canvas(GraphScene.build([], []))
    image = canvas.grab().toImage()
    ground = theme.current().color("bg")
    assert image.pixelColor(400, 300) == ground
    canvas.fit()
    canvas.fly_to(1)
    canvas.focus_on(1)
    assert canvas.legend() == []


def test_a_single_node_stands_in_the_middle(new_canvas: NewCanvas) -> None:
    canvas = new_canvas(make_scene("alone@5000,-7000", ""))
    canvas.grab()
    assert on_screen(canvas, 1) == pytest.approx((400, 300))


def test_nodes_without_a_place_are_not_painted_until_they_have_one(new_canvas: NewCanvas) -> None:
    canvas = new_canvas(make_scene("a b c", "a>b b>c"))
    canvas.grab()
    canvas.focus_on(1)
    canvas.fly_to(2)
    canvas.grab()
    assert canvas.id_at(QPointF(400, 300)) is None
    canvas.show_positions(np.array([[0.0, 0.0], [60.0, 0.0], [120.0, 0.0]]))
    canvas.focus_on(None)
    canvas.grab()
    assert canvas.id_at(QPointF(*on_screen(canvas, 2))) == 2


@pytest.mark.parametrize("count", [10_000, 25_000])
def test_a_large_graph_paints_at_rest_and_while_moving(new_canvas: NewCanvas, count: int) -> None:
    rng = np.random.default_rng(3)
    places = rng.normal(size=(count, 2)) * 4000
    nodes = [
        GraphNode(i, f"n{i}", "device", ghost=i % 50 == 0, x=x, y=y, pinned=i % 99 == 0)
        for i, (x, y) in enumerate(places.tolist())
    ]
    ends = rng.integers(count, size=(2 * count, 2)).tolist()
    canvas = new_canvas(GraphScene.build(nodes, [GraphEdge(a, b, "x") for a, b in ends]))
    rest = canvas.grab().toImage()
    canvas.zoom_by(1.01)
    moving = canvas.grab().toImage()
    canvas.focus_on(7, 2)
    focused = canvas.grab().toImage()
    ground = theme.current().color("bg")
    assert all(image.pixelColor(400, 300) != ground for image in (rest, moving, focused))


def test_what_floats_above_is_kept_free_when_everything_is_shown(new_canvas: NewCanvas) -> None:
    spots = " ".join(f"n{i}@{i % 10 * 100},{i // 10 * 60}" for i in range(100))
    canvas = new_canvas(make_scene(spots, ""), width=1000, height=700)
    places = [place for place in (canvas.map_place(), canvas.legend_area()) if place is not None]
    assert len(places) == 2
    for id_ in canvas.state.scene.ids.tolist():
        at = QPointF(*on_screen(canvas, id_))
        assert not any(place.contains(at) for place in places)


def test_widgets_that_float_above_are_kept_free_too(canvas: GraphCanvas) -> None:
    bar = QWidget(canvas)
    bar.setGeometry(0, 0, 800, 90)
    bar.show()
    canvas.floating = [bar]
    canvas.fit()
    highest = min(on_screen(canvas, id_)[1] for id_ in canvas.state.scene.ids.tolist())
    assert highest > 90
