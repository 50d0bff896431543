"""Which memories a list shows, and in which order."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from remembrancer.core.entity import Scope
from remembrancer.core.kinds import Kind


class State(StrEnum):
    """The states a list can be filtered by; `all` leaves out what was deleted."""

    ACTIVE = "active"
    REVIEW = "review"
    PINNED = "pinned"
    ARCHIVED = "archived"
    EXPIRED = "expired"
    ALL = "all"
    DELETED = "deleted"


class Order(StrEnum):
    """The orders a list can have."""

    NEWEST = "newest"
    PINNED_FIRST = "pinned first"
    DUE = "due"


@dataclass(frozen=True, slots=True)
class Filter:
    """A conjunction; what is None or empty does not filter. `words` is a search text."""

    words: str = ""
    entity: str | None = None
    kinds: frozenset[Kind] = field(default_factory=frozenset[Kind])
    state: State = State.ACTIVE
    scope: Scope | None = None
    tag: str | None = None
    author: str | None = None
    verified_before: int | None = None
