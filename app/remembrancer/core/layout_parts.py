"""Connected parts of a graph: finding them and setting their drawings side by side."""

from __future__ import annotations

import numpy as np

from remembrancer.core.layout_forces import Bools, Floats, Ints, Web, bounds, lengths, part_means

SPACING = 60.0  # the usual length of an edge, in the picture's units
GAP = 42.0  # between a node without edges and its next neighbour
WIDE = 1.5  # how much wider than high a picture may grow, to suit a window
_FITTED = 12  # drawings that are fitted by their outline
_ROOM_ROUNDS, _ROOM_AHEAD = 16, 6
_MOST_SPOTS = 4_000_000
_MOST_CELLS = 4_000  # a side: somebody may have dragged a node very far away


def connected_parts(count: int, edges: Ints) -> Ints:
    """The (count,) number of each node's connected part, counted from 0 without gaps."""
    labels = np.arange(count)
    source, target = edges.T
    while True:
        least = np.minimum(labels[source], labels[target])
        joined = labels.copy()
        np.minimum.at(joined, labels[source], least)
        np.minimum.at(joined, labels[target], least)
        joined = joined[joined]
        if np.array_equal(joined, labels):
            return np.unique(labels, return_inverse=True)[1].astype(np.int64).ravel()
        labels = joined


def farthest(arms: Floats, parts: Ints) -> Floats:
    """The (parts,) radius of each part, from the arms of its nodes off its centre."""
    radii = np.zeros(int(parts.max(initial=-1)) + 1)
    np.maximum.at(radii, parts, np.hypot(arms[:, 0], arms[:, 1]))
    return radii


def pack(arms: Floats, web: Web) -> Floats:
    """The (parts, 2) centres under which drawings lie side by side, the largest in the middle.

    The largest drawings are fitted into each other's bays, the others are set as discs. Nodes
    without edges are left out: their centre is the origin.
    """
    radii = farthest(arms, web.parts)
    order = np.argsort(-radii, kind="stable")
    order = order[np.bincount(web.parts)[order] > 1]
    centres = np.zeros((len(radii), 2))
    if len(order) < 2:
        return centres
    points, owners = _outlines(arms, web)
    _fit(points, owners, order[:_FITTED], radii, centres)
    done = np.isin(owners, order[:_FITTED])
    for group in _alike(order[_FITTED:], radii):
        taken = points[done] + centres[owners[done]]
        gap = 2 * float(radii[group[0]]) + SPACING
        centres[group] = free_spots(taken, taken[:0], len(group), gap, 1)
        done |= np.isin(owners, group)
    return centres


def side_by_side(radii: Floats) -> Floats:
    """The (k, 2) centres of discs that do not touch."""
    turns = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    unit = SPACING * 5 / float(radii.min())
    circle = np.stack([np.cos(turns), np.sin(turns)], axis=1) * unit
    arms = (radii[:, None, None] * circle).reshape(-1, 2)
    parts = np.repeat(np.arange(len(radii)), len(turns))
    none = np.empty(0)
    discs = Web(len(arms), np.empty((0, 2), dtype=np.int64), none, none, parts)
    return pack(arms, discs) / unit


def _alike(order: Ints, radii: Floats) -> list[Ints]:
    """Parts, largest first, cut into groups of about the same radius."""
    if not len(order):
        return []
    steps = np.floor(np.log(np.maximum(radii[order], 1.0)) / np.log(1.4))
    return np.split(order, np.flatnonzero(np.diff(steps)) + 1)


def _outlines(arms: Floats, web: Web) -> tuple[Floats, Ints]:
    """The nodes of all drawings and points along their edges, and the part each belongs to."""
    source, target = arms[web.edges[:, 0]], arms[web.edges[:, 1]]
    shares = (0.2, 0.4, 0.6, 0.8)
    along = [source + (target - source) * share for share in shares]
    owners = [web.parts[web.edges[:, 0]]] * len(shares)
    return np.concatenate([arms, *along]), np.concatenate([web.parts, *owners])


def _fit(points: Floats, owners: Ints, fitted: Ints, radii: Floats, centres: Floats) -> None:
    """Puts drawings one by one where they touch none and lie nearest to the middle."""
    side = 2.5 * float(np.sqrt((4 * radii[fitted] ** 2).sum())) + 8 * SPACING
    cells = int(np.clip(2 ** np.ceil(np.log2(2 * side / SPACING)), 32, 128))
    taken = np.zeros((cells, cells), dtype=np.bool_)
    for part in fitted.tolist():
        shape = _footprint(points[owners == part], side / cells, cells)
        shift = _nearest_free(taken, shape)
        taken |= np.roll(shape, shift, axis=(0, 1))
        centres[part] = np.array(shift) * (side / cells)


def _footprint(points: Floats, cell: float, cells: int) -> Bools:
    """The cells a drawing around the origin takes up, with a margin of one; it may wrap."""
    grid = np.zeros((cells, cells), dtype=np.bool_)
    column, row = np.round(points / cell).astype(int).T % cells
    grid[column, row] = True
    for axis in (0, 1):
        grid = grid | np.roll(grid, 1, axis) | np.roll(grid, -1, axis)
    return grid


def _nearest_free(taken: Bools, shape: Bools) -> tuple[int, int]:
    """The shift nearest to the middle under which a shape covers no taken cell."""
    cells = len(taken)
    meets = np.fft.irfft2(np.fft.rfft2(taken) * np.conj(np.fft.rfft2(shape)), taken.shape)
    steps = np.fft.fftfreq(cells, 1 / cells)
    away = np.hypot(steps[:, None] / WIDE, steps[None, :])
    best = int(np.argmin(np.where(meets < 0.5, away, away + 4 * cells)))
    return int(steps[best // cells]), int(steps[best % cells])


def free_spots(
    linked: Floats, lone: Floats, count: int, gap: float = GAP, clear: int = 3
) -> Floats:
    """The (count, 2) free places nearest to the middle, on a lattice that never changes.

    They lie `gap` apart, `clear` gaps away from `linked` places and one from `lone` ones.
    """
    around = np.concatenate([linked, lone]) if len(linked) + len(lone) else np.zeros((1, 2))
    low, high = bounds(around)
    middle = (low + high) / 2
    rim = gap * (clear + 2 + 1.2 * np.sqrt(count))
    half = (high - low) / 2 + rim * np.array([WIDE, 1.0])
    gap = max(gap, np.sqrt(4 * half[0] * half[1] / _MOST_SPOTS))
    spots = _lattice(middle - half, middle + half, gap)
    free = spots[~near(spots, linked, gap, clear) & ~near(spots, lone, gap, 1)]
    away = np.hypot((free[:, 0] - middle[0]) / WIDE, free[:, 1] - middle[1])
    return free[np.argsort(away, kind="stable")[:count]]


def _lattice(low: Floats, high: Floats, gap: float) -> Floats:
    """Hexagonally set points between two corners."""
    first, last = np.floor(low / gap), np.ceil(high / gap)
    columns = np.arange(first[0], last[0], dtype=np.float64)
    rows = np.arange(first[1], last[1], dtype=np.float64)
    x = columns[None, :] + (rows % 2)[:, None] / 2
    y = np.broadcast_to(rows[:, None], x.shape)
    return np.stack([x.ravel(), y.ravel()], axis=1) * gap


def near(spots: Floats, taken: Floats, gap: float, reach: int) -> Bools:
    """Which spots lie within about `reach` gaps of a taken place."""
    if not len(taken):
        return np.zeros(len(spots), dtype=np.bool_)
    low, high = bounds(np.concatenate([spots, taken]))
    low, high = low - gap * (reach + 1), high + gap * (reach + 2)
    half = max(gap / 2, float((high - low).max()) / _MOST_CELLS)
    shape = ((high - low) / half).astype(int) + 1
    grid = np.zeros(shape, dtype=np.bool_)
    grid[tuple(((taken - low) / half).astype(int).T)] = True
    for _ in range(2 * reach - 1):
        grid[1:-1] |= grid[:-2] | grid[2:]
        grid[:, 1:-1] |= grid[:, :-2] | grid[:, 2:]
    return grid[tuple(((spots - low) / half).astype(int).T)]


def centred(web: Web, positions: Floats) -> Floats:
    """The (count, 2) arms of nodes off the centre of their part, each part's edges SPACING long."""
    arms = positions - part_means(positions, web.parts)[web.parts]
    source, target = web.edges.T
    owners = web.parts[source]
    spans = lengths(arms[source] - arms[target])
    mean = np.bincount(owners, spans) / np.maximum(np.bincount(owners), 1)
    return arms * (SPACING / np.maximum(mean, 1e-9))[web.parts][:, None]


def make_room(positions: Floats, seed: int) -> Floats:
    """The same picture, with nodes that lie on top of each other moved apart a little.

    In every round each node is compared with the next few in its cell, in another order each time.
    """
    low, high = bounds(positions)
    each = np.sqrt(float(np.prod(high - low)) / max(len(positions), 1))
    apart = min(0.3 * SPACING, 0.6 * each) + 1e-6
    rng = np.random.default_rng(seed)
    positions = positions + rng.normal(size=positions.shape) * apart * 0.01
    for _ in range(_ROOM_ROUNDS):
        cells = np.floor((positions - low) / apart + rng.random(2))
        order = np.lexsort((rng.random(len(cells)), cells[:, 1], cells[:, 0]))
        positions[order] += _pushes(positions[order], apart)
    return positions


def _pushes(row: Floats, apart: float) -> Floats:
    """How far each node gives way to the few before and behind it in a row."""
    pushes = np.zeros_like(row)
    for ahead in range(1, min(_ROOM_AHEAD, len(row) - 1) + 1):
        away = row[ahead:] - row[:-ahead]
        distance = lengths(away) + 1e-9
        push = away * (np.maximum(apart - distance, 0) / distance / 3)[:, None]
        pushes[ahead:] += push
        pushes[:-ahead] -= push
    return pushes
