"""Mouse, wheel and touch pad over the canvas, turned into deeds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QMouseEvent, QNativeGestureEvent, QWheelEvent
from PySide6.QtWidgets import QGestureEvent, QPinchGesture

from remembrancer.desktop.graph import gestures, seek
from remembrancer.desktop.graph.state import NOBODY

if TYPE_CHECKING:
    from remembrancer.desktop.graph.canvas import GraphCanvas

_WHEEL = 1.0015  # the zoom for one eighth of a degree
_MOVES_THE_VIEW = (gestures.Pan, gestures.GoByMap)
_BUTTONS = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton


class Pointer:
    """Follows the pointer for one canvas."""

    def __init__(self, canvas: GraphCanvas) -> None:
        self._canvas = canvas
        self._gesture: gestures.Gesture | None = None

    def forget(self) -> None:
        """Drops the gesture: what it was about is gone."""
        self._gesture = None

    def press(self, event: QMouseEvent) -> None:
        """Begins a gesture."""
        if event.button() in _BUTTONS and self._gesture is None:
            self._canvas.stop_flight()
            self._gesture = self._begin(event)
            self._canvas.touched(by_person=False)

    def move(self, event: QMouseEvent) -> None:
        """Goes on with the gesture, or looks what is under the pointer."""
        if self._gesture is None:
            self._canvas.hover(self._node_at(event.position()))
            return
        self._gesture.move(event.position())
        self._canvas.touched(by_person=isinstance(self._gesture, _MOVES_THE_VIEW))

    def release(self, event: QMouseEvent) -> None:
        """Ends the gesture."""
        if self._gesture is not None and event.button() in _BUTTONS:
            gesture, self._gesture = self._gesture, None
            gesture.finish(event.position())
            self._canvas.changed()

    def double_click(self, event: QMouseEvent) -> None:
        """Opens what is under the pointer."""
        node = self._node_at(event.position())
        if node != NOBODY and event.button() == Qt.MouseButton.LeftButton:
            self._canvas.opened.emit(int(self._canvas.state.scene.ids[node]))

    def wheel(self, event: QWheelEvent) -> None:
        """Zooms at the pointer."""
        self._zoom(event.position(), _WHEEL ** event.angleDelta().y())
        event.accept()

    def pinch(self, event: QEvent) -> bool:
        """Zooms with two fingers; False if the event was something else."""
        if isinstance(event, QNativeGestureEvent):
            if event.gestureType() != Qt.NativeGestureType.ZoomNativeGesture:
                return False
            self._zoom(event.position(), 1 + event.value())
            return True
        if not isinstance(event, QGestureEvent):
            return False
        gesture = event.gesture(Qt.GestureType.PinchGesture)
        if isinstance(gesture, QPinchGesture):
            centre = self._canvas.mapFromGlobal(gesture.centerPoint())
            self._zoom(centre, gesture.scaleFactor())
        return isinstance(gesture, QPinchGesture)

    def band(self) -> QRectF | None:
        """The rectangle being drawn, if there is one."""
        return self._gesture.rect if isinstance(self._gesture, gestures.Band) else None

    def _zoom(self, at: QPointF, factor: float) -> None:
        self._canvas.stop_flight()
        self._canvas.camera.zoom_at(at.x(), at.y(), factor)
        self._canvas.touched(by_person=True)

    def _node_at(self, at: QPointF) -> int:
        return seek.node_at(self._canvas.state, self._canvas.camera, at)

    def _begin(self, event: QMouseEvent) -> gestures.Gesture:
        canvas, at = self._canvas, event.position()
        if event.button() == Qt.MouseButton.MiddleButton:
            return gestures.Pan(canvas.camera, at, lambda: None)
        on_map = canvas.map_place()
        if on_map is not None and on_map.contains(at):
            return gestures.GoByMap(canvas.camera, canvas.place_on_map, at)
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            return gestures.Band(canvas.state, canvas.camera, at, canvas.announce_selection)
        node = self._node_at(at)
        if node == NOBODY:
            return gestures.Pan(canvas.camera, at, self._click_ground)
        return self._grab(node, event)

    def _grab(self, node: int, event: QMouseEvent) -> gestures.Gesture:
        canvas = self._canvas
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            return gestures.Pan(canvas.camera, event.position(), lambda: canvas.toggle(node))
        if not canvas.state.selected[node]:
            canvas.choose([node])
        nodes = np.flatnonzero(canvas.state.selected).tolist()
        return gestures.MoveNodes(
            canvas.state.scene,
            canvas.camera,
            nodes,
            event.position(),
            clicked=lambda: self._click_node(node),
            moved=canvas.announce_moved,
        )

    def _click_node(self, node: int) -> None:
        self._canvas.choose([node])
        self._canvas.focus_node(node)

    def _click_ground(self) -> None:
        self._canvas.focus_node(NOBODY)
        self._canvas.choose([])
