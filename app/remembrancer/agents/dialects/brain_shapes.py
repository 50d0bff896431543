"""How the brain dialect shows things: memories as records, answers within their budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from mcp.types import CallToolResult, TextContent

from remembrancer.agents.dialects import brain_words as words
from remembrancer.agents.dialects.budget import NOTE, compact, fitting, shortened
from remembrancer.core.crossing import brain_scope
from remembrancer.core.kinds import BRAIN, word
from remembrancer.core.memory import Status
from remembrancer.service.brain import Placed

Record = dict[str, Any]
MASTER, TEXTS = "stammdaten", "texte"
BLOCKS = (MASTER, TEXTS)

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_STATUS = {Status.ACTIVE: "aktiv", Status.ARCHIVED: "archiviert", Status.DELETED: "geloescht"}


def record(placed: Placed, now: int, blocks: Sequence[str] = BLOCKS) -> Record:
    """A memory with these blocks of its fields; ID, revision and titel are in every one."""
    memory = placed.memory
    shown: Record = {"ID": memory.id, "revision": memory.revision, "titel": memory.title}
    if TEXTS in blocks:
        shown["inhalt"] = memory.content
    return {**shown, **_master(placed, now)} if MASTER in blocks else shown


def _master(placed: Placed, now: int) -> Record:
    memory = placed.memory
    scope = brain_scope(memory.entity, placed.type)
    return {
        "memory_typ": word(memory.kind, BRAIN),
        "agent_ID": placed.agent_id,
        "scope_typ": scope.typ,
        "scope_modul": scope.modul,
        "scope_ID": scope.id,
        "status": _STATUS[memory.status],
        "abgelaufen": memory.expired(now),
        "erstellt": _moment(memory.created_at),
        "geaendert": _moment(memory.updated_at),
    }


def _moment(at: int) -> str:
    return (_EPOCH + timedelta(microseconds=at)).isoformat(timespec="microseconds")


def blocks(asked: str | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The blocks that a comma list names, and what in it names none; without any: all blocks."""
    given = [part.strip() for part in (asked or "").split(",") if part.strip()]
    known = tuple(block for block in BLOCKS if block in {part.casefold() for part in given})
    unknown = tuple(dict.fromkeys(part for part in given if part.casefold() not in BLOCKS))
    return known or BLOCKS, unknown


def answer(
    records: list[Record], hints: list[str], budget: int | None,
    left: Callable[[Sequence[Record]], str],
) -> CallToolResult:  # fmt: skip
    """The records, as many as fit into `budget` (None: all), and a text about what is missing.

    `left` gets the records that did not fit and says how to get them; "" where nothing is left.
    """
    value = _value(records, hints)
    told = left([])
    if budget is None or len(compact(value)) + len(told) <= budget:
        return _result(value, told)
    room = budget - NOTE - len(told) - len(compact(_value([], hints)))
    kept = records[: fitting([len(compact(row)) + 1 for row in records], room)]
    notes: list[str] = []
    if records and not kept:
        kept = [_cut(records[0], room, notes)]
    return _result(
        _value(kept, hints), " ".join(filter(None, [*notes, left(records[len(kept) :])]))
    )


def _value(records: list[Record], hints: list[str]) -> dict[str, Any]:
    return {"anzahl": len(records), "datensaetze": records, "hinweise": hints}


def _result(value: dict[str, Any], note: str) -> CallToolResult:
    texts = [compact(value), *([note] if note else [])]
    content = [TextContent(type="text", text=text) for text in texts]
    return CallToolResult(content=[*content], structured_content=value)


def _cut(row: Record, room: int, notes: list[str]) -> Record:
    """A record that is too long for any answer, with the beginning of its text."""
    full: str = row.get("inhalt", "")
    shown = shortened(full, room - len(compact(row)) + len(compact(full)))
    notes.append(words.cut(row["ID"], len(full), len(shown) - 1))
    return {**row, "inhalt": shown} if "inhalt" in row else row
