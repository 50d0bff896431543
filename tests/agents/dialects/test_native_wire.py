"""What the native dialect has beside its tools, over HTTP, in both eras of the protocol."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal

import httpx2
import pytest
from mcp import Client, types
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from agents.dialects.speaking import ERAS
from remembrancer.agents.dialects.native import Native
from remembrancer.agents.host import Host
from remembrancer.core.author import PERSON
from remembrancer.service.graph import NewEntity
from remembrancer.service.library import Library

Era = Literal["auto", "legacy"]
eras = pytest.mark.parametrize("mode", ERAS)
ME: Any = {"author": PERSON, "origin": "window"}
BOUND = 20.0
EDGE = "memory://entity/edge"
SHARE = {"entityName": "edge", "scope": "shared", "expectedRevision": 0}


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "memories.db") as library:
        library.graph.create([NewEntity("edge", "device")], **ME)
        yield library


@pytest.fixture
def host(shelf: Library) -> Iterator[Host]:
    host = Host(shelf, [Native])
    host.start()
    assert host.wait_until_ready(BOUND)
    yield host
    assert host.stop()


@asynccontextmanager
async def client_of(host: Host, library: Library, mode: Era, **more: Any) -> AsyncGenerator[Client]:
    """A client with a token of its own."""
    _, token = library.agents.add(f"robin {len(library.agents.all())}", **ME)
    headers = {"authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(headers=headers, timeout=BOUND) as http_client:
        transport = streamable_http_client(host.address or "", http_client=http_client)
        async with Client(transport, mode=mode, **more) as client:
            yield client


async def accept(context: Any, params: Any) -> types.ElicitResult:
    return types.ElicitResult(action="accept", content={})


def text_of(result: types.CallToolResult) -> str:
    assert isinstance(result.content[0], types.TextContent)
    return result.content[0].text


@eras
def test_everything_beside_the_tools_goes_over_the_wire(
    host: Host, shelf: Library, mode: Era
) -> None:
    heard: list[float] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        heard.append(progress)

    async def talk() -> None:
        async with client_of(host, shelf, mode, elicitation_callback=accept) as client:
            assert EDGE in [each.uri for each in (await client.list_resources()).resources]
            [contents] = (await client.read_resource(EDGE)).contents
            assert isinstance(contents, types.TextResourceContents)
            assert '"edge"' in contents.text
            reference = types.ResourceTemplateReference(uri="memory://entity/{name}")
            found = await client.complete(reference, {"name": "name", "value": "ED"})
            assert found.completion.values == ["edge"]
            arguments = {"entity": "edge", "task": "change it"}
            assert len((await client.get_prompt("start_task", arguments)).messages) == 2
            shared = await client.call_tool("memory_set_scope", SHARE)
            assert '"scope":"shared"' in text_of(shared)
            many = [{"name": f"e{n}", "entityType": "t"} for n in range(400)]
            create = {"entities": many}
            await client.call_tool("memory_create_entities", create, progress_callback=note)

    asyncio.run(asyncio.wait_for(talk(), BOUND))
    assert heard == sorted(set(heard))
    assert heard[-1] == 800


def test_an_earlier_client_that_does_not_listen_is_told_as_ever(
    host: Host, shelf: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It declares that it can ask, but keeps no stream open on which to be asked."""
    monkeypatch.setattr("remembrancer.agents.asking.PATIENCE", 0.05)
    _, token = shelf.agents.add("robin", **ME)
    headers = {
        "authorization": f"Bearer {token}",
        "accept": "application/json, text/event-stream",
    }
    hello = {
        "protocolVersion": "2025-11-25",
        "capabilities": {"elicitation": {}},
        "clientInfo": {"name": "raven", "version": "1"},
    }
    with httpx2.Client(headers=headers, timeout=BOUND) as client:
        url = host.address or ""
        opened = client.post(url, json=call("initialize", hello))
        client.headers["mcp-session-id"] = opened.headers["mcp-session-id"]
        share = {"name": "memory_set_scope", "arguments": SHARE}
        told = client.post(url, json=call("tools/call", share)).json()["result"]
    assert told["isError"]
    assert "confirm sharing" in told["content"][0]["text"]


def test_an_earlier_client_that_lost_its_stream_is_told_as_ever(host: Host, shelf: Library) -> None:
    async def talk() -> None:
        async with client_of(host, shelf, "legacy", elicitation_callback=accept) as client:
            await client.list_tools()
            assert await asyncio.to_thread(host.restart, host.port or 0)
            told = await client.call_tool("memory_set_scope", SHARE)
            assert "confirm sharing" in text_of(told)
            confirmed = {**SHARE, "confirmSharing": True}
            assert '"shared"' in text_of(await client.call_tool("memory_set_scope", confirmed))

    asyncio.run(asyncio.wait_for(talk(), BOUND))


def call(method: str, params: dict[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


def test_an_answer_counts_only_from_whom_was_asked(host: Host, shelf: Library) -> None:
    answers: Any = {
        "input_responses": {"confirm": types.ElicitResult(action="accept")},
        "allow_input_required": True,
    }

    async def talk() -> None:
        async with (
            client_of(host, shelf, "auto", elicitation_callback=accept) as anna,
            client_of(host, shelf, "auto", elicitation_callback=accept) as ben,
        ):
            question = await anna.session.call_tool(
                "memory_set_scope", SHARE, allow_input_required=True
            )
            assert isinstance(question, types.InputRequiredResult)
            state = question.request_state
            with pytest.raises(MCPError, match="Invalid or expired requestState"):
                await ben.session.call_tool(
                    "memory_set_scope", SHARE, request_state=state, **answers
                )
            result = await anna.session.call_tool(
                "memory_set_scope", SHARE, request_state=state, **answers
            )
            assert isinstance(result, types.CallToolResult)
            assert not result.is_error

    asyncio.run(asyncio.wait_for(talk(), BOUND))
