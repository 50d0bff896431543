"""Names beside nodes and types on edges: the important ones, and none on top of another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter

from remembrancer.desktop.graph import colours
from remembrancer.desktop.graph.camera import Camera
from remembrancer.desktop.graph.state import NOBODY, GraphState
from remembrancer.desktop.look import fonts, theme
from remembrancer.desktop.look.plain import one_line

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

AT_REST, MOVING, BESIDE_FOCUS, ON_EDGES = 80, 30, 24, 40
_CANDIDATES = 400
_LONGEST = 38
_CELL_WIDTH, _CELL_HEIGHT = 8.0, 8.0
_GAP = 4.0  # between a node's rim and its name


@dataclass(slots=True)
class _Table:
    """Which cells of the window hold a label, and how many nodes lie in each."""

    labels: NDArray[np.bool_]
    nodes: NDArray[np.int64]

    def cells(self, place: QRectF) -> tuple[slice, slice]:
        top, bottom = int(place.top() / _CELL_HEIGHT), int(place.bottom() / _CELL_HEIGHT)
        left, right = int(place.left() / _CELL_WIDTH), int(place.right() / _CELL_WIDTH)
        return slice(max(top, 0), bottom + 1), slice(max(left, 0), right + 1)

    def is_free(self, place: QRectF) -> bool:
        return not self.labels[self.cells(place)].any()

    def covered(self, place: QRectF) -> int:
        return int(self.nodes[self.cells(place)].sum())

    def take(self, place: QRectF) -> None:
        self.labels[self.cells(place)] = True


@dataclass(slots=True)
class _Writer:
    """Finds places for labels and writes them."""

    painter: QPainter
    state: GraphState
    camera: Camera
    screen: Floats
    radii: Floats
    table: _Table
    plain: QFont = field(default_factory=lambda: fonts.font(11))
    strong: QFont = field(default_factory=lambda: fonts.font(12, fonts.SEMIBOLD))
    small: QFont = field(default_factory=lambda: fonts.font(10))

    def name(self, node: int, must: bool, careful: bool) -> bool:
        """Writes a node's name; False if there is no room and it need not be."""
        text = one_line(self.state.scene.names[node], _LONGEST)
        font = self.strong if node in (self.state.focus, self.state.current) else self.plain
        place = self._place(node, text, font, must, careful)
        if place is None:
            return False
        self._write(place, text, font, self._colour(node))
        return True

    def _place(
        self, node: int, text: str, font: QFont, must: bool, careful: bool
    ) -> QRectF | None:
        metrics = QFontMetricsF(font)
        width, height = metrics.horizontalAdvance(text), metrics.height()
        options = list(self._options(node, width, height))[: None if careful else 1]
        free = [place for place in options if self.table.is_free(place)]
        if not free:
            return options[0] if must else None
        return min(free, key=self.table.covered) if careful else free[0]

    def _options(self, node: int, width: float, height: float) -> Iterator[QRectF]:
        """Right of the node, left of it, below and above."""
        x, y = self.screen[node].tolist()
        away = float(self.radii[node]) + _GAP
        yield QRectF(x + away, y - height / 2, width, height)
        yield QRectF(x - away - width, y - height / 2, width, height)
        yield QRectF(x - width / 2, y + away - 1, width, height)
        yield QRectF(x - width / 2, y - away - height + 1, width, height)

    def _colour(self, node: int) -> QColor:
        state = self.state
        if state.reach is not None and state.reach[node] < 0:
            colour = theme.current().color("faint")
            colour.setAlpha(150)
            return colour
        return theme.current().color("muted" if state.scene.ghosts[node] else "text")

    def _write(self, place: QRectF, text: str, font: QFont, colour: QColor) -> None:
        self.table.take(place)
        ground = QColor(colours.current().ground)
        ground.setAlpha(165)
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(ground)
        self.painter.drawRoundedRect(place.adjusted(-2, 1, 2, -1), 3, 3)
        self.painter.setFont(font)
        self.painter.setPen(colour)
        baseline = place.top() + QFontMetricsF(font).ascent()
        self.painter.drawText(QPointF(place.left(), baseline), text)

    def edge(self, edge: int) -> bool:
        """Writes an edge's type on its middle, if the edge is long enough and there is room."""
        scene = self.state.scene
        start, end = self.screen[scene.edges[edge]]
        text = one_line(scene.edge_type_names[scene.edge_types[edge]], _LONGEST)
        metrics = QFontMetricsF(self.small)
        width, height = metrics.horizontalAdvance(text), metrics.height()
        middle = (start + end) / 2
        place = QRectF(middle[0] - width / 2, middle[1] - height / 2, width, height)
        room = float(np.hypot(*(end - start))) > width + 30
        if not text or not room or not self.table.is_free(place):
            return False
        self._write(place, text, self.small, theme.current().color("muted"))
        return True


def paint_labels(
    painter: QPainter,
    state: GraphState,
    camera: Camera,
    screen: Floats,
    radii: Floats,
    moving: bool,
) -> None:
    """Writes the names worth reading: focus and selection always, others where there is room."""
    writer = _Writer(painter, state, camera, screen, radii, _table(camera, screen))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    always = [node for node in (state.focus, state.current) if node != NOBODY]
    for node in dict.fromkeys(always):
        writer.name(node, must=True, careful=not moving)
    if state.focus != NOBODY and not moving:
        edges = state.scene.edges_of(state.focus)
        sum(writer.edge(edge) for edge in edges[:ON_EDGES].tolist())
    left = MOVING if moving else AT_REST
    for node in _in_order(state, camera, screen):
        if left and node not in always:
            left -= writer.name(node, must=False, careful=not moving)


def _table(camera: Camera, screen: Floats) -> _Table:
    shape = (int(camera.height / _CELL_HEIGHT) + 2, int(camera.width / _CELL_WIDTH) + 2)
    inside = _inside(camera, screen)
    rows = (screen[inside, 1] / _CELL_HEIGHT).astype(np.int64)
    columns = (screen[inside, 0] / _CELL_WIDTH).astype(np.int64)
    nodes = np.bincount(rows * shape[1] + columns, minlength=shape[0] * shape[1])
    return _Table(np.zeros(shape, dtype=np.bool_), nodes.reshape(shape))


def _in_order(state: GraphState, camera: Camera, screen: Floats) -> list[int]:
    """The nodes in sight, the focused neighbourhood first, then by importance."""
    rank = state.scene.rank[_inside(camera, screen[state.scene.rank])]
    if state.reach is None:
        return rank[:_CANDIDATES].tolist()
    near = rank[state.reach[rank] >= 0]
    near = near[np.argsort(state.reach[near], kind="stable")]
    far = rank[state.reach[rank] < 0][:BESIDE_FOCUS]
    return [*near[:_CANDIDATES].tolist(), *far.tolist()]


def _inside(camera: Camera, screen: Floats) -> NDArray[np.bool_]:
    x, y = screen.T
    return (x >= 0) & (x < camera.width) & (y >= 0) & (y < camera.height)
