"""The graph on one widget: what the person and the rest of the window do with it."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QToolTip, QWidget

from remembrancer.desktop.graph import keys, seek, words
from remembrancer.desktop.graph.pointer import Pointer
from remembrancer.desktop.graph.scene import GraphScene
from remembrancer.desktop.graph.state import NOBODY, ColourBy, GraphState, LegendEntry
from remembrancer.desktop.graph.view import REST_MILLISECONDS, GraphView
from remembrancer.desktop.look.plain import translate

_MORE_TO_COME = 1500  # milliseconds for which one waits for the next positions
_COMFORTABLE = 55.0  # pixels a node has for itself where one flies to


class GraphCanvas(GraphView):
    """Shows a scene and lets it be explored. Nodes have ids to the outside, indices within.

    `moved([(id, x, y), ...])` after nodes were dragged and pinned, `opened(id)` on Enter and double
    click, `selected([id, ...])`, `hovered(id or None)`, `focused(id or None)`,
    `menu_asked(id or None, global point)` for the context menu.
    """

    moved = Signal(list)
    opened = Signal(int)
    selected = Signal(list)
    hovered = Signal(object)
    focused = Signal(object)
    menu_asked = Signal(object, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pointer = Pointer(self)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.grabGesture(Qt.GestureType.PinchGesture)
        self.setAccessibleName(translate("Graph", "Graph of entities and relations"))

    # --- for the window

    def set_scene(self, scene: GraphScene, keep_view: bool = False) -> None:
        """Shows another scene; `keep_view` keeps place, selection and focus, as far as they go."""
        self._pointer.forget()
        before, self.state, self._frame = self.state, GraphState(scene), None
        self.state.take_over(before, attention=keep_view)
        self._fits = self._fits or not keep_view
        self.map.forget()
        self.fit_if_wanted()
        self.changed()

    def show_positions(self, positions: NDArray[np.float64], more: bool = False) -> None:
        """Moves all nodes to (count, 2) positions; pinned ones that have a place stay there.

        `more` says that others follow soon, so that a quick picture is enough for now. Positions
        of another scene, which have another shape, are ignored.
        """
        scene = self.state.scene
        if positions.shape != scene.positions.shape:
            return
        free = ~(scene.pinned & scene.placed())
        scene.positions[free] = positions[free]
        self.state.room = scene.room()
        self.map.forget()
        self.fit_if_wanted()
        self.touched(by_person=False, rest=_MORE_TO_COME if more else REST_MILLISECONDS)

    def set_colour_by(self, meaning: ColourBy) -> None:
        """Lets the colours tell something else."""
        self.state.colour_by = meaning
        self.state.regroup()
        self.map.forget()
        self.changed()

    def legend(self) -> list[LegendEntry]:
        """What the colours mean: label, colour, count."""
        return self.state.legend()

    def select(self, ids: Iterable[int]) -> None:
        """Selects the nodes with these ids; unknown ones are ignored."""
        index_of = self.state.scene.index_of
        self.choose([index_of[id_] for id_ in ids if id_ in index_of])

    def selected_ids(self) -> list[int]:
        """The ids of the selected nodes."""
        return self.state.scene.ids[self.state.selected].tolist()

    def focus_on(self, id_: int | None, depth: int | None = None) -> None:
        """Brings the neighbourhood of a node forward, 1 to 3 deep; None ends that."""
        node = NOBODY if id_ is None else self.state.scene.index_of.get(id_, NOBODY)
        self.focus_node(node, depth)

    def fly_to(self, id_: int) -> None:
        """Selects and focuses a node and brings it to the middle; an unknown id does nothing."""
        node = self.state.scene.index_of.get(id_, NOBODY)
        if node == NOBODY:
            return
        self.choose([node])
        self.focus_node(node)
        self.centre(node, max(self.camera.zoom, _COMFORTABLE / max(self.state.room, 1e-9)))

    def id_at(self, at: QPointF) -> int | None:
        """The id of the node under a pixel."""
        return self._id(seek.node_at(self.state, self.camera, at))

    # --- for the pointer and the keys

    def choose(self, nodes: list[int]) -> None:
        """Selects nodes by index."""
        self.state.select(nodes)
        self.announce_selection()

    def toggle(self, node: int) -> None:
        """Takes a node into the selection or out of it."""
        self.state.toggle(node)
        self.announce_selection()

    def focus_node(self, node: int, depth: int | None = None) -> None:
        """Focuses a node by index."""
        self.state.focus_on(node, depth)
        self.focused.emit(self._id(node))
        self.changed()

    def hover(self, node: int) -> None:
        """The pointer is over a node now, or over NOBODY."""
        if node != self.state.hovered:
            self.state.hovered = node
            self.setCursor(
                Qt.CursorShape.ArrowCursor if node == NOBODY else Qt.CursorShape.PointingHandCursor
            )
            self.hovered.emit(self._id(node))
            self.update()

    def announce_selection(self) -> None:
        """Tells everybody, screen readers too, what is selected."""
        current = self.state.current
        self.setAccessibleDescription(
            "" if current == NOBODY else words.spoken(self.state, current)
        )
        self.selected.emit(self.selected_ids())
        self.changed()

    def announce_moved(self, nodes: list[int]) -> None:
        """Tells where dragged nodes are now."""
        scene = self.state.scene
        self.map.forget()
        self.moved.emit([(int(scene.ids[node]), *scene.positions[node].tolist()) for node in nodes])

    def band(self) -> QRectF | None:
        """The rectangle that is being drawn, if there is one."""
        return self._pointer.band()

    def _id(self, node: int) -> int | None:
        return None if node == NOBODY else int(self.state.scene.ids[node])

    # --- from Qt

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pointer.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._pointer.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._pointer.release(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._pointer.double_click(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._pointer.wheel(event)

    def leaveEvent(self, event: QEvent) -> None:
        self.hover(NOBODY)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not keys.press(self, event.key()):
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        node = self.state.current if by_key else self._node_at(QPointF(event.pos()))
        self.menu_asked.emit(self._id(node), event.globalPos())

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            self._show_tooltip(event)
            return True
        if event.type() in (QEvent.Type.NativeGesture, QEvent.Type.Gesture):
            return self._pointer.pinch(event) or super().event(event)
        return super().event(event)

    def _node_at(self, at: QPointF) -> int:
        return seek.node_at(self.state, self.camera, at)

    def _show_tooltip(self, event: QHelpEvent) -> None:
        node = self._node_at(QPointF(event.pos()))
        text = "" if node == NOBODY else words.tooltip_of(self.state, node)
        QToolTip.showText(event.globalPos(), text, self)
