"""The knowledge graph over a real pipe: both eras, the lines as they are, and news of changes."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from contextvars import copy_context
from pathlib import Path
from typing import Any, Literal

import pytest
from mcp import StdioServerParameters, types
from mcp.client import Client

from agents.dialects.graphing import entity, link, shown
from agents.dialects.speaking import ERAS, limited
from remembrancer.agents.dialects.knowledge_graph import KnowledgeGraph
from remembrancer.agents.lines import Prepared, answers_become_lines, unparsed
from remembrancer.core.author import PERSON
from remembrancer.service.desk import Doing
from remembrancer.service.graph import NewEntity, Triple
from remembrancer.service.library import Library

BOUND = 20.0
URI = "memory://knowledge-graph"
WINDOW: Doing = {"author": PERSON, "origin": "window"}
ODD = 'a "b" \\ \n\t\x01\x7f \u2028 </script> Ärger 😀'

eras = pytest.mark.parametrize("mode", ERAS)


def spoken(path: Path, mode: Literal["auto", "legacy"], **client: Any) -> Client:
    """A client of a server that it spawned over that store."""
    flags = ["--dialect", "knowledge_graph", "--answer-budget", "none"]
    arguments = ["-m", "remembrancer", "mcp", "--store", str(path), *flags]
    server = StdioServerParameters(command=sys.executable, args=arguments, env=dict(os.environ))
    return Client(server, mode=mode, **client)


def bounded(work: Any) -> None:
    asyncio.run(asyncio.wait_for(work, BOUND))


def fill(library: Library) -> None:
    library.graph.create([NewEntity(ODD, "t", (ODD, "x")), NewEntity("b", "")], **WINDOW)
    library.graph.relate([Triple(ODD, "b", ODD)], **WINDOW)


@eras
def test_a_client_reads_the_same_graph_again_and_again(library: Library, mode: Any) -> None:
    fill(library)

    async def use() -> None:
        async with spoken(library.path, mode) as client:
            expected = {
                "entities": [entity(ODD, ODD, "x"), entity("b", kind="")],
                "relations": [{"from": ODD, "to": "b", "relationType": ODD}],
            }
            for tool, arguments in (("read_graph", {}), ("search_nodes", {"query": ""})) * 2:
                answer = await client.call_tool(tool, arguments)
                assert answer.structured_content == expected
                [block] = answer.content
                assert isinstance(block, types.TextContent)
                assert block.text == json.dumps(expected, indent=2, ensure_ascii=False)
                assert not answer.is_error
                assert "remembrancer/spelled" not in (answer.meta or {})
            await client.call_tool("delete_entities", {"entityNames": [ODD]})
            answer = await client.call_tool("read_graph", {})
            assert shown(answer.structured_content or {}) == "b"

    bounded(use())


def test_a_client_of_2026_that_listens_is_told_of_a_write(library: Library) -> None:
    async def listen() -> None:
        async with (
            spoken(library.path, "auto") as client,
            client.listen(resource_subscriptions=[URI]) as events,
        ):
            await client.call_tool("create_entities", {"entities": [entity("a")]})
            assert getattr(await anext(aiter(events)), "uri", None) == URI

    bounded(listen())


@pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")
def test_an_earlier_client_that_subscribed_is_told_of_a_write(library: Library) -> None:
    async def subscribe() -> None:
        told: asyncio.Queue[str] = asyncio.Queue()

        async def note(message: Any) -> None:
            if getattr(message, "method", "") == "notifications/resources/updated":
                told.put_nowait(str(message.params.uri))

        async with spoken(library.path, "legacy", message_handler=note) as client:
            await client.subscribe_resource(URI)
            library.graph.create([NewEntity("from elsewhere", "t")], **WINDOW)
            assert await told.get() == URI
            content = (await client.read_resource(URI)).contents[0]
            assert "from elsewhere" in getattr(content, "text", "")

    bounded(subscribe())


@pytest.mark.parametrize("meta", [{}, {"io.example/x": 1}])
def test_a_prepared_answer_is_the_same_line_as_any(library: Library, meta: dict[str, Any]) -> None:
    fill(library)
    library.graph.create([NewEntity("c", "t")], **WINDOW)
    library.graph.relate([Triple("c", "c", "is")], **WINDOW)
    answer = KnowledgeGraph(library).call("read_graph", {}, limited(budget=None))
    assert isinstance(answer, Prepared)

    def line() -> bytes:
        dumped = answer.model_dump(by_alias=True, mode="json", exclude_none=True)
        result = {**dumped, "_meta": {**dumped.get("_meta", {}), **meta}} if meta else dumped
        return unparsed(types.JSONRPCResponse(jsonrpc="2.0", id=7, result=result))

    def prepared_line() -> bytes:
        answers_become_lines()
        return line()

    plain, spelled = line(), copy_context().run(prepared_line)
    assert json.loads(plain) == json.loads(spelled)
    assert json.loads(spelled)["result"].get("_meta", {}) == meta
    assert spelled.endswith(b"}}\n")
    assert spelled.count(b"\n") == 1
    assert sorted(plain) == sorted(spelled)


def test_a_prepared_answer_is_an_ordinary_one_elsewhere(library: Library) -> None:
    fill(library)
    answer = KnowledgeGraph(library).call("read_graph", {}, limited(budget=None))
    again = types.CallToolResult.model_validate(answer.model_dump(by_alias=True))
    assert again.structured_content == answer.structured_content
    assert again.content == answer.content
    assert link("b -r-> b") not in (answer.structured_content or {})["relations"]
