"""Names beside nodes and types on edges: the important ones, and none on top of another."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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

AT_REST, MOVING, BESIDE_FOCUS, ON_EDGES = 70, 30, 24, 40
_CANDIDATES = 400
_LONGEST = 38
_CELL_WIDTH, _CELL_HEIGHT = 8.0, 8.0
_WEIGHT_OF_NEAR = 25.0  # how much worse it is to hide a node of the focused neighbourhood
_RING = 4.0  # what a ring around the node takes up
_GAP = 4.0  # between a node's rim and its name


@dataclass(frozen=True, slots=True)
class Page:
    """What names are written on; `covered` are places where something floats above the picture."""

    state: GraphState
    camera: Camera
    screen: Floats
    radii: Floats
    moving: bool
    covered: Sequence[QRectF] = ()


class _Table:
    """Which cells of the window hold a label, and how much other labels would hide in each."""

    def __init__(self, page: Page) -> None:
        shape = (
            int(page.camera.height / _CELL_HEIGHT) + 2,
            int(page.camera.width / _CELL_WIDTH) + 2,
        )
        self._labels = np.zeros(shape, dtype=np.bool_)
        inside = np.flatnonzero(_inside(page.camera, page.screen))
        rows = (page.screen[inside, 1] / _CELL_HEIGHT).astype(np.int64)
        columns = (page.screen[inside, 0] / _CELL_WIDTH).astype(np.int64)
        weights = np.ones(len(inside))
        if page.state.reach is not None:
            weights[page.state.reach[inside] >= 0] = _WEIGHT_OF_NEAR
        cells = np.bincount(rows * shape[1] + columns, weights, shape[0] * shape[1])
        self._nodes = cells.reshape(shape)
        for place in page.covered:
            self.take(place)

    def is_free(self, place: QRectF) -> bool:
        """Whether no label is there yet."""
        return not self._labels[_cells(place)].any()

    def hides(self, place: QRectF) -> float:
        """How much would be hidden by a label there."""
        return float(self._nodes[_cells(place)].sum())

    def take(self, place: QRectF) -> None:
        """A label is there now."""
        self._labels[_cells(place)] = True


def _cells(place: QRectF) -> tuple[slice, slice]:
    top, bottom = int(place.top() / _CELL_HEIGHT), int(place.bottom() / _CELL_HEIGHT)
    left, right = int(place.left() / _CELL_WIDTH), int(place.right() / _CELL_WIDTH)
    return slice(max(top, 0), max(bottom + 1, 0)), slice(max(left, 0), max(right + 1, 0))


class _Writer:
    """Finds places for labels and writes them."""

    def __init__(self, painter: QPainter, page: Page) -> None:
        self._painter, self._page, self._state = painter, page, page.state
        self._table = _Table(page)
        self._plain = fonts.font(11)
        self._strong = fonts.font(12, fonts.SEMIBOLD)
        self._small = fonts.font(10)
        if self._state.focus != NOBODY:
            self._keep_free(self._state.focus)

    def _keep_free(self, node: int) -> None:
        (x, y), radius = self._page.screen[node].tolist(), float(self._page.radii[node])
        if math.isfinite(x + y):
            self._table.take(QRectF(x - radius, y - radius, 2 * radius, 2 * radius))

    def name(self, node: int, must: bool = False) -> bool:
        """Writes a node's name; False if it has no place, or no room and need not be written."""
        if not np.isfinite(self._page.screen[node]).all():
            return False
        text = one_line(self._state.scene.names[node], _LONGEST)
        font = self._strong if node in (self._state.focus, self._state.current) else self._plain
        place = self._place(node, text, font, must)
        if place is None:
            return False
        self._write(place, text, font, self._colour(node))
        return True

    def _place(self, node: int, text: str, font: QFont, must: bool) -> QRectF | None:
        metrics = QFontMetricsF(font)
        options = list(self._options(node, metrics.horizontalAdvance(text), metrics.height()))
        if self._page.moving:
            options = options[:1]
        free = [place for place in options if self._inside(place) and self._table.is_free(place)]
        if not free:
            return options[0] if must else None
        return min(free, key=self._table.hides)

    def _inside(self, place: QRectF) -> bool:
        return place.left() >= 2 and place.right() <= self._page.camera.width - 2

    def _options(self, node: int, width: float, height: float) -> Iterator[QRectF]:
        """Right of the node, left of it, below and above."""
        x, y = self._page.screen[node].tolist()
        ringed = self._state.selected[node] or node == self._state.focus
        away = float(self._page.radii[node]) + _GAP + (_RING if ringed else 0.0)
        yield QRectF(x + away, y - height / 2, width, height)
        yield QRectF(x - away - width, y - height / 2, width, height)
        yield QRectF(x - width / 2, y + away - 1, width, height)
        yield QRectF(x - width / 2, y - away - height + 1, width, height)

    def _colour(self, node: int) -> QColor:
        state = self._state
        if state.reach is not None and state.reach[node] < 0:
            colour = theme.current().color("faint")
            colour.setAlpha(150)
            return colour
        return theme.current().color("muted" if state.scene.ghosts[node] else "text")

    def _write(self, place: QRectF, text: str, font: QFont, colour: QColor) -> None:
        self._table.take(place)
        ground = QColor(colours.current().ground)
        ground.setAlpha(120)
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(ground)
        self._painter.drawRoundedRect(place.adjusted(-2, 1, 2, -1), 3, 3)
        self._painter.setFont(font)
        self._painter.setPen(colour)
        baseline = place.top() + QFontMetricsF(font).ascent()
        self._painter.drawText(QPointF(place.left(), baseline), text)

    def edge(self, edge: int) -> bool:
        """Writes an edge's type on its middle, if the edge is long enough and there is room."""
        scene = self._state.scene
        start, end = self._page.screen[scene.edges[edge]]
        if not np.isfinite(start + end).all():
            return False
        text = one_line(scene.edge_type_names[scene.edge_types[edge]], _LONGEST)
        metrics = QFontMetricsF(self._small)
        width, height = metrics.horizontalAdvance(text), metrics.height()
        middle = (start + end) / 2
        place = QRectF(middle[0] - width / 2, middle[1] - height / 2, width, height)
        room = float(np.hypot(*(end - start))) > width + 30
        if not text or not room or not self._table.is_free(place):
            return False
        self._write(place, text, self._small, theme.current().color("muted"))
        return True


def paint_labels(painter: QPainter, page: Page) -> set[int]:
    """Writes the names worth reading: focus and selection always, others where there is room.

    Answers the nodes whose names are there now.
    """
    state, writer = page.state, _Writer(painter, page)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    always = {node for node in (state.focus, state.current) if node != NOBODY}
    named = {node for node in always if writer.name(node, must=True)}
    if state.focus != NOBODY and not page.moving:
        for edge in state.scene.edges_of(state.focus)[:ON_EDGES].tolist():
            writer.edge(edge)
    most = len(named) + (MOVING if page.moving else AT_REST)
    for node in _in_order(page):
        if len(named) >= most:
            break
        if node not in named and writer.name(node):
            named.add(node)
    return named


def paint_name(painter: QPainter, page: Page, node: int) -> None:
    """Writes one node's name, whatever is there already."""
    _Writer(painter, page).name(node, must=True)


def _in_order(page: Page) -> list[int]:
    """The nodes in sight, the focused neighbourhood first, then by importance."""
    state = page.state
    rank = state.scene.rank[_inside(page.camera, page.screen[state.scene.rank])]
    if state.reach is None:
        return rank[:_CANDIDATES].tolist()
    near = rank[state.reach[rank] >= 0]
    near = near[np.argsort(state.reach[near], kind="stable")]
    far = rank[state.reach[rank] < 0][:BESIDE_FOCUS]
    return [*near[:_CANDIDATES].tolist(), *far.tolist()]


def _inside(camera: Camera, screen: Floats) -> NDArray[np.bool_]:
    x, y = screen.T
    return (x >= 0) & (x < camera.width) & (y >= 0) & (y < camera.height)
