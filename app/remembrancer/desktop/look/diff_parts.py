"""A difference in parts that can be laid out at once, its long lines broken into several rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from remembrancer.core.diff import Mark, Row

LONGEST_ROW = 1_000  # characters of one row
MOST_ROWS = 1_500  # rows of a part
MOST_CHARACTERS = 30_000  # characters of a part, both sides together

_Piece = tuple[str, tuple[Mark, ...]]


def short_rows(rows: Sequence[Row]) -> list[Row]:
    """The rows, those with long lines broken into several."""
    return [piece for row in rows for piece in _short(row)]


def _short(row: Row) -> Iterator[Row]:
    if max(len(row.left or ""), len(row.right or "")) <= LONGEST_ROW:
        yield row
        return
    old, new = _pieces(row.left, row.left_marks), _pieces(row.right, row.right_marks)
    for left, right in zip_longest(old, new, fillvalue=(None, ())):
        yield replace(row, left=left[0], left_marks=left[1], right=right[0], right_marks=right[1])


def _pieces(text: str | None, marks: tuple[Mark, ...]) -> Iterator[_Piece]:
    for start in range(0, len(text or ""), LONGEST_ROW):
        end = start + LONGEST_ROW
        inside = ((max(a, start) - start, min(b, end) - start) for a, b in marks)
        yield (text or "")[start:end], tuple((a, b) for a, b in inside if a < b)


def parts(rows: Sequence[Row]) -> list[range]:
    """The rows as stretches that are shown one at a time; at least one, which may be empty."""
    found, start, size = list[range](), 0, 0
    for number, row in enumerate(rows):
        more = len(row.left or "") + len(row.right or "")
        if number > start and (number - start >= MOST_ROWS or size + more > MOST_CHARACTERS):
            found.append(range(start, number))
            start, size = number, 0
        size += more
    return [*found, range(start, len(rows))]
