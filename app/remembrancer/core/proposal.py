"""A proposal: what an agent would have changed, kept until the person decides about it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from remembrancer.core.journal import REMOVALS, Deed, JournalLine, Subject

# What of a memory an agent proposes; the rest is the store's.
TEXTS = ("entity", "key", "title", "content", "kind", "source", "tags")
FIELDS = (
    *TEXTS, "confidence", "pinned", "expires_at", "review_days", "status", "archived_reason",
    "superseded_by", "postponed_until", "verified_at", "verified_by",
)  # fmt: skip

# What another text changes by itself: whoever verified the former one did not verify that.
FOLLOWS = frozenset({"verified_at", "verified_by"})


class ProposalState(StrEnum):
    """Where a proposal stands."""

    WAITING = "waiting"
    ACCEPTED = "accepted"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Change:
    """One change that is proposed: `base` is its subject as it was, `after` as it would be.

    `base` is None for what is new. For a removal `after` is what would go. The ids of what is new
    are those it would have had; nothing has them.
    """

    deed: Deed
    subject: Subject
    subject_id: int
    base: Mapping[str, Any] | None
    after: Mapping[str, Any]

    @property
    def removal(self) -> bool:
        """Whether the subject would be gone."""
        return self.deed in REMOVALS

    @property
    def revision(self) -> int | None:
        """The revision of the memory that it was proposed upon."""
        return None if self.base is None else self.base.get("revision")

    def fields(self) -> dict[str, Any]:
        """What would be different: name of the field -> its proposed value."""
        before = self.base or {}
        return {
            name: self.after.get(name)
            for name in FIELDS
            if name in self.after and self.after.get(name) != before.get(name)
        }

    def with_fields(self, fields: Mapping[str, Any]) -> Change:
        """The same change with some of its fields edited by the person."""
        return replace(self, after={**self.after, **fields})


@dataclass(frozen=True, slots=True)
class Proposal:
    """What one call of an agent would have changed; times in microseconds UTC.

    `author` is the name its deeds are signed with, `said` the reason that came with the call.
    """

    id: int
    agent_id: int
    author: str
    origin: str
    said: str | None
    changes: tuple[Change, ...]
    state: ProposalState
    created_at: int
    decided_at: int | None = None
    reason: str | None = None

    @property
    def subject(self) -> Change:
        """The change that it is about, for lists: the first memory's, or the first of all."""
        memories = (c for c in self.changes if c.subject is Subject.MEMORY)
        return next(memories, self.changes[0])

    def label(self) -> str:
        """What it is about, in few words."""
        kept = self.subject.after
        if self.subject.subject is Subject.RELATION:
            return f"{kept.get('source')} → {kept.get('type')} → {kept.get('target')}"
        name = kept.get("title") or kept.get("name") or kept.get("content") or ""
        return str(name).strip().split("\n", 1)[0][:160]


def fingerprint(changes: Iterable[Change]) -> bytes:
    """What makes two proposals the same: what is done to what, and the texts; 32 bytes.

    Blanks and case do not tell texts apart.
    """
    parts = [[c.subject, _sort(c), _about(c), *_told(c)] for c in changes]
    return hashlib.sha256(json.dumps(parts).encode()).digest()


def _sort(change: Change) -> str:
    return change.deed if change.base is not None or change.removal else "new"


def _about(change: Change) -> object:
    return None if change.base is None else change.subject_id


def _told(change: Change) -> list[str]:
    if change.removal:
        return []
    names = TEXTS if change.subject is Subject.MEMORY else ("name", "type", "scope", "members")
    links = ("source", "target", "type") if change.subject is Subject.RELATION else ()
    return [" ".join(str(change.after.get(n, "")).split()).casefold() for n in links or names]


def change(line: JournalLine, base: JournalLine | None) -> Change:
    """What a line that was tried would have changed; `base` is the line before it, if any."""
    before = None if base is None or base.removal else base.snapshot
    after = json.loads(json.dumps(line.snapshot or {}))  # plain, as it will be read again
    return Change(line.deed, line.subject, line.subject_id, before, after)


def plain(proposed: Change) -> dict[str, Any]:
    """A change as plain values."""
    return {
        "deed": str(proposed.deed), "subject": str(proposed.subject), "id": proposed.subject_id,
        "base": proposed.base, "after": proposed.after,
    }  # fmt: skip


def from_plain(kept: Mapping[str, Any]) -> Change:
    """The change that `plain` made this of."""
    return Change(
        Deed(kept["deed"]), Subject(kept["subject"]), int(kept["id"]), kept["base"], kept["after"]
    )
