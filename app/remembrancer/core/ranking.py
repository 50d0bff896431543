"""How well a memory answers a question: one formula, a weight for each signal, reasons in words.

    words     = sum over the words asked for of  weight · rarity · tf·(k1 + 1) / (tf + k1·length)
    relevance = words · min(1, words / possible) ^ whole
              + meaning · possible · how far its likeness stands out, where there are vectors
              + what was written together with it, its entity and linked entities gain it
    score     = (1 + relevance) · (1 + standing), standing within ±25 %

`tf` counts a word's stem in the memory; a part of a compound counts half, and what is only akin
(a misspelling, a longer or a shorter word) its share. `rarity` is ln(1 + (N - n + 0.5)/(n + 0.5))
for n of N memories, `length` 1 - b + b · words of the memory / words on average. `possible` is the
sum of all rarities: who has the whole of a question has more than its pieces. A likeness stands out
by the deviations that it lies above the mean of all memories, less one, a third each. A question
among the memories is no answer and loses `question` of its relevance.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from heapq import nlargest
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
    whole: float = 0.5
    meaning: float = 0.4
    question: float = 0.4
    freshness: float = 0.05
    point: float = 0.006  # what one of the points of standing is worth


WEIGHTS = Weights()
STANDING_LIMIT = 0.25
# The points of standing, as recall has always counted them.
SELECTED, PINNED, CONSTRAINT, CONFIDENCE, DOUBT = 10, 20, 15, 5, 3

STANDS_OUT = 4.5  # deviations above the first that count at most
MEANT = 1.0  # of them, from which on a memory is a hit without any word

FEW_COSINES, USUAL_DEVIATION = 16, 0.12

TOGETHER_GAP = 10 * MINUTE  # between one memory and the next that was written with it
TOGETHER_BEST = 12  # the best whose neighbours gain
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


class Rated:
    """A candidate with its relevance; the evidence for it is put into words when it is asked for.

    `seen` tells what its own words gave, `gains` is what came to them.
    """

    __slots__ = ("_gains", "_seen", "candidate", "relevance")

    def __init__(
        self,
        candidate: Candidate,
        relevance: float,
        gains: Iterable[Evidence] = (),
        seen: Callable[[], list[Evidence]] | None = None,
    ) -> None:
        self.candidate = candidate
        self.relevance = relevance
        self._gains = list(gains)
        self._seen = seen

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """What the relevance is made of, the strongest first."""
        found = [*(self._seen() if self._seen else ()), *self._gains]
        return tuple(sorted(found, key=lambda each: -each.amount))

    def gain(self, evidence: Iterable[Evidence]) -> None:
        """Add what comes to it."""
        for each in evidence:
            self._gains.append(each)
            self.relevance += each.amount


def rarity(total: int, having: float) -> float:
    """How much a word says that so many of all memories have."""
    having = min(having, total)
    return math.log(1 + (total - having + 0.5) / (having + 0.5))


def chosen(
    sought: Sequence[Sought],
    ids_of: Callable[[Form], Iterable[int]],
    most: int,
) -> list[int]:
    """The ids that have most of what is sought, by rarity alone, the newest first among equals."""
    scores: dict[int, float] = {}
    for each in sought:
        shares: dict[int, float] = {}
        for form in sorted(each.forms, key=lambda f: f.share):
            shares.update(dict.fromkeys(ids_of(form), form.share))
        worth = each.rarity * each.weight
        for memory_id, share in shares.items():
            scores[memory_id] = scores.get(memory_id, 0.0) + worth * share
    best = nlargest(most, zip(scores.values(), scores, strict=True))
    return [memory_id for _, memory_id in best]


def possible(asked: Iterable[str], sought: Sequence[Sought], total: int) -> float:
    """What a memory could have of the words asked for; one that nobody has is as rare as can be."""
    known: dict[str, float] = {}
    for each in sought:
        known[each.asked] = max(known.get(each.asked, 0.0), each.rarity * each.weight)
    return sum(known.get(word, rarity(total, 0)) for word in asked)


def by_meaning(
    cosines: Mapping[int, float], spread: tuple[float, float], possible: float, weights: Weights
) -> dict[int, Evidence]:
    """What memories gain by their vectors; `spread` is mean and deviation of all cosines."""
    mean, deviation = spread
    found: dict[int, Evidence] = {}
    for memory_id, cosine in cosines.items():
        out = min(STANDS_OUT, max(0.0, (cosine - mean) / deviation - 1)) / 3
        if out and weights.meaning:
            amount = weights.meaning * possible * out
            found[memory_id] = Evidence(Signal.MEANING, amount, "", f"{cosine:.2f}")
    return found


def meant(cosine: float, spread: tuple[float, float]) -> bool:
    """Whether a memory is near enough in meaning to be a hit without any word."""
    return (cosine - spread[0]) / spread[1] - 1 >= MEANT


def spread(cosines: Collection[float]) -> tuple[float, float]:
    """Mean and deviation of some cosines; few tell nothing, so they count as what is usual."""
    if len(cosines) < FEW_COSINES:
        return 0.0, USUAL_DEVIATION
    mean = sum(cosines) / len(cosines)
    return mean, max(math.dist(tuple(cosines), (mean,) * len(cosines)) / len(cosines) ** 0.5, 1e-6)


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
    rated: Iterable[Rated], linked: Mapping[int, set[int]], weights: Weights
) -> dict[int, list[Evidence]]:
    """What hits gain from others of the same entity, and of entities linked with theirs.

    `rated`: the best first. `linked`: entity id -> ids of entities; only the best other hit of each
    entity counts.
    """
    best: dict[int, list[Rated]] = {}
    for each in rated:
        if each.candidate.entity_id is not None:
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
