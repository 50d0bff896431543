"""What a call of the memcore dialect means: its place, name, limit, and an entry to be written."""

from __future__ import annotations

from typing import Any

from remembrancer.agents.caller import Caller
from remembrancer.core import kinds
from remembrancer.core.crossing import memcore_entity
from remembrancer.core.errors import BadValue
from remembrancer.core.keyed import Entry, Place
from remembrancer.core.names import CONTENT_LIMIT
from remembrancer.core.redaction import redact

Arguments = dict[str, Any]

_MOST = 200
_LONGEST_NAME = 500
_TYPES = sorted(kinds.words(kinds.MEMCORE))


def place(scope: str, caller: Caller) -> Place:
    """Where a call looks: in the scope of a locked connection, whatever it asks for."""
    lock = caller.author.entity
    return Place(memcore_entity(_stored(scope)) if lock is None else lock)


def anywhere(scope: str | None, caller: Caller) -> Place | None:
    """The same for a call that may leave the scope out: None is everywhere."""
    if scope is None and caller.author.entity is None:
        return None
    return place(scope or "", caller)


def name(arguments: Arguments) -> str:
    """The name of an entry as it is stored."""
    return _stored(arguments["name"])


def limit(arguments: Arguments) -> int:
    """How many rows are asked for, from 1 to 200."""
    return max(1, min(int(arguments["limit"]), _MOST))


def entry(arguments: Arguments, caller: Caller) -> Entry:
    """What is to be written; BadValue says which argument cannot be."""
    lock = caller.author.entity
    complaint = _complaint(arguments, arguments["scope"] if lock is None else lock)
    if complaint:
        raise BadValue(complaint)
    where = Place(memcore_entity(arguments["scope"]) if lock is None else lock)
    described: str = arguments["description"]  # cut once it is known what must be masked in it
    return Entry(where, arguments["name"], arguments["type"], arguments["content"], described)


def _complaint(arguments: Arguments, scope: str) -> str:
    called, type_, content = arguments["name"], arguments["type"], arguments["content"]
    if not scope.strip():
        return "scope must not be empty"
    if not called.strip():
        return "name must not be empty"
    if type_ not in _TYPES:
        return f"type must be one of {_TYPES}, got {type_!r}"
    if len(scope) > _LONGEST_NAME or len(called) > _LONGEST_NAME:
        return f"scope/name must be under {_LONGEST_NAME} chars"
    if not content.strip():
        return "content must not be empty"
    if len(content) > CONTENT_LIMIT:
        return f"content exceeds {CONTENT_LIMIT} chars ({len(content)})"
    return ""


def _stored(text: str) -> str:
    """A scope or name as it was stored, should it hold a secret."""
    return redact(text)[0]
