"""What nothing from outside may be, by whichever door it comes: one place for its bounds."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, cast

from remembrancer.core import secrets

DEEPEST = 32  # levels of lists and objects inside each other
SAFE_INTEGER = 2**53 - 1
LARGEST_REQUEST = 1 << 20  # bytes of one message of a client
MOST_DIGITS = 400  # of a number: more are beyond every number there is
_LONGEST_SHOWN = 60


def text_fault(value: str) -> str | None:
    """What of a text cannot be kept, as the rest of a sentence that begins with its name."""
    if "\0" in value:
        return "holds a NUL character, which no text here may hold"
    if value.isascii():
        return None
    try:
        value.encode()
    except UnicodeEncodeError as error:
        return f"holds half of a surrogate pair at character {error.start + 1}"
    return None


def number_fault(value: float) -> str | None:
    """What of a number cannot be kept, as the rest of a sentence that begins with its name."""
    if isinstance(value, float) and not math.isfinite(value):
        return "must be a finite number"
    if abs(value) > SAFE_INTEGER:
        return f"is a number beyond {SAFE_INTEGER}, which JSON cannot carry exactly"
    return None


def is_finite(value: object) -> bool:
    """Whether every number in plain values, however deep, is one that JSON can hold."""
    return all(not isinstance(each, float) or math.isfinite(each) for each, _ in walk(value))


def walk(value: object) -> Iterator[tuple[object, int]]:
    """Every plain value and name inside `value`, itself first, each with its level from 0."""
    waiting = [(value, 0)]
    while waiting:
        each, level = waiting.pop()
        yield each, level
        if isinstance(each, dict):
            pairs = cast("dict[str, Any]", each).items()
            waiting += [(part, level + 1) for pair in pairs for part in pair]
        elif isinstance(each, list):
            waiting += [(held, level + 1) for held in cast("list[Any]", each)]


def well_formed_text(text: str) -> str:
    """The text with a question mark for every lone surrogate, which no encoder takes."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def shown(text: object) -> str:
    """A word of a stranger in quotes, at most 60 characters of it, for a sentence."""
    word = secrets.mask(str(text))[0]  # before it is cut: half a credential looks like none
    return repr(word if len(word) <= _LONGEST_SHOWN else f"{word[: _LONGEST_SHOWN - 1]}…")
