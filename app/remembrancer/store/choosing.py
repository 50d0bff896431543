"""Which memories a filter lets through, as conditions of a query."""

# Peewee is untyped: what comes out of it is annotated where it leaves this file.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Any

from peewee import SQL, fn

from remembrancer.core.clock import DAY
from remembrancer.core.entity import Scope
from remembrancer.core.filters import Filter, State
from remembrancer.core.memory import Status
from remembrancer.core.review import LOW_CONFIDENCE, REVIEW_DAYS, Reason
from remembrancer.store import asking
from remembrancer.store.conflicts import meant
from remembrancer.store.connections import Connections
from remembrancer.store.search import matching
from remembrancer.store.tables import EntityRow, MemoryRow, TagRow


def conditions(
    connections: Connections, chosen: Filter, now: int, *, walk: bool = False
) -> list[Any]:
    """The filter as conditions of a query over memories; its words are those of this store.

    `walk` keeps the planner from gathering and sorting everything that is due.
    """
    found = _state(chosen.state, now, by_entity=chosen.entity is not None, walk=walk)
    if chosen.entity is not None:
        found.append(_of_name(connections, chosen.entity, chosen.state is State.DELETED))
    if chosen.scope is not None:
        found.append(_of_scope(chosen.scope))
    if chosen.kinds:
        found.append(MemoryRow.kind.in_(sorted(chosen.kinds)))
    if chosen.author is not None:
        found.append(MemoryRow.author == chosen.author)
    if chosen.tag is not None:
        tagged = TagRow.select(TagRow.memory_id).where(TagRow.name == chosen.tag)
        found.append(MemoryRow.id.in_(tagged))
    if chosen.verified_before is not None:
        seen = fn.COALESCE(MemoryRow.verified_at, 0)
        found.append(seen < chosen.verified_before)
    if chosen.reason is not None:
        found.append(_due_for(chosen.reason, now))
    return found + _words(connections, chosen.words)


def visible(now: int) -> list[Any]:
    """Active and not expired."""
    return _state(State.ACTIVE, now)


def visible_of(entity_ids: Sequence[int], now: int) -> list[Any]:
    """What is visible of some entities."""
    of = MemoryRow.entity_id.in_(list(entity_ids))
    return [of, *_state(State.ACTIVE, now, by_entity=True)]


def _of_name(connections: Connections, name: str, deleted: bool) -> Any:
    """Of the entity of that name; of what it was merged into where only that lives."""
    composed = unicodedata.normalize("NFC", name)
    named = EntityRow.select(EntityRow.id).where(EntityRow.name == composed)
    living = named.where(EntityRow.deleted_at.is_null())
    merged = None if deleted else meant(connections, composed)
    if merged is not None and not connections.rows(living):
        return MemoryRow.entity_id == merged
    return MemoryRow.entity_id.in_(named if deleted else living)


def _of_scope(scope: Scope) -> Any:
    """What applies so widely; an unfiled memory reads as the narrowest scope."""
    if scope is not Scope.DEVICE:
        wide = EntityRow.select(EntityRow.id).where(EntityRow.scope == scope)
        return MemoryRow.entity_id.in_(wide)
    wider = EntityRow.select(EntityRow.id).where(EntityRow.scope != Scope.DEVICE)
    return MemoryRow.entity_id.is_null() | MemoryRow.entity_id.not_in(wider)


def _due_for(reason: Reason, now: int) -> Any:
    """`review.reasons` as a condition."""
    usual = SQL("(SELECT CAST(value AS INTEGER) FROM setting WHERE name = 'review_days')")
    days = fn.COALESCE(MemoryRow.review_days, usual, REVIEW_DAYS)
    since = fn.COALESCE(MemoryRow.verified_at, MemoryRow.updated_at)
    return {
        Reason.EXPIRED: MemoryRow.expires_at <= now,
        Reason.NOT_VERIFIED: MemoryRow.verified_at.is_null(),
        Reason.OVERDUE: since < now - days * DAY,
        Reason.LOW_CONFIDENCE: MemoryRow.confidence < LOW_CONFIDENCE,
    }[reason]


def _words(connections: Connections, text: str) -> list[Any]:
    if not text.strip():
        return []
    expression = asking.expression(connections, text)
    # A text without a single word asks for nothing that could be found.
    return [SQL("0")] if expression is None else [MemoryRow.id.in_(matching(expression))]


def _state(state: State, now: int, *, by_entity: bool = False, walk: bool = False) -> list[Any]:
    # The planner would walk the index of everything active, in order, to find one entity's few.
    status: Any = MemoryRow.status.concat("") if by_entity else MemoryRow.status
    active = status == Status.ACTIVE
    unexpired = MemoryRow.expires_at.is_null() | (MemoryRow.expires_at > now)
    due: Any = MemoryRow.due_at + 0 if walk else MemoryRow.due_at
    return {
        State.ACTIVE: [active, unexpired],
        State.REVIEW: [active, due <= now],
        State.PINNED: [active, MemoryRow.pinned == True, unexpired],  # noqa: E712
        State.ARCHIVED: [status == Status.ARCHIVED],
        State.EXPIRED: [active, MemoryRow.expires_at <= now],
        State.CURRENT: [active],
        State.ALL: [status.in_([Status.ACTIVE, Status.ARCHIVED])],
        State.DELETED: [status == Status.DELETED],
    }[state]
