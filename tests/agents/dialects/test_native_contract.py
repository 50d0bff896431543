"""What native offers is its contract, field by field, in both eras of the protocol."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any, Literal

import pytest
from jsonschema import Draft202012Validator
from mcp.types import ListToolsResult

from agents.dialects.speaking import ERAS, connected
from remembrancer.agents.dialects.native import Native
from remembrancer.core.author import PERSON
from remembrancer.service.library import Library

HERE = Path(__file__)
KEPT = HERE.with_name("native_contract.json")
BESIDE = HERE.parents[4] / "shared" / "contracts" / "native.json"


def contract(path: Path) -> list[dict[str, Any]]:
    return json.loads(path.read_text("utf-8"))["tools"]


def listed(library: Library, mode: Literal["auto", "legacy"]) -> ListToolsResult:
    async def listing() -> ListToolsResult:
        agent, _ = library.agents.add("ada", author=PERSON, origin="window")
        async with connected(library, Native(library), agent, mode) as client:
            return await client.list_tools()

    return asyncio.run(listing())


def told(result: ListToolsResult) -> dict[str, Any]:
    return result.model_dump(mode="json", by_alias=True, exclude_none=True)


@pytest.mark.parametrize("mode", ERAS)
def test_the_tools_are_those_of_the_contract(library: Library, mode: Any) -> None:
    tools = told(listed(library, mode))["tools"]
    assert [t["name"] for t in tools] == [t["name"] for t in contract(KEPT)]
    for tool, agreed in zip(tools, contract(KEPT), strict=True):
        assert tool["title"] == agreed["title"]
        assert tool["inputSchema"] == agreed["inputSchema"]
        assert tool["annotations"] == {"title": agreed["title"], **agreed["annotations"]}


@pytest.mark.skipif(not BESIDE.exists(), reason="the shared contract does not lie beside this")
def test_the_kept_contract_is_the_shared_one() -> None:
    assert contract(KEPT) == contract(BESIDE)


def test_every_tool_is_described_and_its_schemas_are_sound(library: Library) -> None:
    for tool in Native(library).tools:
        assert tool.description
        assert tool.output_schema
        Draft202012Validator.check_schema(tool.input_schema)
        Draft202012Validator.check_schema(tool.output_schema)


def test_an_agent_pays_little_for_knowing_the_tools(library: Library) -> None:
    assert len(json.dumps(told(listed(library, "auto")), separators=(",", ":"))) <= 16_000


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
            kept = await client.call_tool(
                "memory_remember", {"entityName": "edge", "content": "WAN is on ether1"}
            )
            fact: Any = kept.structured_content
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
