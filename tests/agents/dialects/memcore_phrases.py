"""What memcore's tests say over and over."""

from __future__ import annotations

import json
from typing import Any

from agents.dialects.speaking import Speaker

ARCHIVED = "entry_archived: restore the entry before updating it"
STALE = "conflict: expected_updated_at does not match current version"


def write(memcore: Speaker, scope: str, name: str, content: str, **more: Any) -> dict[str, Any]:
    """The answer to a write; a reference unless said otherwise."""
    arguments = {"type": "reference", **more}
    return memcore("memory_write", scope=scope, name=name, content=content, **arguments)


def wrote(memcore: Speaker, scope: str, name: str, content: str, **more: Any) -> int:
    """The id of an entry that was written."""
    answer = write(memcore, scope, name, content, **more)
    assert answer["ok"], answer
    return answer["id"]


def rows(memcore: Speaker, tool: str, **arguments: Any) -> list[dict[str, Any]]:
    """The items of a list, which the text blocks and the structured answer tell alike."""
    result = memcore.result(f"memory_{tool}", arguments)
    assert not result.is_error, result.content
    found = [json.loads(text) for text in memcore.texts(f"memory_{tool}", **arguments)]
    assert result.structured_content == {"result": found}
    return found


def names(memcore: Speaker, tool: str, **arguments: Any) -> list[str]:
    """The names of the items of a list."""
    return [row["name"] for row in rows(memcore, tool, **arguments)]


def get(memcore: Speaker, scope: str, name: str, **more: Any) -> dict[str, Any]:
    """An entry that is there."""
    return memcore("memory_get", scope=scope, name=name, **more)


def missing(memcore: Speaker, scope: str, name: str, **more: Any) -> bool:
    """Whether nothing at all comes back for an entry."""
    result = memcore.result("memory_get", {"scope": scope, "name": name, **more})
    assert not result.is_error
    return result.content == [] and result.structured_content is None


def told(memcore: Speaker, **arguments: Any) -> list[str]:
    """The audit log, a line an event: operation, entry, outcome and reason, newest first."""
    return [
        f"{e['operation']} {e['scope']}/{e['name']} {e['outcome']} {e['reason'] or '-'}"
        for e in rows(memcore, "events", **arguments)
    ]
