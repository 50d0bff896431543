"""An agent that may only propose is told that its deed waits, in every vocabulary."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from mcp.types import CallToolResult

from agents.dialects.speaking import connected, text_of
from notation import build, sketch
from remembrancer.agents.dialects import DIALECTS
from remembrancer.core.author import PERSON, Access
from remembrancer.service.library import Library

CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "native": ("memory_remember", {"entityName": "shed", "content": "the door sticks"}),
    "knowledge_graph": (
        "create_entities",
        {"entities": [{"name": "yard", "entityType": "place", "observations": ["is wet"]}]},
    ),
    "memcore": (
        "memory_write",
        {
            "scope": "shed", "name": "door", "type": "project", "description": "the door",
            "content": "It sticks.",
        },
    ),
    "memo": ("remember", {"text": "the door sticks", "kind": "workflow", "tags": "shed"}),
}  # fmt: skip


@pytest.mark.parametrize("dialect", CALLS)
def test_the_agent_hears_that_its_deed_waits_and_nothing_changed(
    library: Library, dialect: str
) -> None:
    build(library, "shed: the lamp is red")
    before = sketch(library)
    tool, arguments = CALLS[dialect]
    agent, _ = library.agents.add(
        "robin", access=Access.PROPOSE, dialect=dialect, author=PERSON, origin="window"
    )

    async def main() -> CallToolResult:
        async with connected(library, DIALECTS[dialect](library), agent, "auto") as client:
            return await client.call_tool(tool, arguments)

    answer = asyncio.run(main())
    assert "waiting for the person" in text_of(answer), text_of(answer)
    assert sketch(library) == before
    assert library.proposals.count() == 1
