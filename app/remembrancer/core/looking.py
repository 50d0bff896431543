"""Looks for what is asked in the texts of candidates: which forms of which words each has."""

from __future__ import annotations

from collections.abc import Sequence

from remembrancer.core.ranking import K1, B, Candidate, Evidence, Form, Signal, Sought, Weights


def by_words(
    candidates: Sequence[Candidate], sought: Sequence[Sought], possible: float, weights: Weights
) -> dict[int, list[Evidence]]:
    """The evidence of the words themselves, id -> what was found, nothing for most."""
    lengths = [c.stems.count(" ") + 1 for c in candidates]
    mean = sum(lengths) / max(len(lengths), 1) or 1.0
    looking = _Looking(sought, weights)
    found: dict[int, list[Evidence]] = {}
    for candidate, length in zip(candidates, lengths, strict=True):
        evidence = looking.evidence(candidate, K1 * (1 - B + B * length / mean))
        if evidence:
            found[candidate.id] = _as_a_whole(evidence, possible, weights)
    return found


def _as_a_whole(evidence: list[Evidence], possible: float, weights: Weights) -> list[Evidence]:
    share = sum(each.amount for each in evidence) / possible if possible else 1.0
    factor = min(1.0, share) ** weights.whole
    return [each._replace(amount=each.amount * factor) for each in evidence]


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
        self._wanted = self._forms.keys()

    def evidence(self, candidate: Candidate, factor: float) -> list[Evidence]:
        """The best evidence of each word asked for of which the memory has a form."""
        best: dict[int, tuple[float, Signal, str]] = {}
        tokens = candidate.stems.split()
        for text in sorted(self._wanted & set(tokens)):
            for place, form in self._forms[text]:
                times = tokens.count(text) if form.signal is Signal.WORDS else 1
                _keep(best, place, (form.share * times, form.signal, text))
        if candidate.parts:
            for text in sorted(self._wanted & set(candidate.parts.split())):
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
        return [self._weighed(place, *best[place], factor) for place in sorted(best)]

    def _weighed(
        self, place: int, count: float, signal: Signal, text: str, factor: float
    ) -> Evidence:
        sought = self._sought[place]
        amount = sought.weight * sought.rarity * count * (K1 + 1) / (count + factor)
        return Evidence(signal, amount, sought.asked, text)


def _begun(beginning: str, words: str) -> str | None:
    """The first word that begins so."""
    at = f" {words}".find(f" {beginning}")
    return None if at < 0 else words[at:].split(" ", 1)[0]


def _keep(
    best: dict[int, tuple[float, Signal, str]], place: int, found: tuple[float, Signal, str]
) -> None:
    if found[0] > 0 and (place not in best or best[place][0] < found[0]):
        best[place] = found
