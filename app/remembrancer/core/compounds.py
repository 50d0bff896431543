"""German compounds: the words that a long word is made of, by a lexicon of our own.

The lexicon lies beside this file, one word a line: nouns, verbs' stems and adjectives as they stand
in compounds. Words and parts are folded as the analyser folds them: small letters, no accents, ss.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import cache
from pkgutil import get_data

_SHORTEST_WORD, _LONGEST_WORD = 6, 60
_SHORTEST_PART = 3
_MOST_PARTS = 5
# What may stand between two parts, and what inflection adds to the last.
_LINKS = ("s", "n", "en", "es", "er", "e", "ens")
_ENDINGS = ("s", "n", "en", "es", "er", "e", "em", "ern", "innen", "in", "ens")
# Every part costs one; a doubtful one more, so that few and certain parts win.
_LINKED, _SHORT, _LOST = 0.1, 0.1, 0.2
_SELDOM = {"ens": 0.05}  # what a link costs more that is more often another and an s

_FOLDED = str.maketrans({"ä": "a", "ö": "o", "ü": "u", "ß": "ss"})

_Found = tuple[float, tuple[str, ...]]


@cache
def lexicon() -> frozenset[str]:
    """The words that parts may be, folded."""
    text = (get_data("remembrancer.core", "german_words.txt") or b"").decode()
    return frozenset(text.translate(_FOLDED).split())


def parts(word: str) -> tuple[str, ...]:
    """The parts of a folded German word in its order, () when it is none of ours or simple."""
    return split(word, lexicon())


def split(word: str, known: Collection[str]) -> tuple[str, ...]:
    """The parts of a folded word by a collection of known words; () when it has none."""
    fits = _SHORTEST_WORD <= len(word) <= _LONGEST_WORD
    if not fits or not word.isalpha() or word in known:
        return ()
    found = _Splitter(word, known.__contains__).rest(0, _MOST_PARTS)
    return found[1] if found is not None and len(found[1]) > 1 else ()


class _Splitter:
    """One word under way: the cheapest parts from each place on."""

    def __init__(self, word: str, known: Callable[[str], bool]) -> None:
        self._word = word
        self._known = known
        self._seen: dict[tuple[int, int], _Found | None] = {}

    def rest(self, start: int, most: int) -> _Found | None:
        """The cheapest way to part the word from `start` on into at most `most` parts."""
        at = (start, most)
        if at not in self._seen:
            self._seen[at] = self._cheapest(start, most)
        return self._seen[at]

    def _cheapest(self, start: int, most: int) -> _Found | None:
        word = self._word
        last = _last(word[start:], self._known)
        best = None if last is None else (last, (word[start:],))
        if most == 1:
            return best
        # From the longest first part on: of equally cheap ways the one with it stays.
        for end in range(len(word) - _SHORTEST_PART, start + _SHORTEST_PART - 1, -1):
            first = _first(word[start:end], self._known)
            rest = self.rest(end, most - 1) if first is not None else None
            if first is None or rest is None:
                continue
            cost = first[0] + rest[0]
            if best is None or cost < best[0]:
                best = (cost, (first[1], *rest[1]))
        return best


def _first(piece: str, known: Callable[[str], bool]) -> tuple[float, str] | None:
    """What a part costs that others follow, and the part without what links it."""
    if known(piece):
        return 1 + _SHORT * (len(piece) == _SHORTEST_PART), piece
    for link in _LINKS:
        base = piece.removesuffix(link)
        if len(base) < len(piece) and len(base) >= _SHORTEST_PART and known(base):
            return 1 + _LINKED + _SELDOM.get(link, 0) + _SHORT * (len(base) == _SHORTEST_PART), base
    if len(piece) > _SHORTEST_PART and known(f"{piece}e"):
        return 1 + _LOST, piece
    return None


def _last(piece: str, known: Callable[[str], bool]) -> float | None:
    """What the last part costs, inflected as it may be; None when it is not known."""
    if len(piece) < _SHORTEST_PART:
        return None
    if known(piece):
        return 1 + _SHORT * (len(piece) == _SHORTEST_PART)
    for ending in _ENDINGS:
        base = piece.removesuffix(ending)
        if len(base) < len(piece) and len(base) > _SHORTEST_PART and known(base):
            return 1 + _LINKED
    return None
