"""Near-duplicates among many texts, found by MinHash in bands and verified by their stems.

Each of 64 hashes gives a text the least number among its stems; two texts agree in one with the
probability of their Jaccard similarity. Those that agree in all four hashes of a band are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from remembrancer.core import bags as bagged
from remembrancer.core.bags import Bags

if TYPE_CHECKING:
    import numpy as np
    from numpy.random import Generator
    from numpy.typing import NDArray

    Whole = NDArray[np.int64]
    Keys = NDArray[np.uint64]

BANDS = 16

_ROWS = 4  # hashes of a band
_NEIGHBOURS = 4  # texts of one key are compared with so many that come next
_TEXTS = 65_536  # texts that are hashed at once
_ROUNDS = 32  # representatives of what hangs together that are compared with all of it
_MIX = 0x9E3779B97F4A7C15

Edges = dict[int, dict[int, float]]


@dataclass(frozen=True, slots=True)
class Near:
    """A text that others resemble, by place, and each of those with its likeness to it."""

    representative: int
    members: tuple[tuple[int, float], ...]

    @property
    def best(self) -> float:
        """The likeness of the closest member."""
        return max(likeness for _, likeness in self.members)


def near_duplicates(
    bags: Bags, threshold: float, going: Callable[[int], bool] = lambda done: True
) -> list[Near] | None:
    """Groups whose members resemble the representative by `threshold` (Jaccard), the best first.

    `going(bands done)` is asked after each of the 16 bands; when it says no, None comes back.
    """
    import numpy as np

    full = np.nonzero(np.diff(bags.starts))[0]
    draw = np.random.default_rng(1)
    codes = np.empty(0, np.int64)
    for band in range(BANDS):
        found = _paired(bags, full, draw)
        codes = np.unique(np.concatenate((codes, _alike(bags, found, codes, threshold))))
        if not going(band + 1):
            return None
    return sorted(_groups(bags, codes, threshold), key=lambda g: (-g.best, -len(g.members)))


def _paired(bags: Bags, full: Whole, draw: Generator) -> Whole:
    """Pairs that agree in one band, as the smaller place times the size plus the larger."""
    import numpy as np

    # Of many texts with one key others stand side by side in every band.
    texts = full[draw.permutation(len(full))]
    keys = np.zeros(bags.size, np.uint64)
    for _ in range(_ROWS):
        _mix_in(keys, bags, draw.integers(0, 1 << 32, bags.stems, np.uint32))
    order = np.argsort(keys[texts], kind="stable")
    texts = texts[order]
    ranked = keys[texts]
    found = [np.empty(0, np.int64)]
    for step in range(1, _NEIGHBOURS + 1):
        same = np.nonzero(ranked[step:] == ranked[:-step])[0]
        one, other = texts[same], texts[same + step]
        found.append(np.minimum(one, other) * bags.size + np.maximum(one, other))
    return np.unique(np.concatenate(found))


def _mix_in(keys: Keys, bags: Bags, numbers: NDArray[np.uint32]) -> None:
    """Mix the least number among every text's stems into its key."""
    import numpy as np

    for start in range(0, bags.size, _TEXTS):
        starts = bags.starts[start : start + _TEXTS + 1]
        filled = np.nonzero(np.diff(starts))[0]
        if not len(filled):
            continue
        drawn = numbers[bags.stem[starts[0] : starts[-1]]]
        least = np.minimum.reduceat(drawn, starts[filled] - starts[0])
        keys[start + filled] = keys[start + filled] * np.uint64(_MIX) + least


def _alike(bags: Bags, codes: Whole, known: Whole, threshold: float) -> Whole:
    """The pairs that are not known yet and resemble each other enough."""
    import numpy as np

    codes = codes[~np.isin(codes, known)]
    likeness = bagged.likeness(bags, codes // bags.size, codes % bags.size)
    return codes[likeness >= threshold - 1e-9]


# --- groups


def _groups(bags: Bags, codes: Whole, threshold: float) -> Iterable[Near]:
    left, right = codes // max(bags.size, 1), codes % max(bags.size, 1)
    likeness = bagged.likeness(bags, left, right)
    edges: Edges = {}
    for one, other, alike in zip(left.tolist(), right.tolist(), likeness.tolist(), strict=True):
        edges.setdefault(one, {})[other] = alike
        edges.setdefault(other, {})[one] = alike
    for together in _components(edges):
        yield from _around(bags, together, edges, threshold)


def _components(edges: Edges) -> Iterable[list[int]]:
    """The places that hang together."""
    seen: set[int] = set()
    for place in edges:
        if place not in seen:
            together, fresh = {place}, {place}
            while fresh:
                fresh = {n for each in fresh for n in edges[each]} - together
                together |= fresh
            seen |= together
            yield sorted(together)


def _around(bags: Bags, together: list[int], edges: Edges, threshold: float) -> Iterable[Near]:
    """Groups around those that most others resemble, of equals the latest."""
    left = set(together)
    by_degree = sorted(together, key=lambda place: (-len(edges[place]), -place))
    rounds = 0
    for place in by_degree:
        if place not in left:
            continue
        rounds += 1
        wide = len(left) > 2 and rounds <= _ROUNDS
        members = _members(bags, place, left, threshold) if wide else _direct(place, left, edges)
        if members:
            left -= {place, *members}
            yield Near(place, tuple(sorted(members.items(), key=lambda m: (-m[1], m[0]))))


def _direct(place: int, left: set[int], edges: Edges) -> dict[int, float]:
    return {n: alike for n, alike in edges[place].items() if n in left}


def _members(bags: Bags, place: int, left: set[int], threshold: float) -> dict[int, float]:
    """Whoever is left and resembles the text at that place enough."""
    import numpy as np

    others = np.array(sorted(left - {place}), np.int64)
    alike = bagged.likeness(bags, np.full(len(others), place), others)
    found = zip(others.tolist(), alike.tolist(), strict=True)
    return {n: each for n, each in found if each >= threshold - 1e-9}
