"""Texts as bags of stems: gathered page by page, kept as numbers, and compared in bulk.

A hundred thousand texts take about ten megabytes here, whatever they take as texts.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING

from remembrancer.core import analyser

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Whole = NDArray[np.int64]
    Small = NDArray[np.int32]
    Real = NDArray[np.float64]

LOOKED_AT = 8_000  # characters of a text that are compared

_AT_ONCE = 4_000_000  # stems that a comparison holds at once
_PAGE = 2_000  # texts that are taken apart at once
_END = b"\xff"  # stands between two texts: no text in UTF-8 has this byte
_NO_STEM = -1
_TEXT_ENDS = -2
_LETTERS = b"abcdefghijklmnopqrstuvwxyz0123456789"
# Every byte as it is told apart in ASCII: lower case, and a blank for what is no word.
_APART = bytes(
    byte if byte >= 128 else (byte + 32 if 65 <= byte <= 90 else byte if byte in _LETTERS else 32)
    for byte in range(256)
)


class Bags:
    """The different stems of every text as numbers from 0 to `stems`, text after text.

    The stems of text n stand in `stem` from `starts[n]` up to `starts[n + 1]`.
    """

    def __init__(self, stem: Small, starts: Whole, known: int) -> None:
        self.stem = stem
        self.starts = starts
        self.stems = known
        self.size = len(starts) - 1


class Gathering:
    """Takes texts in, and keeps of each only which stems it has."""

    def __init__(self) -> None:
        self._words: dict[bytes, int] = {_END: _TEXT_ENDS}
        self._stems: dict[str, int] = {}
        self._pages: list[Small] = []
        self._counts = array("q", [0])

    def __len__(self) -> int:
        return len(self._counts) - 1

    def add(self, texts: Sequence[str]) -> None:
        """Take some more texts; their first 8,000 characters are looked at."""
        for start in range(0, len(texts), _PAGE):
            self._add([text[:LOOKED_AT] for text in texts[start : start + _PAGE]])

    def bags(self) -> Bags:
        """All that was taken in."""
        import numpy as np

        stem = np.concatenate([np.empty(0, np.int32), *self._pages])
        return Bags(stem, np.cumsum(np.asarray(self._counts, np.int64)), len(self._stems))

    def _add(self, texts: Sequence[str]) -> None:
        import numpy as np

        joined = (b" " + _END + b" ").join([*map(_spelled, texts), b""])
        words = joined.translate(_APART).split()
        for word in dict.fromkeys(words):
            if word not in self._words:
                self._words[word] = self._stem(word.decode())
        found = np.fromiter(map(self._words.__getitem__, words), np.int64, len(words))
        text = np.cumsum(found == _TEXT_ENDS)
        kept = found >= 0
        codes = _different((text[kept] << 32) | found[kept])
        self._pages.append((codes & 0xFFFFFFFF).astype(np.int32))
        self._counts.extend(np.bincount(codes >> 32, minlength=len(texts)).tolist())

    def _stem(self, word: str) -> int:
        """The number of a word's stem, of none when texts are not compared by such words."""
        stem = word if word.isdigit() else next(iter(analyser.likenesses(word)), None)
        return _NO_STEM if stem is None else self._stems.setdefault(stem, len(self._stems))


def _spelled(text: str) -> bytes:
    """A text whose words bytes can tell apart: plain ASCII as it is, of any other its words."""
    if text.isascii():
        return text.encode()
    return " ".join(analyser.likenesses(text).values()).encode(errors="replace")


def _different(codes: Whole) -> Whole:
    """The different codes, in order."""
    import numpy as np

    codes = np.sort(codes)
    return codes[np.concatenate(([True], codes[1:] != codes[:-1]))] if len(codes) else codes


def gathered(texts: Sequence[str]) -> Bags:
    """The bags of these texts."""
    gathering = Gathering()
    gathering.add(texts)
    return gathering.bags()


def likeness(bags: Bags, left: Whole, right: Whole, weight: Real | None = None) -> Real:
    """The Jaccard similarity of each pair of texts, its stems weighted by `weight` where given."""
    import numpy as np

    weight = np.ones(bags.stems) if weight is None else weight
    ends = np.cumsum(_lengths(bags, left) + _lengths(bags, right))
    found: list[Real] = [np.empty(0)]
    start = 0
    while start < len(left):
        done = int(ends[start - 1]) if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, done + _AT_ONCE)))
        found.append(_compared(bags, left[start:stop], right[start:stop], weight))
        start = stop
    return np.concatenate(found)


def _lengths(bags: Bags, texts: Whole) -> Whole:
    return bags.starts[texts + 1] - bags.starts[texts]


def _compared(bags: Bags, left: Whole, right: Whole, weight: Real) -> Real:
    import numpy as np

    known = max(bags.stems, 1)
    codes = np.sort(np.concatenate([_coded(bags, side, known) for side in (left, right)]))
    again = np.concatenate((codes[1:] == codes[:-1], [False])) if len(codes) else codes == 0
    common = np.bincount(codes[again] // known, weight[codes[again] % known], len(left))
    both = np.bincount(codes // known, weight[codes % known], len(left))
    return common / np.maximum(both - common, 1e-12)


def _coded(bags: Bags, texts: Whole, known: int) -> Whole:
    """Every stem of every text in the list, as the text's place in it times `known` plus stem."""
    import numpy as np

    lengths = _lengths(bags, texts)
    place = np.repeat(np.arange(len(texts)), lengths)
    within = np.arange(len(place)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return place * known + bags.stem[np.repeat(bags.starts[texts], lengths) + within]
