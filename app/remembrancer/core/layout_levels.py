"""Draws a whole graph from nothing: coarse levels first, small parts exactly, all packed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from remembrancer.core import layout_parts as sides
from remembrancer.core.layout_batch import SMALL, draw_small, polish
from remembrancer.core.layout_forces import Bools, Floats, Ints, Web, bounds, relax, sums

Look = Callable[[Callable[[], Floats]], bool]

_COARSEST = 150  # nodes of the level that starts from a random picture
_COARSEST_ROUNDS = 220


def subweb(web: Web, chosen: Bools) -> tuple[Web, Ints]:
    """The web of whole parts only, and the old numbers of its nodes."""
    nodes = np.flatnonzero(chosen)
    number = np.full(web.count, -1)
    number[nodes] = np.arange(len(nodes))
    kept = chosen[web.edges[:, 0]]
    parts = np.unique(web.parts[nodes], return_inverse=True)[1].astype(np.int64).ravel()
    edges = number[web.edges[kept]]
    return Web(len(nodes), edges, web.weights[kept], web.masses[nodes], parts), nodes


# --- the whole picture: large parts by forces, small ones exactly, then set side by side


@dataclass(frozen=True, slots=True)
class _Table:
    """The large parts' web, the small parts' finished drawings, and who is who."""

    web: Web
    main: Web
    large: Ints
    small: Ints
    small_arms: Floats
    lone: Bools

    def picture(self, large: Floats, centres: Floats | None = None) -> tuple[Floats, Floats]:
        """All (count, 2) positions, given those in the large parts, and the parts' centres."""
        positions = np.zeros((self.web.count, 2))
        positions[self.large] = sides.centred(self.main, large)
        positions[self.small] = self.small_arms
        linked = ~self.lone
        if centres is None:
            centres = sides.pack(positions, self.web)
        positions += centres[self.web.parts]
        if self.lone.any():
            count = int(np.count_nonzero(self.lone))
            positions[self.lone] = sides.free_spots(positions[linked], positions[:0], count)
        low, high = bounds(positions)
        return positions - (low + high) / 2, centres


def _table(web: Web) -> _Table:
    size_of = np.bincount(web.parts)[web.parts]
    main, large = subweb(web, size_of > SMALL)
    part, small = subweb(web, (size_of > 1) & (size_of <= SMALL))
    arms = sides.centred(part, draw_small(part))
    return _Table(web, main, large, small, arms, size_of == 1)


def draw_whole(web: Web, seed: int, look: Look | None = None) -> Floats:
    """The (count, 2) positions of all nodes, around the origin.

    `look` is offered whole pictures on the way; if it answers False the work ends there.
    """
    table = _table(web)
    if not table.main.count:
        return table.picture(np.empty((0, 2)))[0]
    settled = polish(table.main, _multilevel(table, seed, look))
    return table.picture(sides.make_room(sides.centred(table.main, settled), seed))[0]


# --- the multilevel scheme


@dataclass(frozen=True, slots=True)
class _Level:
    web: Web
    owner: Ints  # (count of the next finer level,) which node here stands for each node there


def _multilevel(table: _Table, seed: int, look: Look | None) -> Floats:
    """The (n, 2) positions in the large parts, from the coarsest level to the finest."""
    rng = np.random.default_rng(seed)
    levels = _levels(table.main, rng)
    positions, rounds = _first_guess(levels[-1].web, rng), _COARSEST_ROUNDS
    for depth in reversed(range(len(levels))):
        expand = _expander(levels[1 : depth + 1], seed)
        positions, going = relax(
            levels[depth].web, positions, rounds, report=_report(look, table, expand)
        )
        if not going:
            return expand(positions)
        if depth == len(levels) - 1:
            positions = _lying(positions, levels[depth].web)
        if depth:
            positions = _unfold(positions, levels[depth].owner, rng)
            rounds = _rounds(len(positions))
    return positions


def _report(
    look: Look | None, table: _Table, expand: Callable[[Floats], Floats]
) -> Callable[[Floats], bool] | None:
    """Offers whole pictures to whoever looks on; parts keep their places while a level lasts."""
    if look is None:
        return None
    centres: Floats | None = None

    def report(positions: Floats) -> bool:
        def picture() -> Floats:
            nonlocal centres
            whole, centres = table.picture(expand(positions), centres)
            return whole

        return look(picture)

    return report


def _rounds(count: int) -> int:
    return int(np.clip(60 * (3000 / count) ** 0.35, 25, 150))


def _levels(main: Web, rng: np.random.Generator) -> list[_Level]:
    """The web itself, then coarser and coarser ones."""
    levels = [_Level(main, np.arange(main.count))]
    while levels[-1].web.count > _COARSEST and len(levels) < 15:
        level = _coarser(levels[-1].web, rng)
        if level.web.count > 0.92 * levels[-1].web.count:
            break
        levels.append(level)
    return levels


def _coarser(web: Web, rng: np.random.Generator) -> _Level:
    leader = _matched(web, rng)
    leaders, owner = np.unique(leader, return_inverse=True)
    owner = owner.astype(np.int64).ravel()
    ends = np.sort(owner[web.edges], axis=1)
    kept = ends[:, 0] != ends[:, 1]
    codes = ends[kept, 0] * len(leaders) + ends[kept, 1]
    distinct, which = np.unique(codes, return_inverse=True)
    edges = np.stack(np.divmod(distinct, len(leaders)), axis=1)
    weights = sums(which.ravel(), web.weights[kept], len(distinct))
    masses = sums(owner, web.masses, len(leaders))
    return _Level(Web(len(leaders), edges, weights, masses, web.parts[leaders]), owner)


def _matched(web: Web, rng: np.random.Generator) -> Ints:
    """Each node's leader: pairs that prefer each other, then stragglers with a neighbour."""
    leader = np.full(web.count, -1)
    for _ in range(4):
        free = leader < 0
        open_ = free[web.edges].all(axis=1)
        if not open_.any():
            break
        source, target = web.edges[open_].T
        wish = web.weights[open_] / (web.masses[source] * web.masses[target])
        wish = wish + rng.random(len(wish)) * 1e-3
        best = np.full(web.count, -1.0)
        np.maximum.at(best, source, wish)
        np.maximum.at(best, target, wish)
        mutual = (wish >= best[source]) & (wish >= best[target])
        leader[source[mutual]] = source[mutual]
        leader[target[mutual]] = source[mutual]
    return _with_stragglers(web, leader)


def _with_stragglers(web: Web, leader: Ints) -> Ints:
    host = np.full(web.count, -1)
    for here, there in (web.edges.T, web.edges.T[::-1]):
        lost = (leader[here] < 0) & (leader[there] >= 0)
        host[here[lost]] = leader[there[lost]]
    alone = np.where(host >= 0, host, np.arange(web.count))
    return np.where(leader < 0, alone, leader)


def _first_guess(web: Web, rng: np.random.Generator) -> Floats:
    """Random places, each part on a tile of its own."""
    radii = 2.0 * np.sqrt(np.bincount(web.parts, web.masses))
    tiles = sides.side_by_side(radii)
    return tiles[web.parts] + rng.normal(size=(web.count, 2)) * radii[web.parts][:, None] / 3


def _lying(positions: Floats, web: Web) -> Floats:
    """The picture turned so that its largest part is wider than high."""
    largest = positions[web.parts == np.bincount(web.parts).argmax()]
    arms = largest - largest.mean(axis=0)
    (a, b), (_, d) = arms.T @ arms
    angle = 0.5 * np.arctan2(2 * b, a - d)
    cos, sin = np.cos(angle), np.sin(angle)
    return positions @ np.array([[cos, -sin], [sin, cos]])


def _unfold(positions: Floats, owner: Ints, rng: np.random.Generator) -> Floats:
    """Places for the next finer level: those of the owners, with some jitter."""
    return positions[owner] + rng.normal(size=(len(owner), 2)) * 0.06 * _cell(positions, owner)


def _cell(positions: Floats, among: Floats | Ints) -> float:
    """The side of the square each of `among` would have in an even picture, at least 1."""
    low, high = bounds(positions)
    return max(float((high - low).max()) / np.sqrt(len(among)), 1.0)


def _expander(finer: list[_Level], seed: int) -> Callable[[Floats], Floats]:
    """Turns positions of a coarse level into a first picture of all nodes."""
    owners = [level.owner for level in reversed(finer)]

    def expand(positions: Floats) -> Floats:
        rng = np.random.default_rng(seed)
        for owner in owners:
            jitter = rng.normal(size=(len(owner), 2)) * 0.3 * _cell(positions, positions)
            positions = positions[owner] + jitter
        return positions

    return expand
