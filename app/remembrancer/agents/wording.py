"""A schema and a value in few English words, for sentences that a model can act on."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from remembrancer.core.edge import SAFE_INTEGER

_LONGEST_SHOWN = 60

Schema = Mapping[str, Any]


def listed(names: Sequence[object]) -> str:
    """Values in quotes and with commas, in JSON's own spelling; what is long is cut."""
    return ", ".join(json.dumps(_short(name), ensure_ascii=False) for name in names)


def wanted(schema: Schema) -> str:
    """What a schema asks for: "text of 1 to 200 characters", "a whole number from 1 to 50"."""
    if "const" in schema:
        return listed([schema["const"]])
    if "enum" in schema:
        return f"one of {listed(schema['enum'])}"
    for union in ("anyOf", "oneOf"):
        if union in schema:
            return " or ".join(wanted(each) for each in schema[union])
    kinds = schema.get("type", "")
    if isinstance(kinds, list):
        return " or ".join(wanted({**schema, "type": kind}) for kind in cast("list[str]", kinds))
    return _WANTED.get(kinds, lambda _: "another value")(schema)


def given(value: object) -> str:
    """What came instead: "the text "abc"", "the number 5", "a list of 3 items"."""
    if isinstance(value, str):
        return _given_text(value)
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, (int, float)):
        return _given_number(value)
    if isinstance(value, Sequence):
        return f"a list of {_counted(len(cast('Sequence[object]', value)), 'item')}"
    return "an object"


def place(path: Sequence[str | int]) -> str:
    """A path into the arguments as one would write it: `entities[0].name`."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{_short(step)}" for step in path)
    return "".join(steps).removeprefix(".")


def _short(name: object) -> object:
    if isinstance(name, str) and len(name) > _LONGEST_SHOWN:
        return f"{name[:_LONGEST_SHOWN]}…"
    return name


def _given_text(value: str) -> str:
    if not value:
        return "empty text"
    if len(value) > _LONGEST_SHOWN:
        return f"text of {_counted(len(value), 'character')}"
    return f"the text {json.dumps(value, ensure_ascii=False)}"


def _given_number(value: float) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return "not a finite number"
    if abs(value) > SAFE_INTEGER:
        return "a number too large"
    return f"the number {value}"


def _counted(count: int, thing: str) -> str:
    return f"{count} {thing}{'' if count == 1 else 's'}"


def _span(low: float | None, high: float | None) -> str:
    if low is None or high is None:
        bound = f"at most {high}" if low is None else f"at least {low}"
        return "" if low is high else bound
    return f"{low} to {high}"


def _sized(words: str, low: int | None, high: int | None, thing: str) -> str:
    span = _span(low or None, high)  # a least length of 0 asks for nothing
    decisive = low if high is None else high
    return f"{words} of {span} {thing}{'' if decisive == 1 else 's'}" if span else words


def _wanted_text(schema: Schema) -> str:
    return _sized("text", schema.get("minLength"), schema.get("maxLength"), "character")


def _wanted_list(schema: Schema) -> str:
    words = _sized("a list", schema.get("minItems"), schema.get("maxItems"), "item")
    items = schema.get("items")
    return f"{words}, each {wanted(items)}" if items else words


def _wanted_object(schema: Schema) -> str:
    names = list(schema.get("properties", ()))
    return f"an object with {listed(names)}" if names else "an object"


def _wanted_whole(schema: Schema) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    if "exclusiveMinimum" in schema:
        low = schema["exclusiveMinimum"] + 1
    return _ranged("a whole number", low, None if high == SAFE_INTEGER else high)


def _wanted_number(schema: Schema) -> str:
    words = _ranged("a number", schema.get("minimum"), schema.get("maximum"))
    above = schema.get("exclusiveMinimum")
    return words if above is None else f"{words} greater than {above}"


def _ranged(words: str, low: float | None, high: float | None) -> str:
    span = _span(low, high)
    if not span:
        return words
    return f"{words} {'from' if low is not None and high is not None else 'of'} {span}"


_WANTED: dict[object, Callable[[Schema], str]] = {
    "string": _wanted_text,
    "integer": _wanted_whole,
    "number": _wanted_number,
    "boolean": lambda _: "true or false",
    "null": lambda _: "null",
    "array": _wanted_list,
    "object": _wanted_object,
}
