"""The graph as arrays, ready to be laid out, painted and picked from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import compress, repeat

import numpy as np
from numpy.typing import NDArray

from remembrancer.core.graph import GraphEdge, GraphNode

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

_SMALLEST, _LARGEST = 4.0, 15.0  # radius of a node in pixels, before the zoom


@dataclass(frozen=True, eq=False)
class GraphScene:
    """Nodes and edges by index; only `positions` and `pinned` change after the scene is built.

    `ids`, `types`, `scopes`, `stale`, `ghosts`, `pinned`, `memories`, `degrees`, `sizes` are (n,),
    `positions` is (n, 2) with NaN where a node has no place yet. `types` and `scopes` point into
    `type_names` and `scope_names`, the most frequent first. `edges` is (m, 2), the most telling
    first, `edge_types` points into `edge_type_names`. `rank` lists nodes by importance.
    """

    ids: Ints
    names: list[str]
    types: Ints
    type_names: list[str]
    scopes: Ints
    scope_names: list[str]
    stale: Floats
    ghosts: Bools
    pinned: Bools
    memories: Ints
    degrees: Ints
    sizes: Floats
    rank: Ints
    edges: Ints
    edge_types: Ints
    edge_type_names: list[str]
    positions: Floats
    index_of: dict[int, int]

    @classmethod
    def build(cls, nodes: Sequence[GraphNode], edges: Sequence[GraphEdge]) -> GraphScene:
        """A scene of these nodes; edges to others, and from a node to itself, are left out."""
        index_of = {node.id: index for index, node in enumerate(nodes)}
        known = [
            edge
            for edge in edges
            if edge.source_id in index_of
            and edge.target_id in index_of
            and edge.source_id != edge.target_id
        ]
        ends = np.array(
            [(index_of[edge.source_id], index_of[edge.target_id]) for edge in known],
            dtype=np.int64,
        ).reshape(-1, 2)
        degrees = np.bincount(ends.ravel(), minlength=len(nodes))
        memories = np.array([node.memories for node in nodes], dtype=np.int64)
        weight = degrees + np.sqrt(memories)
        telling = np.argsort(-degrees[ends].min(axis=1, initial=1 << 40), kind="stable")
        real = [not node.ghost for node in nodes]
        types, type_names = _numbered([node.type for node in nodes], real)
        scopes, scope_names = _numbered([node.scope for node in nodes], real)
        edge_types, edge_type_names = _numbered([edge.type for edge in known], repeat(True))
        return cls(
            ids=np.array([node.id for node in nodes], dtype=np.int64),
            names=[node.name for node in nodes],
            types=types,
            type_names=type_names,
            scopes=scopes,
            scope_names=scope_names,
            stale=np.array([node.stale for node in nodes], dtype=np.float64),
            ghosts=np.array([node.ghost for node in nodes], dtype=np.bool_),
            pinned=np.array([node.pinned for node in nodes], dtype=np.bool_),
            memories=memories,
            degrees=degrees,
            sizes=np.clip(3.2 + 1.45 * np.sqrt(weight), _SMALLEST, _LARGEST),
            rank=np.argsort(-weight, kind="stable"),
            edges=ends[telling],
            edge_types=edge_types[telling],
            edge_type_names=edge_type_names,
            positions=_places(nodes),
            index_of=index_of,
        )

    @property
    def count(self) -> int:
        """How many nodes there are."""
        return len(self.names)

    def placed(self) -> Bools:
        """Which nodes have a place."""
        return np.isfinite(self.positions[:, 0]) & np.isfinite(self.positions[:, 1])

    def bounds(self) -> tuple[float, float, float, float] | None:
        """Left, top, right and bottom of the placed nodes; None if there are none."""
        x, y = self.positions[self.placed()].T  # column by column: faster than along two
        if not len(x):
            return None
        return float(x.min()), float(y.min()), float(x.max()), float(y.max())

    def room(self) -> float:
        """The side of the square that one node usually has for itself; outliers do not count."""
        there = self.positions[self.placed()]
        if len(there) < 2:
            return 60.0
        low, high = np.percentile(there, (5, 95), axis=0)
        sides = np.maximum(high - low, float((high - low).max()) / 20 + 1e-9)
        return float(np.sqrt(np.prod(sides) / len(there) / 0.81))

    def distances(self, start: int, depth: int) -> Ints:
        """The (n,) number of edges from `start`, at most `depth`; -1 beyond."""
        reach = np.full(self.count, -1)
        reach[start] = 0
        for step in range(1, depth + 1):
            near = reach[self.edges] == step - 1
            touched = np.concatenate([self.edges[near[:, 0], 1], self.edges[near[:, 1], 0]])
            reach[touched[reach[touched] < 0]] = step
        return reach

    def edges_of(self, node: int) -> Ints:
        """The indices of a node's edges, the most telling first."""
        return np.flatnonzero((self.edges == node).any(axis=1))


def _numbered(values: list[str], counts: Iterable[bool]) -> tuple[Ints, list[str]]:
    """Each value's number, and the values by number: the most frequent first, then by name.

    `counts` tells which values count for the frequency.
    """
    frequency = Counter(compress(values, counts))
    names = sorted(set(values), key=lambda name: (-frequency[name], name))
    number = {name: index for index, name in enumerate(names)}
    return np.array([number[value] for value in values], dtype=np.int64), names


def _places(nodes: Sequence[GraphNode]) -> Floats:
    places = [
        (np.nan if node.x is None else node.x, np.nan if node.y is None else node.y)
        for node in nodes
    ]
    return np.array(places, dtype=np.float64).reshape(-1, 2)
