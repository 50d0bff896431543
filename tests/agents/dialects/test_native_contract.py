"""What native offers is its contract, field by field, in both eras of the protocol."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from agents.dialects.contracts import agrees, beside, contract, cost, kept, listed, told
from agents.dialects.speaking import ERAS, connected
from remembrancer.agents.dialects.native import Native
from remembrancer.core.author import PERSON
from remembrancer.service.library import Library


@pytest.mark.parametrize("mode", ERAS)
def test_the_tools_are_those_of_the_contract(library: Library, mode: Any) -> None:
    agrees(told(listed(library, "native", mode))["tools"], contract(kept("native")))


@pytest.mark.skipif(
    not beside("native").exists(), reason="the shared contract does not lie beside this"
)
def test_the_kept_contract_is_the_shared_one() -> None:
    assert contract(kept("native")) == contract(beside("native"))


def test_every_tool_is_described_and_its_schemas_are_sound(library: Library) -> None:
    for tool in Native(library).tools:
        assert tool.description
        assert tool.output_schema
        Draft202012Validator.check_schema(tool.input_schema)
        Draft202012Validator.check_schema(tool.output_schema)


def test_an_agent_pays_little_for_knowing_the_tools(library: Library) -> None:
    assert cost(listed(library, "native")) <= 16_000


def test_the_instructions_are_short(library: Library) -> None:
    assert 0 < len(Native(library).instructions) < 1_000


@pytest.mark.parametrize("mode", ERAS)
def test_a_client_uses_every_group_of_tools(library: Library, mode: Any) -> None:
    async def use() -> None:
        agent, _ = library.agents.add("ada", author=PERSON, origin="window")
        async with connected(library, Native(library), agent, mode) as client:
            made = await client.call_tool(
                "memory_create_entities",
                {"entities": [{"name": "edge", "entityType": "router", "observations": ["x"]}]},
            )
            assert made.structured_content == {
                "message": "Created 1 entities:\n  - edge (router)",
                "count": 1,
            }
            scope = await client.call_tool("memory_get_scope", {"entityName": " edge "})
            assert scope.structured_content == {
                "entityName": "edge", "scope": "device", "revision": 0, "members": [],
            }  # fmt: skip
            stored = await client.call_tool(
                "memory_remember", {"entityName": "edge", "content": "WAN is on ether1"}
            )
            fact: Any = stored.structured_content
            revised = await client.call_tool(
                "memory_revise", {"id": fact["id"], "expectedRevision": 1, "verified": True}
            )
            assert revised.structured_content is not None
            assert revised.structured_content["revision"] == 2
            history = await client.call_tool("memory_history", {"id": fact["id"]})
            assert history.structured_content is not None
            assert history.structured_content["result"][0]["fact"] == fact
            recalled = await client.call_tool(
                "memory_recall", {"entityName": "edge", "query": "wan"}
            )
            assert recalled.structured_content is not None
            assert recalled.structured_content["items"][0]["content"] == "WAN is on ether1"
            graph = await client.call_tool("memory_read_graph", {})
            assert graph.structured_content is not None
            assert [e["name"] for e in graph.structured_content["entities"]] == ["edge"]
            failed = await client.call_tool("memory_history", {"id": 99})
            assert failed.is_error

    asyncio.run(use())
