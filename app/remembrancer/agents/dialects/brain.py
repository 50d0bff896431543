"""The brain dialect: records by agent and scope, to select, insert, update and delete."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from mcp.types import CallToolResult, Tool

from remembrancer.agents.answers import failure
from remembrancer.agents.caller import Caller
from remembrancer.agents.dialect import Dialect
from remembrancer.agents.dialects import brain_shapes as shapes
from remembrancer.agents.dialects import brain_tools as tools
from remembrancer.agents.dialects import brain_words as words
from remembrancer.core import kinds, names, secrets
from remembrancer.core.author import Access, Author
from remembrancer.core.crossing import (
    BRAIN_SCOPES,
    GLOBAL,
    BrainFilter,
    BrainScope,
    brain_entity,
    brain_scope,
)
from remembrancer.core.errors import BadValue, NotFound, Refused, RemembrancerError
from remembrancer.core.filters import Filter, State
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Draft, Edit, Memory, Status
from remembrancer.service.brain import Selected
from remembrancer.service.desk import Doing
from remembrancer.service.one_path import Secrets

if TYPE_CHECKING:
    from remembrancer.service.library import Library

Arguments = dict[str, Any]

LIMIT = 100  # records in one answer
_SCOPE = ("scope_typ", "scope_modul", "scope_ID")


class Brain(Dialect):
    """Four tools with German names; what they answer is German too."""

    name: ClassVar[str] = "brain"
    title: ClassVar[str] = "Remembrancer: Brain"
    instructions: ClassVar[str] = tools.INSTRUCTIONS
    tools: tuple[Tool, ...] = tools.TOOLS

    def __init__(self, library: Library) -> None:
        self._library = library
        self._desk = library.scoped

    def offered(self, caller: Caller) -> tuple[Tool, ...]:
        reading = caller.author.access is Access.READ
        return tuple(each for each in self.tools if not reading or each.name == tools.SELECT)

    def call(self, tool: str, arguments: Arguments, caller: Caller) -> CallToolResult:
        answer: Callable[[Arguments, Caller], CallToolResult]
        answer = getattr(self, f"_{tool.partition('_')[0]}")
        return answer(arguments, caller)

    def failed(self, tool: str, error: RemembrancerError, caller: Caller) -> CallToolResult:
        told = words.locked(*self._own(caller)) if error.code == "locked" else words.sentence(error)
        return failure(told, words.PREFIX)

    # --- the tools

    def _select(self, arguments: Arguments, caller: Caller) -> CallToolResult:
        wanted = self._filter(arguments, caller.author)
        blocks, unknown = shapes.blocks(arguments.get("detailgrad"))
        hints = [words.unknown_blocks(unknown, shapes.BLOCKS)] if unknown else []
        return self._told(self._desk.select(wanted, LIMIT, caller.author), hints, caller, blocks)

    def _insert(self, arguments: Arguments, caller: Caller) -> CallToolResult:
        given, own = arguments.get("agent_ID"), caller.author.agent_id
        if given is not None and given != own:
            raise Refused(words.foreign_agent(given, own), code="agent")
        typ = self._typ(arguments["scope_typ"], caller.author)
        modul, id_ = arguments.get("scope_modul", ""), arguments.get("scope_ID", "")
        entity = _entity(BrainScope(typ, modul, id_), None)
        kind = _kind(arguments["memory_typ"])
        draft = Draft(arguments["inhalt"], entity, title=arguments["titel"], kind=kind)
        made = self._desk.remember(
            draft, secrets=Secrets.MASK, entity_type=typ, **_doing(caller)
        )  # fmt: skip
        hints = _masked(draft.title, draft.content, entity or "")
        if _differs(made, draft):
            hints.append(words.was_there(made.id, made.status is Status.ARCHIVED))
        return self._one(made, hints, caller)

    def _update(self, arguments: Arguments, caller: Caller) -> CallToolResult:
        seen = self._desk.get(arguments["ID"], caller.author)
        edit = _edit(arguments, seen)
        typ: str | None = None
        if any(name in arguments for name in _SCOPE):
            scope = self._moved(arguments, seen, caller.author)
            edit["entity"], typ = _entity(scope, seen.entity), scope.typ
        revised = self._desk.revise(
            seen.id, edit, expected=arguments["revision"], secrets=Secrets.MASK, entity_type=typ,
            **_doing(caller),
        )  # fmt: skip
        sent = (edit.get("title", ""), edit.get("content", ""), edit.get("entity") or "")
        return self._one(revised, _masked(*sent), caller)

    def _delete(self, arguments: Arguments, caller: Caller) -> CallToolResult:
        reason = arguments.get("grund")
        if reason is not None and len(reason) > names.SOURCE_LIMIT:
            raise BadValue(words.REASON_TOO_LONG)
        gone = self._desk.remove(
            arguments["ID"], reason, expected=arguments["revision"], **_doing(caller)
        )
        return self._one(gone, _masked(reason or ""), caller)

    # --- what arguments mean

    def _filter(self, arguments: Arguments, author: Author) -> BrainFilter:
        search, kind = arguments["suchtyp"].strip(), _said(arguments, "memory_typ")
        if search not in ("", tools.SUCHTYP):
            raise Refused(words.wrong_search(search, tools.SUCHTYP), code="suchtyp")
        typ = _said(arguments, "scope_typ")
        faults = [] if kind is None or _is_kind(kind) else [words.unknown_kind(kind)]
        if typ is not None and self._known(typ, author) is None:
            faults.append(words.unknown_scope(typ))
        if faults:
            raise BadValue(" ".join(faults), code="word")
        id_ = arguments.get("ID")
        chosen = Filter(
            words=arguments.get("query", ""),
            kinds=frozenset[Kind]() if kind is None else _shown_as(kind),
            state=State.CURRENT if id_ is None else State.ALL,
        )
        modul, scope_id = _said(arguments, "scope_modul"), _said(arguments, "scope_ID")
        known = None if typ is None else self._known(typ, author)
        agent_id = arguments.get("agent_ID")
        return BrainFilter(chosen, id_, agent_id, typ=known, modul=modul, scope_id=scope_id)

    def _known(self, typ: str, author: Author) -> str | None:
        """A scope_typ as it stands in the store; None when there is no such one."""
        if typ in BRAIN_SCOPES or self._desk.type_known(typ, author):
            return typ
        lower = typ.strip().casefold()
        return lower if lower in BRAIN_SCOPES else None

    def _typ(self, typ: str, author: Author) -> str:
        known = self._known(typ or GLOBAL, author)
        if known is None:
            raise BadValue(words.unknown_scope(typ), code="word")
        return known

    def _moved(self, arguments: Arguments, seen: Memory, author: Author) -> BrainScope:
        """The scope after an update: what is not named stays, but `global` alone names no place."""
        present = brain_scope(seen.entity, self._desk.placed(seen).type)
        asked = arguments.get("scope_typ") or present.typ
        typ = asked if asked == present.typ else self._typ(asked, author)
        stays = present if typ != GLOBAL or present.typ == GLOBAL else BrainScope(GLOBAL, "", "")
        modul = arguments.get("scope_modul", stays.modul)
        return BrainScope(typ, modul, arguments.get("scope_ID", stays.id))

    def _own(self, caller: Caller) -> BrainScope:
        """Where a locked caller may write."""
        author = caller.author
        try:
            type_ = self._library.graph.named(author.entity or "", author).type
        except NotFound:
            type_ = "modul"
        return brain_scope(author.entity, type_)

    # --- answers

    def _one(self, memory: Memory, hints: list[str], caller: Caller) -> CallToolResult:
        placed = self._desk.placed(memory)
        return self._told(Selected((placed,), (), more=False), hints, caller, shapes.BLOCKS)

    def _told(
        self, found: Selected, hints: list[str], caller: Caller, blocks: Sequence[str]
    ) -> CallToolResult:
        now = self._library.clock()
        records = [shapes.record(each, now, blocks) for each in found.placed]

        def left(missing: Sequence[shapes.Record]) -> str:
            return words.left([*(row["ID"] for row in missing), *found.left], found.more)

        return shapes.answer(records, hints, caller.answer_budget, left)


def _doing(caller: Caller) -> Doing:
    return {"author": caller.author, "origin": Brain.name}


def _said(arguments: Arguments, name: str) -> str | None:
    """A filter's text in the form names have; a blank one filters nothing."""
    text = unicodedata.normalize("NFC", arguments.get(name, ""))
    return text if text.strip() else None


def _is_kind(word: str) -> bool:
    return word.strip().casefold() in kinds.words(kinds.BRAIN)


def _kind(word: str) -> Kind:
    if not _is_kind(word):
        raise BadValue(words.unknown_kind(word), code="word")
    return kinds.kind(word.strip().casefold(), kinds.BRAIN)


def _shown_as(word: str) -> frozenset[Kind]:
    return kinds.shown_as(word.strip().casefold(), kinds.BRAIN)


def _entity(scope: BrainScope, present: str | None) -> str | None:
    """The name of the entity that a scope means; it may be refused unless it is `present`."""
    name = brain_entity(scope.modul, scope.id)
    if name is None:
        if scope.typ != GLOBAL:
            raise Refused(words.no_place(scope.typ), code="place")
        return None
    if "/" in scope.modul and name != present:
        raise Refused(words.SLASH, code="slash")
    try:
        return names.entity_name(name)
    except BadValue:
        raise BadValue(words.BAD_NAME) from None


def _edit(arguments: Arguments, seen: Memory) -> Edit:
    edit = Edit()
    if "titel" in arguments:
        edit["title"] = arguments["titel"]
    if "inhalt" in arguments:
        edit["content"] = arguments["inhalt"]
    if word := arguments.get("memory_typ"):
        kind = _kind(word)
        # A borrowed word written back says nothing new about the kind.
        edit["kind"] = seen.kind if seen.kind in _shown_as(word) else kind
    return edit


def _masked(*texts: str) -> list[str]:
    """What is said about credentials in texts that are stored without them."""
    found = dict.fromkeys(kind for text in texts for kind in secrets.mask(text)[1])
    return [words.masked(found)] if found else []


def _differs(memory: Memory, draft: Draft) -> bool:
    """Whether an insert met its content in a memory that is otherwise not what was sent."""
    same = (memory.title, memory.kind) == (secrets.mask(draft.title)[0], draft.kind)
    return not same or memory.status is not Status.ACTIVE
