"""A memory: one statement somebody wants remembered, and what an edit makes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from math import isfinite
from typing import Any, TypedDict

from remembrancer.core import names
from remembrancer.core.entity import Scope
from remembrancer.core.errors import BadValue
from remembrancer.core.kinds import Kind

LATEST = 253_402_300_799_999_999  # the last microsecond of the year 9999


class Status(StrEnum):
    """Where a memory stands; a deleted one is a tombstone that only the window reaches."""

    ACTIVE = "active"
    ARCHIVED = "archived"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True)
class Memory:
    """One memory as stored. Times are microseconds UTC, `review_days` counts days.

    `entity` and `scope` belong to its entity and are joined in at reading; an unfiled one has None.
    `due_at` is the moment from which it stands in the review queue.
    """

    id: int
    entity_id: int | None
    entity: str | None
    scope: Scope
    key: str | None
    title: str
    content: str
    kind: Kind
    source: str
    confidence: float
    pinned: bool
    expires_at: int | None
    verified_at: int | None
    verified_by: str | None
    review_days: int | None
    postponed_until: int | None
    due_at: int
    tags: tuple[str, ...]
    status: Status
    archived_at: int | None
    archived_by: str | None
    archived_reason: str | None
    superseded_by: int | None
    author: str
    revision: int
    created_at: int
    updated_at: int

    def expired(self, now: int) -> bool:
        """Whether its expiry has passed at `now` (microseconds)."""
        return self.expires_at is not None and self.expires_at <= now

    def headline(self, limit: int = 120) -> str:
        """Its title, or the first line of its text cut at a word, for lists."""
        line = self.title or self.content.strip().split("\n", 1)[0]
        if len(line) <= limit:
            return line
        return line[:limit].rsplit(" ", 1)[0] + "…"


@dataclass(frozen=True, slots=True)
class Draft:
    """A memory to be remembered; `entity` is a name, None leaves it unfiled."""

    content: str
    entity: str | None = None
    key: str | None = None
    title: str = ""
    kind: Kind = Kind.FACT
    source: str = "unspecified"
    confidence: float = 0.5
    pinned: bool = False
    expires_at: int | None = None
    review_days: int | None = None
    tags: tuple[str, ...] = ()


class Edit(TypedDict, total=False):
    """What a revision changes; what is not named stays. `verified` may only be true."""

    content: str
    title: str
    kind: Kind
    source: str
    confidence: float
    pinned: bool
    expires_at: int | None
    review_days: int | None
    tags: tuple[str, ...]
    key: str | None
    entity: str | None
    status: Status
    archived_reason: str | None
    superseded_by: int | None
    postponed_until: int | None
    verified: bool


def check_draft(draft: Draft) -> Draft:
    """The draft with every field in its stored form; BadValue says which one cannot be."""
    return replace(
        draft,
        content=names.text(draft.content, "content", names.CONTENT_LIMIT),
        entity=None if draft.entity is None else names.entity_name(draft.entity),
        key=_key(draft.key),
        title=names.text(draft.title, "title", names.TITLE_LIMIT, empty=True),
        source=names.text(draft.source, "source", names.SOURCE_LIMIT, empty=True),
        confidence=_confidence(draft.confidence),
        expires_at=_moment(draft.expires_at),
        review_days=_days(draft.review_days),
        tags=names.tags(draft.tags),
    )


def check_edit(edit: Edit) -> Edit:
    """The edit with every field in its stored form; BadValue says which one cannot be."""
    checked: dict[str, Any] = {**edit}
    for field, check in _CHECKS.items():
        if field in checked:
            checked[field] = check(checked[field])
    if checked.get("entity") is not None:
        checked["entity"] = names.entity_name(checked["entity"])
    return Edit(**checked)


def with_texts(fields: Mapping[str, Any], change: Callable[[str], str]) -> dict[str, Any]:
    """The fields of a draft or an edit with every text in them changed; words of ours stay."""
    return {name: _changed(value, change) for name, value in fields.items()}


def _changed(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, tuple):
        return tuple(_changed(each, change) for each in value)  # pyright: ignore[reportUnknownVariableType]
    return change(value) if isinstance(value, str) and not isinstance(value, StrEnum) else value


def texts(fields: Mapping[str, Any]) -> list[str]:
    """Every text of a draft or an edit that a reader will see: what screening looks at."""
    found: list[str] = []
    for value in fields.values():
        if isinstance(value, str):
            found.append(value)
        elif isinstance(value, tuple):
            found.extend(str(v) for v in value)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return found


def revised(
    memory: Memory, edit: Edit, now: int, author: str, *, anew: bool = False
) -> Memory | None:
    """`memory` after `edit` at `now`, revision + 1; None when nothing changes, unless `anew`.

    A new content or source takes the verification away; `verified` sets it to `now` and wins, and
    is a change even when nothing else is.
    """
    fields: dict[str, Any] = {**edit}
    verified = fields.pop("verified", False)
    fields.pop("entity", None)
    after = replace(memory, **fields)
    if after.content != memory.content or after.source != memory.source:
        after = replace(after, verified_at=None, verified_by=None)
    if verified:
        after = replace(after, verified_at=now, verified_by=author, postponed_until=None)
    after = _archived(memory, after, now, author)
    if after == memory and not verified and not anew:
        return None
    return replace(
        after,
        author=author,
        revision=memory.revision + 1,
        updated_at=max(now, memory.updated_at + 1),
    )


def _archived(before: Memory, after: Memory, now: int, author: str) -> Memory:
    if after.status is before.status:
        return after
    if after.status is Status.ARCHIVED:
        return replace(after, archived_at=now, archived_by=author)
    return replace(
        after, archived_at=None, archived_by=None, archived_reason=None, superseded_by=None
    )


def _key(value: str | None) -> str | None:
    return None if value is None else names.text(value, "key", names.KEY_LIMIT)


def _confidence(value: float) -> float:
    if not isfinite(value) or not 0 <= value <= 1:
        raise BadValue("The confidence must be a number from 0 to 1.")
    return float(value)


def _moment(value: int | None) -> int | None:
    if value is not None and not 0 < value <= LATEST:
        raise BadValue("The expiry must lie between 1970 and the year 9999.")
    return value


def _days(value: int | None) -> int | None:
    if value is not None and not 1 <= value <= 36_500:
        raise BadValue("The review interval must be 1 to 36,500 days.")
    return value


def _source(value: str) -> str:
    return names.text(value, "source", names.SOURCE_LIMIT, empty=True)


def _title(value: str) -> str:
    return names.text(value, "title", names.TITLE_LIMIT, empty=True)


def _content(value: str) -> str:
    return names.text(value, "content", names.CONTENT_LIMIT)


_CHECKS = {
    "content": _content,
    "title": _title,
    "source": _source,
    "key": _key,
    "confidence": _confidence,
    "expires_at": _moment,
    "postponed_until": _moment,
    "review_days": _days,
    "tags": names.tags,
}
