"""What floats above the graph: the legend and the small map of the whole."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPen

from remembrancer.desktop.graph.camera import Camera, Floats, Sides
from remembrancer.desktop.graph.sprites import draw_ghost
from remembrancer.desktop.graph.state import GraphState, LegendEntry
from remembrancer.desktop.look import fonts, paint, theme
from remembrancer.desktop.look.plain import number

_EDGE = 16.0  # between a panel and the window's edge
_ROW, _LABEL_LEFT = 21.0, 34.0
_WIDEST_LABEL = 170.0
_MAP_WIDTH, _MAP_HEIGHT, _MAP_INSET = 200.0, 140.0, 10.0
_HIGHEST_BAR = 100.0
_SMALLEST_FRAME = 10.0
_FEWEST_FOR_MAP = 12  # with fewer nodes the picture is its own map


def paint_panel(painter: QPainter, place: QRectF) -> None:
    """The ground that floating things stand on."""
    ground = theme.current().color("panel")
    ground.setAlpha(242)
    paint.rounded(painter, place, 10, ground, "line")


def paint_legend(painter: QPainter, state: GraphState, camera: Camera) -> None:
    """The meaning of the colours and how many nodes have them, in the lower left corner."""
    entries = state.legend()
    place = legend_place(state, camera)
    if place is None:
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    paint_panel(painter, place)
    left, top = place.left(), place.top()
    title = QRectF(left + 14, top + 10, place.width() - 28, 16)
    paint.words(painter, title, state.legend_title().upper(), _caption(), "faint")
    for row, entry in enumerate(entries):
        line = QRectF(left, top + 30 + row * _ROW, place.width(), _ROW)
        _paint_entry(painter, line, entry)


def legend_place(state: GraphState, camera: Camera) -> QRectF | None:
    """Where the legend is in a window of this size; None if it is empty or has no room."""
    entries = state.legend()
    metrics = QFontMetricsF(fonts.font(12))
    label = max((metrics.horizontalAdvance(entry.label) for entry in entries), default=0.0)
    count = max((metrics.horizontalAdvance(number(entry.count)) for entry in entries), default=0.0)
    width = max(_LABEL_LEFT + min(label, _WIDEST_LABEL) + 24 + count + 14, 150.0)
    height = 38 + _ROW * len(entries)
    if not entries or height > camera.height * 0.6 or width > camera.width / 3:
        return None
    return QRectF(_EDGE + 0.5, round(camera.height - _EDGE - height) - 0.5, round(width), height)


def _paint_entry(painter: QPainter, line: QRectF, entry: LegendEntry) -> None:
    centre = QPointF(line.left() + 19, line.center().y())
    if entry.ghost:
        ground = theme.current().color("panel")
        ring = QRectF(centre.x() - 6, centre.y() - 6, 12, 12)
        draw_ghost(painter, ring, QColor(entry.colour), ground)
    else:
        paint.dot(painter, centre, 5, QColor(entry.colour))
    text = line.adjusted(_LABEL_LEFT, 0, -14, 0)
    count = number(entry.count)
    paint.words(painter, text, count, fonts.font(12), "faint", paint.RIGHT)
    room = text.adjusted(0, 0, -paint.advance(count, fonts.font(12)) - 12, 0)
    paint.words(painter, room, entry.label, fonts.font(12), "text")


def _caption() -> QFont:
    return fonts.font(11, fonts.SEMIBOLD)


def possible_margins(covered: list[QRectF], camera: Camera) -> list[Sides]:
    """Margins under which a picture keeps clear of some of what floats above it, or of all."""
    upper = [place for place in covered if place.center().y() < camera.height / 2]
    lower = [place for place in covered if place.center().y() >= camera.height / 2]
    bars = [place.bottom() for place in upper if place.height() < _HIGHEST_BAR]
    below = camera.height - min((place.top() for place in lower), default=camera.height)
    middle = camera.width / 2
    left = max((place.right() for place in lower if place.center().x() < middle), default=0.0)
    right = max(
        (camera.width - place.left() for place in lower if place.center().x() >= middle),
        default=0.0,
    )
    tops = {0.0, max(bars, default=0.0)}
    return [
        (left * beside, top, right * beside, below * above)
        for top in sorted(tops)
        for beside, above in ((0, 0), (0, 1), (1, 0))
    ]


def hidden(view: Camera, positions: Floats, covered: list[QRectF]) -> float:
    """The share of all nodes that lie under the covered places."""
    x, y = view.to_screen(positions).T
    under = np.zeros(len(positions), dtype=np.bool_)
    for place in covered:
        across = (x >= place.left()) & (x <= place.right())
        under |= across & (y >= place.top()) & (y <= place.bottom())
    return float(under.mean()) if len(under) else 0.0


class Minimap:
    """All nodes as dots in the lower right corner, with a frame around what the window shows."""

    def __init__(self) -> None:
        self._image: QImage | None = None
        self._made_for: tuple[object, ...] = ()

    def forget(self) -> None:
        """The nodes have moved or changed colour: draw the map anew the next time."""
        self._image = None

    def place(self, state: GraphState, camera: Camera) -> QRectF | None:
        """Where the map is in a window of this size; None if it is not shown."""
        roomy = camera.width > 3 * _MAP_WIDTH and camera.height > 2.5 * _MAP_HEIGHT
        if not roomy or state.scene.count < _FEWEST_FOR_MAP:
            return None
        left, top = camera.width - _EDGE - _MAP_WIDTH, camera.height - _EDGE - _MAP_HEIGHT
        return QRectF(left - 0.5, top - 0.5, _MAP_WIDTH, _MAP_HEIGHT)

    def to_world(self, state: GraphState, camera: Camera, at: QPointF) -> tuple[float, float]:
        """The place in the world under a point of the map."""
        return self._camera(state, camera).to_world(at.x(), at.y())

    def paint(self, painter: QPainter, state: GraphState, camera: Camera) -> None:
        """Paints the map, if the window has room for it."""
        place = self.place(state, camera)
        if place is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_panel(painter, place)
        ratio = painter.device().devicePixelRatioF()
        wanted = (ratio, place.width(), state.palette())
        if self._image is None or self._made_for != wanted:
            self._image, self._made_for = _dots(state, ratio), wanted
        painter.drawImage(place.topLeft() + QPointF(0.5, 0.5), self._image)
        self._paint_frame(painter, state, camera, place)

    def _paint_frame(
        self, painter: QPainter, state: GraphState, camera: Camera, place: QRectF
    ) -> None:
        map_camera = self._camera(state, camera)
        corners = np.array([camera.to_world(0, 0), camera.to_world(camera.width, camera.height)])
        (left, top), (right, bottom) = map_camera.to_screen(corners).tolist()
        inner = place.adjusted(5, 5, -5, -5)
        grow = max(_SMALLEST_FRAME - (right - left), 0) / 2
        shown = QRectF(QPointF(left - grow, top - grow), QPointF(right + grow, bottom + grow))
        painter.setPen(QPen(theme.current().color("accent"), 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if shown.intersects(inner):
            painter.drawRoundedRect(shown.intersected(inner), 4, 4)

    def _camera(self, state: GraphState, camera: Camera) -> Camera:
        """The camera of the map, in the pixels of the window."""
        fitted = _map_camera(state)
        place = self.place(state, camera) or QRectF()
        fitted.width += 2 * place.left()
        fitted.height += 2 * place.top()
        return fitted


def _map_camera(state: GraphState) -> Camera:
    width, height = _MAP_WIDTH - 2 * _MAP_INSET, _MAP_HEIGHT - 2 * _MAP_INSET
    fitted = Camera(width=width / 0.9, height=height / 0.9).fitted(state.scene.bounds())
    fitted.width, fitted.height = _MAP_WIDTH, _MAP_HEIGHT
    return fitted


def _dots(state: GraphState, ratio: float) -> QImage:
    """The map's dots on a transparent ground."""
    size = (round(_MAP_WIDTH * ratio), round(_MAP_HEIGHT * ratio))
    image = QImage(*size, QImage.Format.Format_ARGB32_Premultiplied)
    pixels = np.frombuffer(image.bits(), np.uint32).reshape(size[1], size[0])
    pixels[:] = 0
    nodes = np.flatnonzero(state.scene.placed())
    screen = _map_camera(state).to_screen(state.scene.positions[nodes]) * ratio
    side = max(round((2 if len(nodes) < 3000 else 1) * ratio), 1)
    x = np.clip(screen[:, 0].astype(np.int64), 0, size[0] - side)
    y = np.clip(screen[:, 1].astype(np.int64), 0, size[1] - side)
    palette = [QColor(colour).rgba() for colour in state.palette()]
    values = np.array(palette, dtype=np.uint32)[state.groups[nodes]]
    for dx in range(side):
        for dy in range(side):
            pixels[y + dy, x + dx] = values
    image.setDevicePixelRatio(ratio)
    return image
