"""The strict search: every word of a query as the beginning of a word of the text."""

from __future__ import annotations

import re
import unicodedata
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import islice

from remembrancer.core.analyser import indexed, terms

WORDS = 64  # different words of a query that count
_TOKENS = 12  # words of a snippet
_LEAD = 3  # of these before the first match, where it stands far inside
_LOOKED_AT = 50_000  # characters of a text in which a snippet is looked for
_TOKEN = re.compile(r"[\w\u0300-\u036f]+")


def asked(query: str) -> tuple[str, ...]:
    """The different words of a query, folded as the index has them, in order."""
    found = dict.fromkeys(word for token in query.split() for word in terms(token))
    return tuple(islice(found, WORDS))


def all_of(words: Sequence[str]) -> str:
    """The FTS5 expression of texts in which every word begins a word."""
    return _in_words(" AND ", words)


def any_of(words: Sequence[str]) -> str:
    """The FTS5 expression of texts in which one of the words begins a word."""
    return _in_words(" OR ", words)


def holds(text: str, words: Sequence[str]) -> bool:
    """Whether every word begins a word of the text, as the index reads it."""
    found = set(indexed(text).words.split())
    return all(any(form.startswith(word) for form in found) for word in words)


def _in_words(sign: str, words: Sequence[str]) -> str:
    joined = sign.join(f'"{word}"*' for word in words)
    return f"words : ({joined})"


def snippet(content: str, words: Sequence[str]) -> str:
    """Up to 12 words of the content around the first match, matches in [ ], cuts as `...`."""
    before: deque[re.Match[str]] = deque(maxlen=_TOKENS)
    tokens = _TOKEN.finditer(content, 0, _LOOKED_AT)
    for token in tokens:
        before.append(token)
        if _matches(token[0], words):
            window = _window(list(before), tokens)
            return _drawn(content, window, words)
    first = list(islice(_TOKEN.finditer(content), _TOKENS))
    return _drawn(content, first, words) if first else content[:100]


def _window(
    before: list[re.Match[str]], rest: Iterator[re.Match[str]]
) -> list[re.Match[str]]:  # fmt: skip
    """The words of a snippet; `before` ends with the first match."""
    following = list(islice(rest, _TOKENS - 1))
    lead = max(_LEAD, _TOKENS - 1 - len(following))
    if len(before) <= _TOKENS - _LEAD and before[0].start() == _first(before[0]):
        lead = len(before) - 1
    return [*before[-lead - 1 :], *following][:_TOKENS]


def _first(token: re.Match[str]) -> int:
    """Where the first word of the text stands to which a word belongs."""
    found = _TOKEN.search(token.string)
    return found.start() if found else 0


def _drawn(content: str, window: list[re.Match[str]], words: Sequence[str]) -> str:
    starts, ends = window[0].start(), window[-1].end()
    more_before = _TOKEN.search(content, 0, starts) is not None
    more_after = _TOKEN.search(content, ends) is not None
    pieces = ["..." if more_before else content[:starts]]
    last = starts
    for token in window:
        word = f"[{token[0]}]" if _matches(token[0], words) else token[0]
        pieces += content[last : token.start()], word
        last = token.end()
    return "".join([*pieces, "..." if more_after else content[ends:]])


def _matches(token: str, words: Sequence[str]) -> bool:
    folded = _folded(token)
    return any(folded.startswith(word) or (not word.isascii() and word in folded) for word in words)


def _folded(token: str) -> str:
    if token.isascii():
        return token.lower()
    apart = unicodedata.normalize("NFKD", token).casefold()
    return "".join(sign for sign in apart if not unicodedata.combining(sign))
