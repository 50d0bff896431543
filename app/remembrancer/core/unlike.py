"""What sets two texts apart that say nearly the same: numbers, negations, exchanged words.

No measure of likeness tells a copy from a contradiction, so it is told what differs. Texts whose
digits differ are never called the same, nor one the duplicate of the other. A contradiction is only
ever a hint: two texts may differ so and both be true.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple

from remembrancer.core import analyser, names
from remembrancer.core.resembling import LOOKED_AT, NUMBER, differing

DUPLICATE_FROM = 0.75  # Jaccard similarity of the stems
CLOSE_FROM = 0.4  # share of the smaller text's telling words that the other has, too

_SWAPS = 3
_BESIDES = 2  # words that may differ besides two that changed places
_MOVED = 8  # words in another place up to which two that changed places are looked for

_NEGATION = "¬"
_NOT_SIGNS = frozenset("!≠¬∉")
_DENYING = """
    not no never none nothing nobody nowhere neither without cannot aint cant couldnt didnt doesnt
    dont hasnt havent isnt mustnt shouldnt wasnt werent wont wouldnt
    nicht nichts nie niemals niemand niemandem niemanden nirgends nirgendwo kein keine keinem keinen
    keiner keines keinerlei keinesfalls keineswegs weder ohne
"""
_NEGATIONS = frozenset(_DENYING.split())
_ONLY = frozenset({"only", "nur"})  # "not only this" denies nothing
_PREFIXES = ("un", "non", "nicht", "dis", "ir")

# Function words that turn the meaning: none of them may differ between duplicates.
_DECIDING = """
    on off up down in out into from to before after above below over under during until once again
    further more most less least few only any all some each both other own same if and or but
    can could may might must shall should would will
    auf ab an aus ein zu vor nach ueber uber unter mit bei bis hinter zwischen gegen fuer fur nur
    mehr weniger manche alle allen aller alles jede jedem jeden jeder jedes wenn ob und oder aber
    sondern kann kannst koennen konnen koennte konnte muss mussen muessen musste soll sollen sollte
    will wollen darf durfen duerfen durfte wieder noch schon
"""
_TURNING = frozenset(_DECIDING.split())
_OPPOSITES = (
    ("on", "off"), ("up", "down"), ("in", "out"), ("from", "to"), ("before", "after"),
    ("above", "below"), ("over", "under"), ("more", "less"), ("most", "least"), ("and", "or"),
    ("all", "some"), ("an", "aus"), ("auf", "zu"), ("ein", "aus"), ("vor", "nach"),
    ("ueber", "unter"), ("uber", "unter"), ("mehr", "weniger"), ("und", "oder"),
)  # fmt: skip
# Beside articles and their like; the last line is left of can't, won't, shan't.
_EMPTY = """
    please kindly always simply really unfortunately bitte immer stets einfach wirklich leider
    ca wo sha
"""
_POLITE = frozenset(_EMPTY.split())
_JOINING = frozenset({"and", "or", "und", "oder", "&", "|", "+", "="})

_CONTRACTED = re.compile(r"n['’`´]t\b")
# Signs that are more than the dress of a text: operators, units, pictures, a question mark.
_SIGN = re.compile(r"[^\w\s.,;:!/\\()\[\]{}\"'’‘‚“”„«»‹›`´*…·•–—‐-]|!(?=[=\w])")
_PIECE = re.compile(rf"(?P<number>{NUMBER.pattern})|(?P<sign>{_SIGN.pattern})")


class Verdict(StrEnum):
    """How two texts that are alike stand to each other, as far as their words tell."""

    SAME = "same"  # but for case, blanks and the last full stop
    DUPLICATE = "duplicate"  # only words differ that say nothing
    MAY_CONTRADICT = "may contradict"  # close, and numbers, a negation or exchanged words differ
    RESEMBLING = "resembling"  # anything else


@dataclass(frozen=True, slots=True)
class Difference:
    """What sets a new text apart from an old one.

    `numbers` are those only in the old and those only in the new text; `negated`: one of them
    denies more; `swapped` are up to three (old word, new word), also two that changed places.
    """

    numbers: tuple[tuple[str, ...], tuple[str, ...]]
    negated: bool
    swapped: tuple[tuple[str, str], ...]

    @property
    def contradicts(self) -> bool:
        """Whether the two could not both be true, were they about the same thing."""
        return all(self.numbers) or self.negated or bool(self.swapped)


class _Word(NamedTuple):
    stem: str
    word: str
    telling: bool  # by itself, unlike an article
    content: bool  # and neither a number nor a negation nor a function word

    @property
    def named(self) -> bool:
        """Whether it names something: content or a number."""
        return self.content or (self.telling and self.word[-1:].isdigit())


def differences(old: str, new: str) -> Difference:
    """What sets `new` apart from `old`; the first 8,000 characters of each are looked at."""
    old, new = old[:LOOKED_AT], new[:LOOKED_AT]
    return _difference(old, new, _words(names.lookup_key(old)), _words(names.lookup_key(new)))


def verdict(old: str, new: str) -> Verdict:
    """How a new text stands to an old one that is alike."""
    return compared(old, new)[0]


def compared(old: str, new: str) -> tuple[Verdict, Difference]:
    """Both at once, for little more than either takes."""
    shown = old[:LOOKED_AT], new[:LOOKED_AT]
    ours, theirs = (_words(names.lookup_key(text)) for text in shown)
    difference = _difference(*shown, ours, theirs)
    if digits(old) == digits(new):
        if _same(old, new):
            return Verdict.SAME, difference
        if len(old) <= LOOKED_AT >= len(new) and _duplicates(*shown, ours, theirs, difference):
            return Verdict.DUPLICATE, difference
    if difference.contradicts and _closeness(ours, theirs) >= CLOSE_FROM:
        return Verdict.MAY_CONTRADICT, difference
    return Verdict.RESEMBLING, difference


def digits(text: str) -> list[str]:
    """Every run of signs that stand for numbers, in whatever script, in the text's order."""
    if text.isascii():
        return re.findall(r"\d+", text)
    return "".join(sign if sign.isnumeric() else " " for sign in text).split()


def _same(old: str, new: str) -> bool:
    return old == new or names.lookup_key(old).rstrip(" .!") == names.lookup_key(new).rstrip(" .!")


def _duplicates(
    old: str, new: str, ours: Sequence[_Word], theirs: Sequence[_Word], difference: Difference
) -> bool:
    """Whether only words differ that say nothing."""
    if difference.negated or any(difference.numbers):
        return False
    if [w.stem for w in ours if w.telling] != [w.stem for w in theirs if w.telling]:
        return False
    one, other = analyser.likenesses(old).keys(), analyser.likenesses(new).keys()
    return len(one & other) >= DUPLICATE_FROM * len(one | other)


def _closeness(ours: Sequence[_Word], theirs: Sequence[_Word]) -> float:
    """The share of the telling words that both have, of the text with fewer of them."""
    one, other = ({w.stem for w in words if w.telling} for words in (ours, theirs))
    fewer = min(len(one), len(other))
    return len(one & other) / fewer if fewer else 0.0


# --- words


def _words(folded: str) -> list[_Word]:
    """The words, numbers and telling signs of a folded text, in its order."""
    found = list(_spelled(_CONTRACTED.sub(" not", folded)))
    following = [*found, ("", False)][1:]
    return [_word(*each, *after) for each, after in zip(found, following, strict=True)]


def _spelled(text: str) -> Iterator[tuple[str, bool]]:
    """(word, whether it is a number or a sign)"""
    done = 0
    for piece in _PIECE.finditer(text):
        yield from ((word, False) for word in analyser.spoken(text[done : piece.start()]).split())
        yield re.sub(r"\s", "", piece[0]), True
        done = piece.end()
    yield from ((word, False) for word in analyser.spoken(text[done:]).split())


def _word(word: str, bare: bool, following: str, number: bool) -> _Word:
    if word in _NOT_SIGNS:
        return _Word(_NEGATION, word, True, False)
    if bare:
        return _Word(word, word, True, not word[-1:].isdigit() and word[-1:] != "%")
    if word == "no" and number:  # "no 5" is a number, not a denial
        return _Word(word, word, False, False)
    if word in _NEGATIONS and following not in _ONLY:
        return _Word(_NEGATION, word, True, False)
    if word in _TURNING:
        return _Word(word, word, True, False)
    empty = analyser.is_filler(word) or word in _POLITE
    return _Word(_stem(word), word, not empty, not empty)


@lru_cache(maxsize=16_384)
def _stem(word: str) -> str:
    return next(iter(analyser.likenesses(word)), word)


# --- differences


def _difference(
    old: str, new: str, ours: Sequence[_Word], theirs: Sequence[_Word]
) -> Difference:  # fmt: skip
    swapped = _exchanged(ours, theirs) or _replaced(ours, theirs) or _opposed(ours, theirs)
    denied = [pair for pair in swapped if _prefixed(*pair)]
    counts = [sum(w.stem == _NEGATION for w in words) for words in (ours, theirs)]
    left = tuple(pair for pair in swapped if pair not in denied)
    return Difference(differing(old, new), counts[0] != counts[1] or bool(denied), left)


def _prefixed(one: str, other: str) -> bool:
    """Whether one word is the other one's denial: safe and unsafe."""
    short, long = sorted((one, other), key=len)
    return any(long == prefix + short for prefix in _PREFIXES)


def _replaced(ours: Sequence[_Word], theirs: Sequence[_Word]) -> tuple[tuple[str, str], ...]:
    """Words that stand in each other's place; () when words were moved or too many differ."""
    old, new = ([w for w in words if w.content] for words in (ours, theirs))
    blocks = list(_blocks(old, new))
    gone, come = ({w.stem for block in blocks for w in block[side]} for side in (0, 1))
    alike = [block for block in blocks if abs(len(block[0]) - len(block[1])) <= 1]
    found = [(a.word, b.word) for each in alike for a, b in zip(*each, strict=False)]
    return tuple(found) if not gone & come and len(found) <= _SWAPS else ()


def _blocks(
    old: Sequence[_Word], new: Sequence[_Word]
) -> Iterator[tuple[Sequence[_Word], Sequence[_Word]]]:
    """What stands between the words that both have in the same order."""
    from rapidfuzz.distance import Indel

    opcodes: Any = Indel.opcodes([w.stem for w in old], [w.stem for w in new])
    at = (0, 0)
    for code in opcodes:
        if code.tag == "equal":
            yield old[at[0] : code.src_start], new[at[1] : code.dest_start]
            at = code.src_end, code.dest_end
    yield old[at[0] :], new[at[1] :]


def _exchanged(ours: Sequence[_Word], theirs: Sequence[_Word]) -> tuple[tuple[str, str], ...]:
    """Two words that changed places around a third: tabs over spaces, spaces over tabs."""
    from rapidfuzz.distance import Levenshtein

    old, new = [w.stem for w in ours], [w.stem for w in theirs]
    usual = Levenshtein.distance(old, new)
    for i, j in combinations(_moved(ours, theirs), 2):
        between = set(old[i + 1 : j])
        if old[i] == old[j] or not between - _JOINING:
            continue
        turned = [*old[:i], old[j], *old[i + 1 : j], old[i], *old[j + 1 :]]
        if Levenshtein.distance(turned, new) <= min(usual - 2, _BESIDES):
            one, other = ours[i].word, ours[j].word
            return (one, other), (other, one)
    return ()


def _moved(ours: Sequence[_Word], theirs: Sequence[_Word]) -> list[int]:
    """The places of telling words in the old text that stand elsewhere in the new one."""
    from rapidfuzz.distance import Levenshtein

    edits: Any = Levenshtein.editops([w.stem for w in ours], [w.stem for w in theirs])
    come = {theirs[int(edit.dest_pos)].stem for edit in edits if edit.tag != "delete"}
    gone = [int(edit.src_pos) for edit in edits if edit.tag != "insert"]
    places = [n for n in gone if ours[n].named and ours[n].stem in come]
    return places if len(places) <= _MOVED else []


def _opposed(ours: Sequence[_Word], theirs: Sequence[_Word]) -> tuple[tuple[str, str], ...]:
    """Function words whose opposite stands in the other text only."""
    old, new = {w.word for w in ours}, {w.word for w in theirs}
    both = (pair for a, b in _OPPOSITES for pair in ((a, b), (b, a)))
    return tuple((a, b) for a, b in both if a in old - new and b in new - old)[:_SWAPS]
