"""Why a memory is served for a question or not, and what the score of a hit is made of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import NamedTuple

from remembrancer.core import analyser, ranking, review
from remembrancer.core.entity import ScopeRecord
from remembrancer.core.folding import plain
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Memory
from remembrancer.core.ranking import WEIGHTS, Evidence, Signal, Weights
from remembrancer.core.recall import Hit, Question, Recall, Why, context_line, query_words, ranked

_TOKEN = re.compile(r"\w+")
_LONG = 48  # letters of a word that is no longer shown whole
_TRIED = 24  # words of a memory that are taken apart to find the one that was seen
_LEAST = 1e-9


class Verdict(StrEnum):
    """What became of a memory for a question."""

    SERVED = "served"
    BEATEN = "beaten"
    TOO_LONG = "too long"
    NOT_LOOKED_AT = "not looked at"
    NO_WORDS = "no words"
    OUT_OF_REACH = "out of reach"
    EXPIRED = "expired"
    ARCHIVED = "archived"
    DELETED = "deleted"
    LOCKED = "locked"


class Room(NamedTuple):
    """What a hit that was left out met: `needs` characters where `left` were left.

    `full` says that the limit of memories had been reached before it, whatever it needs.
    """

    needs: int
    left: int
    full: bool


class Place(NamedTuple):
    """Where a memory stood: `place` (1 is the best) of `among`; `last` was served last of all."""

    place: int
    among: int
    last: Hit | None


class LookedFor(NamedTuple):
    """A word asked for, and the other forms in which it was looked for."""

    asked: str
    forms: tuple[str, ...]


class Words(NamedTuple):
    """What was looked for; `similar` is all that the memory has of it: words akin to some."""

    looked_for: tuple[LookedFor, ...]
    similar: tuple[Evidence, ...] = ()


class Range(NamedTuple):
    """What a question reached: the entity that was `selected`, and the `scopes` in force.

    `related_only` says that the memory would be within reach as related context, which was not
    wanted.
    """

    selected: str
    scopes: tuple[ScopeRecord, ...]
    related_only: bool


class Crowd(NamedTuple):
    """Why a memory was not looked at: so many have its words that only `looked_at` were.

    `words`: what it has of the question, with about how many memories have it. `newer` says that
    all that were looked at are newer.
    """

    words: tuple[tuple[str, int], ...]
    looked_at: int
    newer: bool


@dataclass(frozen=True, slots=True)
class Explanation:
    """Whether a memory is served for a question and if not why, with the facts of that verdict.

    `memory` is None under `LOCKED` alone, where nothing may be told of it. `place` belongs to
    what was ranked, as does `hit`; `room` to what was left out, `words` to `NO_WORDS`, `range` to
    `OUT_OF_REACH`, `crowd` to `NOT_LOOKED_AT`.
    """

    verdict: Verdict
    memory: Memory | None
    hit: Hit | None = None
    place: Place | None = None
    room: Room | None = None
    words: Words | None = None
    range: Range | None = None
    crowd: Crowd | None = None


@dataclass(frozen=True, slots=True)
class Whole:
    """An answer to the letter, and the hits `beyond` it: those that were not even tried for it."""

    answer: Recall
    beyond: tuple[Hit, ...] = ()


def rooms(answer: Recall, question: Question) -> dict[int, Room]:
    """For each hit that was left out, by its memory's id and in order, what it met."""
    sizes = {h.memory.id: len(context_line(h)) + 1 for h in (*answer.items, *answer.left)}
    taken_ids = {h.memory.id for h in answer.items}
    used = len(answer.context) - sum(sizes[i] for i in taken_ids)
    taken, found = 0, dict[int, Room]()
    for hit in ranked([*answer.items, *answer.left]):
        size = sizes[hit.memory.id]
        if hit.memory.id in taken_ids:
            taken, used = taken + 1, used + size
        else:
            left = max(question.max_characters - used, 0)
            found[hit.memory.id] = Room(size, left, taken >= question.limit)
    return found


def looked_for(query: str) -> tuple[LookedFor, ...]:
    """The words of a question as they are looked for."""
    asked = analyser.asked(query)
    words = [LookedFor(word.folded, _forms(word)) for word in asked.words]
    phrases = [LookedFor(_as_typed(phrase, query), ()) for phrase in asked.phrases]
    return (*words, *phrases)


def _forms(word: analyser.Word) -> tuple[str, ...]:
    every = (*word.stems, *(stem for part in word.parts for stem in part))
    return tuple(form for form in dict.fromkeys(every) if form != word.folded)


# --- what a score is made of


class Line(NamedTuple):
    """One signal in words: a sentence with places for what was asked and seen, and its amount.

    `other` is the memory that it was written together with.
    """

    sentence: str
    asked: str
    seen: str
    amount: float
    other: int | None = None

    def text(self) -> str:
        """The sentence with its words in place."""
        return self.sentence.format(self.asked, self.seen)


class Part(StrEnum):
    """What a memory's standing is made of."""

    SELECTED = "of the selected entity"
    PINNED = "pinned"
    CONSTRAINT = "constraint"
    CONFIDENCE = "confidence"
    FRESHNESS = "freshness"
    DOUBT = "doubt"


class Share(NamedTuple):
    """What one part adds to the factor of standing; `about` says which doubt."""

    part: Part
    amount: float
    about: str = ""


@dataclass(frozen=True, slots=True)
class Breakdown:
    """A score taken apart: (1 + `relevance`) · `standing` = `score`.

    The `lines` add up to the relevance, the `shares` to the standing less 1 unless `bounded`.
    """

    lines: tuple[Line, ...]
    relevance: float
    shares: tuple[Share, ...]
    bounded: bool
    standing: float
    score: float


def breakdown(found: Hit, query: str, now: int, weights: Weights = WEIGHTS) -> Breakdown:
    """What the score of a hit is made of; `now` is when it was asked for (microseconds)."""
    relevance = found.score / found.standing - 1
    strongest = sorted(found.evidence, key=lambda each: -each.amount)
    lines = [_line(each, found.memory, query) for each in strongest]
    loss = relevance - sum(each.amount for each in found.evidence)
    if loss < -_LEAST:
        lines.append(Line("A question itself, and so no answer", "", "", loss))
    shares = tuple(_shares(found, bool(query_words(query)), now, weights))
    bounded = abs(sum(s.amount for s in shares)) > ranking.STANDING_LIMIT + _LEAST
    return Breakdown(tuple(lines), relevance, shares, bounded, found.standing, found.score)


class _Alone(NamedTuple):
    """A memory of which nothing counts but what is named."""

    pinned: bool = False
    kind: str = ""
    confidence: float = 0.0


def _shares(found: Hit, asked: bool, now: int, weights: Weights) -> Iterator[Share]:
    """Each part as the engine counts it when nothing else does."""

    def share(memory: _Alone, points: float = 0, age: int = 0, fresh: bool = False) -> float:
        return ranking.standing(memory, points, age, weights, asked=fresh) - 1

    memory, nothing = found.memory, _Alone()
    if Why.SELECTED in found.reasons[:1]:
        yield Share(Part.SELECTED, share(nothing, ranking.SELECTED))
    if memory.pinned:
        yield Share(Part.PINNED, share(_Alone(pinned=True)))
    if memory.kind is Kind.CONSTRAINT:
        yield Share(Part.CONSTRAINT, share(_Alone(kind=Kind.CONSTRAINT)))
    yield Share(Part.CONFIDENCE, share(_Alone(confidence=memory.confidence)))
    if asked:
        yield Share(Part.FRESHNESS, share(nothing, 0, now - memory.updated_at, True))
    for reason in review.Reason:
        if reason.value in found.reasons:
            yield Share(Part.DOUBT, share(nothing, -ranking.DOUBT), reason.value)


def _line(evidence: Evidence, memory: Memory, query: str) -> Line:
    asked, amount = evidence.asked, evidence.amount
    match evidence.signal:
        case Signal.TOGETHER:
            sentence = "Written together with memory {1}"
            return Line(sentence, asked, evidence.seen, amount, int(evidence.seen))
        case Signal.PHRASE:
            return Line("Exactly {1}", asked, _as_typed(evidence.seen, query), amount)
        case Signal.ENTITY:
            return Line("Other hits of the same entity", asked, "", amount)
        case Signal.LINKED:
            return Line("Its entity is linked with another hit's", asked, "", amount)
        case Signal.MEANING:
            return Line("Close in meaning {1}", asked, evidence.seen, amount)
        case _:
            seen = _written(evidence, memory)
            return Line(_sentence(evidence, seen), asked, seen, amount)


def told(evidence: Evidence, memory: Memory, query: str) -> str:
    """One signal in words, without its amount."""
    return _line(evidence, memory, query).text()


def _written(evidence: Evidence, memory: Memory) -> str:
    """What a signal saw, as it stands in the memory."""
    stem, inside = evidence.seen, evidence.signal is not Signal.WORDS
    # The last letter of a stem may be another one than the word's: copy, copi.
    beginning = stem[:-1] if len(stem) > 3 else stem
    own = (memory.entity or "", memory.key or "", memory.title, memory.content, *memory.tags)
    tokens = (token[0] for token in _TOKEN.finditer("\n".join(own)))
    like = (t for t in tokens if beginning in plain(t).casefold() and len(t) <= _LONG)
    return next((t for t in islice(like, _TRIED) if _has(t, stem, inside)), stem)


def _has(word: str, stem: str, inside: bool) -> bool:
    """Whether a word has a stem; `inside`: or a part that has it."""
    found = analyser.indexed(word)
    forms = found.everything() if inside else f"{found.words} {found.stems}"
    return stem in forms.split()


def _sentence(evidence: Evidence, seen: str) -> str:
    if evidence.signal is Signal.MISSPELT:
        return "{0}: similar spelling, {1}"
    if evidence.signal is Signal.AKIN:
        return "{0}: akin word, {1}"
    if evidence.signal is Signal.PARTS:
        return _of_parts(evidence, seen)
    same = plain(seen).casefold() == evidence.asked
    return "{0}: as a word" if same else "{0}: as a word, {1}"


def _of_parts(evidence: Evidence, seen: str) -> str:
    """Which of the two words is the whole: the one asked for, the one seen, or both."""
    if evidence.seen in analyser.indexed(evidence.asked).stems.split():
        return "{0}: part of {1}"
    if evidence.seen in analyser.indexed(seen).stems.split():
        return "{0}: its part {1}"
    return "{0}: shares a part with {1}"


def _as_typed(phrase: str, query: str) -> str:
    """What was written without blanks, with the signs between its words."""
    words = map(re.escape, phrase.split())
    found = re.search(r"[\W_]{1,3}".join(words), plain(query), re.IGNORECASE)
    return found[0] if found else phrase
