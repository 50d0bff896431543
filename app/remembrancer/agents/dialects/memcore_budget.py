"""Lists of text blocks within a budget of characters, and an object whose content is cut."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from remembrancer.agents.dialects.budget import (
    NOTE,
    Row,
    compact,
    fitting,
    pretty,
    shortened,
)

_NAMES = 300  # characters of a note for the names of what is left out


@dataclass(frozen=True, slots=True)
class Part:
    """The rows that fit, and what has to be said about the others."""

    rows: list[Row]
    notes: tuple[str, ...] = ()


def rows(
    every: list[Row], budget: int | None, left: Callable[[Sequence[Row]], str], indent: int = 0
) -> Part:
    """As many of the first rows as fit into `budget` (None: all), each rendered by `pretty`.

    `left` says how to get the rows that it is given; `indent` is the depth at which they stand.
    """
    sizes = [_size(row, indent) for row in every]
    if budget is None or sum(sizes) <= budget:
        return Part(every)
    count = fitting(sizes, budget - NOTE)
    if count:
        return Part(every[:count], (left(every[count:]),))
    first, note = cut(every[0], budget - NOTE - 4 * indent * len(every[0]))
    rest = (left(every[1:]),) if len(every) > 1 else ()
    return Part([first], (note, *rest))


def cut(row: Row, room: int) -> tuple[Row, str]:
    """A row with the beginning of its content, and the sentence that says so."""
    full: str = row["content"]
    spare = room - len(pretty(row)) + len(compact(full))
    kept = shortened(full, spare)
    return {**row, "content": kept}, (
        f"The content of {called(row)} has {len(full):,} characters and is cut after "
        f"{len(kept) - 1:,}; do not write it back as it stands here. No call gets the rest: the "
        "person sees it in the window, or allows longer answers."
    )


def called(row: Row) -> str:
    """The scope and name of a row, in quotes."""
    return f"{compact(row['scope'][:100])} / {compact(row['name'][:100])}"


def names(missing: Sequence[Row]) -> str:
    """The first of some rows, as far as there is room for them."""
    quoted = [called(row) for row in missing[:20]]
    some = quoted[: max(1, fitting([len(name) + 2 for name in quoted], _NAMES))]
    return ", ".join(some) + (" …" if len(missing) > len(some) else "")


def _size(row: Row, indent: int) -> int:
    text = pretty(row)
    return len(text) + (2 * indent * (text.count("\n") + 1) + 2 if indent else 0)
