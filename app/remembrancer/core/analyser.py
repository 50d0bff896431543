"""The one analyser: the words a text gives to the index, and the words a query asks it for.

The same folding serves both sides. Every expression made here is accepted by FTS5, and finds its
words with the tokenizer `unicode61`, since folded words hold letters, digits and `_` only.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from itertools import islice, pairwise
from typing import NamedTuple

from remembrancer.core import morphology
from remembrancer.core.folding import UNSPACED
from remembrancer.core.folding import plain as _plain
from remembrancer.core.morphology import (
    LANGUAGES,
    LONGEST,
    SPELLED,
    both,
    likeness,
    part_stems,
    voted,
)
from remembrancer.core.stop_words import ENGLISH, GERMAN

VERSION = 2  # what was indexed by an earlier one is indexed anew
QUERY_WORDS = 16
_QUERY_LENGTH = 8_000  # characters of a query that are looked at
_PARTS = 8

_STOP_WORDS = ENGLISH | GERMAN

# Patterns are compiled at their first use: with these many characters that takes some time.
_UNIT = rf"(?P<run>[{UNSPACED}]+)|(?P<word>[^\W{UNSPACED}]+)"
_SIGN = rf"[{UNSPACED}]"
_RUN = rf"{_SIGN}+"
_LETTERS = r"[^\W_]+"
_HYPHENATED = r"(?<!\w)[^\W\d_]++(?:[-‐][^\W\d_]++){1,3}(?!\w)"
_WORD = r"\w+"
_CHAINED = r"(?<!\w)\w++(?:[^\w\s]{1,3}+\w++)++"
_PHRASE = 12  # words of a phrase
# Names of languages that are told apart by their signs alone.
_SIGNED = r"(?<![^\W_])([a-zA-Z])(\+\+|#)(?![^\W_])"
_SIGNS = {"++": "plusplus", "#": "sharp"}
_SPELLED_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_SHORT = 4  # letters of a word that is taken as it is spelled


class Indexed(NamedTuple):
    """What the index gets for a text, each separated by single blanks.

    `words`: the folded words in their order, the parts of identifiers after each, hyphenated words
    once more in one; scripts without blanks give every sign and every pair of neighbours.
    `stems`: one stem a word by the text's language, two where the language does not tell.
    `parts`: the stems of the parts of German compounds.
    """

    words: str
    stems: str
    parts: str

    def everything(self) -> str:
        """All forms a text is found by."""
        return f"{self.words} {self.stems} {self.parts}"


def indexed(text: str) -> Indexed:
    """What the index gets for a text; the same text always gives the same."""
    plain = _plain(text)
    languages = voted(text, plain)
    words = [word.casefold() for word in _indexed(plain)]
    stems = [stem for word in words for stem in morphology.stems(word, languages)]
    german = words if "german" in languages else ()
    parts = [stem for word in german for stem in part_stems(word)]
    return Indexed(" ".join(words), " ".join(stems), " ".join(parts))


class Word(NamedTuple):
    """A word of a question: folded, the stems it may have in the index, and its parts' stems.

    `parts` are those of a compound or an identifier, each with all its stems. A `filler` says
    nothing by itself.
    """

    folded: str
    stems: tuple[str, ...]
    parts: tuple[tuple[str, ...], ...]
    filler: bool


class Asked(NamedTuple):
    """A question taken apart: its different words, and what was written without blanks.

    `phrases` are words that follow one another in `Indexed.words`: addresses, paths, versions,
    dates, units such as GB/s. `every` word stands there as it was typed, fillers too.
    """

    words: tuple[Word, ...]
    phrases: tuple[str, ...]
    every: frozenset[str]


def asked(query: str) -> Asked:
    """A question as the index is asked it; whatever somebody typed, this answers."""
    text = query[:_QUERY_LENGTH]
    plain = _plain(text)
    typed = islice(_asked(plain).items(), QUERY_WORDS * 2)
    spelled = {} if text.isascii() else _spelled_out(text)
    words = [
        Word(word, _all_stems(word, spelled), _asked_parts(first), is_filler(word))
        for word, first in typed
    ]
    telling = [word for word in words if not word.filler] or words
    joined = islice(_joined(plain), QUERY_WORDS)
    more = [Word(word, both(word), (), False) for word in dict.fromkeys(joined)]
    known = {word.folded for word in telling}
    kept = (*telling[:QUERY_WORDS], *(word for word in more if word.folded not in known))
    every = frozenset(word.folded for word in (*words, *more))
    return Asked(kept, tuple(islice(_phrases(plain), QUERY_WORDS)), every)


def _all_stems(word: str, spelled_out: Mapping[str, str]) -> tuple[str, ...]:
    other = spelled_out.get(word)
    return both(word) if other is None else tuple(dict.fromkeys((*both(word), *both(other))))


def _asked_parts(word: str) -> tuple[tuple[str, ...], ...]:
    identifier = _parts(word)
    if identifier:
        return tuple(both(part.casefold()) for part in identifier)
    return tuple((stem,) for stem in part_stems(word.casefold()))


def _phrases(plain: str) -> Iterator[str]:
    """What joins several words by signs and without blanks, as the words that it joins."""
    for found in re.finditer(_CHAINED, plain):
        words = [word.casefold() for word in _one_by_one(found[0])]
        if len(words) > 1:
            yield " ".join(words[:_PHRASE])


def terms(query: str) -> tuple[str, ...]:
    """The first 16 different words of a query, folded and in order; () when it is only symbols."""
    return tuple(islice(_asked(_plain(query[:_QUERY_LENGTH])), QUERY_WORDS))


def spoken(text: str) -> str:
    """The folded words of `text` in its order, separated by blanks, without any stems.

    Identifiers are split at `_`; every sign of a script without blanks is a word.
    """
    plain = _plain(text).casefold()
    apart = plain if plain.isascii() else re.sub(_SIGN, r" \g<0> ", plain)
    return " ".join(re.findall(_LETTERS, apart))


def searched(query: str, most: int) -> dict[str, tuple[str, ...]]:
    """The first `most` different words of a query, each with every form the index may have it in.

    The word itself stands first among its forms, then its stems, then its other spellings.
    Single letters are left out, single digits and signs of scripts without blanks are not.
    """
    text = query[:_QUERY_LENGTH].replace("_", " ")
    words = [word for word in _asked(_plain(text)) if not _is_letter(word)][:most]
    spelled = _spelled_out(text) if words and not text.isascii() else {}
    return {word: _spellings(word, spelled.get(word)) for word in words}


def _spellings(word: str, spelled_out: str | None) -> tuple[str, ...]:
    """The forms of a word, also with ae, oe, ue for its umlauts and the other way round."""
    contracted = re.sub(SPELLED, r"\1", word) if len(word) > _SHORT else word
    others = (spelled_out or word, contracted)
    return tuple(dict.fromkeys((*_all(word), *(form for each in others for form in _all(each)))))


def is_filler(word: str) -> bool:
    """Whether a folded word says nothing by itself, like articles in English and German."""
    return word in _STOP_WORDS


def likenesses(text: str) -> dict[str, str]:
    """What texts are compared by: the common stem of every word, with the first word that has it.

    A word and its inflected forms have one stem here, in whatever language the text is. Words of
    one or two letters are left out, those with digits are not; scripts without blanks give couples.
    """
    found: dict[str, str] = {}
    for word in _compared(_plain(text).casefold()):
        found.setdefault(likeness(word), word)
    return found


def forms(word: str) -> tuple[str, ...]:
    """Every form under which the index may have a folded word, the word itself first."""
    return _all(word)


def _compared(folded: str) -> list[str]:
    apart = folded if folded.isascii() else re.sub(_RUN, _in_couples, folded)
    words = re.findall(_LETTERS, apart)
    return [w[:LONGEST] for w in words if len(w) > 2 or not w.isalpha() or _unspaced(w)]


def _unspaced(word: str) -> bool:
    return re.match(_SIGN, word) is not None


def _in_couples(run: re.Match[str]) -> str:
    return f" {' '.join(_couples(run[0]) or run[0])} "


def _is_letter(word: str) -> bool:
    return len(word) == 1 and word.isalpha() and not _unspaced(word)


def _all(word: str) -> tuple[str, ...]:
    """Every form: of a word that is asked for alone, the texts with that very form come first."""
    return morphology.forms(word, LANGUAGES)


def _indexed(plain: str) -> Iterator[str]:
    """Every word, part and pair of signs a text is found by, in its case."""
    yield from _one_by_one(plain)
    yield from _joined(plain)
    yield from _signed(plain)


def _one_by_one(plain: str) -> Iterator[str]:
    """The words in their order, each followed by its parts."""
    for unit in re.finditer(_UNIT, plain):
        if run := unit["run"]:
            yield from run
            yield from _couples(run)
        elif (word := unit["word"]).strip("_"):
            yield word
            yield from _parts(word)


def _asked(plain: str) -> dict[str, str]:
    """The different words of a query, folded, each with its first form as it was typed."""
    asked: dict[str, str] = {}
    for unit in re.finditer(_UNIT, plain):
        run = unit["run"]
        words = (_couples(run) if len(run) > 1 else [run]) if run else [unit["word"]]
        for word in words:
            if word.strip("_"):
                asked.setdefault(word.casefold()[:LONGEST], word[:LONGEST])
    return {word: word for word in _signed(plain)} | asked


def _signed(plain: str) -> Iterator[str]:
    """C++ and C# as words of their own."""
    for found in re.finditer(_SIGNED, plain):
        yield found[1].casefold() + _SIGNS[found[2]]


def _couples(run: str) -> list[str]:
    return [a + b for a, b in pairwise(run)]


def _joined(plain: str) -> Iterator[str]:
    """Hyphenated words in one: who writes wi-fi is found by who asks for wifi, and vice versa."""
    for found in re.finditer(_HYPHENATED, plain):
        words = re.findall(_WORD, found[0].casefold())
        if found[0].isascii() or all(unit["word"] for unit in re.finditer(_UNIT, found[0])):
            yield "".join(words)


def _parts(word: str) -> list[str]:
    """The parts of a camelCase or snake_case identifier, [] for any other word."""
    if len(word) > LONGEST:
        return []
    if "_" not in word and (word.islower() or word.istitle() or word.isupper()):
        return []
    starts = [i for i in range(1, len(word)) if _begins_part(word, i)]
    pieces = [word[a:b] for a, b in pairwise([0, *starts, len(word)])]
    parts = [part for piece in pieces for part in piece.split("_") if len(part) > 1]
    return [part for part in parts if part != word][:_PARTS]


def _begins_part(word: str, at: int) -> bool:
    """Whether a hump rises here: fooBar, HTTPServer; plurals like APIs and names like IPv6 not."""
    following = word[at + 1 : at + 3]
    inner = len(following) == 2 and following.isalpha() and following.islower()
    return word[at].isupper() and (not word[at - 1].isupper() or inner)


def _spelled_out(text: str) -> dict[str, str]:
    """Folded words that were typed with umlauts, each in its spelling with ae, oe, ue."""
    words = re.findall(_WORD, unicodedata.normalize("NFC", text).casefold())
    spellings = ((word, word.translate(_SPELLED_OUT)) for word in words)
    return {_plain(word): _plain(spelled) for word, spelled in spellings if word != spelled}
