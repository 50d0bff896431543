"""Graphs in a line of text, and a mouse for a canvas."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QMouseEvent, QPainter, QWheelEvent
from PySide6.QtWidgets import QApplication

from remembrancer.core.graph import GraphEdge, GraphNode
from remembrancer.desktop.graph.canvas import GraphCanvas
from remembrancer.desktop.graph.scene import GraphScene

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier

# A row with a branch; `?` marks a ghost, `!` a pinned node.
SMALL = "hub@0,0 west@-200,0 east@200,0 far@400,0 north@0,-150 ?lost@0,150 lone@-300,200"
LINKS = "hub>west hub>east east>far north>hub hub>lost"


def make_nodes(text: str) -> list[GraphNode]:
    """`"nas@10,20 ?ghost@0,5 free"` as nodes with the ids 1, 2, 3."""
    return [_node(number, word) for number, word in enumerate(text.split(), start=1)]


def _node(number: int, word: str) -> GraphNode:
    marks, rest = word[: len(word) - len(word.lstrip("?!"))], word.lstrip("?!")
    name, _, place = rest.partition("@")
    x, y = (float(part) for part in place.split(",")) if place else (None, None)
    ghost = "?" in marks
    kind = "" if ghost else "device"
    return GraphNode(number, name, kind, "shared", ghost, 1, 0.0, x, y, "!" in marks)


def make_scene(nodes: str = SMALL, links: str = LINKS) -> GraphScene:
    """A scene of nodes and of links such as `"a>b b>c"`, which are of the type `knows`."""
    made = make_nodes(nodes)
    id_of = {node.name: node.id for node in made}
    pairs = [pair.split(">") for pair in links.split()]
    edges = [GraphEdge(id_of[source], id_of[target], "knows") for source, target in pairs]
    return GraphScene.build(made, edges)


class Mouse:
    """Works the mouse on a canvas; places are pixels or names of nodes."""

    def __init__(self, canvas: GraphCanvas) -> None:
        self.canvas = canvas

    def at(self, where: str | tuple[float, float]) -> QPointF:
        """The pixel of a node or of a place."""
        if isinstance(where, tuple):
            return QPointF(*where)
        state = self.canvas.state
        node = state.scene.names.index(where)
        return QPointF(*self.canvas.camera.to_screen(state.scene.positions[node]).tolist())

    def press(self, where: str | tuple[float, float], keys: Qt.KeyboardModifier = NONE) -> None:
        self._send(QEvent.Type.MouseButtonPress, self.at(where), LEFT, keys)

    def move(self, where: str | tuple[float, float]) -> None:
        self._send(QEvent.Type.MouseMove, self.at(where), Qt.MouseButton.NoButton, NONE)

    def release(self, where: str | tuple[float, float]) -> None:
        self._send(QEvent.Type.MouseButtonRelease, self.at(where), LEFT, NONE)

    def click(self, where: str | tuple[float, float], keys: Qt.KeyboardModifier = NONE) -> None:
        at = self.at(where)
        self.press(_pair(at), keys)
        self.release(_pair(at))

    def drag(
        self,
        start: str | tuple[float, float],
        by: tuple[float, float],
        keys: Qt.KeyboardModifier = NONE,
    ) -> None:
        """From a place so many pixels to the right and down."""
        first = self.at(start)
        goal = first + QPointF(*by)
        self.press(_pair(first), keys)
        self.move(_pair((first + goal) / 2))
        self.move(_pair(goal))
        self.release(_pair(goal))

    def double_click(self, where: str | tuple[float, float]) -> None:
        self._send(QEvent.Type.MouseButtonDblClick, self.at(where), LEFT, NONE)

    def wheel(self, where: str | tuple[float, float], turns: int) -> None:
        at = self.at(where)
        event = QWheelEvent(
            at,
            self.canvas.mapToGlobal(at),
            QPoint(0, 0),
            QPoint(0, 120 * turns),
            Qt.MouseButton.NoButton,
            NONE,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(self.canvas, event)

    def _send(
        self,
        kind: QEvent.Type,
        at: QPointF,
        button: Qt.MouseButton,
        keys: Qt.KeyboardModifier,
    ) -> None:
        event = QMouseEvent(kind, at, self.canvas.mapToGlobal(at), button, button, keys)
        QApplication.sendEvent(self.canvas, event)


def picture(canvas: GraphCanvas, width: int = 800, height: int = 600) -> QImage:
    """The canvas as an exported picture."""
    image = QImage(width, height, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    canvas.render_to(painter, width, height)
    painter.end()
    return image


def _pair(at: QPointF) -> tuple[float, float]:
    return at.x(), at.y()
