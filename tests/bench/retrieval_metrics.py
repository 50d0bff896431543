"""What the benchmark of recall counts in a ranking, and the tables it prints."""

from __future__ import annotations

import math
import statistics
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

COLUMNS = ("R@5", "R@10", "R@20", "R@50", "nDCG@10", "MRR@10", "hit@5")
# What others have published about the same questions: a row's name, then its figures by column.
Anchors = Mapping[str, Mapping[str, float]]
DIALOG: Anchors = {
    "LoCoMo's paper, DRAGON, dialog": {"R@5": 0.567, "R@10": 0.662, "R@50": 0.827},
    "  the same without adversarial": {"R@5": 0.604, "R@10": 0.696},
}
OBSERVED: Anchors = {"LoCoMo's paper, DRAGON, observation": {"R@5": 0.562, "R@10": 0.613}}
BY_SESSION: Anchors = {
    "LoCoMo's paper, DRAGON, session summaries": {"R@5": 0.721, "R@10": 0.847},
    "hebb-mind with a reranker, lowest": {"R@10": 0.902},
    "hebb-mind with a reranker, highest": {"R@10": 0.917},
    "graph-memory, full text": {"R@5": 0.709},
    "graph-memory, later": {"R@5": 0.829, "R@10": 0.902},
    "deja-vu, earlier": {"hit@5": 0.780},
    "deja-vu, later": {"hit@5": 0.856},
}
_TIMES = ("p50 ms", "p95 ms")
_FIRST = 46  # characters of a table's first column


@dataclass(frozen=True)
class Outcome:
    """How one question fared: its figures in the order of COLUMNS, and its milliseconds."""

    category: str
    corpus: int
    figures: tuple[float, ...]
    took: float


def figures(ranked: Sequence[Hashable], relevant: Iterable[Hashable]) -> tuple[float, ...]:
    """The figures of one ranking, the best first, in the order of COLUMNS."""
    wanted = set(relevant)
    hits = [each in wanted for each in ranked]
    recalls = [sum(hits[:k]) / len(wanted) for k in (5, 10, 20, 50)]
    gained = sum(1 / math.log2(i + 2) for i, hit in enumerate(hits[:10]) if hit)
    ideal = sum(1 / math.log2(i + 2) for i in range(min(len(wanted), 10)))
    reciprocal = next((1 / (i + 1) for i, hit in enumerate(hits[:10]) if hit), 0.0)
    return (*recalls, gained / ideal, reciprocal, float(any(hits[:5])))


def percentiles(times: Iterable[float]) -> tuple[float, float]:
    """The median and the 95th percentile."""
    ordered = sorted(times)
    return statistics.median(ordered), ordered[max(math.ceil(len(ordered) * 0.95) - 1, 0)]


def head(title: str) -> None:
    """Begin a table."""
    names = ("questions", *COLUMNS, *_TIMES)
    print(f"\n| {title:<{_FIRST}} | {' | '.join(f'{n:>{_width(n)}}' for n in names)} |")
    print("|".join(["", *["---"] * (len(names) + 1), ""]))


def row(name: str, outcomes: Sequence[Outcome]) -> None:
    """Print the means of some outcomes, nothing when there are none."""
    if not outcomes:
        return
    means = [
        statistics.fmean(column) for column in zip(*(o.figures for o in outcomes), strict=True)
    ]
    median, p95 = percentiles(o.took for o in outcomes)
    cells = [f"{len(outcomes):9,}"]
    cells += [f"{mean:{_width(column)}.3f}" for mean, column in zip(means, COLUMNS, strict=True)]
    _print(name, [*cells, f"{median:6.2f}", f"{p95:6.2f}"])


def anchors(published: Anchors) -> None:
    """Print one row for everybody who has published figures."""
    for name, values in published.items():
        found = {column: f"{value:.3f}" for column, value in values.items()}
        cells = [f"{found.get(column, ''):>{_width(column)}}" for column in ("questions", *COLUMNS)]
        _print(name, [*cells, *(" " * len(column) for column in _TIMES)])


def _width(column: str) -> int:
    return max(len(column), 5)


def _print(name: str, cells: Sequence[str]) -> None:
    print(f"| {name:<{_FIRST}} | {' | '.join(cells)} |", flush=True)


def by_category(outcomes: Sequence[Outcome]) -> None:
    """Print one row for every category, in the alphabet's order."""
    for category in sorted({o.category for o in outcomes}):
        row(f"  {category}", [o for o in outcomes if o.category == category])
