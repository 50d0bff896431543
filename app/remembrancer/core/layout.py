"""Where the graph's nodes go: a multilevel layout, the same picture for the same seed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from remembrancer.core.layout_batch import SMALL
from remembrancer.core.layout_forces import (
    REPORT_EVERY,
    Bools,
    Floats,
    Ints,
    Web,
    part_means,
    tidy,
)
from remembrancer.core.layout_levels import draw_whole, subweb
from remembrancer.core.layout_parts import connected_parts
from remembrancer.core.layout_place import put_in

Progress = Callable[[int, Floats], bool]

_TIDY_ROUNDS = 60


def layout(
    count: int,
    edges: ArrayLike,
    seed: int = 7,
    start: ArrayLike | None = None,
    fixed: ArrayLike | None = None,
    progress: Progress | None = None,
) -> Floats:
    """The (count, 2) positions of `count` nodes linked by `edges` (m, 2).

    An edge is usually about 60 units long. `start` (count, 2) holds known positions, NaN where
    there is none; if most are known the picture is only tidied. `fixed` (count,) marks nodes that
    stay exactly where `start` has them. `progress(step, positions)` is called about every ten
    rounds with a whole picture of its own; answering False ends the work with that picture.
    Self loops and repeated edges are ignored. Raises ValueError for nodes that do not exist.
    """
    web = _web(count, edges)
    if not count:
        return np.empty((0, 2))
    known = np.full((count, 2), np.nan) if start is None else _pairs(start, count)
    have = _finite(known)
    held = have & _mask(count, fixed)
    report = _Reporter(progress)
    if have.sum() * 2 > count:
        return _tidied(web, put_in(web, known, ~have, held, seed), held, report)
    whole = draw_whole(web, seed, report.tell)
    return _with_pins(web, whole, known, held, report) if held.any() else whole


def place_new(positions: ArrayLike, edges: ArrayLike, new: ArrayLike, seed: int = 7) -> Floats:
    """Positions (count, 2) in which the `new` nodes (indices) have found a place.

    They start at the mean of their neighbours, with some jitter, and settle together with a small
    shell of old neighbours that gives way a little; all other nodes stay. Rows of `positions`
    (count, 2) that belong to new nodes are ignored. New nodes without edges go to the rim.
    Raises ValueError for edges with nodes that do not exist.
    """
    old = np.array(positions, dtype=np.float64).reshape(-1, 2)
    fresh = ~_finite(old)
    fresh[np.asarray(new, dtype=np.int64)] = True
    return put_in(_web(len(old), edges), old, fresh, np.zeros(len(old), dtype=np.bool_), seed)


class _Reporter:
    """Counts the rounds for the caller and remembers whether it wants no more."""

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress
        self._step = 0
        self.stopped = False

    def tell(self, picture: Callable[[], Floats]) -> bool:
        """Shows a picture, made only if somebody looks; False if the work should end."""
        self._step += REPORT_EVERY
        if self._progress and not self._progress(self._step, picture()):
            self.stopped = True
        return not self.stopped


def _pairs(values: ArrayLike, count: int) -> Floats:
    return np.array(values, dtype=np.float64).reshape(count, 2)


def _mask(count: int, fixed: ArrayLike | None) -> Bools:
    if fixed is None:
        return np.zeros(count, dtype=np.bool_)
    return np.asarray(fixed, dtype=np.bool_).reshape(count)


def _web(count: int, edges: ArrayLike) -> Web:
    clean = _clean(count, edges)
    masses = np.bincount(clean.ravel(), minlength=count).astype(np.float64) + 1
    return Web(count, clean, np.ones(len(clean)), masses, connected_parts(count, clean))


def _clean(count: int, edges: ArrayLike) -> Ints:
    """Distinct undirected edges without self loops, (m, 2)."""
    pairs = np.sort(np.asarray(edges, dtype=np.int64).reshape(-1, 2), axis=1)
    if len(pairs) and (pairs.min() < 0 or pairs.max() >= count):
        raise ValueError(f"an edge names a node outside 0 to {count - 1}")
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    codes = np.unique(pairs[:, 0] * max(count, 1) + pairs[:, 1])
    return np.stack(np.divmod(codes, max(count, 1)), axis=1)


def _finite(positions: Floats) -> Bools:
    return np.isfinite(positions[:, 0]) & np.isfinite(positions[:, 1])


def _with_pins(web: Web, whole: Floats, known: Floats, held: Bools, report: _Reporter) -> Floats:
    """Moves each part to its held nodes, then lets the others settle around them."""
    shift = np.zeros_like(whole)
    shift[held] = known[held] - whole[held]
    pins = np.bincount(web.parts, held)
    own = part_means(shift, web.parts) * (np.bincount(web.parts) / np.maximum(pins, 1))[:, None]
    move = np.where((pins > 0)[:, None], own, shift[held].mean(axis=0))
    positions = whole + move[web.parts]
    positions[held] = known[held]
    return positions if report.stopped else _tidied(web, positions, held, report)


def _tidied(web: Web, positions: Floats, held: Bools, report: _Reporter) -> Floats:
    """The large parts relaxed; small ones and held nodes stay."""
    main, nodes = subweb(web, (np.bincount(web.parts) > SMALL)[web.parts])
    if held[nodes].all():
        return positions

    def whole(settled: Floats) -> Floats:
        picture = positions.copy()
        picture[nodes] = settled
        return picture

    settled = tidy(
        main,
        positions[nodes],
        _TIDY_ROUNDS,
        held[nodes],
        lambda at: report.tell(lambda: whole(at)),
    )
    return whole(settled)
