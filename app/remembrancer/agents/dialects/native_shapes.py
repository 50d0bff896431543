"""How the native dialect shows things: memories as facts, scopes, recall, the graph, sentences."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from remembrancer.core.clock import milliseconds
from remembrancer.core.entity import Relation, ScopeRecord
from remembrancer.core.journal import Deed, JournalLine, snapshot_memory
from remembrancer.core.kinds import NATIVE, word
from remembrancer.core.memory import LATEST, Memory, Status
from remembrancer.core.recall import ConflictingKey, Hit, Recall
from remembrancer.service.graph import Triple
from remembrancer.service.graph_reading import Node

HISTORY_LIMIT = 100


def moment(at: int | None) -> int | None:
    """Milliseconds as microseconds; what lies after the year 9999 is kept as its end."""
    return None if at is None else min(at * 1_000, LATEST)


def number(value: float) -> float | int:
    """A number as JSON writes it shortest: 1, not 1.0."""
    return int(value) if value.is_integer() else value


def fact(memory: Memory) -> dict[str, Any]:
    """A memory; times are milliseconds since the epoch."""
    return {
        "id": memory.id,
        "entityName": memory.entity,
        "content": memory.content,
        "key": memory.key,
        "scope": memory.scope.value,
        "kind": word(memory.kind, NATIVE),
        "source": memory.source,
        "confidence": number(memory.confidence),
        "pinned": memory.pinned,
        "expiresAt": milliseconds(memory.expires_at),
        "verifiedAt": milliseconds(memory.verified_at),
        "status": memory.status.value,
        "createdAt": milliseconds(memory.created_at),
        "updatedAt": milliseconds(memory.updated_at),
        "revision": memory.revision,
    }


def scope_record(record: ScopeRecord) -> dict[str, Any]:
    """An entity's scope."""
    return {
        "entityName": record.entity,
        "scope": record.scope.value,
        "revision": record.revision,
        "members": list(record.members),
    }


def history(lines: Sequence[JournalLine]) -> list[dict[str, Any]]:
    """The changes of a memory, newest first, each with the state before it; `lines` likewise."""
    return [
        {
            "id": change.sequence,
            "changedAt": milliseconds(change.at),
            "action": _action(change, before),
            "fact": fact(snapshot_memory(before.snapshot)),
        }
        for change, before in pairwise(lines[: HISTORY_LIMIT + 1])
        if before.snapshot is not None and change.snapshot is not None
    ]


def _action(change: JournalLine, before: JournalLine) -> str:
    status = _status_after(change)
    if status != _status_after(before):
        return status
    return "verify" if change.deed is Deed.VERIFY else "revise"


def _status_after(line: JournalLine) -> str:
    return Status.DELETED.value if line.removal else str((line.snapshot or {}).get("status"))


def recall(found: Recall) -> dict[str, Any]:
    """The answer to a question."""
    return {
        "items": [_hit(each) for each in found.items],
        "context": found.context,
        "truncated": found.truncated,
        "warnings": list(found.warnings),
        "applicableScopes": [scope_record(each) for each in found.scopes],
        "conflicts": [_conflict(each) for each in found.conflicts],
        "constraintsOmitted": found.constraints_omitted,
    }


def _hit(found: Hit) -> dict[str, Any]:
    reasons = [str(reason) for reason in found.reasons]
    applicability = found.applicability.value
    return {**fact(found.memory), "reasons": reasons, "applicability": applicability}


def _conflict(found: ConflictingKey) -> dict[str, Any]:
    memories = [
        {"id": m.id, "entityName": m.entity, "scope": m.scope.value} for m in found.memories
    ]
    return {"key": found.key, "memories": memories}


def node(shown: Node) -> dict[str, Any]:
    """An entity with its observations."""
    return {
        "name": shown.entity.name,
        "entityType": shown.entity.type,
        "observations": list(shown.observations),
        "createdAt": milliseconds(shown.entity.created_at),
        "updatedAt": milliseconds(shown.entity.updated_at),
    }


def relation(shown: Relation) -> dict[str, Any]:
    """A relation by the names of its ends."""
    return {
        "from": shown.source,
        "to": shown.target,
        "relationType": shown.type,
        "createdAt": milliseconds(shown.created_at),
    }


def triples(given: Sequence[dict[str, str]]) -> list[Triple]:
    """Relations as a caller names them."""
    return [Triple(each["from"], each["to"], each["relationType"]) for each in given]


def arrow(shown: Relation) -> str:
    """A relation on one line."""
    return f"{shown.source} --[{shown.type}]--> {shown.target}"
