"""The journal: one line a deed, from which history, undo, activity and live views are read."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any

from remembrancer.core.entity import Entity, Relation, Scope
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Memory, Status


class Subject(StrEnum):
    """What a line is about."""

    MEMORY = "memory"
    ENTITY = "entity"
    RELATION = "relation"
    AGENT = "agent"
    PROPOSAL = "proposal"
    CONFLICT = "conflict"


class Deed(StrEnum):
    """What was done."""

    REMEMBER = "remember"
    REVISE = "revise"
    VERIFY = "verify"
    ARCHIVE = "archive"
    REVIVE = "revive"
    POSTPONE = "postpone"
    SUPERSEDE = "supersede"
    DELETE = "delete"
    RESTORE = "restore"
    PURGE = "purge"
    CREATE_ENTITY = "create entity"
    CHANGE_ENTITY = "change entity"
    DELETE_ENTITY = "delete entity"
    RESTORE_ENTITY = "restore entity"
    SET_SCOPE = "set scope"
    RELATE = "relate"
    UNRELATE = "unrelate"
    ADD_AGENT = "add agent"
    CHANGE_AGENT = "change agent"
    REVOKE_AGENT = "revoke agent"
    ATTEMPT = "attempt"
    PROPOSE = "propose"
    ACCEPT = "accept"
    REFUSE = "refuse"
    KEEP_BOTH = "keep both"
    ASK_AGAIN = "ask again"


REMOVALS = frozenset({Deed.DELETE, Deed.DELETE_ENTITY, Deed.UNRELATE, Deed.PURGE})


@dataclass(frozen=True, slots=True)
class JournalLine:
    """One deed. `snapshot` is the subject after it (before it, for a removal); `at` microseconds.

    `batch` is the sequence of the first line of the same call; `revision` is the memory's. An
    attempt changed nothing: its `outcome` says what it met, its reason why. `agent_id` tells apart
    agents whose clients sign alike; a person and an importer have none.
    """

    sequence: int
    at: int
    author: str
    author_kind: str
    origin: str
    deed: Deed
    batch: int
    subject: Subject
    subject_id: int
    entity_id: int | None
    revision: int | None
    snapshot: dict[str, Any] | None
    reason: str | None
    outcome: str | None = None
    agent_id: int | None = None

    @property
    def removal(self) -> bool:
        """Whether the subject was gone afterwards."""
        return self.deed in REMOVALS

    def label(self) -> str:
        """What it was about, in few words, for lists."""
        kept = self.snapshot or {}
        if self.subject is Subject.RELATION:
            return (
                f"{kept.get('source', '?')} → {kept.get('type', '?')} → {kept.get('target', '?')}"
            )
        name = kept.get("title") or kept.get("name") or kept.get("content") or ""
        return str(name).strip().split("\n", 1)[0][:160] or f"{self.subject} {self.subject_id}"


def memory_snapshot(memory: Memory) -> dict[str, Any]:
    """A memory as plain values."""
    return _plain(memory)


def snapshot_memory(kept: dict[str, Any]) -> Memory:
    """The memory that a snapshot holds; fields of later versions of the program are ignored."""
    known: dict[str, Any] = {f.name: kept.get(f.name) for f in fields(Memory)}
    known["kind"] = Kind(kept["kind"])
    known["status"] = Status(kept["status"])
    known["scope"] = Scope(kept.get("scope") or "device")
    known["tags"] = tuple(kept.get("tags") or ())
    return Memory(**known)


def entity_snapshot(entity: Entity, members: tuple[str, ...] = ()) -> dict[str, Any]:
    """An entity as plain values, with the names of a group's members."""
    return {**_plain(entity), "members": list(members)}


def relation_snapshot(relation: Relation) -> dict[str, Any]:
    """A relation as plain values."""
    return _plain(relation)


def _plain(value: Memory | Entity | Relation) -> dict[str, Any]:
    # Not asdict: it copies deeply, which was the most expensive step of every deed.
    return {field: getattr(value, field) for field in value.__slots__}
