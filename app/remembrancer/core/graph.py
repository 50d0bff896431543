"""The graph as values: entities and ghosts as nodes, relations as edges, and who is near whom."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GraphNode:
    """An entity, or a ghost, as the graph shows it.

    `stale` runs from 0 (fresh) to 1 (long unconfirmed); `memories` is how many there are.
    `x` and `y` are where it was last put, None where nobody put it; `pinned` keeps it there.
    """

    id: int
    name: str
    type: str = ""
    scope: str = "shared"
    ghost: bool = False
    memories: int = 0
    stale: float = 0.0
    x: float | None = None
    y: float | None = None
    pinned: bool = False


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """A relation between two nodes, by their ids."""

    source_id: int
    target_id: int
    type: str


def neighbourhood(edges: Iterable[GraphEdge], start: int, depth: int) -> set[int]:
    """The ids that lie at most `depth` relations from `start`, in either direction, with itself."""
    beside: dict[int, set[int]] = defaultdict(set)
    for edge in edges:
        beside[edge.source_id].add(edge.target_id)
        beside[edge.target_id].add(edge.source_id)
    found, rim = {start}, {start}
    for _ in range(depth):
        rim = {other for node in rim for other in beside[node]} - found
        found |= rim
    return found
