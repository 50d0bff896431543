"""JSON objects out of a file however they are packed: one a line, several, a list, one object."""

from __future__ import annotations

import json
import math
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any, BinaryIO, cast

from remembrancer.core import edge
from remembrancer.core.travel import Anomaly
from remembrancer.formats.text import Line, lines

Found = tuple[int, Any]

LISTS = ("entities", "relations", "memories")  # the keys under which one object holds many
_BLANK = " \t\r\n,"


class Reading:
    """Reads the JSON values of one file, each with the line on which it begins."""

    def __init__(self) -> None:
        self._odd = False
        self.decoder = json.JSONDecoder(
            object_pairs_hook=self._object, parse_constant=self._no_number,
            parse_float=self._float, parse_int=self._int,
        )  # fmt: skip

    def values(self, stream: BinaryIO) -> Iterator[Found | Anomaly]:
        """Every value, lists and objects of lists taken apart; and what could not be read."""
        rows = lines(stream)
        begun = False
        for row in rows:
            if isinstance(row, Anomaly) or not row[1].strip():
                yield from [row] if isinstance(row, Anomaly) else []
                continue
            found = list(self._line(*row))
            if not begun and _may_go_on(row[1], found):
                yield from self._rest(row, rows)
                return
            begun = True
            yield from found

    def decode(self, text: str, position: int, line: int) -> tuple[list[Found | Anomaly], int]:
        """What stands at `position`, and where it ends; ValueError says why it is no value.

        A value that holds what no value may is passed over, and told.
        """
        self._odd = False
        try:
            value, end = self.decoder.raw_decode(text, position)
        except RecursionError:
            raise ValueError("it is nested too deeply") from None
        levels = text.count("[", position, end) + text.count("{", position, end)
        apart = _apart(line, value)
        if not self._odd and levels <= edge.DEEPEST:
            return [*apart], end
        return [_sound(number, each) for number, each in apart], end

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) == len(pairs):
            return found
        self._odd = True
        names = [name for name, _ in pairs]
        return _Twice(found, next(name for name in found if names.count(name) > 1))

    def _no_number(self, _spelled: str) -> float:
        self._odd = True
        return math.nan

    def _float(self, spelled: str) -> float:
        number = float(spelled)
        self._odd = self._odd or math.isinf(number)
        return number

    def _int(self, spelled: str) -> int | float:
        if len(spelled) <= edge.MOST_DIGITS:
            return int(spelled)
        self._odd = True
        return math.inf

    def _line(self, number: int, text: str) -> Iterator[Found | Anomaly]:
        position = _past_blank(text, 0)
        values = 0
        while position < len(text):
            try:
                found, position = self.decode(text, position, number)
            except ValueError as error:
                yield _unreadable(number, position, error)
                return
            yield from found
            values += 1
            position = _past_blank(text, position)
        if values > 1:
            yield Anomaly(number, f"{values} objects stand on one line; all of them were read.")

    def _rest(self, first: Line, rows: Iterator[Line | Anomaly]) -> Iterator[Found | Anomaly]:
        """The file from its first line on, when that line is no whole value."""
        kept = [first]
        for row in rows:
            if isinstance(row, Anomaly):
                yield row
            else:
                kept.append(row)
        if self._goes_on(kept):
            yield from _Document(self, kept).values()
            return
        for row in kept:
            yield from self._line(*row)

    def _goes_on(self, rows: list[Line]) -> bool:
        """Whether the first value goes on in the second line: it does not stand on its own."""
        opening = rows[0][1].strip()
        if opening[0] == "[" or opening[-1] in "[{,":
            return True
        second = next((row for row in rows[1:] if row[1].strip()), None)
        found = [] if second is None else list(self._line(*second))
        return bool(found) and all(isinstance(f, Anomaly) for f in found)


class _Document:
    """One value spread over lines, read element by element so that each has its own line."""

    def __init__(self, reading: Reading, rows: list[Line]) -> None:
        self._reading = reading
        self._text = "\n".join(text for _, text in rows)
        self._numbers = [number for number, _ in rows]
        self._starts = [0]
        for _, text in rows[:-1]:
            self._starts.append(self._starts[-1] + len(text) + 1)
        self._at = 0

    def values(self) -> Iterator[Found | Anomaly]:
        try:
            while self._skip():
                yield from self._value()
        except ValueError as error:
            sentence = f"The rest cannot be read as JSON from here on: {_why(error)}."
            yield Anomaly(self._line(), sentence)

    def _value(self) -> Iterator[Found | Anomaly]:
        if self._text[self._at] == "[":
            yield from self._elements()
        elif self._text[self._at] == "{" and self._holds_lists():
            yield from self._members()
        else:
            yield from self._single()

    def _single(self) -> Iterator[Found | Anomaly]:
        found, self._at = self._reading.decode(self._text, self._at, self._line())
        yield from found

    def _elements(self) -> Iterator[Found | Anomaly]:
        self._at += 1
        while self._skip() and self._text[self._at] != "]":
            yield from self._single()
        self._close("list")

    def _members(self) -> Iterator[Found | Anomaly]:
        self._at += 1
        while self._skip() and self._text[self._at] != "}":
            key, self._at = self._reading.decoder.raw_decode(self._text, self._at)
            self._skip(_BLANK + ":")
            if key in LISTS and self._text[self._at : self._at + 1] == "[":
                yield from self._elements()
            else:
                _, self._at = self._reading.decode(self._text, self._at, self._line())
        self._close("object")

    def _holds_lists(self) -> bool:
        """Whether this object is a wrapping; one that is cut off is looked at like one."""
        try:
            value, _ = self._reading.decoder.raw_decode(self._text, self._at)
        except (ValueError, RecursionError):
            return True
        return any(isinstance(value.get(key), list) for key in LISTS)

    def _close(self, what: str) -> None:
        if self._at >= len(self._text):
            raise ValueError(f"the {what} is not closed")
        self._at += 1

    def _skip(self, signs: str = _BLANK) -> bool:
        while self._at < len(self._text) and self._text[self._at] in signs:
            self._at += 1
        return self._at < len(self._text)

    def _line(self) -> int:
        return self._numbers[bisect_right(self._starts, self._at) - 1]


class _Twice(dict[str, Any]):
    """An object in which a name stands twice, so that it does not say what it means."""

    def __init__(self, found: dict[str, Any], name: str) -> None:
        super().__init__(found)
        self.name = name


def _sound(line: int, value: Any) -> Found | Anomaly:
    """The value, or what is wrong somewhere in it."""
    for each, level in edge.walk(value):
        if isinstance(each, _Twice):
            name = edge.shown(each.name)
            told = f"The field {name} stands here twice; what holds it was passed over."
            return Anomaly(line, told)
        if isinstance(each, float) and not math.isfinite(each):
            told = "Here stands a number that is none, or beyond all others; what holds it was "
            return Anomaly(line, f"{told}passed over.")
        if level >= edge.DEEPEST and isinstance(each, list | dict):
            told = f"This is nested deeper than {edge.DEEPEST} levels; it was passed over."
            return Anomaly(line, told)
    return line, value


def _apart(line: int, value: Any) -> list[Found]:
    if isinstance(value, list):
        return [(line, each) for each in cast(list[Any], value)]
    if isinstance(value, dict) and not isinstance(value, _Twice):
        kept = cast(dict[str, Any], value)
        found = [kept[key] for key in LISTS if isinstance(kept.get(key), list)]
        if found:
            return [(line, each) for held in found for each in held]
    return [(line, value)]


def _may_go_on(text: str, found: list[Found | Anomaly]) -> bool:
    nothing = all(isinstance(each, Anomaly) for each in found)
    return nothing and bool(found) and text.lstrip()[0] in "[{"


def _past_blank(text: str, position: int) -> int:
    while position < len(text) and (text[position] in _BLANK or text[position].isspace()):
        position += 1
    return position


def _unreadable(line: int, position: int, error: ValueError) -> Anomaly:
    where = error.pos if isinstance(error, json.JSONDecodeError) else position
    sentence = f"The line cannot be read as JSON from column {where + 1} on: {_why(error)}."
    return Anomaly(line, sentence)


def _why(error: ValueError) -> str:
    told = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
    return told.removesuffix(" starting at").rstrip(".")
