"""Literal search through the index of three letters in a row: who holds a text anywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any
from unicodedata import normalize

from remembrancer.store.connections import Connections

LONGEST = 24  # trigrams that one question asks for; the texts that hold them are looked at anyway
_PAGE = 5_000  # rows that a scan holds at once

# Where SQLite's table of capitals is complete; it is older than those of other blocks.
_BLOCKS = (range(0x250), range(0x2B0, 0x528), range(0x1E00, 0x2150))
_DOT_ABOVE, _YOT = "\u0307", "\u03f3"
# Joined to nothing, the status keeps the planner from walking everything active.
_SHOWN = (
    "status || '' = 'active' AND entity_id IS NOT NULL AND (expires_at IS NULL OR expires_at > ?)"
)
_CREATED = "deleted_at IS NULL AND ghost = 0"
_MEMORIES = "(SELECT rowid FROM memory_letters WHERE memory_letters MATCH ?)"
_OF_MEMORY = f"m.id IN {_MEMORIES} AND"
_ENTITIES = "(SELECT rowid FROM entity_letters WHERE entity_letters MATCH ?)"


def spellings(text: str) -> tuple[str, ...]:
    """The text as written and, where that differs, composed: names rest so."""
    return tuple(dict.fromkeys((text, normalize("NFC", text))))


def holder(text: str) -> Callable[[Iterable[str]], bool]:
    """What says whether one of some texts holds `text`, case aside as Unicode has it."""
    wanted = tuple(dict.fromkeys(each.lower() for each in spellings(text)))

    def holds(texts: Iterable[str]) -> bool:
        return any(one in each.lower() for each in texts for one in wanted)

    return holds


def expression(texts: Iterable[str]) -> str | None:
    """What matches at least all that holds one of `texts`, in whatever case; None: ask every row.

    The index keeps letters without case as SQLite does, which for most scripts is how Unicode does.
    """
    found = [_all_of(text.lower()) for text in texts]
    return None if None in found else " OR ".join(f"({each})" for each in found)


def _all_of(text: str) -> str | None:
    if len(text) < 3 or not all(map(_known, text)):
        return None
    starts = dict.fromkeys(text[n : n + 3] for n in range(len(text) - 2))
    step = -(-len(starts) // LONGEST)
    asked = [_quoted(letters) for letters in list(starts)[:-1:step]]
    return " AND ".join([*asked, _at_the_end(text[-3:])])


def _at_the_end(letters: str) -> str:
    """A last i may be the first half of what a capital I with a dot is in lower case."""
    last = ("i", "\u0130") if letters[2] == "i" else (letters[2],)
    return "(" + " OR ".join(_quoted(letters[:2] + each) for each in last) + ")"


def _quoted(letters: str) -> str:
    return '"' + letters.replace('"', '""') + '"'


def _known(letter: str) -> bool:
    """Whether SQLite takes this letter and its capital for one, as Unicode does."""
    if letter in (_DOT_ABOVE, _YOT, "\0"):
        return False
    if letter == letter.upper() == letter.lower():
        return True
    return any(ord(letter) in block for block in _BLOCKS)


def _sieve(text: str) -> list[str]:
    """One of these stands in whatever holds `text`, once SQLite has made that lower case.

    SQLite knows the case of ASCII letters alone. Two other signs become some in lower case.
    """
    if all(sign.isascii() or sign == sign.upper() == sign.lower() for sign in text):
        return [*(each.lower() for each in spellings(text)), "\u212a", "\u0130"]
    return [""]


class Letters:
    """Looks for a text in the names, types and memories of one store."""

    def __init__(self, connections: Connections) -> None:
        self._db = connections

    def literal(self, text: str, now: int, limit: int) -> list[int]:
        """Created entities that hold `text` (ASCII case aside) in name, type or shown memory.

        The first `limit` by name.
        """
        written, composed = spellings(text)[0], spellings(text)[-1]
        asked = expression(spellings(text))
        of_entity, of = ("", "") if asked is None else (f"id IN {_ENTITIES} AND", _OF_MEMORY)
        matched = () if asked is None else (asked,)
        rows = self._db.sql(
            f"SELECT id FROM entity WHERE {_CREATED} AND id IN ("
            f" SELECT id FROM entity WHERE {of_entity}"
            "   (instr(lower(name), lower(?)) OR instr(lower(type), lower(?)))"
            f" UNION SELECT m.entity_id FROM memory m WHERE {of} {_SHOWN}"
            "   AND (instr(lower(m.content), lower(?)) OR instr(lower(m.content), lower(?)))"
            ") ORDER BY name LIMIT ?",
            (*matched, composed, written, *matched, now, written, composed, limit),
        )
        return [row[0] for row in rows]

    def holding(self, text: str, now: int) -> list[int]:
        """The ids of entities that hold `text` (case aside, as Unicode has it), in order."""
        asked, holds = expression(spellings(text)), holder(text)
        found = {row[0] for row in self._entities(asked) if holds(row[1:])}
        found.update(row[1] for row in self._memories(text, asked, now) if holds(row[2:]))
        return sorted(found)

    def _entities(self, asked: str | None) -> list[tuple[Any, ...]]:
        rows = f"SELECT id, name, type FROM entity WHERE {_CREATED}"
        if asked is not None:
            return self._db.sql(f"{rows} AND id IN {_ENTITIES}", (asked,))
        return self._db.sql(rows)

    def _memories(self, text: str, asked: str | None, now: int) -> Iterator[tuple[Any, ...]]:
        rows = f"SELECT id, entity_id, content FROM memory WHERE {_SHOWN}"
        if asked is not None:
            yield from self._db.sql(f"{rows} AND id IN {_MEMORIES}", (now, asked))
            return
        sieve, last = _sieve(text), 0
        page = f"{rows} AND id > ? AND ({' OR '.join(['instr(lower(content), ?)'] * len(sieve))})"
        while found := self._db.sql(f"{page} ORDER BY id LIMIT {_PAGE}", (now, last, *sieve)):
            last = found[-1][0]
            yield from found
