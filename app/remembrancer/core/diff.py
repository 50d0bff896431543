"""The differences of two texts: row by row, and inside a changed row word by word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate, chain, pairwise, zip_longest
from typing import NamedTuple, TypeAlias

Mark: TypeAlias = tuple[int, int]
_Pair: TypeAlias = tuple[str | None, str | None]

# A line longer than this is cut at its sentences first, or one changed word would colour a page.
_LONG_LINE = 1_000
# Two lines that share less of their ink than this read better as one gone and one come.
_ALIKE = 0.4
# Cells of an exact comparison, an eighth of a byte each; beyond it a block counts as rewritten.
_EXACT = 250_000_000
# Pairs of lines that are tried out to find which line of a changed block became which.
_TRIED = 200

# Patterns are compiled at their first use: with these many characters that takes some time.
_SCRIPTS = "\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3"  # no blanks between words
_MARK = "[\u0300-\u036f]"  # accents that stand behind their letter
_WORD = rf"[{_SCRIPTS}]|[^\W{_SCRIPTS}]+(?:{_MARK}[^\W{_SCRIPTS}]*)*|\s+|[^\w\s]"
_COUNTED = rf"[{_SCRIPTS}]|[^\W{_SCRIPTS}]+"
_BREAKS = (
    r"(?<=[\w)]{3})[.!?…][\"'”’»)\]]{0,3}\s+|[。！？]",
    r"[,;:]\s+|[，、；：]",
    r"(?<=\w{12})\s+",
)


class RowKind(StrEnum):
    """What became of a line."""

    EQUAL = "equal"
    CHANGED = "changed"
    REMOVED = "removed"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class Row:
    """One row of two texts side by side; the side a line is missing on is None.

    Marks are half-open ranges of characters (code points) that differ, in order, of a changed row.
    """

    kind: RowKind
    left: str | None
    right: str | None
    left_marks: tuple[Mark, ...] = ()
    right_marks: tuple[Mark, ...] = ()


class _Block(NamedTuple):
    """A run of items that both sides share, or that one side has in place of the other's."""

    equal: bool
    left: range
    right: range


def compare(old: str, new: str) -> tuple[Row, ...]:
    """The rows that lead from `old` to `new`; the lines of each side keep their order.

    A very long line is split at its sentences, so that it makes several rows.
    """
    left, right = _lines(old, new)
    return tuple(row for block in _blocks(left, right) for row in _rows(block, left, right))


def summary(rows: Sequence[Row]) -> tuple[int, int]:
    """How many words were added and how many removed, in this order."""
    added = removed = 0
    for row in rows:
        if row.kind is not RowKind.EQUAL:
            alone = row.kind is not RowKind.CHANGED
            removed += _words_in(row.left, alone, row.left_marks)
            added += _words_in(row.right, alone, row.right_marks)
    return added, removed


def picture(rows: Sequence[Row]) -> str:
    """The rows as lines of text: `  same`, `- old [-word-]`, `+ new [+word+]`."""
    return "\n".join(line for row in rows for line in _drawn(row))


def _drawn(row: Row) -> Iterator[str]:
    if row.kind is RowKind.EQUAL:
        yield f"  {row.left}"
        return
    if row.left is not None:
        yield "- " + _marked(row.left, row.left_marks, "-")
    if row.right is not None:
        yield "+ " + _marked(row.right, row.right_marks, "+")


def _marked(line: str, marks: tuple[Mark, ...], sign: str) -> str:
    for start, end in reversed(marks):
        line = f"{line[:start]}[{sign}{line[start:end]}{sign}]{line[end:]}"
    return line


def _words_in(line: str | None, alone: bool, marks: tuple[Mark, ...]) -> int:
    """The words inside the marks; a line that stands alone counts as a whole."""
    if line is None:
        return 0
    pieces = [line] if alone else [line[start:end] for start, end in marks]
    return sum(len(re.findall(_COUNTED, piece)) for piece in pieces)


def _lines(old: str, new: str) -> tuple[list[str], list[str]]:
    """The lines of both texts, cut finer on both sides when a line of either is very long."""
    left, right = (text.split("\n") if text else [] for text in (old, new))
    if any(len(line) > _LONG_LINE for line in chain(left, right)):
        return _sentences(left), _sentences(right)
    return left, right


def _sentences(lines: list[str]) -> list[str]:
    return [
        piece
        for line in lines
        for sentence in _cut(line, _BREAKS[0])
        for piece in _pieces(sentence, _BREAKS[1:])
    ]


def _pieces(text: str, breaks: tuple[str, ...]) -> list[str]:
    """`text` cut at ever weaker breaks, as long as a piece is too long.

    Breaks depend on the words around them only: one edit does not move all that follow.
    """
    if not breaks or len(text) <= _LONG_LINE:
        return [text]
    return [small for piece in _cut(text, breaks[0]) for small in _pieces(piece, breaks[1:])]


def _cut(text: str, at: str) -> list[str]:
    ends = [found.end() for found in re.finditer(at, text)]
    return [text[a:b] for a, b in pairwise([0, *ends, len(text)]) if a < b] or [text]


def _blocks(left: Sequence[str], right: Sequence[str]) -> list[_Block]:
    """Equal and differing runs of two sequences, in turn, covering both."""
    shortest = min(len(left), len(right))
    head = tail = 0
    while head < shortest and left[head] == right[head]:
        head += 1
    while tail < shortest - head and left[-1 - tail] == right[-1 - tail]:
        tail += 1
    ends = len(left) - tail, len(right) - tail
    middle = _middle(left[head : ends[0]], right[head : ends[1]], head)
    blocks = [
        _Block(True, range(0, head), range(0, head)),
        *middle,
        _Block(True, range(ends[0], len(left)), range(ends[1], len(right))),
    ]
    return [block for block in blocks if block.left or block.right]


def _middle(left: Sequence[str], right: Sequence[str], offset: int) -> list[_Block]:
    """The blocks of what lies between the common head, `offset` items long, and the common tail."""
    if not left or not right or len(left) * len(right) > _EXACT:
        whole = range(offset, offset + len(left)), range(offset, offset + len(right))
        return [_Block(False, *whole)]
    from rapidfuzz.distance import Indel

    numbers: dict[str, int] = {}
    a = [numbers.setdefault(item, len(numbers)) for item in left]
    b = [numbers.setdefault(item, len(numbers)) for item in right]
    blocks: list[_Block] = []
    for step in Indel.opcodes(a, b):
        equal = step.tag == "equal"
        i, j = step.src_start + offset, step.dest_start + offset
        if blocks and not equal and not blocks[-1].equal:  # a removal beside an addition
            last = blocks.pop()
            i, j = last.left.start, last.right.start
        there = range(i, step.src_end + offset), range(j, step.dest_end + offset)
        blocks.append(_Block(equal, *there))
    return blocks


def _taken(items: list[str], run: range) -> list[str]:
    return items[run.start : run.stop]


def _rows(block: _Block, left: list[str], right: list[str]) -> Iterator[Row]:
    old, new = _taken(left, block.left), _taken(right, block.right)
    if block.equal:
        yield from (Row(RowKind.EQUAL, line, line) for line in old)
        return
    for a, b in _pairs(old, new):
        if a is not None and b is not None:
            yield _changed(a, b)
        elif a is not None:
            yield Row(RowKind.REMOVED, a, None)
        else:
            yield Row(RowKind.ADDED, None, b)


def _pairs(old: list[str], new: list[str]) -> Iterator[_Pair]:
    """Which line of a changed block faces which: look-alikes first, the others by their place."""
    a = b = 0
    for i, j in [*_matches(old, new), (len(old), len(new))]:
        yield from zip_longest(old[a:i], new[b:j])
        if i < len(old):
            yield old[i], new[j]
        a, b = i + 1, j + 1


def _matches(old: list[str], new: list[str]) -> list[tuple[int, int]]:
    """Pairs of places, both rising, whose lines are most alike in sum; [] where that costs much."""
    n, m = len(old), len(new)
    if n * m > _TRIED or n * m <= 1:
        return []
    words = [frozenset(re.findall(_COUNTED, line)) for line in (*old, *new)]
    like = [[_likeness(a, b) for b in words[n:]] for a in words[:n]]
    best = [[0.0] * (m + 1) for _ in range(n + 1)]
    for i in reversed(range(n)):
        for j in reversed(range(m)):
            best[i][j] = max(best[i + 1][j], best[i][j + 1], best[i + 1][j + 1] + like[i][j])
    return _followed(best, like)


def _followed(best: list[list[float]], like: list[list[float]]) -> list[tuple[int, int]]:
    """The path through the table of best sums, as the matches on it."""
    i = j = 0
    path: list[tuple[int, int]] = []
    while i < len(like) and j < len(like[0]):
        if like[i][j] and best[i][j] == best[i + 1][j + 1] + like[i][j]:
            path.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return path


def _likeness(a: frozenset[str], b: frozenset[str]) -> float:
    """The share of words two lines have in common, 0 when that is too little to call them alike."""
    share = 2 * len(a & b) / (len(a) + len(b) or 1)
    return share if share >= _ALIKE else 0.0


def _changed(old: str, new: str) -> Row:
    if old == new:
        return Row(RowKind.EQUAL, old, new)
    left, right = re.findall(_WORD, old), re.findall(_WORD, new)
    enough = _ALIKE * (_ink(old) + _ink(new)) / 2
    shared = set(left).intersection(right)
    if _ink("".join(word for word in left if word in shared)) < enough:
        return Row(RowKind.CHANGED, old, new, _whole(old), _whole(new))
    blocks = _blocks(left, right)
    kept = ["".join(_taken(left, block.left)) for block in blocks if block.equal]
    if _ink("".join(kept)) < enough:
        return Row(RowKind.CHANGED, old, new, _whole(old), _whole(new))
    differing = [block for block in blocks if not block.equal]
    left_marks = _marks(left, [block.left for block in differing])
    right_marks = _marks(right, [block.right for block in differing])
    return Row(RowKind.CHANGED, old, new, left_marks, right_marks)


def _ink(text: str) -> int:
    """Characters that are not blank."""
    return len("".join(text.split()))


def _whole(line: str) -> tuple[Mark, ...]:
    return ((0, len(line)),) if line else ()


def _marks(words: Sequence[str], runs: list[range]) -> tuple[Mark, ...]:
    """The ranges of characters of some runs of words; runs with only a blank between them join."""
    at = [0, *accumulate(map(len, words))]
    ranges: list[range] = []
    for run in filter(None, runs):
        if ranges and all(word.isspace() for word in words[ranges[-1].stop : run.start]):
            ranges[-1] = range(ranges[-1].start, run.stop)
        else:
            ranges.append(run)
    return tuple((at[run.start], at[run.stop]) for run in ranges)
