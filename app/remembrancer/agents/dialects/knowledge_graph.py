"""The knowledge graph dialect: nine tools that agents of the reference server know already."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from mcp.types import CallToolResult, Resource, TextContent, Tool

from remembrancer.agents.answers import failure
from remembrancer.agents.caller import Caller
from remembrancer.agents.dialect import Dialect
from remembrancer.agents.dialects import knowledge_graph_budget as budget
from remembrancer.agents.dialects import knowledge_graph_shapes as shapes
from remembrancer.agents.dialects.budget import Fitted, pretty
from remembrancer.agents.dialects.knowledge_graph_picture import Picture
from remembrancer.agents.dialects.knowledge_graph_tools import INSTRUCTIONS, RESOURCE, TOOLS
from remembrancer.agents.lines import Prepared
from remembrancer.core import secrets
from remembrancer.core.errors import RemembrancerError
from remembrancer.service.desk import Doing
from remembrancer.service.graph import NewEntity
from remembrancer.service.graph_reading import Graph
from remembrancer.service.one_path import Secrets
from remembrancer.service.weaving import identity

if TYPE_CHECKING:
    from remembrancer.service.library import Library

Arguments = dict[str, Any]

KNOWLEDGE_GRAPH = "knowledge_graph"


class KnowledgeGraph(Dialect):
    """Entities, relations and observations as plain strings; texts and structured content."""

    name: ClassVar[str] = KNOWLEDGE_GRAPH
    title: ClassVar[str] = "Remembrancer"
    instructions: ClassVar[str] = INSTRUCTIONS
    tools: tuple[Tool, ...] = TOOLS

    def __init__(self, library: Library) -> None:
        self._graph = library.graph
        self._picture = Picture(library.graph)

    def call(self, tool: str, arguments: Arguments, caller: Caller) -> CallToolResult:
        if tool == "read_graph" or arguments.get("query") == "":
            return self._read_graph(caller)
        answer: Callable[[Arguments, Caller], Fitted] = getattr(self, f"_{tool}")
        return _result(answer(arguments, caller))

    def failed(self, tool: str, error: RemembrancerError, caller: Caller) -> CallToolResult:
        return failure(str(error), prefix="")

    def resources(self) -> tuple[Resource, ...]:
        return (RESOURCE,)

    def read(self, uri: str, caller: Caller) -> str:
        if caller.author.entity is None:
            return self._picture.drawn().pretty
        return pretty(_value(self._graph.read(caller.author)))

    # --- reading

    def _read_graph(self, caller: Caller) -> CallToolResult:
        if caller.author.entity is not None:
            return _result(_fitted(self._graph.read(caller.author), caller))
        drawn = self._picture.drawn()
        if caller.answer_budget is not None and len(drawn.pretty) > caller.answer_budget:
            value = drawn.value
            part = budget.graph(value["entities"], value["relations"], caller.answer_budget)
            return _result(part)
        return Prepared.of(_texts([drawn.pretty]), drawn.value, drawn.spelled)

    def _search_nodes(self, arguments: Arguments, caller: Caller) -> Fitted:
        return _fitted(self._graph.holding(arguments["query"], caller.author), caller)

    def _open_nodes(self, arguments: Arguments, caller: Caller) -> Fitted:
        found = self._graph.open(arguments["names"], caller.author)
        nodes = sorted(found.nodes, key=lambda node: node.entity.id)
        return _fitted(Graph(tuple(nodes), found.relations), caller)

    # --- writing

    def _create_entities(self, arguments: Arguments, caller: Caller) -> Fitted:
        given = arguments["entities"]
        wanted = [NewEntity(e["name"], e["entityType"], tuple(e["observations"])) for e in given]
        made = self._graph.create_nodes(wanted, **_masking(caller))
        rows = [shapes.entity_row(node) for node in made]
        fitted = budget.listed("entities", rows, caller.answer_budget)
        skipped = _skipped(given, [row["name"] for row in rows])
        return _noted(fitted, given, rows, *([shapes.skipped(skipped)] if skipped else []))

    def _create_relations(self, arguments: Arguments, caller: Caller) -> Fitted:
        given = arguments["relations"]
        made = self._graph.relate(shapes.triples(given), strict=True, **_masking(caller))
        rows = [shapes.relation_row(relation) for relation in made]
        return _noted(budget.listed("relations", rows, caller.answer_budget), given, rows)

    def _add_observations(self, arguments: Arguments, caller: Caller) -> Fitted:
        given = arguments["observations"]
        wanted = [(each["entityName"], each["contents"]) for each in given]
        found = self._graph.observe(wanted, strict=True, revive=True, **_masking(caller))
        rows = [{"entityName": name, "addedObservations": added} for name, added in found]
        return _noted(budget.listed("results", rows, caller.answer_budget), given, rows)

    def _delete_entities(self, arguments: Arguments, caller: Caller) -> Fitted:
        wanted = {identity(name): name for name in arguments["entityNames"]}
        gone = self._graph.delete(list(wanted), **_doing(caller))
        missing = [given for name, given in wanted.items() if name not in gone]
        return _done(shapes.entities_deleted(len(gone), len(wanted), missing))

    def _delete_observations(self, arguments: Arguments, caller: Caller) -> Fitted:
        wanted: dict[str, dict[str, None]] = {}
        for each in arguments["deletions"]:
            texts = wanted.setdefault(identity(each["entityName"]), {})
            texts.update(dict.fromkeys(each["observations"]))
        found = self._graph.forget(
            [(name, list(texts)) for name, texts in wanted.items()], shown=True, **_doing(caller)
        )
        known = dict(found)
        deleted, asked = sum(known.values()), sum(map(len, wanted.values()))
        missing = [name for name in wanted if name not in known]
        return _done(shapes.observations_deleted(deleted, asked, missing))

    def _delete_relations(self, arguments: Arguments, caller: Caller) -> Fitted:
        wanted = shapes.triples(arguments["relations"])
        gone = self._graph.unrelate(wanted, **_doing(caller))
        return _done(shapes.relations_deleted(len(gone), len(wanted)))


def _doing(caller: Caller) -> Doing:
    return {"author": caller.author, "origin": KNOWLEDGE_GRAPH}


class _Masking(Doing):
    secrets: Secrets


def _masking(caller: Caller) -> _Masking:
    return {**_doing(caller), "secrets": Secrets.MASK}


def _skipped(given: Sequence[Arguments], created: Sequence[str]) -> list[str]:
    """The names whose observations were not kept; one that came twice was there by then."""
    left = set(created)
    found: dict[str, None] = {}
    for each in given:
        kept = identity(each["name"])
        kept = kept if kept in left else secrets.mask(kept)[0]
        if kept in left:
            left.remove(kept)
        elif each["observations"]:
            found[each["name"]] = None
    return list(found)


def _value(graph: Graph) -> dict[str, list[Arguments]]:
    return {
        "entities": [shapes.entity_row(node) for node in graph.nodes],
        "relations": [shapes.relation_row(relation) for relation in graph.relations],
    }


def _fitted(graph: Graph, caller: Caller) -> Fitted:
    value = _value(graph)
    text = pretty(value)
    if caller.answer_budget is None or len(text) <= caller.answer_budget:
        return Fitted(value, text)
    return budget.graph(value["entities"], value["relations"], caller.answer_budget)


def _done(message: str) -> Fitted:
    return Fitted({"success": True, "message": message}, message)


def _noted(fitted: Fitted, given: object, kept: object, *notes: str) -> Fitted:
    """An answer with what has to be said about what was written."""
    masked = (shapes.MASKED,) if shapes.masked(given, kept) else ()
    return Fitted(fitted.value, fitted.text, (*fitted.notes, *notes, *masked))


def _result(fitted: Fitted) -> CallToolResult:
    texts = [fitted.text, *([" ".join(fitted.notes)] if fitted.notes else [])]
    return CallToolResult(content=[*_texts(texts)], structured_content=fitted.value)


def _texts(texts: Sequence[str]) -> list[TextContent]:
    return [TextContent(type="text", text=text) for text in texts]
