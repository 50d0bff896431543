"""Looks for what is asked in the texts of candidates: which forms of which words each has."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from remembrancer.core.ranking import (
    K1,
    B,
    Candidate,
    Evidence,
    Form,
    Rated,
    Signal,
    Sought,
    Weights,
)

_Found = tuple[float, Signal, str]  # how often, in which way, which form


def by_words(
    candidates: Sequence[Candidate], sought: Sequence[Sought], possible: float, weights: Weights
) -> dict[int, Rated]:
    """What the candidates have of the words, id -> rated; those with none are left out."""
    lengths = [c.stems.count(" ") + 1 for c in candidates]
    mean = sum(lengths) / max(len(lengths), 1) or 1.0
    looking = _Looking(sought, weights)
    found: dict[int, Rated] = {}
    for candidate, length in zip(candidates, lengths, strict=True):
        best = looking.best(candidate)
        if not best:
            continue
        norm = K1 * (1 - B + B * length / mean)
        amount = sum(looking.amount(place, count, norm) for place, (count, _, _) in best.items())
        whole = min(1.0, amount / possible) ** weights.whole if possible else 1.0
        told = partial(looking.evidence, best, norm, whole)
        found[candidate.id] = Rated(candidate, amount * whole, seen=told)
    return found


class _Looking:
    """The words asked for, ready to be looked for in many texts."""

    def __init__(self, sought: Sequence[Sought], weights: Weights) -> None:
        self._sought = sought
        self._weights = weights
        self._forms: dict[str, list[tuple[int, Form]]] = {}
        self._phrases: list[tuple[int, Form]] = []
        self._beginnings: list[tuple[int, Form]] = []
        for place, each in enumerate(sought):
            for form in each.forms:
                if form.signal is Signal.PHRASE:
                    self._phrases.append((place, form))
                elif form.text.endswith("*"):
                    self._beginnings.append((place, form))
                else:
                    self._forms.setdefault(form.text, []).append((place, form))
        self._wanted = frozenset(self._forms)

    def best(self, candidate: Candidate) -> dict[int, _Found]:
        """The best form that the memory has of each word asked for, by its place."""
        best: dict[int, _Found] = {}
        tokens = candidate.stems.split()
        for text in self._wanted.intersection(tokens):
            for place, form in self._forms[text]:
                times = tokens.count(text) if form.signal is Signal.WORDS else 1
                _keep(best, place, (form.share * times, form.signal, text))
        if candidate.parts:
            for text in self._wanted.intersection(candidate.parts.split()):
                for place, form in self._forms[text]:
                    whole = form.signal is Signal.WORDS
                    signal = Signal.PARTS if whole else form.signal
                    _keep(best, place, (form.share * self._weights.parts, signal, text))
        for place, form in self._phrases:
            if f" {form.text} " in f" {candidate.words} ":
                _keep(best, place, (form.share, form.signal, form.text))
        for place, form in self._beginnings:
            if begun := _begun(form.text[:-1], candidate.words):
                _keep(best, place, (form.share, form.signal, begun))
        return best

    def amount(self, place: int, count: float, norm: float) -> float:
        """What so many occurrences of a word asked for are worth in a text of that length."""
        sought = self._sought[place]
        return sought.weight * sought.rarity * count * (K1 + 1) / (count + norm)

    def evidence(self, best: dict[int, _Found], norm: float, whole: float) -> list[Evidence]:
        """The same in words."""
        found: list[Evidence] = []
        for place, (count, signal, text) in sorted(best.items()):
            amount = self.amount(place, count, norm) * whole
            found.append(Evidence(signal, amount, self._sought[place].asked, text))
        return found


def _begun(beginning: str, words: str) -> str | None:
    """The first word that begins so."""
    at = f" {words}".find(f" {beginning}")
    return None if at < 0 else words[at:].split(" ", 1)[0]


def _keep(best: dict[int, _Found], place: int, found: _Found) -> None:
    """Keep the better of two; of equal ones always the same."""
    before = best.get(place)
    if found[0] > 0 and (before is None or (found[0], before[2]) > (before[0], found[2])):
        best[place] = found
