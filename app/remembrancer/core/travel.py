"""What travels between a store and a file: records of everything kept, and what was odd."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from remembrancer.core import names
from remembrancer.core.author import Agent
from remembrancer.core.entity import Scope
from remembrancer.core.errors import BadValue
from remembrancer.core.journal import JournalLine
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import LATEST, Draft, Status, check_draft

OBSERVATION_SOURCE = "legacy"  # the source of memories that a graph vocabulary wrote


@dataclass(frozen=True, slots=True)
class Header:
    """How a file of our own begins: the version of its format, and the store's review interval.

    `exported_at` is in microseconds UTC.
    """

    version: int
    review_days: int | None = None
    exported_at: int | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """Where an entity is drawn, in the graph's own units."""

    x: float
    y: float
    pinned: bool


@dataclass(frozen=True, slots=True)
class EntityRecord:
    """An entity. `line` is where the file has it; ids and times are known only to our own format.

    `members` are the names of a group's members. Times are microseconds UTC.
    """

    name: str
    type: str = ""
    scope: Scope = Scope.DEVICE
    scope_revision: int = 0
    members: tuple[str, ...] = ()
    ghost: bool = False
    created_at: int | None = None
    updated_at: int | None = None
    deleted_at: int | None = None
    place: Place | None = None
    id: int | None = None
    line: int = 0


@dataclass(frozen=True, slots=True)
class RelationRecord:
    """A relation by the names of its ends, which need not be there. Times in microseconds UTC."""

    source: str
    target: str
    type: str
    created_at: int | None = None
    deleted_at: int | None = None
    id: int | None = None
    source_id: int | None = None
    target_id: int | None = None
    line: int = 0


@dataclass(frozen=True, slots=True)
class MemoryRecord:
    """A memory of the entity named (None: unfiled). `author` is empty where a file names none.

    `superseded_by` is an id of the same file. Times are microseconds UTC.
    """

    content: str
    entity: str | None = None
    key: str | None = None
    title: str = ""
    kind: Kind = Kind.FACT
    source: str = OBSERVATION_SOURCE
    confidence: float = 0.5
    pinned: bool = False
    expires_at: int | None = None
    verified_at: int | None = None
    verified_by: str | None = None
    review_days: int | None = None
    postponed_until: int | None = None
    tags: tuple[str, ...] = ()
    status: Status = Status.ACTIVE
    archived_at: int | None = None
    archived_by: str | None = None
    archived_reason: str | None = None
    superseded_by: int | None = None
    author: str = ""
    revision: int = 1
    created_at: int | None = None
    updated_at: int | None = None
    id: int | None = None
    entity_id: int | None = None
    line: int = 0


@dataclass(frozen=True, slots=True)
class Anomaly:
    """Something odd in a file: the line (from 1; 0 is the file as a whole) and one sentence."""

    line: int
    text: str


Record = Header | EntityRecord | RelationRecord | MemoryRecord | Agent | JournalLine


def checked_entity(record: EntityRecord) -> EntityRecord:
    """The record with its name in its stored form; BadValue says what cannot be kept."""
    type_ = names.text(record.type, "type of the entity", names.TYPE_LIMIT, empty=True)
    _check_moments(record.created_at, record.updated_at, record.deleted_at)
    members = tuple(sorted({names.entity_name(member) for member in record.members}))
    return replace(record, name=names.entity_name(record.name), type=type_, members=members)


def checked_relation(record: RelationRecord) -> RelationRecord:
    """The record with the names of its ends in their stored form; BadValue as above."""
    type_ = names.text(record.type, "type of the relation", names.TYPE_LIMIT, empty=True)
    _check_moments(record.created_at, record.deleted_at)
    source, target = names.entity_name(record.source), names.entity_name(record.target)
    return replace(record, source=source, target=target, type=type_)


def checked_memory(record: MemoryRecord) -> MemoryRecord:
    """The record with every field in its stored form; BadValue as above."""
    same = {f.name: getattr(record, f.name) for f in fields(Draft)}
    draft = check_draft(Draft(**same))
    _check_moments(
        record.verified_at,
        record.postponed_until,
        record.archived_at,
        record.created_at,
        record.updated_at,
    )
    for text in (record.verified_by, record.archived_by, record.archived_reason, record.author):
        names.text(text or "", "name or reason", names.SOURCE_LIMIT, empty=True)
    if record.revision < 1:
        raise BadValue("The revision must be 1 or more.")
    return replace(record, **{f.name: getattr(draft, f.name) for f in fields(Draft)})


def _check_moments(*moments: int | None) -> None:
    if any(at is not None and not 0 < at <= LATEST for at in moments):
        raise BadValue("A time must lie between 1970 and the year 9999.")
