"""The words that the index holds, each once: which there are nearly so, longer or within another.

Written in the transaction of the memory that brings a word, so that it is known from then on.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from zlib import crc32

from remembrancer.core.analyser import Indexed
from remembrancer.core.kin import inside
from remembrancer.store.connections import Connections

NOTHING = Indexed("", "", "")
_SHORTEST, _LONGEST = 3, 40  # letters of a word that is kept
_MISSPELT = 4  # letters from which on a word may be misspelt
_LOOKED_AT = 400  # words with some letters in a row that are looked at
_ONCE = 500
_AT_ONCE = 16  # words that one statement asks for

_ALL_OF = "SELECT term FROM word WHERE term IN (SELECT value FROM json_each(?))"
_NEAR = (
    "SELECT DISTINCT w.term FROM word_near n JOIN word w ON w.id = n.word_id"
    " WHERE n.form IN (SELECT value FROM json_each(?)) LIMIT ?"
)
_NOT_NEAR = "DELETE FROM word_near WHERE word_id = ? AND form IN (SELECT value FROM json_each(?))"
_HOLDING = (
    "SELECT * FROM (SELECT ?, w.term FROM word_letters l CROSS JOIN word w ON w.id = l.rowid"
    " WHERE word_letters MATCH ? LIMIT ?)"
)
_UNUSED = (
    "SELECT id, term FROM word WHERE term IN (SELECT value FROM json_each(?))"
    " AND NOT EXISTS (SELECT 1 FROM memory_index"
    "   WHERE memory_index MATCH '{stems parts} : \"' || term || '\"')"
)


class Words:
    """The table of words of one store. Learning and forgetting belong inside the writer."""

    def __init__(self, connections: Connections) -> None:
        self._db = connections

    def learn(self, texts: Iterable[Indexed]) -> None:
        """Keep the words that are new; what is no plain word, like a number, is left out."""
        given = list(dict.fromkeys(chain.from_iterable(map(_terms, texts))))
        for start in range(0, len(given), _ONCE):
            terms = given[start : start + _ONCE]
            known = {row[0] for row in self._db.sql(_ALL_OF, (json.dumps(terms),))}
            for term in terms:
                if term not in known:
                    self._keep(term)

    def forget(self, before: Indexed, after: Indexed = NOTHING) -> None:
        """Drop those words of an earlier text that no memory has any more."""
        terms = list(set(_terms(before)).difference(_terms(after)))
        if not terms:
            return
        for word_id, term in self._db.sql(_UNUSED, (json.dumps(terms),)):
            self._db.sql(_NOT_NEAR, (word_id, json.dumps(_forms(term))))
            self._db.sql("DELETE FROM word WHERE id = ?", (word_id,))

    def near(self, words: Sequence[str]) -> dict[str, list[str]]:
        """For each word those that become the same when either loses one letter at most."""
        plain = [word for word in words if _MISSPELT <= len(word) <= _LONGEST and word.isalpha()]
        forms = list({form for word in plain for form in _forms(word)})
        if not forms:
            return {}
        found = [row[0] for row in self._db.sql(_NEAR, (json.dumps(forms), _LOOKED_AT))]
        return {word: [t for t in found if t != word] for word in plain}

    def holding(self, words: Sequence[str]) -> dict[str, list[str]]:
        """For each word of three letters at least, longer ones with them in a row, short first."""
        plain = [w for w in dict.fromkeys(words) if _SHORTEST <= len(w) <= _LONGEST and w.isalpha()]
        found: dict[str, list[str]] = {}
        for start in range(0, len(plain), _AT_ONCE):
            part = plain[start : start + _AT_ONCE]
            text = " UNION ALL ".join([_HOLDING] * len(part))
            values = [v for word in part for v in (word, _threes(word), _LOOKED_AT)]
            for word, term in self._db.sql(text, values):
                if word in term and word != term:
                    found.setdefault(word, []).append(term)
        return {word: sorted(terms, key=lambda t: (len(t), t)) for word, terms in found.items()}

    def within(self, words: Sequence[str], shortest: int) -> dict[str, list[str]]:
        """For each word those that stand inside it, the longest first."""
        plain = [word for word in words if len(word) <= _LONGEST and word.isalpha()]
        pieces = list({piece for word in plain for piece in _pieces(word, shortest)})
        if not pieces:
            return {}
        terms = [row[0] for row in self._db.sql(_ALL_OF, (json.dumps(pieces),))]
        return {word: inside(word, terms, shortest) for word in plain}

    def _keep(self, term: str) -> None:
        word_id = self._db.insert("INSERT INTO word (term) VALUES (?)", (term,))
        if len(term) < _MISSPELT:
            return
        text = "INSERT INTO word_near (form, word_id) SELECT value, ? FROM json_each(?)"
        self._db.sql(text, (word_id, json.dumps(_forms(term))))


def _terms(text: Indexed) -> Iterator[str]:
    # What joins words counts as these, too: so does the index.
    for term in f"{text.stems} {text.parts}".replace("_", " ").split():
        if _SHORTEST <= len(term) <= _LONGEST and term.isalpha():
            yield term


def _forms(word: str) -> list[int]:
    """Numbers for the word and for every form of it that lacks a letter."""
    shorter = (word[:at] + word[at + 1 :] for at in range(len(word)))
    return list({crc32(form.encode()) for form in (word, *shorter)})


def _threes(letters: str) -> str:
    """The expression of words with every three letters in a row that these have."""
    threes = dict.fromkeys(letters[at : at + 3] for at in range(len(letters) - 2))
    return " AND ".join(f'"{each}"' for each in threes)


def _pieces(word: str, shortest: int) -> Iterator[str]:
    for start in range(len(word)):
        for end in range(start + shortest, len(word) + 1):
            if end - start < len(word):
                yield word[start:end]
