"""What a question of the memo vocabulary asks for, and whether a memory holds it word for word."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from remembrancer.core import crossing, stems
from remembrancer.core.memory import Memory

TERMS = 32  # words of a question that are asked for

_LONGEST = 100  # a longer word is asked for by its beginning


class Term(NamedTuple):
    """A word of a question: as texts spell it, and every form the index may have it in."""

    spoken: str
    forms: tuple[str, ...]

    @property
    def own(self) -> str:
        """The expression that finds the word in its own form."""
        return quoted(self.forms[0])

    @property
    def telling(self) -> bool:
        """Whether it says something by itself, unlike an article."""
        return not stems.is_filler(self.forms[0])


def terms(query: str, most: int = TERMS) -> tuple[Term, ...]:
    """The different words of a question, without single letters; () when it is only signs."""
    found = stems.searched(query, most)
    return tuple(Term(stems.spoken(word), forms) for word, forms in found.items())


def quoted(form: str) -> str:
    """A folded form as an expression of FTS5."""
    return f'"{form}"*' if len(form) >= _LONGEST else f'"{form}"'


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
    return View(f" {stems.spoken(text)} ", f" {tags} ")


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
    return stems.spoken(tag)
