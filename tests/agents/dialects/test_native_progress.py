"""A long call says how far it is to a client that asked for it, and to no other."""

from __future__ import annotations

import asyncio
from typing import Any, Literal

import pytest

from agents.dialects.speaking import ERAS, connected
from remembrancer.agents.dialects.native import Native
from remembrancer.core.author import PERSON
from remembrancer.service.graph import NewEntity
from remembrancer.service.library import Library

Era = Literal["auto", "legacy"]
Notice = tuple[float, float | None, str | None]
eras = pytest.mark.parametrize("mode", ERAS)
ME: Any = {"author": PERSON, "origin": "window"}
BOUND = 20.0


def notices(library: Library, mode: Era, tool: str, **arguments: Any) -> list[Notice]:
    """What a client hears of one call."""
    heard: list[Notice] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, total, message))

    async def calling() -> None:
        agent, _ = library.agents.add("robin", **ME)
        async with connected(library, Native(library), agent, mode) as client:
            result = await client.call_tool(tool, arguments, progress_callback=note)
            assert not result.is_error
            before = len(heard)
            await client.list_tools()
            assert len(heard) == before

    asyncio.run(asyncio.wait_for(calling(), BOUND))
    return heard


def entities(count: int) -> list[dict[str, Any]]:
    return [{"name": f"e{n}", "entityType": "t", "observations": ["x"]} for n in range(count)]


def grows(heard: list[Notice], total: int) -> None:
    """Assert that the notices are real fractions of the whole, each further than the last."""
    steps = [progress for progress, _, _ in heard]
    assert steps == sorted(set(steps))
    assert {whole for _, whole, _ in heard} == {total}
    assert steps[-1] == total


@eras
def test_creating_many_entities_says_how_many_are_done(library: Library, mode: Era) -> None:
    heard = notices(library, mode, "memory_create_entities", entities=entities(300))
    grows(heard, 600)
    assert heard[-1][2] == "300 entities written"


@eras
def test_the_writing_is_counted_too(library: Library, mode: Era) -> None:
    heard = notices(library, mode, "memory_create_entities", entities=entities(2_000))
    grows(heard, 4_000)
    assert any(2_000 < done < 4_000 for done, _, _ in heard)


@eras
def test_relating_and_observing_much_says_so_too(library: Library, mode: Era) -> None:
    library.graph.create([NewEntity("a", "t"), NewEntity("b", "t")], **ME)
    links = [{"from": "a", "to": "b", "relationType": f"r{n}"} for n in range(100)]
    grows(notices(library, mode, "memory_create_relations", relations=links), 200)


@eras
def test_a_short_call_says_nothing(library: Library, mode: Era) -> None:
    assert notices(library, mode, "memory_create_entities", entities=entities(3)) == []
    library.agents.revoke(1, **ME)
    assert notices(library, mode, "memory_review") == []


@eras
def test_without_a_token_nothing_is_said(library: Library, mode: Era) -> None:
    messages: list[Any] = []

    async def note(message: Any) -> None:
        messages.append(message)

    async def calling() -> None:
        agent, _ = library.agents.add("robin", **ME)
        async with connected(library, Native(library), agent, mode, message_handler=note) as client:
            await client.call_tool("memory_create_entities", {"entities": entities(200)})

    asyncio.run(asyncio.wait_for(calling(), BOUND))
    assert messages == []


@eras
def test_a_call_that_fails_ends_its_notices(library: Library, mode: Era) -> None:
    heard: list[float] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        heard.append(progress)

    async def calling() -> None:
        agent, _ = library.agents.add("robin", **ME)
        async with connected(library, Native(library), agent, mode) as client:
            wrong = [*entities(100), {"name": " ", "entityType": "t"}]
            arguments = {"entities": wrong}
            result = await client.call_tool(
                "memory_create_entities", arguments, progress_callback=note
            )
            assert result.is_error

    asyncio.run(asyncio.wait_for(calling(), BOUND))
    assert all(progress <= 100 for progress in heard)
    assert library.map.count() == 0
