"""Finds a place in a picture that exists for nodes that are new to it."""

from __future__ import annotations

import numpy as np

from remembrancer.core.layout_forces import Bools, Floats, Ints, Web, bounds, lengths, springs, tidy
from remembrancer.core.layout_levels import draw_whole, subweb
from remembrancer.core.layout_parts import SPACING, free_spots, near

_SHELL = 120  # old nodes that may give way to new ones
_MOST = 60  # new nodes that settle by exact forces; more than that use the grid
_ROUNDS = 30
_GIVE_WAY = 0.2  # how far old nodes step, compared with new ones
_DIRECTIONS = 24


def put_in(web: Web, old: Floats, fresh: Bools, held: Bools, seed: int) -> Floats:
    """The (count, 2) positions in which `fresh` nodes have a place; `held` ones never move."""
    positions = old.copy()
    rng = np.random.default_rng(seed)
    unplaced = _near_their_neighbours(web, positions, fresh, rng)
    linked = fresh & ~unplaced
    if unplaced.any():
        _put_outside(web, positions, unplaced, seed)
    if np.count_nonzero(linked) > _MOST:
        return tidy(web, positions, _ROUNDS, ~linked)
    if linked.any():
        _settle(web, positions, np.flatnonzero(linked), held | fresh)
    return positions


def _usual_length(web: Web, positions: Floats, among: Bools) -> float:
    """The median length of the edges between some nodes."""
    ends = web.edges[among[web.edges].all(axis=1)]
    if not len(ends):
        return SPACING
    length = float(np.median(lengths(positions[ends[:, 0]] - positions[ends[:, 1]])))
    return length if length > 1e-6 else SPACING


def _near_their_neighbours(
    web: Web, positions: Floats, fresh: Bools, rng: np.random.Generator
) -> Bools:
    """Puts fresh nodes at the mean of their placed neighbours, wave by wave; answers the rest."""
    waiting = fresh.copy()
    jitter = _usual_length(web, positions, ~fresh) / 2
    both = np.concatenate([web.edges, web.edges[:, ::-1]])
    while True:
        ties = both[waiting[both[:, 0]] & ~waiting[both[:, 1]]]
        if not len(ties):
            return waiting
        wave, row, ties_of = np.unique(ties[:, 0], return_inverse=True, return_counts=True)
        row = row.ravel()
        for axis in (0, 1):
            sums = np.bincount(row, positions[ties[:, 1], axis])
            positions[wave, axis] = sums / ties_of + rng.normal(size=len(wave)) * jitter
        waiting[wave] = False


def _settle(web: Web, positions: Floats, batch: Ints, stay: Bools) -> None:
    """Relaxes a batch and its shell against everything near, with exact forces, in place."""
    ours = np.zeros(web.count, dtype=np.bool_)
    ours[batch] = True
    touching = web.edges[ours[web.edges].any(axis=1)]
    shell = np.setdiff1d(touching.ravel(), batch)
    shell = shell[~stay[shell]]
    shell = shell[np.argsort(web.masses[shell], kind="stable")[:_SHELL]]
    movers = np.concatenate([batch, shell])
    reach = _usual_length(web, positions, ~ours)
    close = near(positions, positions[movers], 2 * reach, 2)
    close[touching.ravel()] = True
    ease = np.where(np.arange(len(movers)) < len(batch), 1.0, _GIVE_WAY)
    _let_settle(web, positions, movers, np.flatnonzero(close), ease * reach / 5)


def _let_settle(web: Web, positions: Floats, movers: Ints, close: Ints, steps: Floats) -> None:
    push = _strength(web, positions, movers) * web.masses[movers][:, None] * web.masses[close]
    ours = np.zeros(web.count, dtype=np.bool_)
    ours[movers] = True
    edges = web.edges[ours[web.edges].any(axis=1)]
    weights = np.ones(len(edges))
    rounds = int(np.clip(3e7 / (len(movers) * len(close)), 6, 40))
    for left in np.linspace(1.0, 0.02, rounds):
        away = positions[movers].T[:, :, None] - positions[close].T[:, None, :]
        pull = push / (away[0] ** 2 + away[1] ** 2 + (steps[0] / 2) ** 2)
        force = np.einsum("aij,ij->ia", away, pull)
        force += springs(positions, edges, weights)[movers]
        length = lengths(force) + 1e-9
        positions[movers] += force * (np.minimum(length, steps * left) / length)[:, None]


def _strength(web: Web, positions: Floats, movers: Ints) -> float:
    """The repulsion under which edges around here keep their usual length."""
    source, target = web.edges.T
    spans = lengths(positions[source] - positions[target])
    known = np.ones(web.count, dtype=np.bool_)
    known[movers] = False
    both = known[web.edges].all(axis=1)
    ratio = spans[both] ** 2 / (web.masses[source] * web.masses[target])[both]
    return float(np.median(ratio)) if len(ratio) else SPACING**2 / 4


def _put_outside(web: Web, positions: Floats, unplaced: Bools, seed: int) -> None:
    """New parts go beside the picture as one drawing, nodes without edges to its rim."""
    lone = web.masses <= 1
    parts, nodes = subweb(web, unplaced & ~lone)
    placed = ~unplaced
    if parts.count:
        drawing = draw_whole(parts, seed)
        positions[nodes] = drawing + _beside(positions[placed], drawing)
        placed[nodes] = True
    alone = unplaced & lone
    spots = free_spots(
        positions[placed & ~lone], positions[placed & lone], int(np.count_nonzero(alone))
    )
    positions[alone] = spots


def _beside(taken: Floats, drawing: Floats) -> Floats:
    """The shift that brings a drawing as near as it can be to the others without touching."""
    if not len(taken):
        return np.zeros(2)
    clear = float(np.hypot(*drawing.T).max()) + SPACING
    angles = np.arange(_DIRECTIONS) * (2 * np.pi / _DIRECTIONS)
    ways = np.stack([np.cos(angles), np.sin(angles)])
    low, high = bounds(taken)
    middle = (low + high) / 2
    along = (taken - middle) @ ways
    across = (taken - middle) @ np.stack([-ways[1], ways[0]])
    room = np.maximum(clear**2 - across**2, 0)
    needed = np.where(np.abs(across) < clear, along + np.sqrt(room), 0.0).max(axis=0)
    best = int(np.argmin(needed))
    return middle + ways[:, best] * max(float(needed[best]), 0.0)
