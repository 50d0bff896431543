"""Entities as resources of the native dialect: listed, read, and announced when they change."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from mcp.types import Resource, ResourceTemplate

from remembrancer.agents.caller import Caller
from remembrancer.agents.dialects.budget import Fitted, compact, fitting
from remembrancer.agents.dialects.native_budget import rows
from remembrancer.core import policy
from remembrancer.core.author import PERSON, Author
from remembrancer.core.clock import milliseconds
from remembrancer.core.entity import Entity, Relation
from remembrancer.core.errors import RemembrancerError
from remembrancer.core.filters import Filter, Order
from remembrancer.core.journal import Deed, JournalLine, Subject
from remembrancer.core.kinds import NATIVE, word
from remembrancer.core.memory import Memory

if TYPE_CHECKING:
    from remembrancer.service.library import Library

PREFIX = "memory://entity/"
TEMPLATE = ResourceTemplate(
    name="entity",
    title="Entity",
    uri_template=PREFIX + "{name}",
    description="One entity: its type, scope, relations and current memories, as JSON.",
    mime_type="application/json",
)
LISTED = 50
_JOURNAL_PAGE = 200
_LOOKED_BACK = 2_000  # lines of the journal in which the most recently changed are looked for
_SHORTEST = 100  # characters that a memory takes at least
_MOST = 1_000_000  # memories in an answer without a budget
_MOVING = frozenset({Deed.REVISE, Deed.RESTORE})


def uri_of(name: str) -> str:
    """The URI of an entity."""
    return PREFIX + quote(name, safe="")


def name_in(uri: str) -> str | None:
    """The name in the URI of an entity; None when it is another URI."""
    if not uri.startswith(PREFIX):
        return None
    try:
        name = unquote(uri.removeprefix(PREFIX), errors="strict")
    except UnicodeDecodeError:
        return None
    return unicodedata.normalize("NFC", name) or None


class EntityResources:
    """What the library holds of entities, one resource each; an author sees what it may."""

    def __init__(self, library: Library) -> None:
        self._library = library
        # The entity that a URI led to when somebody asked: it may be renamed or gone by the next
        # look, and that is a change of this resource.
        self._ids: dict[str, int] = {}

    def recent(self, caller: Caller) -> tuple[Resource, ...]:
        """The most recently changed entities, the latest first."""
        lock = caller.author.entity
        if lock is not None:
            own = self._entity(uri_of(lock), caller.author)
            return () if own is None else (_resource(own),)
        found: dict[int, Resource] = {}
        for entity_id in dict.fromkeys(self._ids_by_change()):
            entity = self._library.map.entity(entity_id)
            if entity is not None and not entity.ghost:
                found[entity_id] = _resource(entity)
            if len(found) == LISTED:
                break
        return tuple(found.values())

    def at(self, uri: str, caller: Caller) -> Resource | None:
        """The resource of the entity that a URI names; None when there is none for this caller."""
        entity = self._entity(uri, caller.author)
        if entity is None:
            return None
        self._ids[uri] = entity.id
        return _resource(entity)

    def read(self, uri: str, caller: Caller) -> str:
        """The entity at a URI of `at` as JSON, within the budget of an answer."""
        name = name_in(uri) or ""
        entity = self._library.graph.named(name, caller.author)
        budget = caller.answer_budget
        chosen = Filter(entity=entity.name)
        most = _MOST if budget is None else budget // _SHORTEST + 1
        found = self._library.memories.browse(
            chosen, Order.PINNED_FIRST, most, author=caller.author
        )
        total = self._library.memories.count(chosen, author=caller.author)
        whole = self._head(entity, caller)
        whole["memories"] = [_memory(memory) for memory in found]
        return _text(rows(whole, "memories", budget, lambda row: row, _left(entity, found, total)))

    def changed(self, uris: Collection[str], since: int, until: int) -> set[str]:
        """Which of these URIs lead, or led, to an entity that the journal's lines touched."""
        names = {uri: name_in(uri) for uri in uris if uri.startswith(PREFIX)}
        self._ids = {uri: known for uri, known in self._ids.items() if uri in names}
        found: set[str] = set()
        for line in self._lines(since, until) if names else ():
            found |= self._concerned(names, line)
            if len(found) == len(names):
                break
        for uri in found:
            self._look_again(uri)
        return found

    # --- from the library

    def _entity(self, uri: str, author: Author) -> Entity | None:
        name = name_in(uri)
        try:
            entity = None if name is None else self._library.graph.named(name, author)
        except RemembrancerError:
            return None
        return None if entity is None or entity.ghost else entity

    def _look_again(self, uri: str) -> None:
        entity = self._entity(uri, PERSON)
        if entity is not None:
            self._ids[uri] = entity.id

    def _ids_by_change(self) -> Iterator[int]:
        before: int | None = None
        for _ in range(_LOOKED_BACK // _JOURNAL_PAGE):
            page = self._library.journal.newest(_JOURNAL_PAGE, before)
            for line in page:
                yield from _ends(line)
            if len(page) < _JOURNAL_PAGE:
                return
            before = page[-1].sequence

    def _lines(self, since: int, until: int) -> Iterator[JournalLine]:
        while since < until:
            page = self._library.journal.after(since)
            yield from (line for line in page if line.sequence <= until)
            if not page:
                return
            since = page[-1].sequence

    def _concerned(self, names: dict[str, str | None], line: JournalLine) -> set[str]:
        touched, called = self._touched(line), _called(line)
        return {
            uri
            for uri, name in names.items()
            if self._ids.get(uri) in touched or (name is not None and name == called)
        }

    def _touched(self, line: JournalLine) -> set[int]:
        """The entities that a line is about; a memory that moved was another's before."""
        touched = set(_ends(line))
        if line.subject is Subject.MEMORY and line.deed in _MOVING:
            touched |= self._before(line)
        return touched

    def _before(self, line: JournalLine) -> set[int]:
        try:
            lines = self._library.memories.history(line.subject_id)
        except RemembrancerError:  # it was forgotten for good since
            return set()
        earlier = (each for each in lines if each.sequence < line.sequence)
        return set(_ends(next(earlier, line)))

    def _head(self, entity: Entity, caller: Caller) -> dict[str, Any]:
        record = self._library.scopes.get(entity.name, caller.author)
        links = [
            _relation(link)
            for link in self._library.map.relations(entity.id)
            if policy.sees(caller.author, link.source) and policy.sees(caller.author, link.target)
        ]
        budget, sizes = caller.answer_budget, [len(compact(link)) + 1 for link in links]
        room = len(links) if budget is None else fitting(sizes, budget // 4)
        whole: dict[str, Any] = {
            "name": entity.name,
            "entityType": entity.type,
            "scope": record.scope.value,
            "scopeRevision": record.revision,
            "members": list(record.members),
            "createdAt": milliseconds(entity.created_at),
            "updatedAt": milliseconds(entity.updated_at),
            "relations": links[:room],
        }
        return whole if room == len(links) else {**whole, "relationsLeft": len(links) - room}


def _text(fitted: Fitted) -> str:
    """The answer as one piece of JSON, with what is missing in it said inside."""
    if not fitted.notes:
        return fitted.text
    return compact({**fitted.value, "left": " ".join(fitted.notes)})


def _left(entity: Entity, found: Sequence[Memory], total: int) -> Callable[[int], str]:
    def left(count: int) -> str:
        kept = len(found) - count
        return (
            f"{total - kept:,} of the {total:,} memories of this entity did not fit. Call "
            f"memory_review with its entityName and offset={kept} for them."
        )

    return left


def _ends(line: JournalLine) -> tuple[int, ...]:
    """The ids of the entities that a line names."""
    if line.deed is Deed.ATTEMPT:
        return ()
    if line.subject is Subject.RELATION and line.snapshot is not None:
        return int(line.snapshot["source_id"]), int(line.snapshot["target_id"])
    return () if line.entity_id is None else (line.entity_id,)


def _called(line: JournalLine) -> str | None:
    """The name of the entity that a line is about, as it was then."""
    if line.subject is not Subject.ENTITY or line.deed is Deed.ATTEMPT:
        return None
    return (line.snapshot or {}).get("name")


def _resource(entity: Entity) -> Resource:
    return Resource(
        name=entity.name,
        uri=uri_of(entity.name),
        description=entity.type or None,
        mime_type="application/json",
    )


def _memory(memory: Memory) -> dict[str, Any]:
    return {
        "id": memory.id,
        "key": memory.key,
        "kind": word(memory.kind, NATIVE),
        "content": memory.content,
        "revision": memory.revision,
        "verifiedAt": milliseconds(memory.verified_at),
        "pinned": memory.pinned,
    }


def _relation(link: Relation) -> dict[str, str]:
    return {"from": link.source, "to": link.target, "relationType": link.type}
