"""Which memories a list shows, and in which order."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from remembrancer.core.clock import DAY
from remembrancer.core.entity import Scope
from remembrancer.core.kinds import Kind
from remembrancer.core.query import Query
from remembrancer.core.review import Reason


class State(StrEnum):
    """The states a list can be filtered by; `all` leaves out what was deleted.

    `current` is what was put away by nobody: active, whether expired or not.
    """

    ACTIVE = "active"
    REVIEW = "review"
    PINNED = "pinned"
    ARCHIVED = "archived"
    EXPIRED = "expired"
    CURRENT = "current"
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
    reason: Reason | None = None


def from_query(query: Query, now: int, usual: State = State.ACTIVE) -> Filter:
    """The filter that a search box asks for; a word that no list knows is searched for instead."""
    words = [query.words]
    kind, state, scope = query.kind, query.state, query.scope
    if kind is not None and kind not in set(Kind):
        words.append(f"kind {kind}")
        kind = None
    if state is not None and state not in set(State):
        words.append(f"state {state}")
        state = None
    if scope is not None and scope not in set(Scope):
        words.append(f"scope {scope}")
        scope = None
    stale = None if query.stale_days is None else now - query.stale_days * DAY
    return Filter(
        words=" ".join(w for w in words if w),
        entity=query.entity,
        kinds=frozenset() if kind is None else frozenset({Kind(kind)}),
        state=usual if state is None else State(state),
        scope=None if scope is None else Scope(scope),
        tag=query.tag,
        author=query.agent,
        verified_before=stale,
    )
