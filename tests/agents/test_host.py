"""The host serves agents of both protocol eras on a loopback port, and comes and goes cleanly."""

from __future__ import annotations

import asyncio
import http.client
import json
import socket
import subprocess
import sys
import threading
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest
from mcp import Client, types
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from agents.echo import BOUND, Echo, House
from remembrancer.agents.host import Host, PortInUse, State
from remembrancer.core.author import PERSON, Access
from remembrancer.service.library import Library

JOURNAL = "memory://journal"
BY_PERSON: Any = {"author": PERSON, "origin": "window"}

eras = pytest.mark.parametrize("mode", ["auto", "legacy"])


def bounded(work: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(asyncio.wait_for(work, BOUND))


@asynccontextmanager
async def client_of(
    host: Host, token: str, mode: Any, path: str = "", name: str = "raven", **more: Any
) -> AsyncGenerator[Client]:
    info = types.Implementation(name=name, version="2.1")
    headers = {"authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(headers=headers, timeout=BOUND) as http_client:
        transport = streamable_http_client(f"{host.address}{path}", http_client=http_client)
        async with Client(transport, mode=mode, client_info=info, **more) as client:
            yield client


async def said(client: Client, tool: str, **arguments: Any) -> str:
    result = await client.call_tool(tool, arguments)
    assert isinstance(result.content[0], types.TextContent)
    return result.content[0].text


def ask(host: Host, path: str, method: str = "GET", **headers: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", host.port, timeout=BOUND)
    connection.request(method, path, headers=headers)
    response = connection.getresponse()
    answer = response.status, response.read()
    connection.close()
    return answer


# --- coming and going


def test_it_starts_stops_and_starts_again_at_the_same_port_leaving_nothing_behind(
    house: House,
) -> None:
    before = {thread.ident for thread in threading.enumerate()}
    states: list[State] = []
    host = Host(house.library, [Echo], states.append)
    port = host.start()
    for _ in range(5):
        assert host.wait_until_ready(BOUND)
        assert host.address == f"http://127.0.0.1:{port}/mcp"
        assert ask(host, "/health", Authorization=f"Bearer {house.token}") == (200, b"ok")
        assert host.restart(port) == port
    assert host.stop()
    assert not host.running
    assert host.address is None
    assert host.connected() == []
    assert {thread.ident for thread in threading.enumerate()} <= before
    assert states.count(State.RUNNING) >= 5
    assert states[-1] is State.STOPPED


def test_a_port_in_use_is_told_at_once_in_a_sentence(house: House, host: Host) -> None:
    second = Host(house.library, [Echo])
    with pytest.raises(PortInUse) as refused:
        second.start(host.port or 0)
    assert str(refused.value) == (
        f"Port {host.port} is in use by another program; choose another port or close that program."
    )
    assert not second.running


def test_a_number_that_is_no_port_is_told_in_a_sentence(house: House) -> None:
    with pytest.raises(PortInUse, match="70000 is not a port; choose one from 1 to 65535"):
        Host(house.library, [Echo]).start(70000)


def test_a_restart_that_cannot_have_its_port_leaves_the_host_as_it_was(
    house: House, host: Host
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(PortInUse):
            host.restart(taken.getsockname()[1])
    assert host.wait_until_ready(BOUND)
    assert ask(host, "/health", Authorization=f"Bearer {house.token}")[0] == 200


def test_a_restart_moves_to_another_port(house: House, host: Host) -> None:
    before = host.port
    host.restart(0)
    assert host.wait_until_ready(BOUND)
    assert host.port != before
    assert ask(host, "/health", Authorization=f"Bearer {house.token}")[0] == 200


def test_a_dialect_that_cannot_be_made_fails_the_host_and_not_the_program(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(library: Library) -> Echo:
        raise RuntimeError("no words")

    host = Host(house.library, [broken])
    host.start()
    assert not host.wait_until_ready(BOUND)
    assert host.state is State.FAILED
    assert "no words" in caplog.text
    assert host.stop()


def test_it_stops_while_a_call_is_running(house: House) -> None:
    host = house.host()
    host.start()

    async def call_and_stop() -> None:
        async with client_of(host, house.token, "auto") as client:
            waiting = asyncio.create_task(client.call_tool("wait", {}))
            await asyncio.to_thread(house.made[0].waiting.wait, BOUND)
            stopping = asyncio.create_task(asyncio.to_thread(host.stop))
            house.made[0].go_on.set()
            assert await stopping
            await asyncio.wait({waiting})
            waiting.exception()

    bounded(call_and_stop())
    assert not any(thread.name.startswith("agents-") for thread in threading.enumerate())


def test_loading_the_host_does_not_load_what_serves() -> None:
    code = "import sys, remembrancer.agents.host; print({'mcp', 'uvicorn'} & {*sys.modules})"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert loaded.stdout.strip() == b"set()"


def test_somebody_who_watches_and_fails_does_not_stop_the_host(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    def watch(state: State) -> None:
        raise RuntimeError("no eyes")

    host = Host(house.library, [Echo], watch)
    host.start()
    assert host.wait_until_ready(BOUND)
    assert host.stop()
    assert "no eyes" in caplog.text


# --- who comes in


@pytest.mark.parametrize("path", ["/mcp", "/mcp/memo", "/health", "/nowhere", "/"])
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE", "OPTIONS"])
def test_every_route_wants_a_token(host: Host, path: str, method: str) -> None:
    assert ask(host, path, method) == (401, b"token required")


def test_with_a_token_an_unknown_path_is_not_found(house: House, host: Host) -> None:
    assert ask(host, "/nowhere", Authorization=f"Bearer {house.token}") == (404, b"not found")


def test_a_browser_is_refused_whatever_it_knows(house: House, host: Host) -> None:
    token = {"Authorization": f"Bearer {house.token}"}
    assert ask(host, "/health", **token, Origin=f"http://127.0.0.1:{host.port}")[0] == 403
    assert ask(host, "/health", **token, Host=f"evil.example:{host.port}")[0] == 421


def test_headers_that_do_not_end_close_the_connection(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert host.wait_until_ready(BOUND)
    monkeypatch.setattr("remembrancer.agents.doorway.SLOWEST_HEADERS", 0.05)
    for started in (b"", b"POST /mcp HT", b"GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1"):
        with socket.create_connection(("127.0.0.1", host.port or 0), BOUND) as slow:
            slow.sendall(started)
            while slow.recv(4096):
                pass


@eras
def test_a_token_opens_its_own_dialect_only(house: House, host: Host, mode: str) -> None:
    async def come_in() -> None:
        async with client_of(host, house.memo_token, mode, "/memo") as client:
            assert (await said(client, "whoami")).startswith("raven 2 write")
        with pytest.raises(BaseException):  # noqa: B017
            async with client_of(host, house.memo_token, mode) as client:
                await client.list_tools()

    bounded(come_in())


@eras
def test_the_client_gives_the_name_and_the_token_the_policy(
    house: House, host: Host, mode: str
) -> None:
    async def come_in() -> None:
        async with client_of(host, house.token, mode, name="ro\u202even\nking") as client:
            assert await said(client, "whoami") == "ro ven king 1 write de"
            assert [each.client for each in host.connected()] == ["ro ven king 2.1"]
            assert [each.agent for each in host.connected()] == ["anna"]
        agent = house.library.agents.get(house.anna.id)
        assert (agent.client_name, agent.client_version) == ("ro ven king", "2.1")

    bounded(come_in())


@eras
def test_a_changed_policy_counts_from_the_next_request_on(
    house: House, host: Host, mode: str
) -> None:
    async def be_changed() -> None:
        async with client_of(host, house.token, mode) as client:
            assert await said(client, "writers_only") == "written"
            house.library.agents.change(
                1, access=Access.READ, dialect="native", entity="cellar", **BY_PERSON
            )
            with pytest.raises(MCPError, match="Unknown tool: writers_only"):
                await client.call_tool("writers_only", {})
            listed = await client.list_tools(cache_mode="bypass")
            assert "writers_only" not in [tool.name for tool in listed.tools]
            with pytest.raises(MCPError, match="Resource not found"):
                await client.read_resource(JOURNAL)

    bounded(be_changed())


def test_a_revoked_token_opens_nothing_any_more(house: House, host: Host) -> None:
    token = {"Authorization": f"Bearer {house.token}"}
    assert ask(host, "/health", **token)[0] == 200
    house.library.agents.revoke(house.anna.id, **BY_PERSON)
    assert ask(host, "/health", **token)[0] == 401


# --- what is answered


@eras
def test_a_call_is_checked_run_and_answered(house: House, host: Host, mode: str) -> None:
    async def call() -> None:
        async with client_of(host, house.token, mode) as client:
            assert await said(client, "echo", text=" hi ", times=2) == "hihi"
            assert await said(client, "echo", text="too long") == (
                'Error: "text" must be text of at most 5 characters, but was the text "too long".'
            )
            assert await said(client, "fail", how="expected") == "Error: There is no such thing."
            assert await said(client, "half") == "a?b"
            with pytest.raises(MCPError, match="Unknown tool: nothing") as unknown:
                await client.call_tool("nothing", {})
            assert unknown.value.error.code == types.INVALID_PARAMS

    bounded(call())


@eras
def test_a_fault_of_ours_is_logged_and_not_shown(
    house: House, host: Host, mode: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def call() -> None:
        async with client_of(host, house.token, mode) as client:
            assert await said(client, "fail", how="unexpected") == (
                "Error: The call failed inside Remembrancer; nothing was changed. "
                "The log has the details."
            )

    bounded(call())
    assert "ZeroDivisionError" in caplog.text


@eras
def test_resources_are_listed_and_read(house: House, host: Host, mode: str) -> None:
    async def read() -> None:
        async with client_of(host, house.token, mode) as client:
            listed = await client.list_resources()
            assert [each.uri for each in listed.resources] == [JOURNAL, "memory://echo"]
            assert (await client.list_resource_templates()).resource_templates == []
            assert await text_of(client, "memory://echo") == "memory://echo for raven"
            newest = json.loads(await text_of(client, JOURNAL))[0]
            assert newest["deed"] == "add agent"
            assert newest["author"] == "you"
            with pytest.raises(MCPError, match="Resource not found"):
                await client.read_resource("memory://nothing")

    bounded(read())


async def text_of(client: Client, uri: str) -> str:
    contents = (await client.read_resource(uri)).contents[0]
    assert isinstance(contents, types.TextResourceContents)
    return contents.text


@eras
def test_a_call_that_was_cancelled_leaves_the_others_alone(
    house: House, host: Host, mode: str
) -> None:
    async def cancel() -> None:
        async with client_of(host, house.token, mode) as client:
            waiting = asyncio.create_task(client.call_tool("wait", {}))
            await asyncio.to_thread(house.made[0].waiting.wait, BOUND)
            waiting.cancel()
            assert await said(client, "echo", text="still") == "still"
            house.made[0].go_on.set()
            assert await said(client, "wait") == "went on"

    bounded(cancel())


# --- being told of changes


async def told(house: House, change: Callable[[int], None], heard: asyncio.Event) -> None:
    """Change something until it is heard, because a stream may still be opening."""
    for count in range(1000):
        change(count)
        try:
            await asyncio.wait_for(heard.wait(), 0.5)
        except TimeoutError:
            continue
        return


def change_here(house: House) -> Callable[[int], None]:
    return lambda count: house.remember(f"thing {count}")


def change_elsewhere(house: House) -> Callable[[int], None]:
    def change(count: int) -> None:
        with Library.open(house.library.path) as other:
            House(other, house.anna, "", "").remember(f"thing {count}")

    return change


places = pytest.mark.parametrize("place", [change_here, change_elsewhere])
Place = Callable[[House], Callable[[int], None]]


@places
@pytest.mark.parametrize("uri", [JOURNAL, "memory://echo"])
def test_a_client_of_2026_that_listens_is_told(
    house: House, host: Host, place: Place, uri: str
) -> None:
    async def listen() -> None:
        heard = asyncio.Event()
        async with (
            client_of(host, house.token, "auto") as client,
            client.listen(resource_subscriptions=[uri]) as events,
        ):
            changing = asyncio.create_task(told(house, place(house), heard))
            event = await anext(aiter(events))
            heard.set()
            await changing
            assert getattr(event, "uri", None) == uri

    bounded(listen())


@places
@pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")
def test_an_earlier_client_that_subscribed_is_told(house: House, host: Host, place: Place) -> None:
    async def subscribe() -> None:
        heard = asyncio.Event()

        async def note(message: Any) -> None:
            if getattr(message, "method", "") == "notifications/resources/updated":
                heard.set()

        async with client_of(host, house.token, "legacy", message_handler=note) as client:
            await client.subscribe_resource(JOURNAL)
            await told(house, place(house), heard)
            assert heard.is_set()
            await client.unsubscribe_resource(JOURNAL)

    bounded(subscribe())


def test_listening_ends_on_purpose_when_the_host_stops(house: House, host: Host) -> None:
    async def listen() -> None:
        async with (
            client_of(host, house.token, "auto") as client,
            client.listen(resource_subscriptions=[JOURNAL]) as events,
        ):
            stopping = asyncio.create_task(asyncio.to_thread(host.stop))
            assert [event async for event in events] == []
            assert await stopping

    bounded(listen())


# --- sessions that outlive a restart


def test_an_earlier_client_goes_on_after_a_restart_under_its_own_name(
    house: House, host: Host
) -> None:
    async def go_on() -> None:
        async with client_of(host, house.token, "legacy") as client:
            assert (await said(client, "whoami")).startswith("raven 1")
            assert host.port is not None
            assert await asyncio.to_thread(host.restart, host.port)
            assert (await said(client, "whoami")).startswith("raven 1")
            assert await said(client, "echo", text="again") == "again"
            assert [each.client for each in host.connected()] == ["raven 2.1"]

    bounded(go_on())


def test_a_session_is_nobody_elses(house: House, host: Host) -> None:
    _, other = house.library.agents.add("eve", **BY_PERSON)
    headers = {
        "authorization": f"Bearer {house.token}",
        "accept": "application/json, text/event-stream",
    }
    hello = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "raven", "version": "1"},
    }
    with httpx2.Client(headers=headers, timeout=BOUND) as client:
        url = host.address or ""
        opened = client.post(url, json=call("initialize", hello))
        session = {"mcp-session-id": opened.headers["mcp-session-id"]}
        assert client.post(url, json=call("tools/list"), headers=session).status_code == 200
        stolen = {**session, "authorization": f"Bearer {other}"}
        assert client.post(url, json=call("tools/list"), headers=stolen).status_code == 404
        host.restart(host.port or 0)
        assert client.post(url, json=call("tools/list"), headers=stolen).status_code == 404
        assert client.get(url, headers=session).status_code == 405
        assert client.post(url, json=call("tools/list"), headers=session).status_code == 200
        assert client.delete(url, headers=session).status_code == 200
        assert client.post(url, json=call("tools/list"), headers=session).status_code == 404


def call(method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}
