"""Calls per second over HTTP (both protocol eras) and stdio, one connection at a time."""

from __future__ import annotations

import asyncio
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx2
from common import ME, store, words
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from remembrancer.agents.dialects import DIALECTS
from remembrancer.agents.host import Host
from remembrancer.service.graph import NewEntity
from remembrancer.service.library import Library

CALLS = 200


async def measure(name: str, client: Client) -> None:
    """Print medians and rates of three calls, one after the other on one connection."""
    vocabulary = words()
    number = iter(range(10**6))

    async def recall() -> object:
        query = " ".join(vocabulary[300 + next(number) % 4_000 :][:3])
        return await client.call_tool("memory_recall", {"query": query})

    async def scope() -> object:
        return await client.call_tool("memory_get_scope", {"entityName": "bench"})

    async def remember() -> object:
        text = f"{name} remembers {time.time_ns()}"
        return await client.call_tool("memory_remember", {"entityName": "bench", "content": text})

    for what, call in (("get_scope", scope), ("recall", recall), ("remember", remember)):
        await _row(f"{name} {what}", call)


async def _row(name: str, call: Callable[[], Awaitable[object]]) -> None:
    await call()
    found: list[float] = []
    for _ in range(CALLS):
        began = time.perf_counter()
        await call()
        found.append((time.perf_counter() - began) * 1_000)
    found.sort()
    p95 = found[int(len(found) * 0.95)]
    rate = CALLS / (sum(found) / 1_000)
    print(f"{name:<28}{statistics.median(found):8.2f} {p95:8.2f} ms {rate:8.0f} calls/s")


async def over_http(address: str, token: str) -> None:
    """Both eras over HTTP."""
    headers = {"authorization": f"Bearer {token}"}
    for mode in ("auto", "legacy"):
        async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
            transport = streamable_http_client(address, http_client=http)
            async with Client(transport, mode=mode) as client:
                await measure(f"HTTP {mode}", client)


async def over_stdio(path: Path) -> None:
    """A server of its own on stdio, over the same store."""
    arguments = ["-m", "remembrancer", "mcp", "--store", str(path)]
    alone = {**os.environ, "REMEMBRANCER_DIRECT": "1"}
    server = StdioServerParameters(command=sys.executable, args=arguments, env=alone)
    async with Client(server) as client:
        await measure("stdio", client)


def main(memories: int) -> None:
    """Measure every way in, on a copy of a store of that size."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(shutil.copy(store(memories), folder))
        with Library.open(path) as library:
            library.graph.create([NewEntity("bench", "thing")], **ME)
            _, token = library.agents.add("bench", **ME)
            host = Host(library, tuple(DIALECTS.values()))
            host.start()
            print(f"{memories:,} memories{'median':>19} {'p95':>8}")
            asyncio.run(over_http(host.address or "", token))
            asyncio.run(over_stdio(path))
            host.stop()


main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
