"""The memcore dialect: entries by scope and name, their history and the audit log."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from mcp.types import CallToolResult, TextContent, Tool

from remembrancer.agents.answers import failure
from remembrancer.agents.caller import Caller
from remembrancer.agents.dialect import Dialect
from remembrancer.agents.dialects import memcore_arguments as given
from remembrancer.agents.dialects import memcore_budget as budget
from remembrancer.agents.dialects import memcore_shapes as shapes
from remembrancer.agents.dialects.budget import Row, pretty
from remembrancer.agents.dialects.memcore_budget import Part
from remembrancer.agents.dialects.memcore_health import examine
from remembrancer.agents.dialects.memcore_tools import INSTRUCTIONS, TOOLS, WRITING
from remembrancer.core import kinds
from remembrancer.core.author import Access
from remembrancer.core.crossing import slug
from remembrancer.core.errors import BadValue, NotFound, RemembrancerError, StoreBusy
from remembrancer.core.keyed import Written
from remembrancer.core.memory import Status
from remembrancer.service.desk import Doing
from remembrancer.service.one_path import Secrets

if TYPE_CHECKING:
    from remembrancer.service.library import Library

Arguments = dict[str, Any]

_LONGEST_QUERY = 2_000
_CONFLICTS = {
    "entry_archived": "entry_archived: restore the entry before updating it",
    "stale_version": "conflict: expected_updated_at does not match current version",
}


class Memcore(Dialect):
    """Thirteen tools; a list is answered as one text block an item."""

    name: ClassVar[str] = kinds.MEMCORE
    title: ClassVar[str] = "Remembrancer, MemCore-compatible"
    instructions: ClassVar[str] = INSTRUCTIONS
    tools: tuple[Tool, ...] = TOOLS

    def __init__(self, library: Library) -> None:
        self._library = library

    def offered(self, caller: Caller) -> tuple[Tool, ...]:
        if caller.author.access is not Access.READ:
            return self.tools
        return tuple(tool for tool in self.tools if tool.name not in WRITING)

    def call(self, tool: str, arguments: Arguments, caller: Caller) -> CallToolResult:
        answer: Callable[[Arguments, Caller], CallToolResult] = getattr(
            self, tool.replace("memory", "", 1)
        )
        return answer(arguments, caller)

    def failed(self, tool: str, error: RemembrancerError, caller: Caller) -> CallToolResult:
        sentence = self._worded(error, caller)
        if tool in WRITING and error.code != "arguments":
            return _object({"ok": False, "error": sentence})
        return failure(sentence)

    # --- reading

    def _search(self, arguments: Arguments, caller: Caller) -> CallToolResult:
        query, asked = arguments["query"], arguments["query"].split()
        if not asked or len(query) > _LONGEST_QUERY:
            nothing = {"mode": None, "and_query": None, "or_query": None}
            return _hits([], nothing, arguments, caller)
        place, limit = given.anywhere(arguments["scope"] or None, caller), given.limit(arguments)
        found = self._library.keyed.search(query, place, limit, caller.author)
        rows = [shapes.hit(each, found.words) for each in found.hits]
        mode = "and" if found.strict or not rows else "or_fallback"
        tokens = ['"' + token.replace('"', '""') + '"*' for token in asked]
        how = {
            "mode": "lexical_fallback" if arguments["semantic"] else mode,
            "and_query": " ".join(tokens),
            "or_query": None if found.strict else " OR ".join(tokens),
        }
        return _hits(rows, how, arguments, caller)

    def _embed_status(self, _arguments: Arguments, caller: Caller) -> CallToolResult:
        active, _ = self._library.keyed.counts(caller.author)
        counts = {"entries": active, "embedded": 0, "stale_or_missing": active}
        return _object({"semantic_available": False, "model": None, **counts})

    def _recent(self, arguments: Arguments, caller: Caller) -> CallToolResult:
        found = self._library.keyed.recent(
            given.anywhere(arguments["scope"] or None, caller),
            given.limit(arguments),
            archived=arguments["include_archived"],
            author=caller.author,
        )
        return _listed([shapes.recent(row) for row in found], caller)

    def _get(self, arguments: Arguments, caller: Caller) -> CallToolResult:
        place = given.place(arguments["scope"], caller)
        found = self._library.keyed.get(place, given.name(arguments), caller.author)
        hidden = found is None or (
            found.status is Status.ARCHIVED and not arguments["include_archived"]
        )
        if found is None or hidden:
            return CallToolResult(content=[])
        row = shapes.entry(found)
        if caller.answer_budget is None or len(pretty(row)) <= caller.answer_budget:
            return _object(row)
        part, note = budget.cut(row, caller.answer_budget - budget.NOTE)
        return _object(part, note)

    def _list(self, arguments: Arguments, caller: Caller) -> CallToolResult:
        found = self._library.keyed.listed(
            given.anywhere(arguments["scope"] or None, caller),
            given.limit(arguments),
            type=arguments["type"],
            archived=arguments["archived"],
            author=caller.author,
        )
        return _listed([shapes.listed(row) for row in found], caller)

    def _events(self, arguments: Arguments, caller: Caller) -> CallToolResult:
        name = None if arguments["name"] is None else given.name(arguments)
        found = self._library.keyed.events(
            given.anywhere(arguments["scope"], caller), name, given.limit(arguments), caller.author
        )

        def left(missing: Sequence[Row]) -> str:
            return (
                f"{len(missing):,} older events did not fit. Call memory_events with the scope and "
                f"name of an entry, next: {budget.names(missing)}."
            )

        return _list(budget.rows([shapes.event(x) for x in found], caller.answer_budget, left))

    def _scopes(self, _arguments: Arguments, caller: Caller) -> CallToolResult:
        return _list(budget.rows(self._all_scopes(caller), caller.answer_budget, _fewer_scopes))

    def _stats(self, _arguments: Arguments, caller: Caller) -> CallToolResult:
        active, archived = self._library.keyed.counts(caller.author)
        whole = {
            "total_entries": active,
            "archived_entries": archived,
            "db_path": self._path(caller),
            "scopes": self._all_scopes(caller),
        }
        return _nested(whole, "scopes", caller, _fewer_scopes)

    def _history(self, arguments: Arguments, caller: Caller) -> CallToolResult:
        place = given.place(arguments["scope"], caller)
        found = self._library.keyed.get(place, given.name(arguments), caller.author)
        if found is None:
            return _list(Part([]))
        lines = self._library.memories.history(found.id, caller.author)
        rows = shapes.history(found, lines)[: given.limit(arguments)]

        def left(missing: Sequence[Row]) -> str:
            return (
                f"{len(missing):,} older versions did not fit. No call of this agent gets them: "
                "the person sees them in the window, or allows longer answers."
            )

        return _list(budget.rows(rows, caller.answer_budget, left))

    def _healthcheck(self, _arguments: Arguments, caller: Caller) -> CallToolResult:
        checks = examine(lambda: self._library.keyed.counts(caller.author))
        ok = all(check["ok"] for check in checks)
        return _object({"ok": ok, "checks": checks, "db_path": self._path(caller)})

    # --- writing

    def _write(self, arguments: Arguments, caller: Caller) -> CallToolResult:
        expected: str | None = arguments["expected_updated_at"]
        written = self._library.keyed.write(
            given.entry(arguments, caller),
            expected_at=None if expected is None else shapes.moment(expected),
            secrets=Secrets.REDACT,
            **_doing(caller),
        )
        return _object({"ok": True, "id": written.memory.id, **_redacted(written)})

    def _archive(self, arguments: Arguments, caller: Caller) -> CallToolResult:
        return self._turned(self._library.keyed.archive, "archive", arguments, caller)

    def _restore(self, arguments: Arguments, caller: Caller) -> CallToolResult:
        return self._turned(self._library.keyed.restore, "restore", arguments, caller)

    def _turned(
        self, verb: Callable[..., Written | None], word: str, arguments: Arguments, caller: Caller
    ) -> CallToolResult:  # fmt: skip
        if not arguments["reason"].strip():
            raise BadValue(f"{word} reason must not be empty")
        place = given.place(arguments["scope"], caller)
        written = verb(
            place, arguments["name"], arguments["reason"], secrets=Secrets.REDACT, **_doing(caller)
        )
        return _object({"ok": written is not None, **(_redacted(written) if written else {})})

    # --- what is told

    def _all_scopes(self, caller: Caller) -> list[Row]:
        return [shapes.scope(*found) for found in self._library.keyed.scopes(caller.author)]

    def _path(self, caller: Caller) -> str | None:
        """The store's file; a caller locked to one entity is told no path."""
        return None if caller.author.entity is not None else str(self._library.path)

    def _worded(self, error: RemembrancerError, caller: Caller) -> str:
        sentence = _CONFLICTS.get(error.code, str(error))
        if error.code == "content_elsewhere":
            sentence = self._elsewhere(error, caller)
        if self._path(caller) is None:
            sentence = sentence.replace(str(self._library.path), "the store")
        return f"db_busy: {sentence} — retry" if isinstance(error, StoreBusy) else sentence

    def _elsewhere(self, error: RemembrancerError, caller: Caller) -> str:
        """Which entry has the content, as long as it is there."""
        try:
            other = self._library.memories.get(int(str(error.facts["id"])), caller.author)
        except NotFound:
            return str(error)
        state = "archived " if other.status is Status.ARCHIVED else ""
        return (
            f"This scope has an {state}entry with exactly this content already: {slug(other)!r}. "
            "Update that entry, or write a different content."
        )


def _doing(caller: Caller) -> Doing:
    return {"author": caller.author, "origin": kinds.MEMCORE}


def _redacted(written: Written) -> Row:
    return {"redacted": list(written.redacted)} if written.redacted else {}


def _object(value: Row, *notes: str) -> CallToolResult:
    return _answer([pretty(value), *notes], value)


def _list(part: Part) -> CallToolResult:
    """One text block an item, none for an empty list."""
    blocks = [pretty(row) for row in part.rows]
    notes = [" ".join(part.notes)] if part.notes else []
    return _answer([*blocks, *notes], {"result": part.rows})


def _listed(rows: list[Row], caller: Caller) -> CallToolResult:
    def left(missing: Sequence[Row]) -> str:
        return (
            f"{len(missing):,} more entries did not fit, next: {budget.names(missing)}. Call "
            "memory_list with a scope and a type, or memory_get for one of them."
        )

    return _list(budget.rows(rows, caller.answer_budget, left))


def _hits(rows: list[Row], how: Row, arguments: Arguments, caller: Caller) -> CallToolResult:
    """The results of a search; `how` it was made is told when asked for."""

    def left(missing: Sequence[Row]) -> str:
        return (
            f"{len(missing):,} more results did not fit. Call memory_get for each, next: "
            f"{budget.names(missing)}; or search with more words."
        )

    if not arguments["debug"]:
        return _list(budget.rows(rows, caller.answer_budget, left))
    marked = [{**row, "_search_mode": how["mode"]} for row in rows]
    whole: Row = {"results": marked, **how, "semantic_available": False}
    return _nested(whole, "results", caller, left)


def _nested(
    whole: Row, name: str, caller: Caller, left: Callable[[Sequence[Row]], str]
) -> CallToolResult:  # fmt: skip
    """An object with a list in it, of which as much is given as fits."""
    frame = len(pretty({**whole, name: []})) + 8
    room = None if caller.answer_budget is None else caller.answer_budget - frame
    part = budget.rows(whole[name], room, left, indent=2)
    return _object({**whole, name: part.rows}, *([" ".join(part.notes)] if part.notes else []))


def _fewer_scopes(missing: Sequence[Row]) -> str:
    return (
        f"{len(missing):,} smaller scopes did not fit. Call memory_search or memory_list to find "
        "entries of them."
    )


def _answer(texts: Sequence[str], value: Row) -> CallToolResult:
    content = [TextContent(type="text", text=text) for text in texts]
    return CallToolResult(content=[*content], structured_content=value)
