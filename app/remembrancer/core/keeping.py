"""Values of ours as one line of JSON and back: what a call gave, kept for whoever asks again.

Only plain values, tuples, and the dataclasses, named tuples and enumerations of this program are
kept; a line names no other class, and reading one runs no code but that of these.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, cast

from remembrancer.core.errors import BadFile

_OURS = "remembrancer."
_TUPLE = "tuple"


def line(value: object) -> str:
    """The value as JSON; raises TypeError for what is none of ours."""
    return json.dumps(_plain(value), ensure_ascii=False, separators=(",", ":"))


def value(text: str) -> Any:
    """The value that `line` made this of; raises BadFile when it cannot be."""
    try:
        return _whole(json.loads(text))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise BadFile("A kept value cannot be read.", code="kept") from error


def _plain(value: object) -> object:
    if isinstance(value, Enum):
        return {"is": _name(type(value)), "of": value.value}
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, list):
        return [_plain(each) for each in cast("list[object]", value)]
    if isinstance(value, tuple):
        each = cast("tuple[object, ...]", value)
        kind = _name(type(each)) if hasattr(each, "_fields") else _TUPLE
        return {"is": kind, "of": [_plain(part) for part in each]}
    if is_dataclass(value) and not isinstance(value, type):
        held = {f.name: _plain(getattr(value, f.name)) for f in fields(value)}
        return {"is": _name(type(value)), "of": held}
    raise TypeError(f"a {type(value).__name__} cannot be kept")


def _name(kind: type) -> str:
    if not kind.__module__.startswith(_OURS):
        raise TypeError(f"a {kind.__name__} cannot be kept")
    return f"{kind.__module__}:{kind.__qualname__}"


def _whole(plain: object) -> Any:
    if isinstance(plain, list):
        return [_whole(each) for each in cast("list[object]", plain)]
    if not isinstance(plain, dict):
        return plain
    kept = cast("dict[str, Any]", plain)
    held = kept["of"]
    if kept["is"] == _TUPLE:
        return tuple(_whole(each) for each in held)
    made = _kind(kept["is"])
    if isinstance(held, dict):
        return made(**{k: _whole(v) for k, v in cast("dict[str, object]", held).items()})
    if isinstance(held, list):
        return made(*(_whole(each) for each in cast("list[object]", held)))
    return made(held)


def _kind(name: str) -> Callable[..., Any]:
    """The class of that name, which whoever can use the value has loaded already."""
    module, _, found = name.partition(":")
    kind: Any = getattr(sys.modules[module], found) if module.startswith(_OURS) else None
    if not isinstance(kind, type):
        raise ValueError(f"{name!r} is not kept")
    made = cast("type[Any]", kind)
    if not (is_dataclass(made) or issubclass(made, Enum) or hasattr(made, "_fields")):
        raise ValueError(f"{name!r} is not kept")
    return made
