"""What a question of the memo vocabulary asks for, and whether a memory holds it word for word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from remembrancer.core import analyser, crossing, folding
from remembrancer.core.memory import Memory

TERMS = 32  # words of a question that are asked for

_LONGEST = 100  # a longer word is asked for by its beginning
_LONGER = 24  # longer words that one word may be a part of
_SHORT = 3  # words of a question whose words may be beginnings of others, which costs most
_PART, _ENDING, _WHOLE = 5, 4, 7  # letters: of a part, of a part at the end, of the longer word


class Term(NamedTuple):
    """A word of a question: as texts spell it, and every form the index may have it in."""

    spoken: str
    forms: tuple[str, ...]

    @property
    def own(self) -> str:
        """The expression that finds the word in its own form."""
        return f"words : {quoted(self.forms[0])}"

    @property
    def telling(self) -> bool:
        """Whether it says something by itself, unlike an article."""
        return not analyser.is_filler(self.forms[0])


def terms(query: str, most: int = TERMS) -> tuple[Term, ...]:
    """The different words of a question, without single letters; () when it is only signs."""
    found = analyser.searched(query, most)
    return tuple(Term(analyser.spoken(word), forms) for word, forms in found.items())


def quoted(form: str) -> str:
    """A folded form as an expression of FTS5."""
    return f'"{form}"*' if len(form) >= _LONGEST else f'"{form}"'


def phrase(query: str) -> str:
    """The expression that finds the words of a question one after the other, as it has them."""
    blank = re.sub(r"\W+", " ", folding.plain(query))
    return f'words : "{analyser.indexed(blank).words}"'


def all_of(terms: Iterable[Term]) -> str:
    """The expression that finds all the words, each in its own form."""
    return " AND ".join(term.own for term in terms)


def longer(term: Term, holding: Mapping[str, Iterable[str]]) -> list[str]:
    """The words that a word is a part of, those that end with it first; `holding`: by its forms."""
    found = {word for form in term.forms for word in holding.get(form, ()) if _is_part(form, word)}
    return sorted(found, key=lambda w: (not w.endswith(term.forms), len(w), w))[:_LONGER]


def kin(longer: Mapping[Term, Iterable[str]]) -> tuple[str, str]:
    """Expressions of what has all the words, whole or as parts, and in any of their forms.

    `longer` are the longer words that each is a part of.
    """
    parts = {term: tuple(_parts(term, words)) for term, words in longer.items()}
    short = len(parts) <= _SHORT
    return (
        _each_of((term.own, *others) for term, others in parts.items()),
        _each_of((*_forms(term, begun=short), *others) for term, others in parts.items()),
    )


def _is_part(form: str, word: str) -> bool:
    long_enough = len(form) >= (_ENDING if word.endswith(form) else _PART)
    return long_enough and len(word) >= max(_WHOLE, len(form) + 3)


def _parts(term: Term, longer: Iterable[str]) -> Iterator[str]:
    yield f"parts : ({_any(term.forms)})"
    if words := _any(longer):
        yield f"{{stems parts}} : ({words})"


def _forms(term: Term, *, begun: bool) -> Iterator[str]:
    """A word's forms, `begun`: the longer ones also as beginnings of words."""
    yield f"{{words stems}} : ({_any(term.forms)})"
    beginnings = [f'"{form}"*' for form in term.forms if len(form) >= _PART]
    if begun and beginnings:
        yield f"words : ({' OR '.join(beginnings)})"


def _any(forms: Iterable[str]) -> str:
    return " OR ".join(map(quoted, forms))


def _each_of(groups: Iterable[Iterable[str]]) -> str:
    return " AND ".join(f"({' OR '.join(group)})" for group in groups)


@dataclass(frozen=True, slots=True)
class View:
    """A memory as its words stand in it: `content` and `tags`, a blank around every word."""

    content: str
    tags: str

    def holds(self, spoken: str) -> bool:
        """Whether the words stand there one after the other, in their own form."""
        sought = f" {spoken}" if len(spoken) >= _LONGEST else f" {spoken} "
        return sought in self.content or sought in self.tags

    def count(self, wanted: Iterable[Term]) -> int:
        """How many of the words stand there in their own form."""
        return sum(self.holds(term.spoken) for term in wanted)


def view(memory: Memory) -> View:
    """How a memory is looked through. A bar stands between tags: no phrase reaches across it."""
    text = f"{crossing.memo_text(memory)}\n{memory.key or ''}"
    tags = " | ".join(_name(tag) for tag in crossing.memo_tags(memory))
    return View(f" {analyser.spoken(text)} ", f" {tags} ")


def tagged(wanted: Sequence[str], tags: Iterable[str]) -> bool:
    """Whether one of the wanted tags stands among the words of one of the others, as a phrase."""
    return any(_within(want, tag) for tag in tags for want in wanted)


def landmark(tag: str) -> str:
    """A folded word that stands in every tag that the wanted one finds: the longest of its own."""
    signs = tag.strip().encode(errors="replace").decode()
    return max(_name(tag).split(), key=len, default=signs)


def _within(wanted: str, tag: str) -> bool:
    phrase = _name(wanted)
    return f" {phrase} " in f" {_name(tag)} " if phrase else wanted.strip() == tag.strip()


@lru_cache(maxsize=65_536)
def _name(tag: str) -> str:
    return analyser.spoken(tag)
