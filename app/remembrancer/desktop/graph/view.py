"""The part of the canvas that shows: camera and flights, the rest after a move, the painting."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QPaintDevice, QPainter, QPaintEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QWidget

from remembrancer.desktop.graph.camera import Camera
from remembrancer.desktop.graph.flight import Flight
from remembrancer.desktop.graph.overlay import (
    Minimap,
    hidden,
    legend_place,
    paint_legend,
    possible_margins,
)
from remembrancer.desktop.graph.paint import Frame, GraphPainter, paint_band, paint_hovered
from remembrancer.desktop.graph.scene import GraphScene
from remembrancer.desktop.graph.state import GraphState
from remembrancer.desktop.look import paint, theme

REST_MILLISECONDS = 120  # without input, until everything is painted in full


class GraphView(QWidget):
    """Shows a state through a camera. Nothing runs while nothing moves.

    `animations` False makes every flight instant; `legend_shown` and `map_shown` switch what
    floats above the picture. `floating` are widgets beside this one that lie on it: names and the
    view of everything keep clear of them.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.animations = self.legend_shown = self.map_shown = True
        self.floating: list[QWidget] = []
        self.state = GraphState(GraphScene.build([], []))
        self.camera = Camera()
        self.map = Minimap()
        self._painter = GraphPainter()
        self._still: QPixmap | None = None
        self._frame: Frame | None = None
        self._fits = True  # until the person moves the picture, it always shows everything
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.timeout.connect(self.changed)
        self._flight = Flight(self)
        self._flight.valueChanged.connect(self._fly)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        theme.watch(self._theme_changed)

    # --- when to paint

    def changed(self) -> None:
        """Something looks different now: paint everything anew, in full."""
        self._still = None
        self.update()

    def touched(self, by_person: bool, rest: int = REST_MILLISECONDS) -> None:
        """Something moves: paint quickly now, in full `rest` milliseconds after the last move."""
        self._fits = self._fits and not by_person
        self._rest.start(rest)
        self.changed()

    @property
    def moving(self) -> bool:
        """Whether something moved just now, so that quick pictures are painted."""
        return self._rest.isActive()

    def _theme_changed(self, _: object) -> None:
        self.map.forget()
        self.changed()

    # --- the camera

    def fit(self) -> None:
        """Shows everything."""
        self._fits = True
        self.go_to(self._whole())

    def fit_if_wanted(self) -> None:
        """Shows everything at once, unless the person has moved the picture."""
        if self._fits:
            self.stop_flight()
            self._look_from(self._whole())

    def _whole(self) -> Camera:
        """The view of everything that is largest and hides least under what floats above."""
        covered = self._covered()
        scene = self.state.scene
        views = [
            self.camera.fitted(scene.bounds(), margins)
            for margins in possible_margins(covered, self.camera)
        ]
        return max(
            views, key=lambda view: view.zoom * (1 - 8 * hidden(view, scene.positions, covered))
        )

    def zoom_by(self, factor: float) -> None:
        """Zooms at the middle of the window."""
        self.stop_flight()
        self.camera.zoom_at(self.width() / 2, self.height() / 2, factor)
        self.touched(by_person=True)

    def centre(self, node: int, zoom: float) -> None:
        """Flies to where a node is in the middle."""
        x, y = self.state.scene.positions[node].tolist()
        if x == x and y == y:  # a node without a place has NaN
            self._fits = False
            size = (self.camera.width, self.camera.height)
            self.go_to(Camera(x, y, zoom, *size))

    def bring_into_sight(self, node: int) -> None:
        """Flies to a node that is outside the window or close to its edge."""
        (x, y) = self.camera.to_screen(self.state.scene.positions[node])
        inner = QRectF(self.rect()).adjusted(40, 40, -40, -40)
        if not inner.contains(QPointF(x, y)):
            self.centre(node, self.camera.zoom)

    def go_to(self, goal: Camera) -> None:
        """Flies to another view, or jumps there without animations."""
        self.stop_flight()
        if not self.animations or not self.isVisible():
            self._look_from(goal)
            self.changed()
            return
        self._flight.begin(self.camera, goal)

    @property
    def flying(self) -> bool:
        """Whether a flight is under way."""
        return self._flight.under_way

    def stop_flight(self) -> None:
        """Stays where one is on the way."""
        self._flight.stop()

    def _fly(self) -> None:
        self._look_from(self._flight.view())
        self.touched(by_person=False)

    def _look_from(self, view: Camera) -> None:
        # In place: gestures hold on to the camera.
        self.camera.x, self.camera.y, self.camera.zoom = view.x, view.y, view.zoom

    # --- painting

    def legend_area(self) -> QRectF | None:
        """Where the legend is; None if it is not shown."""
        return legend_place(self.state, self.camera) if self.legend_shown else None

    def named(self) -> set[int]:
        """The ids of the nodes whose names are written in the last picture."""
        nodes = self._frame.named if self._frame is not None else set[int]()
        return {int(self.state.scene.ids[node]) for node in nodes}

    def map_place(self) -> QRectF | None:
        """Where the small map is; None if it is not shown."""
        return self.map.place(self.state, self.camera) if self.map_shown else None

    def place_on_map(self, at: QPointF) -> tuple[float, float]:
        """The place in the world under a point of the small map."""
        return self.map.to_world(self.state, self.camera, at)

    def band(self) -> QRectF | None:
        """The rectangle that is being drawn with the mouse, if there is one."""
        return None

    def paintEvent(self, event: QPaintEvent) -> None:
        with painting_on(self) as painter:
            if self.moving:
                self._frame = self._paint_whole(painter, moving=True)
            else:
                painter.drawPixmap(0, 0, self._still_picture())
            self._paint_above(painter)

    def _paint_above(self, painter: QPainter) -> None:
        if self._frame is not None:
            paint_hovered(painter, self._frame)
        band = self.band()
        if band is not None:
            paint_band(painter, band)
        if _came_by_key(self):
            paint.focus_ring(painter, paint.inner(self, 1), 4)

    def render_to(self, painter: QPainter, width: float, height: float) -> None:
        """Paints this view in full onto another ground, for pictures."""
        camera = self.camera.resized(width, height)
        legend = legend_place(self.state, camera) if self.legend_shown else None
        covered = [] if legend is None else [legend]
        GraphPainter().paint(painter, self.state, camera, moving=False, covered=covered)
        if legend is not None:
            paint_legend(painter, self.state, camera)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.camera.width, self.camera.height = float(self.width()), float(self.height())
        self.fit_if_wanted()
        self.changed()

    def _still_picture(self) -> QPixmap:
        """The picture at rest; it is kept, so that hovering costs next to nothing."""
        ratio = self.devicePixelRatioF()
        if self._still is None or self._still.devicePixelRatioF() != ratio:
            still = QPixmap(self.size() * ratio)
            still.setDevicePixelRatio(ratio)
            with painting_on(still) as painter:
                self._frame = self._paint_whole(painter, moving=False)
            self._still = still
        return self._still

    def _covered(self) -> list[QRectF]:
        """Where something floats above the picture."""
        legend = self.legend_area()
        drawn = [place for place in (legend, self.map_place()) if place is not None]
        shown = [widget for widget in self.floating if widget.isVisible()]
        return drawn + [QRectF(widget.geometry()) for widget in shown]

    def _paint_whole(self, painter: QPainter, moving: bool) -> Frame:
        frame = self._painter.paint(painter, self.state, self.camera, moving, self._covered())
        if self.legend_shown:
            paint_legend(painter, self.state, self.camera)
        if self.map_shown:
            self.map.paint(painter, self.state, self.camera)
        return frame


@contextmanager
def painting_on(device: QPaintDevice) -> Iterator[QPainter]:
    """A painter that ends even where painting fails: a forgotten one takes the process along."""
    painter = QPainter(device)
    try:
        yield painter
    finally:
        painter.end()


def _came_by_key(view: QWidget) -> bool:
    """Whether the keyboard is here and the person moves by it, so that a ring helps."""
    by_key = view.window().testAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange)
    return view.hasFocus() and by_key
