"""What is akin to a word asked for: its misspellings, longer words with it, shorter ones in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Protocol

from remembrancer.core.ranking import Form, Signal, Weights

_NEAREST, _LONGER, _SHORTER = 6, 8, 4
_MISSPELT = 4  # letters from which on a word may be misspelt
_TWICE = 8  # letters from which on it may be misspelt in two places
_HELD = 4  # letters of a word that longer ones may begin or end with
_INNER = 5  # letters of a word that may stand anywhere in a longer one
_GROWN = 4  # letters that a word and one it begins with differ by
_UNKNOWN = 5 / 3  # what is akin says more where the word itself is nowhere


class Vocabulary(Protocol):
    """The words there are; every question is asked for many words at once."""

    def near(self, words: Sequence[str]) -> Mapping[str, list[str]]:
        """For each word those that may be misspellings of it, and others."""
        ...

    def holding(self, words: Sequence[str]) -> Mapping[str, list[str]]:
        """For each word longer ones with its letters in a row, the shortest first."""
        ...

    def within(self, words: Sequence[str], shortest: int) -> Mapping[str, list[str]]:
        """For each word those of at least so many letters that stand inside it, longest first."""
        ...


class OwnWords:
    """The words of a few texts."""

    def __init__(self, terms: Iterable[str]) -> None:
        self._terms = sorted({t for t in terms if t.isalpha() and len(t) > 2})

    def near(self, words: Sequence[str]) -> Mapping[str, list[str]]:
        """Words of about the same length."""
        return {w: [t for t in self._terms if abs(len(t) - len(w)) < 3 and t != w] for w in words}

    def holding(self, words: Sequence[str]) -> Mapping[str, list[str]]:
        """Longer words with these letters in a row, the shortest first."""
        return {w: sorted((t for t in self._terms if w in t and t != w), key=_short) for w in words}

    def within(self, words: Sequence[str], shortest: int) -> Mapping[str, list[str]]:
        """The words that stand inside each, the longest first."""
        return {w: inside(w, self._terms, shortest) for w in words}


def inside(word: str, terms: Iterable[str], shortest: int) -> list[str]:
    """Those of the terms that stand inside a word, the longest first."""
    found = (t for t in terms if shortest <= len(t) < len(word) and t in word)
    return sorted(found, key=lambda t: (-len(t), t))


def kin(
    known: Mapping[str, bool], vocabulary: Vocabulary, weights: Weights
) -> dict[str, list[Form]]:
    """The forms akin to each of some stems; misspellings only of those that are not known.

    `known` tells of a stem whether the word it is of is known anywhere.
    """
    stems = [stem for stem in known if stem.isalpha() and len(stem) >= _HELD]
    doubtful = [stem for stem in stems if not known[stem] and len(stem) >= _MISSPELT]
    near = vocabulary.near(doubtful if weights.misspelt else [])
    stems = stems if weights.akin else []
    holding = vocabulary.holding(stems)
    within = vocabulary.within([s for s in stems if len(s) > _INNER], _INNER)
    found: dict[str, list[Form]] = {}
    for stem, is_known in known.items():
        share = weights.akin if is_known else min(1.0, weights.akin * _UNKNOWN)
        akin = [*_longer(stem, holding.get(stem, ()))]
        akin += _shorter(stem, within.get(stem, ()), known=is_known)
        forms = {text: Form(text, Signal.AKIN, share) for text in akin}
        for form in _misspelt(stem, near.get(stem, ()), weights):
            if form.share > forms.get(form.text, _NOTHING).share:
                forms[form.text] = form
        found[stem] = list(forms.values())
    return found


_NOTHING = Form("", Signal.AKIN, 0.0)


def _misspelt(stem: str, near: Iterable[str], weights: Weights) -> list[Form]:
    from rapidfuzz.distance import OSA

    most = 2 if len(stem) >= _TWICE else 1
    pairs = ((OSA.distance(stem, each, score_cutoff=most), each) for each in near)
    nearest = sorted(pair for pair in pairs if pair[0] <= most)[:_NEAREST]
    return [Form(text, Signal.MISSPELT, weights.misspelt / max(far, 1)) for far, text in nearest]


def _longer(stem: str, holding: Sequence[str]) -> list[str]:
    outer = (t for t in holding if len(stem) >= _INNER or t.startswith(stem) or t.endswith(stem))
    return list(islice(outer, _LONGER))


def _shorter(stem: str, within: Sequence[str], *, known: bool) -> list[str]:
    begins = (t for t in within if stem.startswith(t) and len(stem) - len(t) <= _GROWN)
    return list(islice(begins if known else within, _SHORTER))


def _short(term: str) -> tuple[int, str]:
    return len(term), term
