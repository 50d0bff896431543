"""What every dialect measures its answers with: JSON as text, and how much of it has room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from pydantic_core import to_json

Row: TypeAlias = dict[str, Any]
NOTE = 700  # characters kept free for saying what is left


@dataclass(frozen=True, slots=True)
class Fitted:
    """An answer as value and text, and what has to be said about what is missing in it."""

    value: dict[str, Any]
    text: str
    notes: tuple[str, ...] = ()


def compact(value: object) -> str:
    """JSON without a blank."""
    return to_json(value).decode()


def pretty(value: object) -> str:
    """JSON with two blanks a level."""
    return to_json(value, indent=2).decode()


def fitting(sizes: Sequence[int], room: int) -> int:
    """How many of the first rows have room together."""
    count = 0
    for size in sizes:
        room -= size
        if room < 0:
            break
        count += 1
    return count


def shortened(text: str, room: int) -> str:
    """The longest beginning of `text` that takes at most `room` characters as JSON."""
    low, high = 0, min(len(text), max(room, 0))
    while low < high:
        middle = (low + high + 1) // 2
        if len(compact(text[:middle])) + 1 <= room:
            low = middle
        else:
            high = middle - 1
    return text[:low] + "…"
