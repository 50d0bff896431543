"""Exact forces for small connected parts, many parts at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from remembrancer.core.layout_forces import Floats, Ints, Web

SMALL = 24  # parts of up to so many nodes are drawn by exact forces alone
POLISHED = 256  # parts of up to so many nodes are polished by them
_WIDTHS = (2, 4, 8, 14, SMALL, 48, 96, 160, POLISHED)
_REACH = 8.0  # from here on the push falls off faster, about two edges away
_MOST_PAIRS = 1_000_000  # of nodes held in memory at a time
_PATIENCE = 5e7  # pairs of nodes looked at for one polish, in all rounds together


@dataclass(frozen=True, slots=True)
class _Batch:
    """Parts of similar size in rows: node `nodes[i]` sits at (`rows[i]`, `columns[i]`).

    `linked` (k, width, width) is 1 where two nodes share an edge, `masses` (k, width) is 0 where
    a row has no more nodes.
    """

    nodes: Ints
    rows: Ints
    columns: Ints
    linked: Floats
    masses: Floats

    def spread(self, values: Floats) -> Floats:
        """(2, k, width) from (count, 2)."""
        grid = np.zeros((2, *self.masses.shape))
        grid[:, self.rows, self.columns] = values[self.nodes].T
        return grid


def draw_small(web: Web) -> Floats:
    """The (count, 2) drawings of parts of at most SMALL nodes, from nothing."""
    positions = np.zeros((web.count, 2))
    for batch in _batches(web, 1, SMALL):
        settled = _settle(_wheels(batch.masses), batch, rounds=80)
        positions[batch.nodes] = settled[:, batch.rows, batch.columns].T
    return positions


def polish(web: Web, positions: Floats) -> Floats:
    """The same drawings, with the clumps in parts of at most POLISHED nodes loosened."""
    positions = positions.copy()
    for batch in _batches(web, SMALL, POLISHED):
        rounds = int(np.clip(_PATIENCE / max(web.count * batch.masses.shape[1], 1), 10, 50))
        settled = _settle(batch.spread(positions), batch, rounds)
        positions[batch.nodes] = settled[:, batch.rows, batch.columns].T
    return positions


def _batches(web: Web, above: int, most: int) -> Iterator[_Batch]:
    """Parts of more than `above` and at most `most` nodes, in batches of similar size."""
    sizes = np.bincount(web.parts)
    for width in (width for width in _WIDTHS if above < width <= most):
        chosen = np.flatnonzero((sizes > above) & (sizes <= width))
        for some in _shares(chosen, _MOST_PAIRS // width**2):
            yield _batch(web, some, width)
        above = width


def _shares(values: Ints, size: int) -> list[Ints]:
    return [values[i : i + size] for i in range(0, len(values), max(size, 1))]


def _batch(web: Web, chosen: Ints, width: int) -> _Batch:
    row_of = np.full(int(web.parts.max()) + 1, -1)
    row_of[chosen] = np.arange(len(chosen))
    nodes = np.flatnonzero(row_of[web.parts] >= 0)
    nodes = nodes[np.lexsort((nodes, -web.masses[nodes], web.parts[nodes]))]
    rows = row_of[web.parts[nodes]]
    column_of = np.zeros(web.count, dtype=np.int64)
    column_of[nodes] = np.arange(len(nodes)) - np.searchsorted(rows, rows)
    masses = np.zeros((len(chosen), width))
    masses[rows, column_of[nodes]] = web.masses[nodes]
    linked = np.zeros((len(chosen), width, width))
    ends = web.edges[row_of[web.parts[web.edges[:, 0]]] >= 0]
    row = row_of[web.parts[ends[:, 0]]]
    for here, there in (ends.T, ends.T[::-1]):
        linked[row, column_of[here], column_of[there]] = 1
    return _Batch(nodes, rows, column_of[nodes], linked, masses)


def _wheels(masses: Floats) -> Floats:
    """A start (2, k, width): the best linked node in the middle, the others on a ring."""
    sizes = (masses > 0).sum(axis=1)
    places = np.arange(masses.shape[1], dtype=np.float64)[None, :]
    angles = 2 * np.pi * (places - 1) / np.maximum(sizes - 1, 1)[:, None]
    ring = np.stack([np.cos(angles), np.sin(angles)]) * 4.0
    ring[:, :, 0] = 0.1
    return ring


def _settle(at: Floats, batch: _Batch, rounds: int) -> Floats:
    """Lets the forces work within each part, in steps that grow smaller and smaller."""
    push = batch.masses[:, :, None] * batch.masses[:, None, :]
    present = batch.masses > 0
    for left in np.linspace(2.0, 0.02, rounds):
        away = at[:, :, :, None] - at[:, :, None, :]
        squared = away[0] ** 2 + away[1] ** 2 + 1e-3
        pull = push / (squared * (1 + squared / _REACH**2)) - batch.linked
        force = np.einsum("akij,kij->aki", away, pull)
        length = np.sqrt(force[0] ** 2 + force[1] ** 2) + 1e-9
        at = at + force * (np.minimum(length, left) / length * present)
    return at
