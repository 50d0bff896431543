"""What the place shows of proposals, read from the library; called in the background."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from remembrancer.core import crossing, diff
from remembrancer.core.author import PERSON
from remembrancer.core.diff import Row
from remembrancer.core.hidden import FlagKind
from remembrancer.core.journal import Subject, snapshot_memory
from remembrancer.core.memory import Memory
from remembrancer.core.proposal import FOLLOWS, Change, Proposal
from remembrancer.desktop.activity import phrases
from remembrancer.desktop.activity.changes import Field, value
from remembrancer.desktop.memory import flags
from remembrancer.service.library import Library
from remembrancer.service.resembling import Resembling

MOST = 1_000  # proposals that are listed at a time; more come as these are decided
_PAGE = 200
_USUAL = {"pinned": False, "status": "active", "scope": "device"}
_OF = {
    Subject.MEMORY: ("entity", "kind", "key", "title", "source", "confidence", "tags", "pinned",
                     "status", "archived_reason", "superseded_by", "expires_at", "review_days",
                     "verified_at", "postponed_until"),
    Subject.ENTITY: ("name", "type", "scope", "members"),
    Subject.RELATION: ("source", "type", "target"),
}  # fmt: skip


@dataclass(frozen=True)
class Entry:
    """A proposal as the list shows it; `stale` when something it changes was changed since."""

    proposal: Proposal
    stale: bool = False
    flagged: frozenset[FlagKind] = frozenset()


@dataclass(frozen=True)
class Look:
    """One change beside what is there now.

    `rows` is the difference of the texts where both are there, else `text` is the one. `alike` are
    memories that say nearly what a new text says; `edited` says that the person has changed it.
    """

    place: int
    change: Change
    now: Memory | None
    fields: tuple[Field, ...]
    rows: tuple[Row, ...] | None
    text: str
    alike: tuple[Resembling, ...]
    edited: bool = False


@dataclass(frozen=True)
class Clash:
    """A change whose memory was changed meanwhile, in `fields` that the change is about, too.

    For a removal there are none: what would go is no longer what was to go.
    """

    place: int
    change: Change
    now: Memory
    fields: tuple[str, ...]


def waiting(library: Library) -> list[Entry]:
    """What waits, the oldest first, at most `MOST`."""
    found: list[Proposal] = []
    while len(found) < MOST:
        page = library.proposals.waiting(_PAGE, found[-1].id if found else 0)
        found += page
        if len(page) < _PAGE:
            break
    ids = sorted({c.subject_id for p in found for c in p.changes if _is_old(c)})
    revisions = {m.id: m.revision for m in library.memories.several(ids)}
    return [Entry(p, _stale(p, revisions), _flagged(p)) for p in found]


def decided(library: Library) -> list[Entry]:
    """What was decided, the newest first."""
    return [Entry(p) for p in library.proposals.decided(_PAGE)]


def as_memory(change: Change) -> Memory | None:
    """The memory as the change would leave it; None for what is no memory."""
    return snapshot_memory(dict(change.after)) if change.subject is Subject.MEMORY else None


def look(
    library: Library, proposal: Proposal, place: int, edits: Mapping[str, Any] | None = None
) -> Look:
    """One change of a proposal, as edited, beside what is there now; once decided, what was."""
    change = proposal.changes[place].with_fields(edits or {})
    now = library.proposals.target(change) if proposal.decided_at is None else None
    before = _now(now) if now is not None else change.base
    after = change.after
    rows, text = None, str(after.get("content") or "")
    if before is not None and not change.removal and before.get("content") != after.get("content"):
        rows = diff.compare(str(before.get("content") or ""), text)
    fields = () if change.removal else _fields(change, before)
    alike = () if proposal.decided_at is not None else _alike(library, change)
    return Look(place, change, now, fields, rows, text, alike, bool(edits))


def clashes(library: Library, proposal: Proposal, without: frozenset[int]) -> list[Clash]:
    """The changes of a proposal, but for those left out, that only the person can decide about."""
    found: list[Clash] = []
    for place, change in enumerate(proposal.changes):
        now = None if place in without else library.proposals.target(change)
        if now is None:
            continue
        fields = both_changed(change, now)
        if fields or (change.removal and now.revision != change.revision):
            found.append(Clash(place, change, now, fields))
    return found


def both_changed(change: Change, now: Memory) -> tuple[str, ...]:
    """The fields that the change and somebody else meanwhile gave different values."""
    base, standing = change.base or {}, _now(now)
    wanted = {} if change.removal else change.fields()
    apart = FOLLOWS if "content" in wanted else frozenset[str]()
    both = (n for n, v in wanted.items() if standing.get(n) not in (base.get(n), v))
    return tuple(n for n in both if n not in apart)


def _now(memory: Memory) -> dict[str, Any]:
    kept = {name: getattr(memory, name) for name in _OF[Subject.MEMORY]}
    return {**kept, "content": memory.content, "tags": list(memory.tags)}


def _fields(change: Change, before: Mapping[str, Any] | None) -> tuple[Field, ...]:
    after, names = change.after, _OF[change.subject]
    if change.subject is Subject.RELATION:
        return ()
    if before is None:
        told = {n: value(n, after.get(n)) for n in names if after.get(n) != _USUAL.get(n)}
        return tuple(Field(phrases.field(n), None, v) for n, v in told.items() if v)
    wanted = set(change.fields() if change.subject is Subject.MEMORY else after)
    if "content" in wanted:
        wanted -= FOLLOWS
    return tuple(
        Field(phrases.field(n), value(n, before.get(n)) or "—", value(n, after.get(n)) or "—")
        for n in names
        if n in wanted and before.get(n) != after.get(n)
    )


def _alike(library: Library, change: Change) -> tuple[Resembling, ...]:
    memory = as_memory(change)
    said = "content" in change.fields() or change.base is None
    if memory is None or change.removal or not said:
        return ()
    besides = None if change.base is None else change.subject_id
    text = crossing.memo_text(memory)
    return tuple(library.resembling.like(text, besides=besides, author=PERSON))


def _is_old(change: Change) -> bool:
    return change.subject is Subject.MEMORY and change.base is not None


def _stale(proposal: Proposal, revisions: Mapping[int, int]) -> bool:
    old = (c for c in proposal.changes if _is_old(c))
    return any(revisions.get(c.subject_id, c.revision) != c.revision for c in old)


def _flagged(proposal: Proposal) -> frozenset[FlagKind]:
    memories = (as_memory(c) for c in proposal.changes if not c.removal)
    return frozenset(f.kind for m in memories if m is not None for f in flags.found(m))
