"""Every dialect is served at both doors, under the policy of the token or of the flags."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters, types
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from agents.dialects.contracts import contract, kept
from notation import build
from remembrancer.agents.dialect import path_of
from remembrancer.agents.dialects import DIALECTS
from remembrancer.agents.host import Host
from remembrancer.core.author import PERSON, Access
from remembrancer.service.library import Library

BOUND = 60.0  # seconds after which what a test waits for will not come
EVERY = pytest.mark.parametrize("dialect", DIALECTS)

# dialect -> a call that reads everything, a call that writes
CALLS: dict[str, tuple[tuple[str, dict[str, Any]], tuple[str, dict[str, Any]]]] = {
    "native": (
        ("memory_review", {"state": "all"}),
        ("memory_remember", {"entityName": "mine", "content": "new"}),
    ),
    "knowledge_graph": (
        ("read_graph", {}),
        ("add_observations", {"observations": [{"entityName": "mine", "contents": ["new"]}]}),
    ),
    "memcore": (
        ("memory_recent", {}),
        ("memory_write", {"scope": "mine", "type": "user", "name": "n", "content": "new"}),
    ),
    "memo": (("topics", {"all": True}), ("remember", {"text": "new", "tags": "mine"})),
    "brain": (
        ("select_brain_memory", {}),
        (
            "insert_brain_memory",
            {"titel": "t", "inhalt": "new", "scope_typ": "thing", "scope_modul": "mine"},
        ),
    ),
}


@asynccontextmanager
async def over_http(host: Host, dialect: str, token: str) -> AsyncGenerator[Client]:
    headers = {"authorization": f"Bearer {token}"}
    address = f"http://127.0.0.1:{host.port}{path_of(dialect)}"
    async with httpx2.AsyncClient(headers=headers, timeout=BOUND) as http_client:
        transport = streamable_http_client(address, http_client=http_client)
        async with Client(transport) as client:
            yield client


@asynccontextmanager
async def over_stdio(store: Path, dialect: str, *flags: str) -> AsyncGenerator[Client]:
    arguments = ["-m", "remembrancer", "mcp", "--store", str(store), "--dialect", dialect, *flags]
    server = StdioServerParameters(command=sys.executable, args=arguments, env=dict(os.environ))
    async with Client(server) as client:
        yield client


async def looked_at(client: Client, dialect: str) -> tuple[list[str], str, str]:
    """The names of the tools, what reading gave, and what came of writing."""
    reading, writing = CALLS[dialect]
    names = [tool.name for tool in (await client.list_tools()).tools]
    read = await client.call_tool(*reading)
    try:
        written = await client.call_tool(*writing)
    except MCPError as refused:
        return names, _told(read), str(refused)
    return names, _told(read), _told(written)


def _told(result: types.CallToolResult) -> str:
    texts = [block.text for block in result.content if isinstance(block, types.TextContent)]
    return "\n".join(texts) + json.dumps(result.structured_content)


def named(dialect: str) -> set[str]:
    """The tools of the contract; memo's in English."""
    names = {tool["name"] for tool in contract(kept(dialect))}
    if dialect != "memo":
        return names
    english = json.loads(kept("memo").read_text("utf-8"))["english_names"]
    return {english[name] for name in names}


@EVERY
def test_a_token_opens_its_own_dialect_and_the_policy_holds(library: Library, dialect: str) -> None:
    build(library, "mine: own words; other: strange words")
    host = Host(library, tuple(DIALECTS.values()))
    host.start()
    _, reader = library.agents.add(
        "ann", dialect=dialect, access=Access.READ, entity="mine", author=PERSON, origin="window"
    )
    _, writer = library.agents.add("bob", dialect=dialect, author=PERSON, origin="window")

    async def work() -> None:
        before = library.journal.head()
        async with over_http(host, dialect, reader) as client:
            names, read, _ = await looked_at(client, dialect)
        assert set(names) <= named(dialect)
        assert "strange" not in read
        assert "other" not in read
        assert library.journal.head() == before
        async with over_http(host, dialect, writer) as client:
            names, read, _ = await looked_at(client, dialect)
        assert set(names) == named(dialect)
        assert "strange" in read or "other" in read
        assert library.journal.head() > before

    try:
        asyncio.run(asyncio.wait_for(work(), BOUND))
    finally:
        assert host.stop()


@EVERY
def test_the_flags_of_the_command_hold(library: Library, dialect: str) -> None:
    build(library, "mine: own words; other: strange words")

    async def work() -> None:
        before = library.journal.head()
        async with over_stdio(library.path, dialect, "--read-only", "--scope", "mine") as client:
            names, read, _ = await looked_at(client, dialect)
        assert set(names) <= named(dialect)
        assert "strange" not in read
        assert "other" not in read
        assert [x.deed for x in library.journal.after(before) if x.subject == "memory"] == []
        async with over_stdio(library.path, dialect) as client:
            names, read, _ = await looked_at(client, dialect)
        assert set(names) == named(dialect)
        assert "strange" in read or "other" in read
        assert "new" in {str((x.snapshot or {}).get("content")) for x in library.journal.newest(5)}

    asyncio.run(asyncio.wait_for(work(), BOUND))
