"""Everything ends in good time, whatever is under way; clients go on with what comes after it."""

from __future__ import annotations

import asyncio
import sys
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, types
from mcp.client.streamable_http import streamable_http_client

from agents.test_host import bounded
from faults import stopping
from faults.serving import BOUND, Served

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells by /proc")
long = pytest.mark.long


@pytest.mark.parametrize("bridged", [False, pytest.param(True, marks=long)])
def test_a_server_ends_with_its_input_although_a_call_does_not(bridged: bool) -> None:
    row = stopping.without_input(bridged)
    assert row.held, row


@pytest.mark.parametrize("bridged", [False, True])
def test_a_server_ends_with_its_parent_although_its_input_does_not(bridged: bool) -> None:
    row = stopping.without_parent(bridged)
    assert row.held, row


@pytest.mark.parametrize(
    ("door", "name"),
    [
        ("window", "SIGTERM"),
        pytest.param("window", "SIGINT", marks=long),
        pytest.param("serve", "SIGTERM", marks=long),
        pytest.param("serve", "SIGINT", marks=long),
    ],
)
def test_a_host_ends_when_it_is_told_to_whoever_is_connected(door: str, name: str) -> None:
    row = stopping.told(door, name)
    assert row.held, row


def test_a_host_that_comes_and_goes_leaves_nothing_behind() -> None:
    assert [row for row in stopping.restarted(3) if not row.held] == []


def test_the_log_of_the_file_stays_small_and_goes_with_the_store() -> None:
    assert [row for row in stopping.log_size(80) if not row.held] == []


@long
def test_everything_holds_with_full_counts() -> None:
    assert [row for row in stopping.measure() if not row.held] == []


def test_clients_of_both_eras_survive_the_end_of_the_program_that_served_them(
    tmp_path: Path,
) -> None:
    async def survive() -> None:
        served = Served(tmp_path)
        async with AsyncExitStack() as stack:
            clients = [await _client(stack, served, mode) for mode in ("auto", "legacy")]
            for client in clients:
                assert not (await client.call_tool("memory_read_graph", {})).is_error
            assert await asyncio.to_thread(served.end) == 0
            again = await asyncio.to_thread(lambda: Served(tmp_path, port=served.port))
            assert again.port == served.port
            for client in clients:
                assert not (await client.call_tool("memory_read_graph", {})).is_error
                assert (await client.list_tools(cache_mode="bypass")).tools
        await asyncio.to_thread(again.end)

    bounded(survive())


async def _client(stack: AsyncExitStack, served: Served, mode: Any) -> Client:
    headers = {"authorization": f"Bearer {served.token}"}
    http = await stack.enter_async_context(httpx2.AsyncClient(headers=headers, timeout=BOUND))
    transport = streamable_http_client(served.address, http_client=http)
    info = types.Implementation(name="raven", version="2.1")
    return await stack.enter_async_context(Client(transport, mode=mode, client_info=info))
