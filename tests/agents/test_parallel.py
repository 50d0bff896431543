"""Many agents write at once, in one session and in several processes: every word is kept."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from remembrancer.agents.dialects import DIALECTS
from remembrancer.agents.host import Host
from remembrancer.core.author import PERSON
from remembrancer.service.library import Library

SESSION, PROCESSES, EACH = 50, 4, 25
BOUND = 120


async def create(client: Client, name: str) -> None:
    entity = {"name": name, "entityType": "thing", "observations": [f"{name} is kept"]}
    result = await client.call_tool("memory_create_entities", {"entities": [entity]})
    assert not result.is_error, result.content


async def one_session(address: str, token: str) -> None:
    headers = {"authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=BOUND) as http,
        Client(streamable_http_client(address, http_client=http)) as client,
    ):
        await asyncio.gather(*(create(client, f"session {n}") for n in range(SESSION)))


async def one_process(store: Path, number: int) -> None:
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "remembrancer", "mcp", "--store", str(store)],
        env={**os.environ, "REMEMBRANCER_DIRECT": "1"},  # a writer of its own, not the host's
    )
    async with Client(server) as client:
        await asyncio.gather(*(create(client, f"process {number} {n}") for n in range(EACH)))


async def everybody(address: str, token: str, store: Path) -> None:
    processes = (one_process(store, n) for n in range(PROCESSES))
    await asyncio.wait_for(asyncio.gather(one_session(address, token), *processes), BOUND)


def test_fifty_in_one_session_and_four_processes_of_twenty_five_lose_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REMEMBRANCER_HOME", str(tmp_path))
    with Library.open(tmp_path / "memories.db") as library:
        _, token = library.agents.add("anna", author=PERSON, origin="window")
        host = Host(library, tuple(DIALECTS.values()))
        host.start()
        try:
            asyncio.run(everybody(host.address or "", token, library.path))
        finally:
            host.stop()
        nodes = library.graph.read().nodes
        assert len(nodes) == SESSION + PROCESSES * EACH
        assert all(n.observations == (f"{n.entity.name} is kept",) for n in nodes)
        sequences = [line.sequence for line in library.journal.after(0)]
        assert sequences == list(range(1, library.journal.head() + 1))
        assert library.upkeep.problems() == []
