"""Real clients of both protocol eras reach a running host through the command, and outlive it."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncGenerator, Coroutine, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters, types
from mcp.shared.exceptions import MCPError

from agents.echo import House
from doors.playing import BOUND
from remembrancer.agents.host import Host
from remembrancer.core.author import PERSON, Access
from remembrancer.service.library import Library

JOURNAL = "memory://journal"
BY_PERSON: Any = {"author": PERSON, "origin": "window"}

eras = pytest.mark.parametrize("mode", ["auto", "legacy"])

# A host in a process of its own, which says when it is ready and when a call of `wait` has begun.
ELSEWHERE = """
import sys
from agents.echo import Echo
from remembrancer.agents.host import Host
from remembrancer.service.library import Library
with Library.open(sys.argv[1]) as library:
    echo = Echo(library)
    host = Host(library, [lambda library: echo])
    host.start()
    assert host.wait_until_ready(60)
    print("ready", flush=True)
    echo.waiting.wait()
    print("waiting", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def house(store_path: Path) -> Iterator[House]:
    with Library.open(store_path) as library:
        anna, token = library.agents.add("anna", **BY_PERSON)
        yield House(library, anna, token, "")


@pytest.fixture
def host(house: House) -> Iterator[Host]:
    host = house.host()
    host.start()
    assert host.wait_until_ready(BOUND)
    yield host
    assert host.stop()


def bounded(work: Coroutine[Any, Any, Any]) -> None:
    asyncio.run(asyncio.wait_for(work, 2 * BOUND))


@asynccontextmanager
async def client_of(
    store: Path, mode: Any, *flags: str, name: str = "raven", **more: Any
) -> AsyncGenerator[Client]:
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "remembrancer", "--store", str(store), "mcp", *flags],
        env=dict(os.environ),
    )
    info = types.Implementation(name=name, version="2")
    async with Client(server, mode=mode, client_info=info, **more) as client:
        yield client


async def said(client: Client, tool: str, **arguments: Any) -> str:
    (block,) = (await client.call_tool(tool, arguments)).content
    assert isinstance(block, types.TextContent)
    return block.text


@eras
def test_a_running_host_serves_and_shows_the_client(house: House, host: Host, mode: str) -> None:
    async def come_in() -> None:
        async with client_of(house.library.path, mode) as client:
            agent = house.library.agents.named("stdio")
            assert agent is not None
            assert await said(client, "whoami") == f"raven {agent.id} write en"
            assert [(c.agent, c.client) for c in host.connected()] == [("stdio", "raven 2")]
            assert "echo" in [tool.name for tool in (await client.list_tools()).tools]

    bounded(come_in())


@eras
def test_a_client_goes_on_after_a_restart_of_the_host(house: House, host: Host, mode: str) -> None:
    async def go_on() -> None:
        async with client_of(house.library.path, mode) as client:
            before = await said(client, "whoami")
            for _ in range(2):
                assert await asyncio.to_thread(host.restart, host.port or 0)
                assert await said(client, "whoami") == before
            await asyncio.to_thread(host.stop)
            asked = asyncio.create_task(said(client, "echo", text="late"))
            await asyncio.to_thread(host.start, 0)
            assert await asked == "late"

    bounded(go_on())


@eras
def test_the_flags_are_enforced(house: House, host: Host, mode: str) -> None:
    async def be_bound() -> None:
        flags = ("--read-only", "--language", "de", "--dialect", "memo", "--scope", "cellar")
        async with client_of(house.library.path, mode, *flags) as client:
            assert (await said(client, "whoami")).endswith(" read de")
            assert "writers_only" not in [tool.name for tool in (await client.list_tools()).tools]
            with pytest.raises(MCPError, match="Resource not found"):
                await client.read_resource(JOURNAL)
        assert house.made[1].name == "memo"

    bounded(be_bound())


def test_two_clients_are_served_at_once(house: House, host: Host) -> None:
    async def both() -> None:
        path = house.library.path
        async with (
            client_of(path, "auto", name="raven") as raven,
            client_of(path, "legacy", "--read-only", name="owl") as owl,
        ):
            waiting = asyncio.create_task(said(raven, "wait"))
            assert (await said(owl, "whoami")).split()[::2] == ["owl", "read"]
            assert sorted(c.client for c in host.connected()) == ["owl 2", "raven 2"]
            house.made[0].go_on.set()
            assert await waiting == "went on"

    bounded(both())


async def _told(house: House, heard: asyncio.Event, mark: str) -> None:
    """Change something until it is heard, because a stream may still be opening."""
    for count in range(100):
        house.remember(f"{mark} {count}")
        try:
            await asyncio.wait_for(heard.wait(), 0.5)
        except TimeoutError:
            continue
        return


def test_a_client_of_2026_that_listens_is_told(house: House, host: Host) -> None:
    async def listen() -> None:
        heard = asyncio.Event()
        async with (
            client_of(house.library.path, "auto") as client,
            client.listen(resource_subscriptions=[JOURNAL]) as events,
        ):
            changing = asyncio.create_task(_told(house, heard, "thing"))
            event = await anext(aiter(events))
            heard.set()
            await changing
            assert getattr(event, "uri", None) == JOURNAL

    bounded(listen())


@pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")
def test_an_earlier_client_that_subscribed_is_told_after_a_restart_too(
    house: House, host: Host
) -> None:
    async def subscribe() -> None:
        heard = asyncio.Event()

        async def note(message: Any) -> None:
            if getattr(message, "method", "") == "notifications/resources/updated":
                heard.set()

        async with client_of(house.library.path, "legacy", message_handler=note) as client:
            await client.subscribe_resource(JOURNAL)
            await _told(house, heard, "before")
            assert heard.is_set()
            heard.clear()
            await asyncio.to_thread(host.restart, host.port or 0)
            await said(client, "echo", text="hi")
            await _told(house, heard, "after")
            assert heard.is_set()

    bounded(subscribe())


def elsewhere(store: Path) -> subprocess.Popen[str]:
    tests = str(Path(__file__).parents[1])
    path = os.pathsep.join([tests, *filter(None, [os.environ.get("PYTHONPATH")])])
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, "-c", ELSEWHERE, str(store)],
        stdin=pipe, stdout=pipe, encoding="utf-8", env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip


@eras
@pytest.mark.skipif(os.name == "nt", reason="there is no such signal")
def test_a_call_in_the_middle_of_which_its_host_was_killed_is_answered_by_the_next(
    house: House, mode: str
) -> None:
    with elsewhere(house.library.path) as killed:
        assert killed.stdout is not None
        output = killed.stdout
        assert output.readline() == "ready\n"

        async def outlive() -> None:
            async with client_of(house.library.path, mode) as client:
                lost = asyncio.create_task(said(client, "wait"))
                assert await asyncio.to_thread(output.readline) == "waiting\n"
                killed.send_signal(signal.SIGKILL)
                host = house.host()
                host.start()
                assert await asyncio.to_thread(host.wait_until_ready, BOUND)
                house.made[0].go_on.set()
                assert await lost == "went on"
                assert await said(client, "echo", text="again") == "again"
                assert await asyncio.to_thread(host.stop)

        bounded(outlive())


@eras
def test_without_a_host_the_command_serves_the_store_under_the_same_policy(
    house: House, mode: str
) -> None:
    agent, _ = house.library.agents.add("stdio", **BY_PERSON)

    async def write(client: Client, name: str) -> bool:
        entity = {"name": name, "entityType": "thing", "observations": []}
        result = await client.call_tool("memory_create_entities", {"entities": [entity]})
        return not result.is_error

    async def serve() -> None:
        async with client_of(house.library.path, mode) as client:
            assert await write(client, "desk")
            line = house.library.journal.after(house.library.journal.head() - 1)[0]
            assert line.author == "raven"
            house.library.agents.change(
                agent.id, access=Access.READ, dialect="native", entity=None, **BY_PERSON
            )
            assert not await write(client, "lamp")
            house.library.agents.revoke(agent.id, **BY_PERSON)
            with pytest.raises(MCPError, match="was revoked"):
                await client.list_tools(cache_mode="bypass")

    bounded(serve())


def test_an_agent_that_was_revoked_is_told_so_before_anything_else(house: House) -> None:
    agent, _ = house.library.agents.add("stdio", **BY_PERSON)
    house.library.agents.revoke(agent.id, **BY_PERSON)
    command = [sys.executable, "-m", "remembrancer", "mcp", "--store", str(house.library.path)]
    done = subprocess.run(command, input=b"", capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"remembrancer: The agent 'stdio' was revoked" in done.stderr
