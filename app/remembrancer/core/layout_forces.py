"""The forces of the graph's layout: springs, repulsion through a Fourier grid, an adaptive pace."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Report = Callable[[Floats], bool]

GRAVITY = 0.02
REPORT_EVERY = 10
_REACH = 1 / 12  # nodes farther apart than this part of the picture hardly push each other
_SOFTENING = 0.35  # in squared grid cells: keeps the kernel finite inside one cell


@dataclass(frozen=True, slots=True)
class Web:
    """What the forces act on.

    `edges` is (m, 2), `weights` (m,), `masses` (count,), `parts` (count,) the number of the
    connected part each node belongs to, counted from 0 without gaps.
    """

    count: int
    edges: Ints
    weights: Floats
    masses: Floats
    parts: Ints


@lru_cache(maxsize=8)
def _kernels(grid: int, reach: float) -> tuple[NDArray[np.complex64], NDArray[np.complex64]]:
    """The transformed x and y parts of the push, on a doubled grid so that it does not wrap.

    It is 1/distance near by and falls off faster beyond `reach` cells: with 1/distance alone the
    middle of a large picture pushes the outer communities into tight clumps.
    """
    axis = np.arange(-grid, grid, dtype=np.float32)
    x, y = np.meshgrid(axis, axis, indexing="ij")
    squared = x * x + y * y + np.float32(_SOFTENING)
    fade = 1 + squared / np.float32(reach**2)
    kernel_x, kernel_y = x / (squared * fade), y / (squared * fade)
    kernel_x[0], kernel_y[:, 0] = 0, 0
    return (
        np.fft.rfft2(np.fft.ifftshift(kernel_x)).astype(np.complex64),
        np.fft.rfft2(np.fft.ifftshift(kernel_y)).astype(np.complex64),
    )


def _corners(positions: Floats, grid: int) -> tuple[list[Ints], list[Floats], float]:
    """Each node's four grid cells and its shares in them, and the width of a cell."""
    low, high = bounds(positions)
    cell = float((high - low).max()) / (grid - 2.001) + 1e-9
    scaled = (positions - low) / cell
    whole = scaled.astype(np.int64)
    right, up = (scaled - whole).T
    base = whole[:, 0] * grid + whole[:, 1]
    shares = [
        (right if dx else 1 - right) * (up if dy else 1 - up) for dx, dy in product((0, 1), (0, 1))
    ]
    return [base, base + 1, base + grid, base + grid + 1], shares, cell


def bounds(positions: Floats) -> tuple[Floats, Floats]:
    """The lower and the upper corner of the rectangle around some positions."""
    x, y = positions.T  # column by column: much faster than along an axis of two
    return np.array([x.min(), y.min()]), np.array([x.max(), y.max()])


def lengths(vectors: Floats) -> Floats:
    """The (n,) lengths of (n, 2) vectors."""
    x, y = vectors.T
    return np.sqrt(x * x + y * y)


def repulsion(positions: Floats, masses: Floats, mesh: tuple[int, float]) -> Floats:
    """The (n, 2) push of all other nodes: about the sum of mass * direction / distance."""
    grid = mesh[0]
    cells, shares, cell = _corners(positions, grid)
    density = np.zeros(grid * grid)
    for index, share in zip(cells, shares, strict=True):
        density += np.bincount(index, weights=masses * share, minlength=grid * grid)
    field = np.fft.rfft2(density.reshape(grid, grid).astype(np.float32), (2 * grid, 2 * grid))
    result = np.empty_like(positions)
    for axis, kernel in enumerate(_kernels(*mesh)):
        potential = np.fft.irfft2(field * kernel)[:grid, :grid].ravel()
        pulls = [share * potential[index] for index, share in zip(cells, shares, strict=True)]
        result[:, axis] = sum(pulls)
    return result / cell


def springs(positions: Floats, edges: Ints, weights: Floats) -> Floats:
    """The (n, 2) pull of linear springs along the edges."""
    source, target = edges.T
    pull = (positions[target] - positions[source]) * weights[:, None]
    count = len(positions)
    result = np.empty_like(positions)
    for axis in (0, 1):
        result[:, axis] = np.bincount(source, pull[:, axis], count)
        result[:, axis] -= np.bincount(target, pull[:, axis], count)
    return result


def sums(groups: Ints, values: Floats, count: int) -> Floats:
    """The (count,) sums of values over the groups they belong to."""
    return np.bincount(groups, values, count).astype(np.float64, copy=False)


def part_means(values: Floats, parts: Ints) -> Floats:
    """The (parts, 2) mean of (n, 2) values over each connected part."""
    sizes = np.bincount(parts)
    both = [sums(parts, values[:, axis], len(sizes)) for axis in (0, 1)]
    return np.stack(both, axis=1) / sizes[:, None]


def mesh_for(web: Web) -> tuple[int, float]:
    """The side of the repulsion grid, a power of two, and how many cells the push reaches.

    Many parts share the grid, so that each has fewer cells for itself.
    """
    grid = int(np.clip(2 ** np.ceil(np.log2(np.sqrt(web.count) * 1.5 + 16)), 32, 512))
    largest = float(np.bincount(web.parts, web.masses).max())
    crowd = round(math.log2(float(web.masses.sum()) / largest) / 2)
    return grid, max(grid * _REACH / 2**crowd, 1.5)


class _Pace:
    """How far nodes step: fast while they agree on a direction, slow where they swing."""

    def __init__(self, web: Web) -> None:
        self._masses = web.masses
        self._count = max(web.count, 1)
        self._speed = 1.0
        self._patience = 1.0
        self._before = np.zeros((web.count, 2))

    def step(self, forces: Floats) -> Floats:
        """The (n, 2) displacement for these forces."""
        swing = lengths(forces - self._before)
        drive = lengths(forces + self._before) / 2
        self._before = forces
        self._adapt(float(self._masses @ swing), float(self._masses @ drive) + 1e-12)
        factor = self._speed / (1 + np.sqrt(self._speed * swing))
        return forces * factor[:, None]

    def _adapt(self, swing: float, drive: float) -> None:
        count = self._count
        ease = np.clip(0.5 * np.sqrt(count) * drive / count**2, 0.05 * count**0.25, 10)
        tolerance = float(ease) * self._patience
        if swing > 2 * drive:
            self._patience = max(self._patience * 0.5, 0.05)
            tolerance = max(tolerance, 1.0)
        target = tolerance * self._patience * drive / (swing + 1e-12)
        if swing > tolerance * drive:
            self._patience = max(self._patience * 0.7, 0.05)
        elif self._speed < 1000:
            self._patience = min(self._patience * 1.3, 4.0)
        self._speed += min(target - self._speed, 0.5 * self._speed)


def _balanced_strength(web: Web, positions: Floats) -> float:
    """The repulsion under which this picture neither grows nor shrinks as a whole."""
    arms = positions - part_means(positions, web.parts)[web.parts]
    outward = web.masses[:, None] * repulsion(positions, web.masses, mesh_for(web))
    inward = springs(positions, web.edges, web.weights)
    push, pull = float((arms * outward).sum()), -float((arms * inward).sum())
    return pull / push if push > 1e-9 and pull > 1e-9 else 1.0


def tidy(
    web: Web, positions: Floats, rounds: int, held: Bools, report: Report | None = None
) -> Floats:
    """The same picture at the same size, relaxed; `held` nodes stay exactly where they are."""
    unit = float(np.sqrt(_balanced_strength(web, positions)))

    def whole(settled: Floats) -> Floats:
        picture = settled * unit
        picture[held] = positions[held]
        return picture

    def look(settled: Floats) -> bool:
        return report is None or report(whole(settled))

    return whole(relax(web, positions / unit, rounds, held, look)[0])


def relax(
    web: Web,
    positions: Floats,
    iterations: int,
    held: Bools | None = None,
    report: Report | None = None,
) -> tuple[Floats, bool]:
    """Lets the forces work; answers the new positions and whether the caller let it finish.

    Each part keeps its centre unless one of its nodes is held, so parts do not drift apart.
    """
    positions = positions.copy()
    pace, mesh = _Pace(web), mesh_for(web)
    centres = part_means(positions, web.parts)[web.parts]
    anchored = _anchored_parts(web, held)
    for iteration in range(iterations):
        forces = web.masses[:, None] * repulsion(positions, web.masses, mesh)
        forces += springs(positions, web.edges, web.weights)
        forces -= _gravity(positions - centres, web.masses)
        if held is not None:
            forces[held] = 0
        step = pace.step(forces)
        drift = part_means(step, web.parts)
        drift[anchored] = 0
        positions += step - drift[web.parts]
        if report and iteration % REPORT_EVERY == REPORT_EVERY - 1 and not report(positions):
            return positions, False
    return positions, True


def _gravity(arms: Floats, masses: Floats) -> Floats:
    return arms * (GRAVITY * masses / (lengths(arms) + 1e-9))[:, None]


def _anchored_parts(web: Web, held: Bools | None) -> Bools:
    anchored = np.zeros(int(web.parts.max(initial=-1)) + 1, dtype=np.bool_)
    if held is not None:
        anchored[web.parts[held]] = True
    return anchored
