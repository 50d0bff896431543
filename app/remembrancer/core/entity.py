"""Entities, their relations and scopes: what memories are about."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Scope(StrEnum):
    """Whom an entity's memories apply to: itself, its listed members, everybody."""

    DEVICE = "device"
    GROUP = "group"
    SHARED = "shared"


@dataclass(frozen=True, slots=True)
class Entity:
    """What memories are about. A ghost is a name that relations mention but nobody created.

    `memories` counts the living ones, bounded by who asked. Times are microseconds UTC.
    """

    id: int
    name: str
    type: str
    scope: Scope
    scope_revision: int
    ghost: bool
    created_at: int
    updated_at: int
    memories: int = 0


@dataclass(frozen=True, slots=True)
class ScopeRecord:
    """An entity's scope as of `revision` (0: never set); members are sorted by name."""

    entity: str
    scope: Scope
    revision: int
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Relation:
    """A directed, typed link between two entities. Time in microseconds UTC."""

    id: int
    source_id: int
    target_id: int
    source: str
    target: str
    type: str
    created_at: int
