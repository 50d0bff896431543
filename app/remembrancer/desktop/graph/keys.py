"""The keys of the graph: arrows go from node to node, the rest looks closer or wider."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from remembrancer.desktop.graph import seek
from remembrancer.desktop.graph.state import NOBODY

if TYPE_CHECKING:
    from remembrancer.desktop.graph.canvas import GraphCanvas

_STEP = 1.25
_ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


def press(canvas: GraphCanvas, key: int) -> bool:
    """Does what a key means; False if it means nothing here."""
    if key in _ARROWS:
        go(canvas, *_ARROWS[Qt.Key(key)])
        return True
    deed = _DEEDS.get(Qt.Key(key))
    if deed is None:
        return False
    deed(canvas)
    return True


def go(canvas: GraphCanvas, dx: int, dy: int) -> None:
    """Moves the selection to the nearest neighbour in a direction; the focus goes along."""
    state = canvas.state
    if state.current == NOBODY:
        node = seek.first_node(state, canvas.camera)
    else:
        node = seek.node_towards(state, state.current, dx, dy)
    if node == NOBODY:
        return
    canvas.choose([node])
    if state.focus != NOBODY:
        canvas.focus_node(node)
    canvas.bring_into_sight(node)


def _open(canvas: GraphCanvas) -> None:
    if canvas.state.current != NOBODY:
        canvas.opened.emit(int(canvas.state.scene.ids[canvas.state.current]))


def _back(canvas: GraphCanvas) -> None:
    """Clears the focus first, then the selection."""
    if canvas.state.focus != NOBODY:
        canvas.focus_node(NOBODY)
    else:
        canvas.choose([])


def _switch_focus(canvas: GraphCanvas) -> None:
    state = canvas.state
    canvas.focus_node(NOBODY if state.focus == state.current else state.current)


def _deepen(depth: int) -> Callable[[GraphCanvas], None]:
    def deed(canvas: GraphCanvas) -> None:
        state = canvas.state
        canvas.focus_node(state.current if state.focus == NOBODY else state.focus, depth)

    return deed


_DEEDS: dict[Qt.Key, Callable[[GraphCanvas], None]] = {
    Qt.Key.Key_Return: _open,
    Qt.Key.Key_Enter: _open,
    Qt.Key.Key_Escape: _back,
    Qt.Key.Key_Space: _switch_focus,
    Qt.Key.Key_0: lambda canvas: canvas.fit(),
    Qt.Key.Key_1: _deepen(1),
    Qt.Key.Key_2: _deepen(2),
    Qt.Key.Key_3: _deepen(3),
    Qt.Key.Key_Plus: lambda canvas: canvas.zoom_by(_STEP),
    Qt.Key.Key_Equal: lambda canvas: canvas.zoom_by(_STEP),
    Qt.Key.Key_Minus: lambda canvas: canvas.zoom_by(1 / _STEP),
}
