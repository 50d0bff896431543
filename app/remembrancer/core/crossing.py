"""How one record appears in each vocabulary: one table for names, keys, titles, tags and scopes.

| the record    | native   | graph | memcore          | memo              | brain           |
| ------------- | -------- | ----- | ---------------- | ----------------- | --------------- |
| entity        | its name | name  | scope            | its first tag     | modul/ID, a typ |
| no entity     | null     | -     | scope `unfiled`  | no tag            | typ `global`    |
| entity made   | no       | no    | as a `project`   | as a `project`    | as its typ      |
| key           | key      | -     | name             | -                 | -               |
| no key        | null     | -     | name `m-<id>`    | -                 | -               |
| title         | -        | -     | description      | leads the text    | titel           |
| tags          | -        | -     | -                | tags              | -               |
| kind          | the table of `kinds`, and no kind in the graph vocabulary                   |
| archived      | by state | no    | include_archived | mit_veraltet, ids | by ID           |
| expired       | hidden   | no    | shown            | shown, marked     | shown, marked   |
| deleted       | no       | no    | no               | no                | no              |
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from remembrancer.core import kinds
from remembrancer.core.filters import Filter
from remembrancer.core.memory import Memory

UNFILED = "unfiled"  # memcore's scope of what has no entity
GLOBAL = "global"  # brain's scope_typ of the same
BRAIN_SCOPES = (GLOBAL, "modul", "benutzer", "agent", "room", "element", "session")
PROJECT = "project"  # what memcore and memo create an entity as when they mention it first

# An entity that is really called so is told apart from what has none.
_CALLED_UNFILED = re.compile(rf"(?:entity:)*{UNFILED}")
_GENERATED = re.compile(r"m-([1-9][0-9]{0,17})")


def slug(memory: Memory) -> str:
    """The name under which memcore shows a memory."""
    return memory.key if memory.key is not None else f"m-{memory.id}"


def slug_id(name: str) -> int | None:
    """The id in a generated name, None for any other name."""
    found = _GENERATED.fullmatch(name)
    return int(found[1]) if found else None


def memcore_scope(entity: str | None) -> str:
    """The scope that memcore shows for an entity."""
    if entity is None:
        return UNFILED
    return f"entity:{entity}" if _CALLED_UNFILED.fullmatch(entity) else entity


def memcore_entity(scope: str) -> str | None:
    """The entity that a scope of memcore means."""
    if scope == UNFILED:
        return None
    return scope.removeprefix("entity:") if _CALLED_UNFILED.fullmatch(scope) else scope


class BrainScope(NamedTuple):
    """Brain's three words for where a memory belongs."""

    typ: str
    modul: str
    id: str


@dataclass(frozen=True, slots=True)
class BrainFilter:
    """A conjunction like `Filter`, with the words that only brain has; None does not filter."""

    chosen: Filter
    id: int | None = None
    agent_id: int | None = None
    typ: str | None = None
    modul: str | None = None
    scope_id: str | None = None


def brain_scope(entity: str | None, type_: str) -> BrainScope:
    """What brain shows for an entity of that type."""
    if entity is None:
        return BrainScope(GLOBAL, "", "")
    modul, _, id_ = entity.partition("/")
    return BrainScope(type_, modul if id_ else entity, id_)


def brain_entity(modul: str, id_: str) -> str | None:
    """The entity that brain's words name; None where they name nothing.

    `modul` has no slash, unless it is a whole name that `brain_scope` gave.
    """
    if not modul and not id_:
        return None
    return f"{modul}/{id_}" if id_ else modul


def memo_tags(memory: Memory) -> tuple[str, ...]:
    """The tags that memo shows: those of the memory, and its entity where none of them names it."""
    if memory.entity is None or memory.entity in memory.tags:
        return memory.tags
    return (memory.entity, *memory.tags)


def memo_entity(tags: Sequence[str]) -> str | None:
    """The entity under which memo files: the first tag that is not the word of a kind."""
    return next((tag for tag in tags if tag.casefold() not in _KIND_WORDS), None)


def memo_text(memory: Memory) -> str:
    """The text that memo shows: a title of its own leads it, as memo's own titles do."""
    return f"**{memory.title}** {memory.content}" if memory.title else memory.content


_KIND_WORDS = frozenset((*kinds.words(kinds.MEMO_DE), *kinds.words(kinds.MEMO_EN)))
