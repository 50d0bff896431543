"""Paints a scene: edges, nodes, rings; how much of it depends on whether it moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPaintEngine, QPainter, QPen

from remembrancer.desktop.graph import colours
from remembrancer.desktop.graph.buffers import Buffer
from remembrancer.desktop.graph.camera import Camera
from remembrancer.desktop.graph.labels import Page, paint_labels, paint_name
from remembrancer.desktop.graph.sprites import Look, Sprites, draw_disc, draw_ghost
from remembrancer.desktop.graph.state import NOBODY, GraphState

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

EDGES_MOVING, EDGES_AT_REST = 15_000, 80_000
SMOOTH_EDGES = 40_000  # up to so many lines are drawn with soft edges
DOTS_FROM = 20_000  # from so many visible nodes on, tiny ones become plain dots
RINGS = 400
_MARGIN = 24  # pixels around the window in which a node still counts as visible
_VECTORS = (QPaintEngine.Type.SVG, QPaintEngine.Type.Pdf, QPaintEngine.Type.Picture)


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture to be painted; `screen` is (n, 2) pixels, `radii` (n,), `seen` node indices."""

    state: GraphState
    camera: Camera
    moving: bool
    screen: Floats
    radii: Floats
    seen: Ints
    named: set[int]  # the nodes whose names are written in this picture


class GraphPainter:
    """Paints frames; keeps its buffers and sprites from one to the next."""

    def __init__(self) -> None:
        self._lines = Buffer(QLineF, 4)
        self._fragments = Buffer(QPainter.PixmapFragment, 10)
        self._sprites: Sprites | None = None

    def paint(
        self,
        painter: QPainter,
        state: GraphState,
        camera: Camera,
        moving: bool,
        covered: Sequence[QRectF] = (),
    ) -> Frame:
        """Paints everything but what floats above the picture; answers what was painted.

        Names keep clear of the `covered` places.
        """
        frame = make_frame(state, camera, moving)
        whole = QRectF(0, 0, camera.width, camera.height)
        painter.fillRect(whole, QColor(colours.current().ground))
        # Without an explicit clip Qt takes a path several times slower for translucent lines.
        painter.setClipRect(whole)
        self._paint_edges(painter, frame)
        if state.reach is not None:
            self._paint_near_edges(painter, frame)
        self._paint_nodes(painter, frame)
        _paint_pins(painter, frame)
        _paint_selection(painter, frame)
        if not (moving and len(frame.seen) > 3000):
            page = Page(state, camera, frame.screen, frame.radii, moving, covered)
            frame.named.update(paint_labels(painter, page))
        painter.setClipping(False)
        return frame

    # --- edges

    def _paint_edges(self, painter: QPainter, frame: Frame) -> None:
        edges = _edges_in_sight(frame)
        count = self._take_lines(frame, edges)
        if not count:
            return
        soft = not frame.moving and count < SMOOTH_EDGES
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, soft)
        colour = QColor(colours.current().edge)
        if frame.state.reach is None:
            colour.setAlpha(int(np.clip(540_000 / count, 22, 90)))
        else:
            colour.setAlpha(18)
        painter.setPen(QPen(colour, 1))
        painter.drawLines(self._lines.pointer(), count)

    def _paint_near_edges(self, painter: QPainter, frame: Frame) -> None:
        """The edges within the focused neighbourhood, the nearest the strongest."""
        state = frame.state
        assert state.reach is not None
        ends = state.reach[state.scene.edges]
        inside = (ends >= 0).all(axis=1)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for step in range(state.depth - 1, -1, -1):
            chosen = np.flatnonzero(inside & (ends.min(axis=1, initial=1 << 30) == step))
            colour = QColor(colours.current().accent)
            colour.setAlpha((235, 120, 70)[step])
            painter.setPen(QPen(colour, (1.6, 1.2, 1.0)[step]))
            count = self._take_lines(frame, state.scene.edges[chosen])
            if count:
                painter.drawLines(self._lines.pointer(), count)
            if step == 0:
                self._paint_arrows(painter, frame, state.scene.edges[chosen])

    def _paint_arrows(self, painter: QPainter, frame: Frame, edges: Ints) -> None:
        """Two short strokes at the target of each edge."""
        tip, back = _arrow_tips(frame, edges)
        lines = self._lines.take(2 * len(tip))
        if not len(tip):
            return
        for side, angle in enumerate((0.45, -0.45)):
            cos, sin = np.cos(angle) * 7, np.sin(angle) * 7
            half = lines[side * len(tip) : (side + 1) * len(tip)]
            half[:, :2] = tip
            half[:, 2] = tip[:, 0] + back[:, 0] * cos - back[:, 1] * sin
            half[:, 3] = tip[:, 1] + back[:, 0] * sin + back[:, 1] * cos
        painter.drawLines(self._lines.pointer(), len(lines))

    def _take_lines(self, frame: Frame, edges: Ints) -> int:
        """Puts those edges into the buffer that are long enough to be seen."""
        start, end = frame.screen[edges[:, 0]], frame.screen[edges[:, 1]]
        long = np.abs(start - end).sum(axis=1) > 1.5
        count = int(np.count_nonzero(long))
        lines = self._lines.take(count)
        lines[:, :2], lines[:, 2:] = start[long], end[long]
        return count

    # --- nodes

    def _paint_nodes(self, painter: QPainter, frame: Frame) -> None:
        nodes = frame.seen
        if painter.paintEngine().type() in _VECTORS:
            _paint_as_vectors(painter, frame)
            return
        if len(nodes) > DOTS_FROM:
            nodes = self._paint_dots(painter, frame)
        if not len(nodes):
            return
        state, dimmed = frame.state, frame.state.dimmed()
        if state.reach is not None:
            nodes = nodes[np.argsort(~dimmed[nodes], kind="stable")]  # what is near comes on top
        sprites = self._sprites_for(painter, state)
        rows = self._fragments.take(len(nodes))
        rows[:, :2] = frame.screen[nodes]
        sprites.fill(rows, frame.radii[nodes], state.groups[nodes], dimmed[nodes])
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, not frame.moving)
        painter.drawPixmapFragments(self._fragments.pointer(), len(nodes), sprites.pixmap)

    def _sprites_for(self, painter: QPainter, state: GraphState) -> Sprites:
        ratio = painter.device().devicePixelRatioF() * painter.worldTransform().m11()
        look = Look(state.palette(), colours.current().ground, ratio)
        if self._sprites is None or self._sprites.look != look:
            self._sprites = Sprites(look)
        return self._sprites

    @staticmethod
    def _paint_dots(painter: QPainter, frame: Frame) -> Ints:
        """Writes tiny nodes straight into an image; answers the nodes that are larger."""
        tiny = frame.radii[frame.seen] < 2
        size = (int(frame.camera.width), int(frame.camera.height))
        image = QImage(*size, QImage.Format.Format_ARGB32_Premultiplied)
        pixels = np.frombuffer(image.bits(), np.uint32).reshape(size[1], size[0])
        pixels[:] = 0
        nodes = frame.seen[tiny]
        x, y = frame.screen[nodes].astype(np.int64).T
        inside = (x >= 0) & (y >= 0) & (x < size[0] - 1) & (y < size[1] - 1)
        x, y, nodes = x[inside], y[inside], nodes[inside]
        values = _pixel_values(frame.state)[frame.state.groups[nodes]]
        values = np.where(frame.state.dimmed()[nodes], _faded(values), values)
        for dx, dy in ((0, 0), (1, 0), (0, 1), (1, 1)):
            pixels[y + dy, x + dx] = values
        painter.drawImage(QPointF(0, 0), image)
        return frame.seen[~tiny]


def make_frame(state: GraphState, camera: Camera, moving: bool) -> Frame:
    """Works out where everything is on the screen."""
    screen = camera.to_screen(state.scene.positions)
    x, y = screen.T
    seen = np.flatnonzero(
        (x > -_MARGIN)
        & (x < camera.width + _MARGIN)
        & (y > -_MARGIN)
        & (y < camera.height + _MARGIN)
    )
    return Frame(state, camera, moving, screen, node_radii(state, camera), seen, set())


def node_radii(state: GraphState, camera: Camera) -> Floats:
    """The (n,) radii in pixels: smaller where the nodes have little room on the screen."""
    room = state.room * camera.zoom
    return np.clip(state.scene.sizes * np.clip((room / 45) ** 0.6, 0.25, 1.4), 0.9, 18)


def _edges_in_sight(frame: Frame) -> Ints:
    """The most telling edges with an end in sight, within the budget; the focus costs most."""
    edges = frame.state.scene.edges
    if len(frame.seen) < len(frame.screen):
        visible = np.zeros(len(frame.screen), dtype=np.bool_)
        visible[frame.seen] = True
        edges = edges[visible[edges].any(axis=1)]
    return edges[: EDGES_MOVING if frame.moving else EDGES_AT_REST]


def _arrow_tips(frame: Frame, edges: Ints) -> tuple[Floats, Floats]:
    """Where arrows touch their target's rim, and the unit vectors back along the edge."""
    start, end = frame.screen[edges[:, 0]], frame.screen[edges[:, 1]]
    span = start - end
    length = np.sqrt((span**2).sum(axis=1))
    rim = frame.radii[edges[:, 1]] + 1
    room = length > rim + frame.radii[edges[:, 0]] + 10
    back = span[room] / length[room][:, None]
    return end[room] + back * rim[room][:, None], back


def _paint_as_vectors(painter: QPainter, frame: Frame) -> None:
    """Draws every node by itself: vector files would hold a picture for each sprite."""
    state, palette = frame.state, state_colours(frame.state)
    ground, dimmed = QColor(colours.current().ground), frame.state.dimmed()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for node in frame.seen.tolist():
        painter.setOpacity(0.26 if dimmed[node] else 1.0)
        radius = float(frame.radii[node])
        place = QRectF(-radius, -radius, 2 * radius, 2 * radius)
        place.translate(*frame.screen[node].tolist())
        draw = draw_ghost if state.scene.ghosts[node] else draw_disc
        draw(painter, place, palette[int(state.groups[node])], ground)
    painter.setOpacity(1.0)


def state_colours(state: GraphState) -> list[QColor]:
    """The colours that groups point into."""
    return [QColor(colour) for colour in state.palette()]


def _pixel_values(state: GraphState) -> NDArray[np.uint32]:
    return np.array([colour.rgba() for colour in state_colours(state)], dtype=np.uint32)


def _faded(values: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Premultiplied colours at a quarter of their strength."""
    return (values >> np.uint32(2)) & np.uint32(0x3F3F3F3F)


def _paint_pins(painter: QPainter, frame: Frame) -> None:
    """A small light dot on nodes that somebody put in their place."""
    pinned = frame.seen[frame.state.scene.pinned[frame.seen]]
    large = pinned[frame.radii[pinned] > 3.5][:RINGS]
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colours.current().ground))
    for node in large.tolist():
        radius = float(frame.radii[node]) * 0.3
        painter.drawEllipse(QPointF(*frame.screen[node].tolist()), radius, radius)


def _paint_selection(painter: QPainter, frame: Frame) -> None:
    """A ring around each selected node, a second one around the current one."""
    state = frame.state
    chosen = frame.seen[state.selected[frame.seen]][:RINGS].tolist()
    for node in chosen:
        paint_ring(painter, frame, node, 2.5, 2.0)
    if state.focus != NOBODY and state.focus not in chosen:
        paint_ring(painter, frame, state.focus, 2.5, 2.0)


def paint_ring(
    painter: QPainter, frame: Frame, node: int, gap: float, width: float, alpha: int = 255
) -> None:
    """A ring around a node, `gap` pixels off its rim."""
    if not np.isfinite(frame.screen[node]).all():
        return
    colour = QColor(colours.current().accent)
    colour.setAlpha(alpha)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colour, width))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    radius = float(frame.radii[node]) + gap
    painter.drawEllipse(QPointF(*frame.screen[node].tolist()), radius, radius)


def paint_hovered(painter: QPainter, frame: Frame) -> None:
    """A ring around the node under the pointer, and its name if it is not there already."""
    state = frame.state
    if state.hovered == NOBODY or state.hovered >= len(frame.screen):
        return
    paint_ring(painter, frame, state.hovered, 1.5, 1.5, 170)
    if state.hovered not in frame.named:
        page = Page(state, frame.camera, frame.screen, frame.radii, moving=True)
        paint_name(painter, page, state.hovered)


def paint_band(painter: QPainter, band: QRectF) -> None:
    """The rectangle that selects what is inside."""
    colour = QColor(colours.current().accent)
    painter.setPen(QPen(colour, 1))
    colour.setAlpha(36)
    painter.setBrush(colour)
    painter.drawRect(band)
