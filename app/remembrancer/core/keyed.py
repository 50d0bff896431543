"""Memories by scope and name: what is written, listed, found and told of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from remembrancer.core.journal import Deed
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Memory
from remembrancer.core.names import TITLE_LIMIT

# Where a question looks: () everywhere, (7,) in entity 7, (None,) in what has no entity.
Within: TypeAlias = tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """One scope: an entity by its name, or with None what has no entity."""

    entity: str | None


@dataclass(frozen=True, slots=True)
class Entry:
    """What is written under a name; `type` is one of memcore's words."""

    place: Place
    name: str
    type: str
    content: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class Written:
    """A memory after a deed, and the codes of the secrets that were masked in the call."""

    memory: Memory
    redacted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Listing:
    """A memory in a list, without its content. Times in microseconds UTC."""

    id: int
    entity: str | None
    key: str | None
    title: str
    kind: Kind
    updated_at: int
    archived_at: int | None


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the journal about a memory, under the names it has now; `at` in microseconds."""

    sequence: int
    at: int
    author: str
    origin: str
    deed: Deed
    memory_id: int
    outcome: str | None
    reason: str | None
    key: str | None
    entity: str | None


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory that a search found; a smaller rank is a better match."""

    memory: Memory
    rank: float


@dataclass(frozen=True, slots=True)
class Found:
    """The hits of a search, best first; `strict` if each has all the words, not just one."""

    hits: tuple[Hit, ...]
    words: tuple[str, ...]
    strict: bool


def clipped(description: str) -> str:
    """A description as long as it may be stored, an ellipsis at its end where it was cut."""
    if len(description) <= TITLE_LIMIT:
        return description
    return description[: TITLE_LIMIT - 1] + "…"
