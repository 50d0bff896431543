"""How a door speaks: sentences or JSON on standard output, one sentence for what went wrong."""

from __future__ import annotations

import json
import sys
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any, cast


def say(text: str) -> None:
    """Tell the person a line, at once."""
    sys.stdout.write(_speakable(text, sys.stdout.encoding) + "\n")
    sys.stdout.flush()


def complain(sentence: str) -> None:
    """Say on standard error what went wrong."""
    line = " ".join(sentence.split())
    sys.stderr.write(_speakable(f"remembrancer: {line}", sys.stderr.encoding) + "\n")


def say_json(value: Any) -> None:
    """Tell a program a value: keys in camelCase, times in microseconds UTC."""
    say(json.dumps(plain(value), ensure_ascii=False, indent=2))


def plain(value: Any) -> Any:
    """Records as plain values with camelCase keys."""
    if is_dataclass(value) and not isinstance(value, type):
        return {camel(f.name): plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, dict):
        held = cast(dict[str, Any], value)
        return {key: plain(each) for key, each in held.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in cast(list[Any], value)]
    if isinstance(value, Enum):
        return value.value
    return str(value) if isinstance(value, Path) else value


def camel(name: str) -> str:
    """`name_of_this` as `nameOfThis`."""
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)


def counted(count: int, one: str, many: str) -> str:
    """A number with its noun."""
    return f"{count:,} {one if count == 1 else many}"


def _speakable(text: str, encoding: str | None) -> str:
    """The text with what the terminal's encoding lacks written as escapes."""
    name = encoding or "utf-8"
    return text.encode(name, "backslashreplace").decode(name)
