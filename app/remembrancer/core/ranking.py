"""How well a memory answers a question: one formula, a weight for each signal, reasons in words.

    relevance = sum over the words asked for of  weight · rarity · tf·(k1 + 1) / (tf + k1·length)
              + what was written together with it, its entity and linked entities gain it
              + meaning · likeness of the vectors, where there are any
    score = (1 + relevance) · (1 + standing), standing within ±25 %

`tf` counts a word's stem in the memory; a part of a compound counts half, and what is only akin
(a misspelling, a longer or a shorter word) its share. `rarity` is ln(1 + (N - n + 0.5)/(n + 0.5))
for n of N memories, `length` 1 - b + b · words of the memory / words on average. A question among
the memories is no answer and loses `question` of its relevance.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, Protocol

from remembrancer.core.clock import DAY, MINUTE
from remembrancer.core.kinds import Kind

K1, B = 1.2, 0.4


@dataclass(frozen=True, slots=True)
class Weights:
    """What each signal is worth; 0 switches it off. Chosen once, for every store and language."""

    words: float = 1.0
    phrases: float = 1.0
    parts: float = 0.5
    akin: float = 0.3
    misspelt: float = 0.8
    together: float = 1.0
    entity: float = 0.05
    linked: float = 0.05
    meaning: float = 1.0
    question: float = 0.3
    freshness: float = 0.05
    point: float = 0.006  # what one of the points of standing is worth


WEIGHTS = Weights()
STANDING_LIMIT = 0.25
# The points of standing, as recall has always counted them.
SELECTED, PINNED, CONSTRAINT, CONFIDENCE, DOUBT = 10, 20, 15, 5, 3

TOGETHER_GAP = 10 * MINUTE  # between one memory and the next that was written with it
TOGETHER_BEST = 20  # the best whose neighbours gain
# The one that comes after gains most: what is said next is often the answer.
TOGETHER: Mapping[int, float] = {1: 0.5, -1: 0.3, 2: 0.2, -2: 0.2}
HALF_FRESH = 90 * DAY


class Signal(StrEnum):
    """What a score is made of."""

    WORDS = "words"
    PARTS = "parts"
    PHRASE = "phrase"
    MISSPELT = "misspelt"
    AKIN = "akin"
    TOGETHER = "together"
    ENTITY = "entity"
    LINKED = "linked"
    MEANING = "meaning"


class Evidence(NamedTuple):
    """One signal of a hit: what it adds to the relevance, and what it saw.

    `asked` is the word of the question, `seen` what stands in the memory, or for `TOGETHER` the
    other memory's id, for `MEANING` the likeness.
    """

    signal: Signal
    amount: float
    asked: str = ""
    seen: str = ""


class Form(NamedTuple):
    """A form that stands for a word asked for, in which way, and its share of the word.

    With a star at its end it is the beginning of a word, as one types it.
    """

    text: str
    signal: Signal
    share: float


@dataclass(frozen=True, slots=True)
class Sought:
    """A word asked for: its forms, how rare it is, and what it weighs beside the others."""

    asked: str
    forms: tuple[Form, ...]
    rarity: float
    weight: float = 1.0


class Candidate(NamedTuple):
    """What ranking looks at of a memory; the texts are those of the index."""

    id: int
    entity_id: int | None
    author: str
    created_at: int
    updated_at: int
    pinned: bool
    kind: str
    confidence: float
    asks: bool
    words: str
    stems: str
    parts: str


class Rated(NamedTuple):
    """A candidate with its relevance and the evidence for it, strongest first."""

    candidate: Candidate
    relevance: float
    evidence: tuple[Evidence, ...]


def rarity(total: int, having: float) -> float:
    """How much a word says that so many of all memories have."""
    having = min(having, total)
    return math.log(1 + (total - having + 0.5) / (having + 0.5))


def by_words(
    candidates: Sequence[Candidate], sought: Sequence[Sought], weights: Weights
) -> dict[int, list[Evidence]]:
    """The evidence of the words themselves, id -> what was found, nothing for most."""
    lengths = [c.stems.count(" ") + 1 for c in candidates]
    mean = sum(lengths) / max(len(lengths), 1) or 1.0
    looking = _Looking(sought, weights)
    found: dict[int, list[Evidence]] = {}
    for candidate, length in zip(candidates, lengths, strict=True):
        evidence = looking.evidence(candidate, K1 * (1 - B + B * length / mean))
        if evidence:
            found[candidate.id] = evidence
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
        self._wanted = self._forms.keys()

    def evidence(self, candidate: Candidate, factor: float) -> list[Evidence]:
        """The best evidence of each word asked for of which the memory has a form."""
        best: dict[int, tuple[float, Signal, str]] = {}
        tokens = candidate.stems.split()
        for text in self._wanted & set(tokens):
            for place, form in self._forms[text]:
                times = tokens.count(text) if form.signal is Signal.WORDS else 1
                _keep(best, place, (form.share * times, form.signal, text))
        if candidate.parts:
            for text in self._wanted & set(candidate.parts.split()):
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


def together(
    rated: Mapping[int, float], neighbours: Mapping[int, Mapping[int, float]], weights: Weights
) -> dict[int, list[Evidence]]:
    """What memories gain from those they were written together with.

    `rated`: id -> relevance by words. `neighbours`: id -> other id -> share of its relevance.
    """
    found: dict[int, list[Evidence]] = {}
    for memory_id, others in neighbours.items():
        gains = [
            Evidence(Signal.TOGETHER, weights.together * share * rated[other], "", str(other))
            for other, share in others.items()
            if rated.get(other, 0) > 0 and weights.together > 0
        ]
        if gains:
            found[memory_id] = gains
    return found


class Standing(Protocol):
    """What a memory's standing depends on."""

    @property
    def pinned(self) -> bool: ...
    @property
    def kind(self) -> str: ...
    @property
    def confidence(self) -> float: ...


def standing(memory: Standing, points: float, age: int, weights: Weights, *, asked: bool) -> float:
    """What the pinned, the binding, the certain and the fresh gain: a factor from 0.75 to 1.25.

    `points` are those that only the caller knows of: for the selected entity, against doubts;
    `age` is in microseconds and counts only where something is `asked`.
    """
    own = PINNED * memory.pinned + CONSTRAINT * (memory.kind == Kind.CONSTRAINT)
    share = weights.point * (own + CONFIDENCE * memory.confidence + points)
    if asked:
        share += weights.freshness * 0.5 ** (max(age, 0) / HALF_FRESH)
    return 1 + max(-STANDING_LIMIT, min(STANDING_LIMIT, share))


def kindred(
    rated: Mapping[int, Rated], linked: Mapping[int, set[int]], weights: Weights
) -> dict[int, list[Evidence]]:
    """What hits gain from others of the same entity, and of entities linked with theirs.

    `linked`: entity id -> ids of entities; only the best other hit of each entity counts.
    """
    best: dict[int, list[Rated]] = {}
    for each in sorted(rated.values(), key=lambda r: -r.relevance):
        if each.candidate.entity_id is not None and each.relevance > 0:
            best.setdefault(each.candidate.entity_id, []).append(each)
    found: dict[int, list[Evidence]] = {}
    for entity_id, hits in best.items():
        beyond = max(
            (best[e][0].relevance for e in linked.get(entity_id, ()) if e in best), default=0
        )
        for each in hits:
            other = hits[1 if each is hits[0] else 0].relevance if len(hits) > 1 else 0
            gains = [
                Evidence(Signal.ENTITY, weights.entity * other),
                Evidence(Signal.LINKED, weights.linked * beyond),
            ]
            if kept := [gain for gain in gains if gain.amount > 0]:
                found[each.candidate.id] = kept
    return found
