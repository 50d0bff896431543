"""Answers of the knowledge graph dialect within a budget of characters, and what is left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from remembrancer.agents.dialects.budget import (
    NOTE,
    Fitted,
    compact,
    fitting,
    pretty,
    shortened,
)

Row: TypeAlias = dict[str, Any]

_LEAST = 40  # characters of the smallest row: no need to look at more rows than can have room
_NAMES = 300  # characters for names that can be asked for next


def listed(name: str, rows: list[Row], budget: int | None) -> Fitted:
    """What a call wrote, `rows` in the property `name`, as far as it fits into `budget`."""
    text = pretty(rows)
    if budget is None or len(text) <= budget:
        return Fitted({name: rows}, text)
    sizes = (_size(row) for row in rows[: budget // _LEAST])
    kept = rows[: fitting(list(sizes), budget - NOTE)]
    left = (
        f"Everything was written, but this answer holds {len(kept):,} of {len(rows):,} entries. "
        "Call open_nodes with the names to see the others."
    )
    return Fitted({name: kept}, pretty(kept), (left,))


def graph(entities: list[Row], relations: list[Row], budget: int) -> Fitted:
    """The first entities that fit into `budget`, and relations that touch them."""
    room = budget - NOTE - len(pretty({"entities": [0], "relations": [0]}))
    wanted = [_size(row) for row in relations[: room // _LEAST]]
    spare = room - min(sum(wanted), room // 4)
    sizes = [_size(row) for row in entities[: room // _LEAST]]
    kept, notes = entities[: fitting(sizes, spare)], list[str]()
    if entities and not kept:
        kept = [_fewer_observations(entities[0], spare, notes)]
    few = _touching(kept, relations, room - sum(_size(row) for row in kept))
    told = (
        f"This answer holds {len(kept):,} of {len(entities):,} entities and {len(few):,} of "
        f"{len(relations):,} relations. {_how_to_get(entities[len(kept) :])}"
    )
    value = {"entities": kept, "relations": few}
    return Fitted(value, pretty(value), (told, *notes))


def _how_to_get(missing: Sequence[Row]) -> str:
    if not missing:
        return "Call open_nodes with fewer names to see more of their relations."
    return (
        f"Call open_nodes for the others, next: {_quoted([row['name'] for row in missing])}; or "
        "search_nodes with a longer query."
    )


def _touching(kept: Sequence[Row], relations: Sequence[Row], room: int) -> list[Row]:
    names = {row["name"] for row in kept}
    touching = [r for r in relations if r["from"] in names or r["to"] in names]
    return touching[: fitting([_size(row) for row in touching[: max(room, 0) // _LEAST]], room)]


def _fewer_observations(row: Row, room: int, notes: list[str]) -> Row:
    """An entity that is too long for any answer, with its first observations."""
    every: list[str] = row["observations"]
    room -= _size({**row, "observations": [""]})
    kept = every[: fitting([len(compact(text)) + 10 for text in every], room)]
    name = compact(row["name"][:200])
    notes.append(f"{len(kept):,} of {len(every):,} observations of {name} are shown.")
    if every and not kept:
        kept = [shortened(every[0], room - 10)]
        notes[-1] = (
            f"Of {len(every):,} observations of {name} the beginning of the first is shown, which "
            f"has {len(every[0]):,} characters; do not write it back as it stands here."
        )
    notes.append("No call gets the rest: the person sees it, or can allow longer answers.")
    return {**row, "observations": kept}


def _quoted(names: Sequence[str]) -> str:
    quoted = [compact(name[:200]) for name in names[:20]]
    some = quoted[: max(1, fitting([len(name) + 2 for name in quoted], _NAMES))]
    return ", ".join(some) + (" …" if len(names) > len(some) else "")


def _size(row: Row) -> int:
    """The characters of a row inside a list inside an object, with the comma after it."""
    text = pretty(row)
    return len(text) + 4 * (text.count("\n") + 1) + 2
