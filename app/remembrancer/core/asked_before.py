"""What was fetched after which question: the memory that one session has of its own searching."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from remembrancer.core import analyser, crossing, memo_search, memo_syntax
from remembrancer.core.memory import Memory
from remembrancer.core.secrets import find

_OPEN = 8  # questions that still wait for what is fetched
_KEPT = 512  # questions whose answers are remembered
_ANSWERS = 50  # ids of one question, the latest
_LETTERS = 4  # of a word that can show that a text belongs to a question

_Words = frozenset[str]


class AskedBefore:
    """The questions of one session, each known by its set of words, and the ids they led to."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: OrderedDict[_Words, tuple[frozenset[str], ...]] = OrderedDict()
        self._led_to: OrderedDict[_Words, OrderedDict[int, None]] = OrderedDict()

    def before(self, query: str) -> tuple[int, ...]:
        """The ids fetched after exactly this set of words, the latest first."""
        words = _words(query)
        with self._lock:
            return tuple(reversed(self._led_to.get(words, ())))

    def asked(self, query: str) -> None:
        """Open a question; one in explicit syntax is exact by itself and is not learnt from."""
        words = _words(query)
        if not words or find(query):  # a credential is not kept, not even here
            return
        telling = _telling(query)
        with self._lock:
            self._open[words] = telling
            self._open.move_to_end(words)
            _trim(self._open, _OPEN)

    def fetched(self, memories: Sequence[Memory]) -> None:
        """Link memories with the open questions of which their text holds a word that counts."""
        with self._lock:
            waiting = tuple(self._open.items())
        if not waiting:
            return
        for memory in memories:
            forms = _forms_of(memory)
            led = [
                words for words, telling in waiting if any(not forms.isdisjoint(t) for t in telling)
            ]
            with self._lock:
                self._link(led, memory.id)

    def _link(self, questions: Sequence[_Words], memory_id: int) -> None:
        for words in questions:
            ids = self._led_to.setdefault(words, OrderedDict())
            ids[memory_id] = None
            ids.move_to_end(memory_id)
            _trim(ids, _ANSWERS)
            self._led_to.move_to_end(words)
        _trim(self._led_to, _KEPT)


def _words(query: str) -> _Words:
    if memo_syntax.parsed(query) is not None:
        return frozenset()
    return frozenset(term.forms[0] for term in memo_search.terms(query))


def _telling(query: str) -> tuple[frozenset[str], ...]:
    """The forms of each word that says something: fillers, numbers and short words do not."""
    return tuple(
        frozenset(term.forms)
        for term in memo_search.terms(query)
        if term.telling and (_letters(term.forms[0]) >= _LETTERS or " " in term.spoken)
    )


def _letters(word: str) -> int:
    return sum(sign.isalpha() for sign in word)


def _forms_of(memory: Memory) -> frozenset[str]:
    """Every form under which the index would have the memory."""
    tags = " ".join(crossing.memo_tags(memory))
    return frozenset(analyser.indexed(f"{crossing.memo_text(memory)}\n{tags}").everything().split())


def _trim(kept: OrderedDict[Any, Any], most: int) -> None:
    while len(kept) > most:
        kept.popitem(last=False)
