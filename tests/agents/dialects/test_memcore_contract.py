"""What memcore offers is its contract, field by field, in both eras of the protocol."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from mcp.shared.exceptions import MCPError
from mcp.types import TextContent

from agents.dialects.contracts import agrees, beside, contract, cost, kept, listed, told
from agents.dialects.speaking import ERAS, connected
from remembrancer.agents.dialects.memcore import Memcore
from remembrancer.core.author import PERSON, Access
from remembrancer.service.library import Library


@pytest.mark.parametrize("mode", ERAS)
def test_the_tools_are_those_of_the_contract(library: Library, mode: Any) -> None:
    tools = told(listed(library, "memcore", mode))["tools"]
    agrees(tools, contract(kept("memcore")))
    assert len(tools) == 13


@pytest.mark.skipif(
    not beside("memcore").exists(), reason="the shared contract does not lie beside this"
)
def test_the_kept_contract_is_the_shared_one() -> None:
    assert contract(kept("memcore")) == contract(beside("memcore"))


def test_every_tool_is_described_and_its_schemas_are_sound(library: Library) -> None:
    for tool in Memcore(library).tools:
        assert tool.description
        Draft202012Validator.check_schema(tool.input_schema)
        Draft202012Validator.check_schema(tool.output_schema or {})


def test_an_agent_pays_little_for_knowing_the_tools(library: Library) -> None:
    assert cost(listed(library, "memcore")) <= 12_000


def test_the_instructions_are_short(library: Library) -> None:
    assert 0 < len(Memcore(library).instructions) < 1_000


@pytest.mark.parametrize("mode", ERAS)
def test_a_client_uses_every_tool(library: Library, mode: Any) -> None:
    async def use() -> None:
        agent, _ = library.agents.add("ada", dialect="memcore", author=PERSON, origin="window")
        async with connected(library, Memcore(library), agent, mode) as client:

            async def call(tool: str, **arguments: Any) -> list[Any]:
                result = await client.call_tool(f"memory_{tool}", arguments)
                assert not result.is_error, result.content
                return [json.loads(b.text) for b in result.content if isinstance(b, TextContent)]

            at: dict[str, Any] = {"scope": "web", "name": "port"}
            assert await call("recent") == await call("search", query="port") == []
            assert await call("get", **at) == []
            [made] = await call("write", **at, type="project", content="It listens at 80.")
            assert made == {"ok": True, "id": 1}
            [entry] = await call("get", **at)
            lock = {"expected_updated_at": entry["updated_at"]}
            await call("write", **at, type="project", content="It listens at 443.", **lock)
            [stale] = await call("write", **at, type="project", content="x", **lock)
            assert not stale["ok"]
            assert [r["content"] for r in await call("search", query="LISTEN 443")] == [
                "It listens at 443."
            ]
            assert [r["name"] for r in await call("list", type="project")] == ["port"]
            assert [r["content"] for r in await call("history", **at)] == ["It listens at 80."]
            assert await call("archive", **at, reason="moved") == [{"ok": True}]
            assert await call("get", **at) == await call("search", query="listens") == []
            assert await call("restore", **at, reason="moved back") == [{"ok": True}]
            operations = [e["operation"] for e in await call("events")]
            assert operations == [
                f"memory_{o}" for o in ("restore", "archive", "write", "update", "create")
            ]
            assert await call("scopes") == [{"scope": "web", "count": 1}]
            assert (await call("stats"))[0]["total_entries"] == 1
            assert (await call("embed_status"))[0]["semantic_available"] is False
            assert (await call("healthcheck"))[0]["ok"]

    asyncio.run(use())


@pytest.mark.parametrize("mode", ERAS)
def test_a_reading_client_is_not_offered_what_writes(library: Library, mode: Any) -> None:
    async def use() -> None:
        agent, _ = library.agents.add(
            "ada", dialect="memcore", access=Access.READ, author=PERSON, origin="window"
        )
        async with connected(library, Memcore(library), agent, mode) as client:
            offered = {tool.name for tool in (await client.list_tools()).tools}
            everything = {tool["name"] for tool in contract(kept("memcore"))}
            writing = {f"memory_{n}" for n in ("write", "archive", "restore", "healthcheck")}
            assert offered == everything - writing
            for name in sorted(writing):
                with pytest.raises(MCPError, match=f"Unknown tool: {name}"):
                    await client.call_tool(name, {})
            assert (await client.call_tool("memory_recent", {})).content == []

    asyncio.run(use())
