"""What words have in common: their stems in English and German, and the parts of compounds."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from functools import lru_cache
from importlib import import_module

from remembrancer.core import compounds
from remembrancer.core.stop_words import ENGLISH, GERMAN

LONGEST = 100  # letters of a word that has a stem
LANGUAGES = ("english", "german")

_WORD = r"\w+"
_UMLAUT = r"(?i)[äöüß]|[aou]\u0308"
SPELLED = r"(?<![aeq])([aou])e"  # an umlaut in two letters
_LOCAL = threading.local()


def voted(text: str, plain: str) -> tuple[str, ...]:
    """The language a text is in by its stop words and umlauts; both when these do not tell."""
    words = re.findall(_WORD, plain.casefold())
    english = sum(word in ENGLISH and word not in GERMAN for word in words)
    german = sum(word in GERMAN and word not in ENGLISH for word in words)
    german += 0 if text.isascii() else len(re.findall(_UMLAUT, text))
    if english == german:
        return LANGUAGES
    return ("english",) if english > german else ("german",)


def both(word: str) -> tuple[str, ...]:
    """The stems that a word may have in texts of either language."""
    return tuple(dict.fromkeys(stem for name in LANGUAGES for stem in stems(word, (name,))))


def stems(word: str, languages: tuple[str, ...]) -> tuple[str, ...]:
    """The stems of a folded word."""
    if len(word) > LONGEST:
        return (word,)
    # Numbers never end: keeping what was found for each would only let the program grow.
    return (_known_stems if word.isalpha() else _stems)(word, languages)


def _stems(word: str, languages: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_stemmer(language)(word) for language in languages))


_known_stems = lru_cache(maxsize=65_536)(_stems)


def part_stems(word: str) -> tuple[str, ...]:
    """The stems of a compound's parts; with ae, oe, ue for umlauts it is the same compound."""
    if len(word) > LONGEST:
        return ()
    return (_known_parts if word.isalpha() else _parts)(word)


def _parts(word: str) -> tuple[str, ...]:
    found = compounds.parts(word) or compounds.parts(re.sub(SPELLED, r"\1", word))
    return tuple(_stemmer("german")(part) for part in found)


_known_parts = lru_cache(maxsize=65_536)(_parts)


def forms(word: str, languages: tuple[str, ...]) -> tuple[str, ...]:
    """The folded word, and the stems that differ from it."""
    if len(word) > LONGEST:  # a blob, which would only fill the cache
        return (word.casefold(),)
    return _natural_forms(word, languages)


@lru_cache(maxsize=32_768)
def _natural_forms(word: str, languages: tuple[str, ...]) -> tuple[str, ...]:
    folded = word.casefold()
    return tuple(dict.fromkeys((folded, *(_stemmer(language)(folded) for language in languages))))


@lru_cache(maxsize=131_072)
def likeness(word: str) -> str:
    """The German stem's English stem: not a word of either, but the same for all its forms."""
    return _stemmer("english")(_stemmer("german")(word))


def _stemmer(language: str) -> Callable[[str], str]:
    """This thread's Snowball stemmer; one must not serve two threads at once."""
    stem = getattr(_LOCAL, language, None)
    if stem is None:
        stem = import_module("Stemmer").Stemmer(language).stemWord
        setattr(_LOCAL, language, stem)
    return stem
