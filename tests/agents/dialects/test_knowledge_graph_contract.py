"""What the knowledge graph dialect offers is its contract, field by field, in both eras."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from agents.dialects.contracts import agrees, beside, contract, cost, kept, listed, told
from agents.dialects.graphing import entity, link
from agents.dialects.speaking import ERAS, connected
from remembrancer.agents.dialects.knowledge_graph import KnowledgeGraph
from remembrancer.core.author import PERSON
from remembrancer.service.library import Library

NAME = "knowledge_graph"


@pytest.mark.parametrize("mode", ERAS)
def test_the_tools_are_those_of_the_contract(library: Library, mode: Any) -> None:
    agrees(told(listed(library, NAME, mode))["tools"], contract(kept(NAME)))


@pytest.mark.skipif(not beside(NAME).exists(), reason="the shared contract is not beside this")
def test_the_kept_contract_is_the_shared_one() -> None:
    assert contract(kept(NAME)) == contract(beside(NAME))


def test_every_tool_is_described_and_its_schemas_are_sound(library: Library) -> None:
    for tool in KnowledgeGraph(library).tools:
        assert tool.description
        assert tool.output_schema
        Draft202012Validator.check_schema(tool.input_schema)
        Draft202012Validator.check_schema(tool.output_schema)


def test_an_agent_pays_little_for_knowing_the_tools(library: Library) -> None:
    assert cost(listed(library, NAME)) <= 12_000
    assert 0 < len(KnowledgeGraph(library).instructions) < 1_000


@pytest.mark.parametrize("mode", ERAS)
def test_a_client_uses_every_tool_and_the_resource(library: Library, mode: Any) -> None:
    async def use() -> None:
        agent, _ = library.agents.add("ada", dialect=NAME, author=PERSON, origin="window")
        async with connected(library, KnowledgeGraph(library), agent, mode) as client:
            calls: list[tuple[str, dict[str, Any], Any]] = [
                ("create_entities", {"entities": [entity("a", "x"), entity("b")]}, None),
                ("create_relations", {"relations": [link("a -r-> b")]}, None),
                ("add_observations", {"observations": [{"entityName": "b", "contents": ["y"]}]},
                 {"results": [{"entityName": "b", "addedObservations": ["y"]}]}),
                ("read_graph", {}, {"entities": [entity("a", "x"), entity("b", "y")],
                                    "relations": [link("a -r-> b")]}),
                ("search_nodes", {"query": "Y"},
                 {"entities": [entity("b", "y")], "relations": [link("a -r-> b")]}),
                ("open_nodes", {"names": ["a"]},
                 {"entities": [entity("a", "x")], "relations": [link("a -r-> b")]}),
            ]  # fmt: skip
            for tool, arguments, expected in calls:
                answer = await client.call_tool(tool, arguments)
                assert not answer.is_error
                assert answer.structured_content == (expected or arguments)
            [resource] = [
                r for r in (await client.list_resources()).resources if r.name != "journal"
            ]
            assert (resource.name, resource.uri, resource.mime_type) == (
                "knowledge-graph", "memory://knowledge-graph", "application/json",
            )  # fmt: skip
            [content] = (await client.read_resource(resource.uri)).contents
            graph: Any = (await client.call_tool("read_graph", {})).content[0]
            assert getattr(content, "text", "") == graph.text
            assert json.loads(graph.text)["relations"] == [link("a -r-> b")]
            for tool, arguments, expected in (
                ("delete_relations", {"relations": [link("a -r-> b")]}, "Relations"),
                ("delete_observations", {"deletions": [{"entityName": "b", "observations": ["y"]}]},
                 "Observations"),
                ("delete_entities", {"entityNames": ["a"]}, "Entities"),
            ):  # fmt: skip
                answer = await client.call_tool(tool, arguments)
                message = f"{expected} deleted successfully"
                assert answer.structured_content == {"success": True, "message": message}
            failed = await client.call_tool("create_relations", calls[1][1])
            assert failed.is_error

    asyncio.run(use())
