"""The strict check of arguments against the schema of a tool, before a dialect sees them."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NoReturn, Protocol, cast

from jsonschema import Draft202012Validator, validators

from remembrancer.agents.wording import given, listed, place, wanted
from remembrancer.core.edge import DEEPEST, number_fault, text_fault, well_formed_text
from remembrancer.core.errors import BadValue

_Path = tuple[str | int, ...]


class _Error(Protocol):
    """The part of jsonschema's error that the sentences need."""

    validator: str
    validator_value: Any
    schema: Mapping[str, Any]
    instance: Any
    absolute_path: list[str | int]


class _Validator(Protocol):
    def iter_errors(self, instance: object) -> Iterator[_Error]: ...


def _is_whole(_checker: object, value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


# JSON Schema counts 1.0 as an integer; an id or a revision that came as a float is a mistake.
_whole = Draft202012Validator.TYPE_CHECKER.redefine("integer", _is_whole)
_strict_validator = cast(
    "Callable[[Mapping[str, Any]], _Validator]",
    cast("Any", validators).extend(Draft202012Validator, type_checker=_whole),
)


class Arguments:
    """The check of one tool's arguments; made once, used by every call, from any thread."""

    def __init__(self, schema: Mapping[str, Any], trimmed: frozenset[str] = frozenset()) -> None:
        properties: Mapping[str, Any] = schema.get("properties", {})
        self._trimmed = trimmed
        self._structured = {
            name for name, each in properties.items() if _accepts_only_structure(each)
        }
        self._defaults = {
            name: each["default"] for name, each in properties.items() if "default" in each
        }
        self._validator = _strict_validator(_unknown_first(schema))

    def check(self, arguments: object) -> dict[str, Any]:
        """A checked, trimmed copy with the defaults filled in; raises BadValue, one sentence."""
        if not isinstance(arguments, dict):
            raise BadValue(f"The arguments must be an object, but were {given(arguments)}.")
        received = cast("dict[str, Any]", arguments)
        tidied = self._tidied_object({k: self._decoded(k, v) for k, v in received.items()}, (), 1)
        error = next(self._validator.iter_errors(tidied), None)
        if error is not None:
            raise BadValue(_sentence(error), code="arguments")
        missing = self._defaults.keys() - tidied.keys()
        return tidied | {name: copy.deepcopy(self._defaults[name]) for name in missing}

    def _decoded(self, name: str, value: object) -> object:
        """Some clients send a list or an object as JSON text; it is meant as what it says."""
        if name not in self._structured or not isinstance(value, str):
            return value
        try:
            decoded: object = json.loads(value)
        except (ValueError, RecursionError):
            return value
        return cast("object", decoded) if isinstance(decoded, (list, dict)) else value

    def _tidied(self, value: object, path: _Path, depth: int, trim: bool) -> object:
        if isinstance(value, str):
            _check(text_fault(value), path)
            return value.strip() if trim else value
        if isinstance(value, (list, dict)):
            return self._tidied_structure(cast("list[object]", value), path, depth + 1, trim)
        if isinstance(value, (int, float)):
            _check(number_fault(value), path)
        return value

    def _tidied_structure(
        self, value: list[object] | dict[str, object], path: _Path, depth: int, trim: bool
    ) -> object:
        if depth > DEEPEST:
            _refuse(path[:1], f"is nested deeper than {DEEPEST} levels")
        if isinstance(value, dict):
            return self._tidied_object(value, path, depth)
        return [self._tidied(each, (*path, i), depth, trim) for i, each in enumerate(value)]

    def _tidied_object(self, value: dict[str, Any], path: _Path, depth: int) -> dict[str, Any]:
        for key in value:
            _check(text_fault(key), path)
        return {
            key: self._tidied(each, (*path, key), depth, key in self._trimmed)
            for key, each in value.items()
        }


def _unknown_first(schema: Any) -> Any:
    """The same schema, in which a misspelt name is found before the missing one it should be."""
    if isinstance(schema, list):
        return [_unknown_first(each) for each in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    items = sorted(
        cast("dict[str, Any]", schema).items(), key=lambda item: item[0] != "additionalProperties"
    )
    return {key: _unknown_first(each) for key, each in items}


def _accepts_only_structure(schema: Mapping[str, Any]) -> bool:
    kinds = _kinds(schema)
    return "string" not in kinds and not kinds.isdisjoint({"array", "object"})


def _kinds(schema: Mapping[str, Any]) -> set[str]:
    kinds: str | list[str] = schema.get("type", [])
    found = {kinds} if isinstance(kinds, str) else set(kinds)
    for each in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        found |= _kinds(each)
    return found


def _check(fault: str | None, path: _Path) -> None:
    if fault is not None:
        _refuse(path, fault)


def _refuse(path: _Path, complaint: str) -> NoReturn:
    subject = f'"{place(path)}"' if path else "The name of an argument"
    raise BadValue(well_formed_text(f"{subject} {complaint}."), code="arguments")


def _sentence(error: _Error) -> str:
    path = tuple(error.absolute_path)
    if error.validator == "additionalProperties":
        return _unknown(error, path)
    if error.validator == "required":
        return _missing(error, path)
    return f'"{place(path)}" must be {wanted(error.schema)}, but was {given(error.instance)}.'


def _unknown(error: _Error, path: _Path) -> str:
    allowed = list(error.schema.get("properties", ()))
    unknown = next(name for name in error.instance if name not in allowed)
    where = f' in "{place(path)}"' if path else ""
    names = f"allowed are {listed(allowed)}" if allowed else "this tool takes none"
    return f"Unknown argument {listed([unknown])}{where}; {names}."


def _missing(error: _Error, path: _Path) -> str:
    missing = next(name for name in error.validator_value if name not in error.instance)
    expected = wanted(error.schema.get("properties", {}).get(missing, {}))
    return f'The argument "{place((*path, missing))}" is missing; it must be {expected}.'
