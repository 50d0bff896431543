"""How the memcore dialect shows things: entries, lists, earlier versions, the audit log."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

from remembrancer.core.crossing import memcore_scope, slug
from remembrancer.core.journal import Deed, JournalLine, snapshot_memory
from remembrancer.core.keyed import Event, Hit, Listing
from remembrancer.core.kinds import MEMCORE, word
from remembrancer.core.memory import Memory
from remembrancer.core.prefixes import snippet
from remembrancer.core.redaction import codes_told

Row = dict[str, Any]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_OPERATIONS = {
    Deed.REMEMBER: "memory_create",
    Deed.ARCHIVE: "memory_archive",
    Deed.SUPERSEDE: "memory_archive",
    Deed.DELETE: "memory_archive",
    Deed.REVIVE: "memory_restore",
    Deed.ATTEMPT: "memory_write",
}


def time(at: int) -> str:
    """Microseconds UTC as ISO-8601 with microseconds and +00:00."""
    return (_EPOCH + timedelta(microseconds=at)).isoformat(timespec="microseconds")


def moment(text: str) -> int:
    """The microseconds that `time` shows by exactly this text; -1 for any other text."""
    try:
        at = (datetime.fromisoformat(text) - _EPOCH) // timedelta(microseconds=1)
        return at if time(at) == text else -1
    except (ValueError, TypeError, OverflowError):
        return -1


def entry(memory: Memory) -> Row:
    """A whole entry."""
    archived = memory.archived_at
    return {
        **_shown(memory),
        "description": memory.title,
        "content": memory.content,
        "source_path": None,
        "created_at": time(memory.created_at),
        "updated_at": time(memory.updated_at),
        "archived_at": None if archived is None else time(archived),
        "archived_by": memory.archived_by,
        "archive_reason": memory.archived_reason,
        "source_mtime": None,
        "embedded_at": None,
    }


def hit(found: Hit, words: Sequence[str]) -> Row:
    """An entry that a search found."""
    memory = found.memory
    return {
        **_shown(memory),
        "description": memory.title,
        "content": memory.content,
        "source_path": None,
        "updated_at": time(memory.updated_at),
        "snippet": snippet(memory.content, words),
        "rank": found.rank,
    }


def recent(row: Listing) -> Row:
    """An entry among those that changed last."""
    return {
        "id": row.id,
        "scope": memcore_scope(row.entity),
        "type": word(row.kind, MEMCORE),
        "name": _name(row.key, row.id),
        "description": row.title,
        "updated_at": time(row.updated_at),
    }


def listed(row: Listing) -> Row:
    """An entry in a list."""
    archived = row.archived_at
    return {**recent(row), "archived_at": None if archived is None else time(archived)}


def history(memory: Memory, lines: Sequence[JournalLine]) -> list[Row]:
    """The earlier texts of an entry, newest first; `lines` about it likewise.

    Only a change of type, description or content makes a text an earlier one.
    """
    kept = [(x.at, snapshot_memory(x.snapshot)) for x in lines if x.snapshot is not None]
    return [
        {
            "scope": memcore_scope(memory.entity),
            "name": slug(memory),
            "type": word(before.kind, MEMCORE),
            "description": before.title,
            "content": before.content,
            "replaced_at": time(at),
        }
        for (at, after), (_, before) in pairwise(kept)
        if _text(after) != _text(before)
    ]


def event(line: Event) -> Row:
    """One line of the audit log; what other vocabularies did is told as the nearest operation."""
    redacted = line.outcome == "redacted"
    codes = json.dumps({"redacted": codes_told(line.reason)}) if redacted else None
    return {
        "id": line.sequence,
        "occurred_at": time(line.at),
        "operation": _OPERATIONS.get(line.deed, "memory_update"),
        "actor": line.author,
        "origin": line.origin,
        "session_ref": None,
        "scope": memcore_scope(line.entity),
        "name": _name(line.key, line.memory_id),
        "entry_id": line.memory_id,
        "outcome": line.outcome or "ok",
        "reason": "secret_redacted" if redacted else line.reason,
        "details_json": codes,
    }


def scope(entity: str | None, count: int) -> Row:
    """A scope and how many active entries it has."""
    return {"scope": memcore_scope(entity), "count": count}


def _shown(memory: Memory) -> Row:
    return {
        "id": memory.id,
        "scope": memcore_scope(memory.entity),
        "type": word(memory.kind, MEMCORE),
        "name": slug(memory),
    }


def _name(key: str | None, memory_id: int) -> str:
    return f"m-{memory_id}" if key is None else key


def _text(memory: Memory) -> tuple[str, str, str]:
    return word(memory.kind, MEMCORE), memory.title, memory.content
