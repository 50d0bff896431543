"""The syntax that a question of the memo vocabulary may be written in: that of FTS5.

It is read here and not by FTS5, because the index has columns of its own, the parts of identifiers
between the words, and names beside the text: it can tell where to look, and only the text itself
whether a memory is what is wanted.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from remembrancer.core import analyser
from remembrancer.core.memo_search import View, quoted

CONTENT, TAGS = "content", "tags"

_SIGNS = re.compile(r'["*():^]|\b(?:AND|OR|NOT|NEAR)\b')
_WORDS = frozenset({"AND", "OR", "NOT"})
_PHRASES = 64
_DEPTH = 32


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words one after the other; `prefix`: the last one may go on, `first`: they begin a column."""

    spoken: str
    prefix: bool
    first: bool
    columns: frozenset[str]


@dataclass(frozen=True, slots=True)
class Near:
    """Phrases within `distance` words of each other, in one column."""

    phrases: tuple[Phrase, ...]
    distance: int


@dataclass(frozen=True, slots=True)
class Every:
    """All of the parts."""

    parts: tuple[Wanted, ...]


@dataclass(frozen=True, slots=True)
class Some:
    """At least one of the parts."""

    parts: tuple[Wanted, ...]


@dataclass(frozen=True, slots=True)
class But:
    """The first, without any of the others."""

    kept: Wanted
    dropped: tuple[Wanted, ...]


Wanted = Phrase | Near | Every | Some | But


def has_syntax(query: str) -> bool:
    """Whether a question looks as if it were written in the syntax."""
    return _SIGNS.search(query) is not None


def parsed(query: str) -> Wanted | None:
    """What a question in the syntax wants; None when it has none, or breaks its rules."""
    if not has_syntax(query):
        return None
    try:
        return _Reader(_tokens(query)).whole()
    except _Broken:
        return None


def candidates(wanted: Wanted) -> tuple[str, ...]:
    """Expressions of FTS5, each wider than the one before, the last finds all that may be wanted.

    The first finds phrases as they stand, the last their words: identifiers have parts between.
    """
    found = (_candidates(wanted, _as_it_stands), _candidates(wanted, _by_words))
    return tuple(dict.fromkeys(f"words : ({each})" for each in found))


def _candidates(wanted: Wanted, phrase: Callable[[Phrase], str]) -> str:
    if isinstance(wanted, Phrase):
        return phrase(wanted)
    if isinstance(wanted, But):
        return _candidates(wanted.kept, phrase)
    parts = wanted.phrases if isinstance(wanted, Near) else wanted.parts
    sign = " OR " if isinstance(wanted, Some) else " AND "
    return sign.join(f"({_candidates(part, phrase)})" for part in parts)


def _as_it_stands(phrase: Phrase) -> str:
    return f'"{phrase.spoken}"*' if phrase.prefix else quoted(phrase.spoken)


def _by_words(phrase: Phrase) -> str:
    *words, last = phrase.spoken.split(" ")
    ending = f'"{last}"*' if phrase.prefix else quoted(last)
    return " AND ".join([*map(quoted, words), ending])


def wants(wanted: Wanted, seen: View) -> bool:
    """Whether a memory is what is wanted."""
    if isinstance(wanted, Phrase):
        return any(_stands(wanted, text) for text in _columns(wanted, seen))
    if isinstance(wanted, Near):
        return any(_near(wanted, text) for text in _columns(wanted.phrases[0], seen))
    if isinstance(wanted, Every):
        return all(wants(part, seen) for part in wanted.parts)
    if isinstance(wanted, Some):
        return any(wants(part, seen) for part in wanted.parts)
    return wants(wanted.kept, seen) and not any(wants(part, seen) for part in wanted.dropped)


def _columns(phrase: Phrase, seen: View) -> list[str]:
    return [getattr(seen, name) for name in sorted(phrase.columns)]


def _stands(phrase: Phrase, text: str) -> bool:
    sought = _sought(phrase)
    return text.startswith(sought) if phrase.first else sought in text


def _sought(phrase: Phrase) -> str:
    return f" {phrase.spoken}" if phrase.prefix else f" {phrase.spoken} "


def _near(near: Near, text: str) -> bool:
    """Whether a stretch of `text` holds all phrases, at most `distance` words between its ends."""
    found = sorted(
        (start, start + phrase.spoken.count(" ") + 1, number)
        for number, phrase in enumerate(near.phrases)
        for start in _places(phrase, text)
    )
    last: dict[int, tuple[int, int]] = {}
    for start, end, number in found:
        last[number] = (start, end)
        first_end = min(e for _, e in last.values())
        if len(last) == len(near.phrases) and start - first_end <= near.distance:
            return True
    return False


def _places(phrase: Phrase, text: str) -> list[int]:
    """The numbers of the words with which a phrase begins in `text`."""
    sought = _sought(phrase)
    at, found, word, seen = text.find(sought), list[int](), 0, 0
    while at >= 0:
        word += text.count(" ", seen, at)
        seen = at
        found.append(word)
        at = text.find(sought, at + 1)
    return found


class _Broken(Exception):
    """The question is no expression."""


class _Token(NamedTuple):
    kind: str  # "sign", "word" as it was typed, or "text" in quotes
    text: str


_TOKEN = re.compile(
    r'[ \t\r\n]*(?:(?P<text>"(?:[^"]|"")*")|(?P<word>[A-Za-z0-9_\x1a\x80-\U0010ffff]+)'
    r"|(?P<sign>[()*:^+,{}-]))"
)


def _tokens(query: str) -> list[_Token]:
    found: list[_Token] = []
    text, at = query.rstrip(" \t\r\n"), 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise _Broken
        kind = str(match.lastgroup)
        inner = match[kind][1:-1].replace('""', '"') if kind == "text" else match[kind]
        found.append(_Token("sign" if inner in _WORDS and kind == "word" else kind, inner))
        at = match.end()
    return found


class _Reader:
    """Reads tokens by the grammar: NOT binds closer than AND, AND closer than OR."""

    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._at = 0
        self._depth = 0
        self._phrases = 0

    def whole(self) -> Wanted | None:
        found = self._some(frozenset((CONTENT, TAGS)))
        if self._at < len(self._tokens):
            raise _Broken
        return found

    def _some(self, columns: frozenset[str]) -> Wanted | None:
        parts = [self._every(columns)]
        while self._takes("OR"):
            parts.append(self._every(columns))
        return _joined(Some, parts)

    def _every(self, columns: frozenset[str]) -> Wanted | None:
        parts = [self._but(columns)]
        while self._takes("AND"):
            parts.append(self._but(columns))
        return _joined(Every, parts)

    def _but(self, columns: frozenset[str]) -> Wanted | None:
        kept, dropped = self._group(columns), list[Wanted | None]()
        while self._takes("NOT"):
            dropped.append(self._group(columns))
        left = tuple(part for part in dropped if part is not None)
        return But(kept, left) if kept is not None and left else kept

    def _group(self, columns: frozenset[str]) -> Wanted | None:
        if self._peek("("):
            return self._in_brackets(columns)
        parts: list[Wanted | None] = []
        while not parts or self._begins_part():
            narrowed = self._filter(columns)
            if narrowed is not None and self._peek("("):
                if parts:
                    raise _Broken
                return self._in_brackets(narrowed)
            parts.append(self._part(columns if narrowed is None else narrowed))
        return _joined(Every, parts)

    def _in_brackets(self, columns: frozenset[str]) -> Wanted | None:
        self._needs("(")
        self._depth += 1
        if self._depth > _DEPTH:
            raise _Broken
        found = self._some(columns)
        self._needs(")")
        self._depth -= 1
        return found

    def _begins_part(self) -> bool:
        token = self._next()
        return token is not None and (token.kind != "sign" or token.text in "^{-")

    def _filter(self, columns: frozenset[str]) -> frozenset[str] | None:
        """The columns that a filter before a part leaves, None where there is no filter."""
        begin = self._at
        without = self._takes("-")
        braces = self._takes("{")
        names = self._names() if braces else [self._text()] if self._is_text() else []
        if braces:
            self._needs("}")
        if not names or not self._takes(":"):
            if without or braces:
                raise _Broken
            self._at = begin
            return None
        named = frozenset(name.lower() for name in names)
        if not named <= {CONTENT, TAGS}:
            raise _Broken
        return columns - named if without else columns & named

    def _names(self) -> list[str]:
        names = [self._text()]
        while self._is_text():
            names.append(self._text())
        return names

    def _part(self, columns: frozenset[str]) -> Wanted | None:
        if self._takes("^"):
            phrase = self._phrase(columns)
            return None if phrase is None else replace(phrase, first=True)
        token, after = self._next(), self._next(1)
        if token == _Token("word", "NEAR") and after == _Token("sign", "("):
            return self._near(columns)
        return self._phrase(columns)

    def _near(self, columns: frozenset[str]) -> Wanted | None:
        self._at += 2
        phrases, distance = [self._phrase(columns)], 10
        while self._is_text():
            phrases.append(self._phrase(columns))
        if self._takes(","):
            number = self._text()
            if re.fullmatch("[0-9]{1,9}", number) is None:
                raise _Broken
            distance = int(number)
        self._needs(")")
        left = tuple(phrase for phrase in phrases if phrase is not None)
        return Near(left, distance) if len(left) > 1 else left[0] if left else None

    def _phrase(self, columns: frozenset[str]) -> Phrase | None:
        words = [analyser.spoken(self._text())]
        while self._takes("+"):
            words.append(analyser.spoken(self._text()))
        prefix = self._takes("*")
        self._phrases += 1
        if self._phrases > _PHRASES:
            raise _Broken
        spoken = " ".join(filter(None, words))
        return Phrase(spoken, prefix, False, columns) if spoken else None

    def _next(self, ahead: int = 0) -> _Token | None:
        at = self._at + ahead
        return self._tokens[at] if at < len(self._tokens) else None

    def _peek(self, sign: str) -> bool:
        return self._next() == _Token("sign", sign)

    def _takes(self, sign: str) -> bool:
        found = self._peek(sign)
        self._at += found
        return found

    def _needs(self, sign: str) -> None:
        if not self._takes(sign):
            raise _Broken

    def _is_text(self) -> bool:
        token = self._next()
        return token is not None and token.kind != "sign"

    def _text(self) -> str:
        token = self._next()
        if token is None or token.kind == "sign":
            raise _Broken
        self._at += 1
        return token.text


def _joined(kind: type[Every] | type[Some], parts: list[Wanted | None]) -> Wanted | None:
    left = tuple(part for part in parts if part is not None)
    return kind(left) if len(left) > 1 else left[0] if left else None
