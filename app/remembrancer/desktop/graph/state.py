"""What of a scene is looked at: selection, focus, hover, and the meaning of the colours."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

import numpy as np

from remembrancer.desktop.graph import colours
from remembrancer.desktop.graph.scene import Bools, GraphScene, Ints
from remembrancer.desktop.look.plain import one_line, translate

DEEPEST = 3
GROUPS = 8  # colours for groups; the last one is for all that are left
NOBODY = -1


class ColourBy(Enum):
    """What the colour of a node tells."""

    TYPE = "type"
    SCOPE = "scope"
    STALENESS = "staleness"


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """One line of the legend; a ghost's colour is that of a dashed ring."""

    label: str
    colour: str
    count: int
    ghost: bool = False


class GraphState:
    """A scene and what the person does with it; nodes are indices here, NOBODY is none."""

    def __init__(self, scene: GraphScene) -> None:
        self.scene = scene
        self.colour_by = ColourBy.TYPE
        self.selected: Bools = np.zeros(scene.count, dtype=np.bool_)
        self.current = NOBODY
        self.hovered = NOBODY
        self.focus = NOBODY
        self.depth = 1
        self.reach: Ints | None = None
        self.groups: Ints = np.zeros(scene.count, dtype=np.int64)
        self.room = scene.room()
        self.regroup()

    def take_over(self, before: GraphState, attention: bool) -> None:
        """Goes on as before; with `attention` with the same nodes selected and focused."""
        self.colour_by, self.depth = before.colour_by, before.depth
        self.regroup()
        if not attention:
            return

        def now(node: int) -> int:
            known = node != NOBODY
            return self.scene.index_of.get(int(before.scene.ids[node]), NOBODY) if known else node

        chosen = [now(node) for node in np.flatnonzero(before.selected).tolist()]
        self.select(node for node in chosen if node != NOBODY)
        self.current = now(before.current)
        self.focus_on(now(before.focus))

    # --- selection and focus

    def select(self, nodes: Iterable[int], add: bool = False) -> None:
        """Selects nodes; the last of them becomes the current one."""
        chosen = list(nodes)
        if not add:
            self.selected[:] = False
        self.selected[chosen] = True
        self.current = chosen[-1] if chosen else NOBODY

    def toggle(self, node: int) -> None:
        """Takes one node into the selection or out of it."""
        self.selected[node] = not self.selected[node]
        self.current = node if self.selected[node] else NOBODY

    def focus_on(self, node: int, depth: int | None = None) -> None:
        """Brings a node's neighbourhood forward, or with NOBODY everything again."""
        if depth is not None:
            self.depth = min(max(depth, 1), DEEPEST)
        self.focus = node
        self.reach = None if node == NOBODY else self.scene.distances(node, self.depth)

    def dimmed(self) -> Bools:
        """Which nodes are outside the focused neighbourhood."""
        if self.reach is None:
            return np.zeros(self.scene.count, dtype=np.bool_)
        return self.reach < 0

    # --- colours

    def palette(self) -> tuple[str, ...]:
        """The colours that `groups` points into; the ghosts' one comes after them."""
        chosen = colours.current()
        groups = chosen.staleness if self.colour_by is ColourBy.STALENESS else chosen.palette
        return (*groups[:GROUPS], chosen.ghost)

    def regroup(self) -> None:
        """Gives every node the number of its colour."""
        scene = self.scene
        if self.colour_by is ColourBy.STALENESS:
            steps = len(colours.current().staleness)
            groups = np.clip((scene.stale * steps).astype(np.int64), 0, steps - 1)
        else:
            numbers = scene.types if self.colour_by is ColourBy.TYPE else scene.scopes
            groups = np.minimum(numbers, GROUPS - 1)
        self.groups = np.where(scene.ghosts, len(self.palette()) - 1, groups)

    def legend(self) -> list[LegendEntry]:
        """What the colours mean and how many nodes have them; colours nobody has are left out."""
        palette = self.palette()
        counts = np.bincount(self.groups, minlength=len(palette)).tolist()
        labels = self._labels()
        labels += [""] * (len(palette) - 1 - len(labels))
        labels.append(translate("Graph", "mentioned only"))
        return [
            LegendEntry(label, colour, count, number == len(palette) - 1)
            for number, (label, colour, count) in enumerate(
                zip(labels, palette, counts, strict=True)
            )
            if count
        ]

    def legend_title(self) -> str:
        """What the colours stand for, in one word."""
        return {
            ColourBy.TYPE: translate("Graph", "Type"),
            ColourBy.SCOPE: translate("Graph", "Scope"),
            ColourBy.STALENESS: translate("Graph", "Staleness"),
        }[self.colour_by]

    def _labels(self) -> list[str]:
        if self.colour_by is ColourBy.STALENESS:
            return [
                translate("Graph", "fresh"),
                translate("Graph", "ageing"),
                translate("Graph", "old"),
                translate("Graph", "stale"),
            ]
        scene = self.scene
        names = scene.type_names if self.colour_by is ColourBy.TYPE else scene.scope_names
        shown = [one_line(name, 40) or translate("Graph", "without type") for name in names]
        if len(shown) > GROUPS:
            shown[GROUPS - 1 :] = [translate("Graph", "other")]
        return shown
