"""Answers within a budget of characters: whole if they fit, else what fits and what is left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from remembrancer.agents.dialects.budget import (
    NOTE,
    Fitted,
    Row,
    compact,
    fitting,
    pretty,
    shortened,
)

_NAMES = 300  # characters of a note for names that can be asked for next


def rows(
    whole: dict[str, Any], name: str, budget: int | None, content: Callable[[Row], Row],
    left: Callable[[int], str], text: Callable[[dict[str, Any]], str] = compact,
) -> Fitted:  # fmt: skip
    """`whole` with as many rows of its list `name` as fit into `budget` (None: all).

    `content` gives the part of a row whose "content" may be shortened when not one row fits;
    `left` says how to get so many rows that are left over; `text` renders the answer.
    """
    answer = text(whole)
    if budget is None or len(answer) <= budget:
        return Fitted(whole, answer)
    every: list[Row] = whole[name]
    room = budget - NOTE - len(text({**whole, name: []}))
    kept = every[: fitting([len(compact(row)) + 1 for row in every], room)]
    notes: list[str] = []
    if every and not kept:
        kept = [_cut(every[0], content, room, notes)]
    value = {**whole, name: kept}
    if len(kept) < len(every):
        notes.insert(0, left(len(every) - len(kept)))
    return Fitted(value, text(value), tuple(notes))


def recall(whole: dict[str, Any], budget: int | None) -> Fitted:
    """The answer to a question, without some of its scopes and conflicts when it is too long."""
    text = compact(whole)
    if budget is None or len(text) <= budget:
        return Fitted(whole, text)
    value: dict[str, Any] = {**whole, "applicableScopes": [], "conflicts": []}
    notes: list[str] = []
    room = budget - NOTE - len(compact(value))
    for name in ("conflicts", "applicableScopes"):
        every: list[Row] = whole[name]
        sizes = [len(compact(row)) + 1 for row in every]
        count = fitting(sizes, room)
        value[name] = every[:count]
        room -= sum(sizes[:count])
        if count < len(every):
            notes.append(f"{len(every) - count:,} of {len(every):,} {name} did not fit.")
    notes.append("Call memory_get_scope and memory_review for what you need of them.")
    return Fitted(value, compact(value), tuple(notes))


def _cut(row: Row, content: Callable[[Row], Row], room: int, notes: list[str]) -> Row:
    """A copy of a row that is too long for any answer, with the beginning of its content."""
    copy: Row = to_plain(row)
    part = content(copy)
    full = part["content"]
    spare = room - len(compact(row)) + len(compact(full))
    part["content"] = shortened(full, spare)
    notes.append(
        f"The content of memory {part['id']} has {len(full):,} characters and is cut after "
        f"{len(part['content']) - 1:,}; do not write it back as it stands here."
    )
    return copy


def to_plain(row: Row) -> Row:
    """A copy whose nested objects may be changed."""
    return {k: to_plain(v) if isinstance(v, dict) else v for k, v in row.items()}  # pyright: ignore[reportUnknownArgumentType]


@dataclass(frozen=True, slots=True)
class _Graph:
    """A graph under way to its size."""

    entities: list[Row]
    relations: list[Row]

    def value(self) -> dict[str, Any]:
        return {"entities": self.entities, "relations": self.relations}


def graph(
    entities: list[Row], relations: list[Row], budget: int | None, left: Callable[[str], str]
) -> Fitted:
    """A graph that fits into `budget`: the first entities, and relations that touch them.

    `left` gets a list of names that are missing, in words, and says how to get them.
    """
    whole = _Graph(entities, relations)
    if budget is None or _surely_within(whole, budget):
        text = pretty(whole.value())
        if budget is None or len(text) <= budget:
            return Fitted(whole.value(), text)
    part, notes = _part(whole, budget - NOTE)
    missing = entities[len(part.entities) :]
    told = f"This answer holds {len(part.entities):,} of {len(entities):,} entities and "
    told += f"{len(part.relations):,} of {len(relations):,} relations."
    asked = left(_listed([row["name"] for row in missing])) if missing else _FEWER
    return Fitted(part.value(), pretty(part.value()), (f"{told} {asked}", *notes))


_FEWER = "Open fewer entities at a time with memory_open_nodes to see more of their relations."


def _surely_within(whole: _Graph, budget: int) -> bool:
    """Whether rendering is worth a try: no need to render ten times what may be said."""
    room = budget + 64
    for row in (*whole.entities, *whole.relations):
        room -= _size(row)
        if room < 0:
            return False
    return True


def _part(whole: _Graph, budget: int) -> tuple[_Graph, list[str]]:
    room = budget - len(pretty({"entities": [0], "relations": [0]}))
    wanted = [_size(row) for row in whole.relations[: room // 40]]
    reserved = min(sum(wanted), room // 4)
    count = fitting([_size(row) for row in whole.entities[: room // 40]], room - reserved)
    kept, notes = whole.entities[:count], list[str]()
    if whole.entities and not kept:
        kept = [_fewer_observations(whole.entities[0], room - reserved, notes)]
    names = {row["name"] for row in kept}
    touching = [r for r in whole.relations if r["from"] in names or r["to"] in names]
    room -= sum(_size(row) for row in kept)
    few = fitting([_size(row) for row in touching[: room // 40]], room)
    return replace(whole, entities=kept, relations=touching[:few]), notes


def _fewer_observations(row: Row, room: int, notes: list[str]) -> Row:
    every: list[str] = row["observations"]
    room -= _size({**row, "observations": [""]})
    kept = every[: fitting([len(compact(text)) + 10 for text in every], room)]
    notes.append(
        f"{len(kept):,} of {len(every):,} observations of {compact(row['name'][:200])} are shown; "
        "memory_review with that entityName pages through all of them."
    )
    return {**row, "observations": kept}


def _size(row: Row) -> int:
    """The characters of a row inside a list inside an object, with the comma after it."""
    text = pretty(row)
    return len(text) + 4 * (text.count("\n") + 1) + 2


def _listed(names: Sequence[str]) -> str:
    quoted = [compact(name[:200]) for name in names[:20]]
    some = quoted[: max(1, fitting([len(name) + 2 for name in quoted], _NAMES))]
    return ", ".join(some) + (" …" if len(names) > len(some) else "")


def lines(head: str, each: Sequence[str], budget: int | None) -> str:
    """A sentence and a list below it, as far as that fits."""
    drawn = [f"  - {line}" for line in each]
    room = 10**12 if budget is None else budget - len(head) - 40
    kept = drawn[: fitting([len(line) + 1 for line in drawn], room)]
    rest = [f"  … and {len(drawn) - len(kept):,} more"] if len(kept) < len(drawn) else []
    return "\n".join([head, *kept, *rest])
