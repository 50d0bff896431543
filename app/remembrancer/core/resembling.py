"""How much of one text stands in another, in which numbers they differ, and who belongs together.

Texts are compared by the stems of their words, each weighted by its rarity: a word that every text
holds says little, a rare one much. No measure tells a copy from a contradiction, so differing
numbers are named, and texts that differ are never called the same.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TYPE_CHECKING

from remembrancer.core import bags as bagged
from remembrancer.core.bags import LOOKED_AT, Bags

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Whole = NDArray[np.int64]
    Real = NDArray[np.float64]

ALMOST = 0.99  # what two texts that are not the same resemble each other at most

_SPREAD = 20  # a stem that more than one in twenty has leads to no pair,
_FEW = 12  # unless so few texts have it that comparing them costs nothing
_PAIRS = 500_000  # pairs that are compared, those that share most of their rare stems
_FOUND = 3_000_000  # pairs that are found for that, those of the rarest stems first
_FULL = 40  # texts with a stem up to which each is compared with each
_NEIGHBOURS = 4  # of more, each with those that come next in order of likeness
_ORDERS = 8  # such orders: a stem has its own of them, so what stands apart in one meets in another

# Dates, times, versions, decimals are one number each; a percent sign belongs to its number.
NUMBER = re.compile(r"(?:(?<![\w)\].,:/-])[-\u2212])?\d+(?:[.,:/-]\d+)*(?:\s?%)?")


def rarity(total: int, frequency: float) -> float:
    """How much a stem says that so many of all texts hold."""
    return math.log1p(total / (1 + frequency))


def share(weights: Mapping[str, float], old: AbstractSet[str]) -> float:
    """The weighted share of a new text's stems that the old one has, from 0 to 1."""
    total = sum(weights.values())
    return sum(w for stem, w in weights.items() if stem in old) / total if total else 0.0


def numbers(text: str) -> tuple[str, ...]:
    """The different numbers in a text, in its order, as they are written but without blanks."""
    found = (re.sub(r"\s", "", number) for number in NUMBER.findall(text[:LOOKED_AT]))
    return tuple(dict.fromkeys(found))


def differing(old: str, new: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The numbers that only the old and that only the new text has."""
    ours, theirs = numbers(new), numbers(old)
    return tuple(n for n in theirs if n not in ours), tuple(n for n in ours if n not in theirs)


@dataclass(frozen=True, slots=True)
class Clusters:
    """Groups of texts by their places, the largest first, each with its best likeness."""

    pairs: int
    groups: tuple[tuple[tuple[int, ...], float], ...]


def clusters(texts: Iterable[str], threshold: float) -> Clusters:
    """Group texts that resemble one another by at least `threshold` (weighted Jaccard).

    Each member resembles at least one other of its group. Compared are pairs that share a stem
    which at most one in twenty of the texts have, or twelve.
    """
    threshold = min(max(threshold, 0.0), 2.0)
    bags = _Ranked(bagged.gathered(list(texts)))
    left, right = _pairs(bags, threshold)
    likeness = bagged.likeness(bags.bags, left, right, bags.weight)
    alike = likeness >= threshold
    edges = zip(left[alike].tolist(), right[alike].tolist(), likeness[alike].tolist(), strict=True)
    return Clusters(len(left), _grouped(edges))


class _Ranked:
    """The stems of every text, one row a stem of a text, the rarest first in each."""

    def __init__(self, bags: Bags) -> None:
        import numpy as np

        self.bags = bags
        self.size = bags.size
        self.starts: Whole = bags.starts
        self.frequency: Whole = np.bincount(bags.stem, minlength=bags.stems)
        self.weight: Real = np.log1p(self.size / (1 + self.frequency))
        self.text: Whole = np.repeat(np.arange(self.size), np.diff(bags.starts))
        order = np.lexsort((bags.stem, self.frequency[bags.stem], self.text))
        self.stem: Whole = bags.stem[order].astype(np.int64)
        self.total: Real = np.bincount(self.text, self.weight[self.stem], self.size).astype(
            np.float64
        )
        self.places: Whole = _places(self)


def _pairs(bags: _Ranked, threshold: float) -> tuple[Whole, Whole]:
    """The pairs worth comparing, each once, the smaller place at the left."""
    import numpy as np

    rows = _leading(bags, threshold)
    order = np.lexsort((bags.text[rows], bags.stem[rows], bags.frequency[bags.stem[rows]]))
    codes, weights = _found(bags, bags.text[rows][order], bags.stem[rows][order], threshold)
    order = np.argsort(codes, kind="stable")
    codes, weights = codes[order], weights[order]
    first = np.nonzero(np.diff(codes, prepend=-1))[0]
    shared = np.add.reduceat(weights, first) if len(first) else weights
    codes = codes[first]
    if len(codes) > _PAIRS:
        codes = codes[np.sort(np.argpartition(-shared, _PAIRS)[:_PAIRS])]
    return codes // max(bags.size, 1), codes % max(bags.size, 1)


def _leading(bags: _Ranked, threshold: float) -> Whole:
    """The rows of which two texts must share one to resemble each other enough.

    What all the commoner stems of a text weigh is then too little, even if the other had them all.
    """
    import numpy as np

    weight = bags.weight[bags.stem]
    before = np.cumsum(weight) - weight
    before -= before[bags.starts[bags.text]]
    needed = before <= (1 - threshold) * bags.total[bags.text] + 1e-9
    frequency = bags.frequency[bags.stem]
    rare = (frequency >= 2) & (frequency <= max(_FEW, bags.size / _SPREAD))
    return np.nonzero(needed & rare)[0]


def _found(bags: _Ranked, text: Whole, stem: Whole, threshold: float) -> tuple[Whole, Real]:
    """Pairs as left times size plus right, with the weight of the stem that led to each.

    From the rarest stem on, until there are enough; a pair comes once for each stem.
    """
    import numpy as np

    starts = np.nonzero(np.diff(stem, prepend=-1))[0]
    lengths = np.diff(np.append(starts, len(stem)))
    codes, weights = [np.empty(0, np.int64)], [np.empty(0)]
    room = _FOUND
    for length in np.unique(lengths[lengths > 1]).tolist():
        begins = starts[lengths == length][: max(1, room // _each(length))]
        lists = text[begins[:, None] + np.arange(length)]
        pairs = _within(bags, lists, stem[begins])
        weight = np.repeat(bags.weight[stem[begins]], pairs.shape[2])
        fits = _fitting(bags, pairs, threshold)
        codes.append((pairs[0] * bags.size + pairs[1])[fits])
        weights.append(weight.reshape(pairs.shape[1:])[fits])
        room -= pairs[0].size
        if room <= 0:
            break
    return np.concatenate(codes), np.concatenate(weights)


def _each(length: int) -> int:
    """How many pairs a stem with so many texts leads to."""
    return length * (length - 1) // 2 if length <= _FULL else length * _NEIGHBOURS


def _within(bags: _Ranked, lists: Whole, stem: Whole) -> Whole:
    """Pairs of each stem's list: all of them or, of long lists, of neighbours by likeness.

    Shape: left and right, list, pair.
    """
    import numpy as np

    length = lists.shape[1]
    if length <= _FULL:
        one, other = np.triu_indices(length, 1)
        return np.stack((lists[:, one], lists[:, other]))
    order = np.argsort(bags.places[stem[:, None] % _ORDERS, lists], axis=1)
    lists = np.take_along_axis(lists, order, axis=1)
    steps = range(1, _NEIGHBOURS + 1)
    one = np.concatenate([lists[:, :-step] for step in steps], axis=1)
    other = np.concatenate([lists[:, step:] for step in steps], axis=1)
    return np.sort(np.stack((one, other)), axis=0)


def _places(bags: _Ranked) -> Whole:
    """Places for every text, such that those that share most stems often stand side by side.

    Shape: order, text. The rarer a stem, the likelier it is the one that places a text.
    """
    import numpy as np

    draw = np.random.default_rng(1)
    filled = bags.starts[:-1] < bags.starts[1:]
    ranks = np.empty((_ORDERS, bags.size), np.int64)
    for row in ranks:
        drawn = draw.exponential(size=len(bags.weight)) / bags.weight
        least = np.zeros(bags.size)
        if len(bags.stem):
            least[filled] = np.minimum.reduceat(drawn[bags.stem], bags.starts[:-1][filled])
        row[np.lexsort((bags.total, least))] = np.arange(bags.size)
    return ranks


def _fitting(bags: _Ranked, pairs: Whole, threshold: float) -> NDArray[np.bool_]:
    """The pairs of which neither text is too large for the other."""
    import numpy as np

    left, right = bags.total[pairs[0]], bags.total[pairs[1]]
    return np.minimum(left, right) >= threshold * np.maximum(left, right) - 1e-9


def _grouped(edges: Iterable[tuple[int, int, float]]) -> tuple[tuple[tuple[int, ...], float], ...]:
    """What the edges join, the largest first, then the most alike."""
    roots: dict[int, int] = {}
    best: dict[int, float] = {}
    for left, right, likeness in edges:
        one, other = sorted((_root(roots, left), _root(roots, right)))
        roots[other] = one
        best[one] = max(best.get(one, 0.0), best.pop(other, 0.0) if other != one else 0.0, likeness)
    members: dict[int, list[int]] = {}
    for each in sorted(roots):
        members.setdefault(_root(roots, each), []).append(each)
    found = [(tuple(texts), _honest(best[root])) for root, texts in members.items()]
    return tuple(sorted(found, key=lambda group: (-len(group[0]), -group[1], group[0])))


def _root(roots: dict[int, int], each: int) -> int:
    roots.setdefault(each, each)
    while roots[each] != each:
        roots[each] = roots[roots[each]]
        each = roots[each]
    return each


def _honest(likeness: float) -> float:
    """Two texts are the same or they are not: what rounding would make the same is not."""
    return 1.0 if likeness >= 1 - 1e-12 else min(likeness, ALMOST)
