"""Oddities that many lines share, told once: at the first line, with how many are like it."""

from __future__ import annotations

from collections.abc import Iterator

from remembrancer.core.travel import Anomaly


class Tally:
    """Counts lines by the sentence that holds for them."""

    def __init__(self) -> None:
        self._seen: dict[str, tuple[int, int]] = {}

    def note(self, line: int, sentence: str) -> None:
        """Say `sentence`, which ends with a full stop, of a line."""
        first, count = self._seen.get(sentence, (line, 0))
        self._seen[sentence] = (first, count + 1)

    def anomalies(self) -> Iterator[Anomaly]:
        """One anomaly a sentence, at the first of its lines."""
        for sentence, (first, count) in self._seen.items():
            yield Anomaly(first, sentence if count == 1 else _of_many(sentence, count - 1))


def _of_many(sentence: str, others: int) -> str:
    likewise = "1 further line" if others == 1 else f"{others:,} further lines"
    return f"{sentence[:-1]} ({likewise} likewise)."
