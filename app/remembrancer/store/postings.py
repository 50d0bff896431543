"""Which memories have a form, by the index: the newest of them, and about how many there are."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from remembrancer.store.connections import Connections
from remembrancer.store.note_search import Reach

_AT_ONCE = 16  # forms that one statement asks for
_MATCH = "SELECT rowid FROM memory_index WHERE memory_index MATCH ?"
_LIST = f"SELECT json_group_array(rowid) FROM ({_MATCH} ORDER BY rowid DESC LIMIT ?)"


def located(text: str, *, phrase: bool = False) -> tuple[str, str]:
    """Where a form is looked for and what is looked for there; the two in a row are an expression.

    A form with a star is the beginning of a word, as one types it; a stem begins as its word does.
    """
    begun = text.endswith("*")
    term = f'"{text[:-1]}"*' if begun else f'"{text}"'
    return "words : " if begun or phrase else "{stems parts} : ", term


def expression(text: str, *, phrase: bool = False) -> str:
    """The expression that finds a form, or a phrase."""
    return "".join(located(text, phrase=phrase))


@dataclass(frozen=True, slots=True)
class Posting:
    """The newest memories with a form, by id; `frequency` is about how many have it in all."""

    ids: list[int]
    frequency: int

    @property
    def whole(self) -> bool:
        """Whether these are all of them."""
        return len(self.ids) == self.frequency


class Postings:
    """Looks forms up in the index of one store, without ranking."""

    def __init__(self, connections: Connections) -> None:
        self._db = connections

    def of(self, expressions: Sequence[str], most: int, size: int) -> dict[str, Posting]:
        """The postings of some expressions, at most `most` ids of each, in a store of `size`."""
        found: dict[str, Posting] = {}
        for start in range(0, len(expressions), _AT_ONCE):
            part = expressions[start : start + _AT_ONCE]
            text = " UNION ALL ".join([_LIST] * len(part))
            rows = self._db.sql(text, [value for each in part for value in (each, most)])
            for each, (ids,) in zip(part, rows, strict=True):
                found[each] = _posting(json.loads(ids), most, size)
        return found

    def within(
        self, expressions: Sequence[str], most: int, size: int, reach: Reach
    ) -> dict[str, Posting]:
        """The postings within a reach of `size` memories; others' show in no way."""
        if reach.ids is not None:
            inside, values = f"{_MATCH} AND +rowid IN (SELECT value FROM json_each(?))", [reach.ids]
        else:
            inside = (
                "SELECT rowid FROM (SELECT i.rowid FROM memory_index i CROSS JOIN memory m"
                f" ON m.id = i.rowid WHERE memory_index MATCH ? AND {reach.condition})"
            )
            values = list(reach.values)
        text = f"SELECT json_group_array(rowid) FROM ({inside} ORDER BY rowid DESC LIMIT ?)"
        found: dict[str, Posting] = {}
        for each in expressions:
            ids = json.loads(self._db.sql(text, [each, *values, most])[0][0])
            found[each] = _posting_within(ids, most, size)
        return found


def _posting_within(ids: list[int], most: int, size: int) -> Posting:
    """Ids of a reach lie anywhere: of more than `most` it is only known that they are more."""
    return Posting(ids, len(ids) if len(ids) < most else max(size, len(ids) + 1))


def _posting(ids: list[int], most: int, size: int) -> Posting:
    """As many as there are, or else as if the others were spread as the newest are."""
    if len(ids) < most:
        return Posting(ids, len(ids))
    newer = max(size - ids[-1] + 1, len(ids))
    return Posting(ids, max(len(ids) + 1, len(ids) * size // newer))
