"""The native dialect: scopes, remember, recall, review, revise, history and the graph."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Any, ClassVar

from mcp.types import CallToolResult, TextContent, Tool

from remembrancer.agents.caller import Caller
from remembrancer.agents.dialect import NATIVE
from remembrancer.agents.dialects import native_budget as budget
from remembrancer.agents.dialects import native_shapes as shapes
from remembrancer.agents.dialects.budget import Fitted, compact
from remembrancer.agents.dialects.native_beside import BesideTools
from remembrancer.agents.dialects.native_tools import INSTRUCTIONS, TOOLS
from remembrancer.agents.discretion import discreet
from remembrancer.agents.progress import steps
from remembrancer.core import kinds
from remembrancer.core.clock import milliseconds
from remembrancer.core.entity import Scope
from remembrancer.core.filters import Filter, Order, State
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Draft, Edit, Memory, Status
from remembrancer.core.recall import Question
from remembrancer.service.desk import Doing
from remembrancer.service.graph import NewEntity
from remembrancer.service.graph_reading import Graph

Arguments = dict[str, Any]

_NODES, _MOST_NODES = 50, 100
_TRIMMED = {
    "memory_get_scope": "entityName",
    "memory_set_scope": "entityName members",
    "memory_remember": "entityName content key source",
    "memory_recall": "entityName query",
    "memory_review": "entityName query",
    "memory_revise": "content source",
}


class Native(BesideTools):
    """Sixteen tools; the reference for the meaning of all vocabularies."""

    name: ClassVar[str] = NATIVE
    title: ClassVar[str] = "Remembrancer"
    instructions: ClassVar[str] = INSTRUCTIONS
    tools: tuple[Tool, ...] = TOOLS
    trimmed = MappingProxyType({tool: frozenset(n.split()) for tool, n in _TRIMMED.items()})

    def call(self, tool: str, arguments: Arguments, caller: Caller) -> CallToolResult:
        answer: Callable[[Arguments, Caller], Fitted] = getattr(self, tool.replace("memory", "", 1))
        fitted = answer(arguments, caller)
        texts = [fitted.text, *([" ".join(fitted.notes)] if fitted.notes else [])]
        content = [TextContent(type="text", text=text) for text in texts]
        return CallToolResult(content=[*content], structured_content=fitted.value)

    # --- scopes

    def _get_scope(self, arguments: Arguments, caller: Caller) -> Fitted:
        record = self._library.scopes.get(arguments["entityName"], caller.author)
        return _object(shapes.scope_record(record))

    def _set_scope(self, arguments: Arguments, caller: Caller) -> Fitted:
        record = self._library.scopes.set(
            arguments["entityName"],
            Scope(arguments["scope"]),
            members=arguments["members"],
            expected=arguments["expectedRevision"],
            confirmed=arguments["confirmSharing"],
            **_doing(caller),
        )
        return _object(shapes.scope_record(record))

    # --- memories

    def _remember(self, arguments: Arguments, caller: Caller) -> Fitted:
        draft = Draft(
            arguments["content"],
            arguments["entityName"],
            key=arguments["key"],
            kind=kinds.kind(arguments["kind"], kinds.NATIVE),
            source=arguments["source"],
            confidence=arguments["confidence"],
            pinned=arguments["pinned"],
            expires_at=shapes.moment(arguments["expiresAt"]),
        )
        return _object(shapes.fact(self._library.memories.remember(draft, **_doing(caller))))

    def _revise(self, arguments: Arguments, caller: Caller) -> Fitted:
        seen = self._library.memories.get(arguments["id"], caller.author)
        revised = self._library.memories.revise(
            seen.id,
            _edit(arguments, seen),
            expected=arguments["expectedRevision"],
            **_doing(caller),
        )
        return _object(shapes.fact(revised))

    def _recall(self, arguments: Arguments, caller: Caller) -> Fitted:
        question = Question(
            arguments["query"],
            arguments.get("entityName"),
            limit=arguments["limit"],
            max_characters=_bounded(arguments["maxChars"], caller.answer_budget),
            include_related=arguments["includeRelated"],
        )
        found = self._library.recall.serve(question, caller.author)
        fitted = budget.recall(shapes.recall(found), caller.answer_budget)
        if question.max_characters == arguments["maxChars"] or not found.left:
            return fitted
        note = (
            f"maxChars was lowered to {question.max_characters:,}, since an answer may have "
            f"{caller.answer_budget:,} characters: {len(found.left):,} memories are left out. Call "
            "memory_recall with a narrower query for them."
        )
        return Fitted(fitted.value, fitted.text, (note, *fitted.notes))

    def _review(self, arguments: Arguments, caller: Caller) -> Fitted:
        chosen, offset = _filter(arguments), arguments["offset"]
        page = self._library.memories.browse(
            chosen, Order.PINNED_FIRST, arguments["limit"], offset, author=caller.author
        )
        answer = {
            "items": [shapes.fact(memory) for memory in page],
            "total": self._library.memories.count(chosen, author=caller.author),
            "limit": arguments["limit"],
            "offset": offset,
        }

        def left(count: int) -> str:
            return (
                f"{count:,} of the {len(page):,} memories of this page did not fit. Call "
                f"memory_review with offset={offset + len(page) - count} for them."
            )

        return budget.rows(answer, "items", caller.answer_budget, lambda row: row, left)

    def _history(self, arguments: Arguments, caller: Caller) -> Fitted:
        lines = self._library.memories.history(arguments["id"], caller.author)
        answer = {"result": shapes.history(lines)}

        def left(count: int) -> str:
            return (
                f"{count:,} older revisions did not fit. No call of this agent gets them: the "
                "person sees them in the window, or allows longer answers."
            )

        def content(row: dict[str, Any]) -> dict[str, Any]:
            return row["fact"]

        def text(value: dict[str, Any]) -> str:
            return compact(value["result"])

        return budget.rows(answer, "result", caller.answer_budget, content, left, text)

    # --- the graph

    def _create_entities(self, arguments: Arguments, caller: Caller) -> Fitted:
        wanted = [
            NewEntity(e["name"], e["entityType"], tuple(e.get("observations", ())))
            for e in arguments["entities"]
        ]
        with steps(wanted, "entities") as (counted, told):
            made = self._library.graph.create(counted, told=told, **_doing(caller))
        if not made:
            return _told("No new entities created (all names already exist).", 0)
        drawn = [f"{entity.name} ({entity.type})" for entity in made]
        head = f"Created {len(made)} entities:"
        return _told(budget.lines(head, drawn, caller.answer_budget), len(made))

    def _create_relations(self, arguments: Arguments, caller: Caller) -> Fitted:
        wanted = shapes.triples(arguments["relations"])
        with steps(wanted, "relations") as (counted, told):
            made = self._library.graph.relate(counted, told=told, **_doing(caller))
        if not made:
            return _told("No new relations created (all already exist or endpoints missing).", 0)
        head = f"Created {len(made)} relations:"
        drawn = [shapes.arrow(relation) for relation in made]
        return _told(budget.lines(head, drawn, caller.answer_budget), len(made))

    def _add_observations(self, arguments: Arguments, caller: Caller) -> Fitted:
        wanted = [(each["entityName"], each["contents"]) for each in arguments["observations"]]
        with steps(wanted, "entities") as (counted, told):
            found = self._library.graph.observe(counted, told=told, **_doing(caller))
        added = [(name, len(texts)) for name, texts in found if texts]
        if not added:
            return _told("No observations added (entities not found or all duplicates).", 0)
        drawn = [f"{name}: +{count} observations" for name, count in added]
        text = budget.lines("Added observations:", drawn, caller.answer_budget)
        return _told(text, sum(count for _, count in added))

    def _delete_entities(self, arguments: Arguments, caller: Caller) -> Fitted:
        gone = self._library.graph.delete(arguments["entityNames"], **_doing(caller))
        if not gone:
            return _told("No matching entities found.", 0)
        told = f"Deleted {len(gone)} entities (and their observations/relations)."
        return _told(told, len(gone))

    def _delete_observations(self, arguments: Arguments, caller: Caller) -> Fitted:
        wanted = [(each["entityName"], each["observations"]) for each in arguments["deletions"]]
        gone = sum(count for _, count in self._library.graph.forget(wanted, **_doing(caller)))
        none = "No matching observations found."
        return _told(f"Deleted {gone} observations." if gone else none, gone)

    def _delete_relations(self, arguments: Arguments, caller: Caller) -> Fitted:
        wanted = shapes.triples(arguments["relations"])
        gone = len(self._library.graph.unrelate(wanted, **_doing(caller)))
        none = "No matching relations found."
        return _told(f"Deleted {gone} relations." if gone else none, gone)

    def _read_graph(self, arguments: Arguments, caller: Caller) -> Fitted:
        graph = self._library.graph.read(caller.author)
        nodes = tuple(sorted(graph.nodes, key=lambda node: node.entity.name))
        return _graph(Graph(nodes, graph.relations), caller, "The knowledge graph is empty.")

    def _search_nodes(self, arguments: Arguments, caller: Caller) -> Fitted:
        query: str = arguments["query"]
        limit = min(arguments.get("limit", _NODES), _MOST_NODES)
        graph = self._library.graph.search(query, limit, caller.author)
        return _graph(graph, caller, f'No entities matching "{discreet(query)[:1_000]}".')

    def _open_nodes(self, arguments: Arguments, caller: Caller) -> Fitted:
        graph = self._library.graph.open(arguments["names"], caller.author)
        return _graph(graph, caller, "None of the requested entities exist.")


def _doing(caller: Caller) -> Doing:
    return {"author": caller.author, "origin": NATIVE}


def _object(value: dict[str, Any]) -> Fitted:
    return Fitted(value, compact(value))


def _told(sentence: str, count: int) -> Fitted:
    return Fitted({"message": sentence, "count": count}, sentence)


def _graph(graph: Graph, caller: Caller, nothing: str) -> Fitted:
    nodes = [shapes.node(node) for node in graph.nodes]
    if not nodes:
        return Fitted({"entities": [], "relations": []}, nothing)
    relations = [shapes.relation(relation) for relation in graph.relations]

    def left(names: str) -> str:
        return (
            f"Call memory_open_nodes for the others, next: {names}; memory_review pages through "
            "the memories of all."
        )

    return budget.graph(nodes, relations, caller.answer_budget, left)


def _bounded(characters: int, answer_budget: int | None) -> int:
    """The context's characters: with the items beside it, an answer has up to four times that."""
    return characters if answer_budget is None else min(characters, max(answer_budget // 4, 300))


def _filter(arguments: Arguments) -> Filter:
    kind, scope = arguments.get("kind"), arguments.get("scope")
    return Filter(
        words=arguments["query"],
        entity=arguments.get("entityName"),
        kinds=frozenset[Kind]() if kind is None else kinds.shown_as(kind, kinds.NATIVE),
        state=State(arguments["state"]),
        scope=None if scope is None else Scope(scope),
    )


def _edit(arguments: Arguments, seen: Memory) -> Edit:
    """What a call changes; a kind or moment that only reads like the stored one stays it."""
    plain = ("content", "source", "confidence", "pinned", "verified")
    changes: Arguments = {name: arguments[name] for name in plain if name in arguments}
    word = kinds.word(seen.kind, kinds.NATIVE)
    if arguments.get("kind", word) != word:
        changes["kind"] = kinds.kind(arguments["kind"], kinds.NATIVE)
    if "expiresAt" in arguments and arguments["expiresAt"] != milliseconds(seen.expires_at):
        changes["expires_at"] = shapes.moment(arguments["expiresAt"])
    if "status" in arguments:
        changes["status"] = Status(arguments["status"])
    return Edit(**changes)
