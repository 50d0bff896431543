"""A tool call with an idempotency key is done once, however a client sends the key."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Literal

import httpx2
import pytest
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult

from agents.dialects.speaking import ERAS, connected, text_of
from notation import WINDOW, build, sketch
from remembrancer.agents.dialects import DIALECTS
from remembrancer.agents.host import Host
from remembrancer.agents.repeats import META
from remembrancer.core.author import PERSON
from remembrancer.service.library import Library

Era = Literal["auto", "legacy"]
KEY: Any = {META: "k-1"}
NOTE = {"entityName": "shed", "content": "the door sticks"}

eras = pytest.mark.parametrize("era", ERAS)


@pytest.fixture(autouse=True)
def shed(library: Library) -> None:
    build(library, "shed: the lamp is red")


def talk(
    library: Library, work: Callable[[Client], Awaitable[Any]], era: Era = "auto",
    dialect: str = "native",
) -> Any:  # fmt: skip
    """What `work` gives with a client of that dialect."""
    agent, _ = library.agents.add("robin", author=PERSON, origin="window")

    async def main() -> Any:
        async with connected(library, DIALECTS[dialect](library), agent, era) as client:
            return await work(client)

    return asyncio.run(main())


@eras
def test_a_call_sent_twice_under_its_key_is_done_once(library: Library, era: Era) -> None:
    async def twice(client: Client) -> list[CallToolResult]:
        return [await client.call_tool("memory_remember", NOTE, meta=KEY) for _ in range(2)]

    first, second = talk(library, twice, era)
    assert not first.is_error
    assert second == first
    assert sketch(library).count("the door sticks") == 1


def test_without_a_key_or_under_another_it_is_a_call_of_its_own(library: Library) -> None:
    async def thrice(client: Client) -> None:
        other: Any = {META: "k-2"}
        for meta in (KEY, other, None):
            await client.call_tool("memory_revise", {**REVISED, "expectedRevision": 1}, meta=meta)

    talk(library, thrice)
    assert library.memories.get(1).revision == 2  # the second and the third met a conflict


REVISED = {"id": 1, "content": "the lamp is green"}


def test_a_key_that_was_used_for_another_call_is_refused(library: Library) -> None:
    async def both(client: Client) -> CallToolResult:
        await client.call_tool("memory_remember", NOTE, meta=KEY)
        other = {**NOTE, "content": "the roof leaks"}
        return await client.call_tool("memory_remember", other, meta=KEY)

    answer = talk(library, both)
    assert answer.is_error
    assert "another call" in text_of(answer)
    assert "roof" not in sketch(library)


@pytest.mark.parametrize("key", ["", "x" * 201, "ä", 7, None, ["k"]])
def test_what_is_no_key_is_told_and_nothing_is_done(library: Library, key: object) -> None:
    async def once(client: Client) -> CallToolResult:
        meta: Any = {META: key}
        return await client.call_tool("memory_remember", NOTE, meta=meta)

    answer = talk(library, once)
    if key is None:  # that is to name none
        assert not answer.is_error
    else:
        assert answer.is_error
        assert "idempotency key" in text_of(answer)
        assert "sticks" not in sketch(library)


@eras
def test_structured_answers_come_again_as_they_were(library: Library, era: Era) -> None:
    wanted = {"entities": [{"name": "barn", "entityType": "place", "observations": ["is big"]}]}

    async def twice(client: Client) -> list[CallToolResult]:
        return [await client.call_tool("create_entities", wanted, meta=KEY) for _ in range(2)]

    first, second = talk(library, twice, era, "knowledge_graph")
    assert first.structured_content == second.structured_content
    assert first.structured_content["entities"][0]["name"] == "barn"


def test_an_answer_that_is_no_longer_kept_says_that_the_call_was_carried_out(
    library: Library,
) -> None:
    async def twice(client: Client) -> CallToolResult:
        await client.call_tool("memory_remember", NOTE, meta=KEY)
        library.memories.purge(2, **WINDOW)
        return await client.call_tool("memory_remember", NOTE, meta=KEY)

    answer = talk(library, twice)
    assert "nothing was done again" in text_of(answer)
    assert "sticks" not in sketch(library)


def test_the_http_header_names_the_key_too(library: Library) -> None:
    _, token = library.agents.add("robin", author=PERSON, origin="window")
    host = Host(library, [DIALECTS["native"]])
    host.start()

    async def main() -> list[CallToolResult]:
        headers = {"authorization": f"Bearer {token}", "idempotency-key": "k-1"}
        async with httpx2.AsyncClient(headers=headers, timeout=20) as carrying:
            transport = streamable_http_client(f"{host.address}", http_client=carrying)
            async with Client(transport) as client:
                return [await client.call_tool("memory_remember", NOTE) for _ in range(2)]

    first, second = asyncio.run(main())
    assert host.stop()
    assert first == second
    assert sketch(library).count("the door sticks") == 1
