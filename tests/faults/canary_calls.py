"""What an agent can say with a secret in it: every text of every tool, found by its schema."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

Schema = Mapping[str, Any]
Path = tuple[str | int, ...]

_PLAIN = {
    "entityName": "nas", "name": "nas", "scope": "nas", "from": "nas", "to": "ups",
    "source": "nas", "target": "ups", "query": "disk", "scope_typ": "project",
    "scope_modul": "nas", "content": "the disk is new", "tags": "nas", "marke": "nas",
}  # fmt: skip


def arguments(schema: Schema) -> dict[str, Any]:
    """Arguments that a schema accepts, every optional one among them."""
    return _object(schema)


def texts(schema: Schema) -> list[Path]:
    """The path of every free text in the arguments that `arguments` makes for a schema."""
    return list(_texts(_object(schema), schema, ()))


def keys(schema: Schema) -> list[Path]:
    """The path of every object in those arguments, to which a key may be added."""
    return list(_objects(_object(schema), ()))


def with_text(made: dict[str, Any], path: Path, text: str) -> dict[str, Any]:
    """A copy of arguments with one text replaced."""
    changed: Any = copy.deepcopy(made)
    inside = changed
    for step in path[:-1]:
        inside = inside[step]
    inside[path[-1]] = text
    return changed


def with_key(made: dict[str, Any], path: Path, key: str) -> dict[str, Any]:
    """A copy of arguments with a key more in one of their objects."""
    changed: Any = copy.deepcopy(made)
    inside = changed
    for step in path:
        inside = inside[step]
    inside[key] = "value"
    return changed


def _object(schema: Schema) -> dict[str, Any]:
    return {name: _value(each, name) for name, each in schema.get("properties", {}).items()}


def _value(schema: Schema, name: str) -> Any:
    kind = _kind(schema)
    if "enum" in kind:
        return kind["enum"][0]
    if "const" in kind:
        return kind["const"]
    made = {
        "object": lambda: _object(kind),
        "array": lambda: [_value(kind.get("items", {"type": "string"}), name)],
        "integer": lambda: kind.get("default") or max(1, kind.get("minimum", 1)),
        "number": lambda: kind.get("default") or kind.get("minimum", 0.5),
        "boolean": lambda: False,
        "string": lambda: _PLAIN.get(name, "plain words"),
    }
    return made.get(kind.get("type", "string"), lambda: None)()


def _kind(schema: Schema) -> Schema:
    """The alternative of a schema that is a text, else the first that is not null."""
    options: Sequence[Schema] = [*schema.get("anyOf", ()), *schema.get("oneOf", ())]
    if isinstance(schema.get("type"), list):
        options = [{**schema, "type": each} for each in schema["type"]]
    if not options:
        return schema
    by_worth = sorted(options, key=lambda o: (o.get("type") != "string", o.get("type") == "null"))
    return {**schema, **_kind(by_worth[0])}


def _texts(value: Any, schema: Schema, path: Path) -> Iterator[Path]:
    kind = _kind(schema)
    if isinstance(value, dict):
        for name, each in kind.get("properties", {}).items():
            yield from _texts(value[name], each, (*path, name))
    elif isinstance(value, list):
        yield from _texts(value[0], kind.get("items", {}), (*path, 0))
    elif isinstance(value, str) and "const" not in kind:
        yield path


def _objects(value: Any, path: Path) -> Iterator[Path]:
    if isinstance(value, dict):
        yield path
        for name, each in value.items():
            yield from _objects(each, (*path, name))
    elif isinstance(value, list):
        for at, each in enumerate(value):
            yield from _objects(each, (*path, at))
