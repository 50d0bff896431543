"""The graph place: the canvas, a search that flies to an entity, and a card for what is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from remembrancer.core.author import PERSON
from remembrancer.core.graph import GraphEdge, GraphNode
from remembrancer.core.journal import Subject
from remembrancer.desktop.feed import Changes
from remembrancer.desktop.graph.bar import GraphBar
from remembrancer.desktop.graph.canvas import GraphCanvas
from remembrancer.desktop.graph.layout_thread import Layouter, LayoutThread
from remembrancer.desktop.graph.node_card import NodeCard
from remembrancer.desktop.graph.scene import GraphScene
from remembrancer.desktop.graph.state import ColourBy
from remembrancer.desktop.look.labels import EmptyState
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.pane import Pane
from remembrancer.desktop.workbench import Workbench

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MARGIN = 16
_Drawing = tuple[list[GraphNode], list[GraphEdge]]


class GraphPane(Pane):
    """Draws the whole graph, and lets it be explored from any entity."""

    def __init__(self, bench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(bench, parent)
        self._ids: dict[str, int] = {}
        self._wanted: int | None = None
        self._build()
        self._connect()
        self.load()

    # --- what is shown

    def load(self, *, afresh: bool = False) -> None:
        """Read the graph and draw it; `afresh` lays out anew what the person did not pin."""

        def work() -> tuple[_Drawing, GraphScene]:
            drawing = self.bench.library.map.drawing()
            return drawing, GraphScene.build(*drawing)

        self.bench.background.run(work, lambda found: self._show(*found, afresh), owner=self)

    def open(self, **what: object) -> None:
        """`entity_id` flies to that entity."""
        if isinstance(entity_id := what.get("entity_id"), int):
            self._go_to(entity_id)
        self.canvas.setFocus()

    def focus_search(self) -> None:
        self.search.setFocus()
        self.search.selectAll()

    def pose(self) -> None:
        """Focus the best connected entity, for a picture."""
        scene = self.canvas.state.scene
        if scene.count:
            best = int(scene.ids[int(scene.degrees.argmax())])
            self.canvas.focus_on(best, 1)
            self._choose(best)

    def changed(self, changes: Changes) -> None:
        if changes.of(Subject.ENTITY, Subject.RELATION):
            self.load()

    def still(self) -> bool:
        """Whether the layout has come to rest."""
        return not self._layouter.busy

    def closeEvent(self, event: object) -> None:
        self._layouter.stop()

    # --- inside

    def _show(self, drawing: _Drawing, scene: GraphScene, afresh: bool) -> None:
        nodes, _ = drawing
        known = self.canvas.state.scene.count > 0
        self._ids = {n.name: n.id for n in nodes}
        self.bar.names.setStringList(sorted(self._ids))
        self.empty.setVisible(not nodes)
        self.bar.setVisible(bool(nodes))
        self.canvas.set_scene(scene, keep_view=known and not afresh)
        if nodes and (afresh or not scene.placed().all()):
            self._layouter.begin(LayoutThread.of(scene, afresh=afresh))
        elif self._wanted is not None:
            self._go_to(self._wanted)

    def _settled(self, positions: NDArray[np.float64]) -> None:
        scene = self.canvas.state.scene
        if len(positions) != scene.count:
            return
        self.canvas.show_positions(positions)
        places = [
            (int(i), float(x), float(y), bool(p))
            for i, (x, y), p in zip(scene.ids, positions, scene.pinned, strict=True)
        ]
        self._keep(places)
        if self._wanted is not None:
            self._go_to(self._wanted)

    def _keep(self, places: Sequence[tuple[int, float, float, bool]]) -> None:
        desk = self.bench.library.map
        self.bench.background.run(
            lambda: desk.keep(places, PERSON), lambda _none: None, lambda _error: None, owner=self
        )

    def _moved(self, places: list[tuple[int, float, float]]) -> None:
        self._keep([(i, x, y, True) for i, x, y in places])

    def _go_to(self, entity_id: int) -> None:
        if entity_id not in set(self._ids.values()):
            self._wanted = entity_id  # still being read; the drawing brings us there
            return
        self._wanted = None
        self.canvas.focus_on(entity_id, 1)
        self.canvas.fly_to(entity_id)
        self._choose(entity_id)

    def _searched(self) -> None:
        text = self.search.text().strip()
        exact = self._ids.get(text)
        folded = text.casefold()
        found = exact or next((i for n, i in self._ids.items() if folded in n.casefold()), None)
        if text and found is None:
            said = translate("Graph", "No entity is called “{0}”.").format(text)
            self.bench.tell(said, "warning")
        elif found is not None:
            self._go_to(found)

    def _choose(self, entity_id: int | None) -> None:
        self.card.setVisible(entity_id is not None)
        if entity_id is not None:
            self.card.show_entity(entity_id)
            self._place_overlays()

    def _depth(self, key: str) -> None:
        chosen = self.canvas.selected_ids()
        if chosen:
            self.canvas.focus_on(chosen[0], int(key))

    def _build(self) -> None:
        self.canvas = GraphCanvas(self)
        self._layouter = Layouter(self)
        self.bar = GraphBar(self)
        self.search = self.bar.search
        self.card = NodeCard(self.bench, self)
        self.card.hide()
        self.empty = EmptyState(
            "waypoints",
            translate("Graph", "Nothing to draw yet"),
            translate("Graph", "Entities and their relations appear here: import a file, or let "
                      "an agent create them."),
            parent=self,
        )  # fmt: skip
        self.empty.hide()
        self.canvas.floating = [self.bar, self.card]

    def _connect(self) -> None:
        self.canvas.moved.connect(self._moved)
        self.canvas.opened.connect(lambda i: self.bench.go("entities", entity_id=i))
        self.canvas.selected.connect(lambda ids: self._choose(ids[0] if len(ids) == 1 else None))
        self._layouter.pictured.connect(self._pictured)
        self._layouter.settled.connect(self._settled)
        self.search.returnPressed.connect(self._searched)
        self.search.completer().activated.connect(lambda _name: self._searched())
        self.bar.colours.chosen.connect(lambda key: self.canvas.set_colour_by(ColourBy(key)))
        self.bar.depths.chosen.connect(self._depth)
        self.bar.fit_button.clicked.connect(self.canvas.fit)
        self.bar.tidy_button.clicked.connect(lambda: self.load(afresh=True))
        self.card.neighbour_chosen.connect(self._go_to)
        self.bench.actions.bind("graph.fit", self.canvas, self.canvas.fit)

    def _pictured(self, positions: NDArray[np.float64]) -> None:
        if len(positions) == self.canvas.state.scene.count:
            self.canvas.show_positions(positions, more=True)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.canvas.setGeometry(self.rect())
        self.empty.setGeometry(self.rect())
        self._place_overlays()

    def _place_overlays(self) -> None:
        self.bar.adjustSize()
        self.bar.move(_MARGIN, _MARGIN)
        height = min(self.card.sizeHint().height(), self.height() - 2 * _MARGIN)
        top = _MARGIN
        if self.bar.width() + self.card.width() + 3 * _MARGIN > self.width():
            top += self.bar.height() + _MARGIN
        self.card.setGeometry(
            self.width() - self.card.width() - _MARGIN, top, self.card.width(), height
        )
