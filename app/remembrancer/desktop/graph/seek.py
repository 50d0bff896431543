"""Which node is meant: the one under the pointer, or the next one in a direction."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF

from remembrancer.desktop.graph.camera import Camera
from remembrancer.desktop.graph.paint import node_radii
from remembrancer.desktop.graph.state import NOBODY, GraphState

_TOLERANCE = 9.0  # pixels around the middle of a small node that still hit it


def node_at(state: GraphState, camera: Camera, at: QPointF) -> int:
    """The node under a pixel, the nearest if there are several; NOBODY if there is none."""
    if not state.scene.count:
        return NOBODY
    x, y = (camera.to_screen(state.scene.positions) - (at.x(), at.y())).T
    distance = np.sqrt(x * x + y * y)
    distance[np.isnan(distance)] = np.inf
    reach = np.maximum(node_radii(state, camera) + 2, _TOLERANCE)
    beyond = distance - reach
    nearest = int(np.argmin(np.where(beyond <= 0, distance, np.inf)))
    return nearest if beyond[nearest] <= 0 else NOBODY


def node_towards(state: GraphState, start: int, dx: int, dy: int) -> int:
    """The nearest node in a direction, a neighbour if there is one; NOBODY if none lies there."""
    away = state.scene.positions - state.scene.positions[start]
    along = away[:, 0] * dx + away[:, 1] * dy
    across = np.abs(away[:, 0] * dy) + np.abs(away[:, 1] * dx)
    ahead = (along > 0) & (across <= along)
    ahead[start] = False
    neighbours = np.zeros(len(ahead), dtype=np.bool_)
    neighbours[state.scene.edges[state.scene.edges_of(start)].ravel()] = True
    for candidates in (ahead & neighbours, ahead):
        nodes = np.flatnonzero(candidates)
        if len(nodes):
            return int(nodes[np.argmin(along[nodes] + 1.5 * across[nodes])])
    return NOBODY


def first_node(state: GraphState, camera: Camera) -> int:
    """The most important node in sight, or of all if none is in sight."""
    rank = state.scene.rank[state.scene.placed()[state.scene.rank]]
    if not len(rank):
        return NOBODY
    x, y = camera.to_screen(state.scene.positions[rank]).T
    seen = rank[(x >= 0) & (x <= camera.width) & (y >= 0) & (y <= camera.height)]
    return int(seen[0] if len(seen) else rank[0])
