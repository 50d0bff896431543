"""What the mouse does between press and release: pan, move nodes, draw a band, use the map."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from remembrancer.desktop.graph.camera import Camera
from remembrancer.desktop.graph.scene import GraphScene
from remembrancer.desktop.graph.state import GraphState

THRESHOLD = 4.0  # pixels the mouse may tremble before a press becomes a drag


class Gesture(Protocol):
    """Something that goes on while a button is held."""

    def move(self, at: QPointF) -> None:
        """The mouse is here now."""
        ...

    def finish(self, at: QPointF) -> None:
        """The button was released here."""
        ...


class Pan:
    """Moves the picture with the mouse; a press without a drag is a click on the ground."""

    def __init__(self, camera: Camera, start: QPointF, clicked: Callable[[], None]) -> None:
        self._camera = camera
        self._start = self._last = start
        self._clicked = clicked
        self._dragged = False

    def move(self, at: QPointF) -> None:
        if not self._dragged and (at - self._start).manhattanLength() < THRESHOLD:
            return
        self._dragged = True
        step = at - self._last
        self._camera.pan(step.x(), step.y())
        self._last = at

    def finish(self, at: QPointF) -> None:
        if not self._dragged:
            self._clicked()


class MoveNodes:
    """Takes nodes along with the mouse and pins them; without a drag it is a click on a node."""

    def __init__(
        self,
        scene: GraphScene,
        camera: Camera,
        nodes: list[int],
        start: QPointF,
        clicked: Callable[[], None],
        moved: Callable[[list[int]], None],
    ) -> None:
        self._scene, self._camera, self._nodes = scene, camera, nodes
        self._start, self._places = start, scene.positions[nodes].copy()
        self._clicked, self._moved = clicked, moved
        self._dragged = False

    def move(self, at: QPointF) -> None:
        way = at - self._start
        if not self._dragged and way.manhattanLength() < THRESHOLD:
            return
        self._dragged = True
        step = np.array([way.x(), way.y()]) / self._camera.zoom
        self._scene.positions[self._nodes] = self._places + step

    def finish(self, at: QPointF) -> None:
        if not self._dragged:
            self._clicked()
            return
        self._scene.pinned[self._nodes] = True
        self._moved(self._nodes)


class Band:
    """Draws a rectangle and selects the nodes inside, besides those that were selected."""

    def __init__(
        self,
        state: GraphState,
        camera: Camera,
        start: QPointF,
        done: Callable[[], None],
    ) -> None:
        self._state, self._camera, self._start = state, camera, start
        self._done = done
        self.rect = QRectF(start, start)

    def move(self, at: QPointF) -> None:
        self.rect = QRectF(self._start, at).normalized()

    def finish(self, at: QPointF) -> None:
        self.move(at)
        x, y = self._camera.to_screen(self._state.scene.positions).T
        across = (x >= self.rect.left()) & (x <= self.rect.right())
        inside = np.flatnonzero(across & (y >= self.rect.top()) & (y <= self.rect.bottom()))
        if len(inside):
            self._state.select(inside.tolist(), add=True)
        self._done()


class GoByMap:
    """Keeps the middle of the picture under the mouse on the small map."""

    def __init__(
        self, camera: Camera, place_at: Callable[[QPointF], tuple[float, float]], start: QPointF
    ) -> None:
        self._camera, self._place_at = camera, place_at
        self.move(start)

    def move(self, at: QPointF) -> None:
        self._camera.x, self._camera.y = self._place_at(at)

    def finish(self, at: QPointF) -> None:
        self.move(at)
