"""A host keeps its counsel: limits for everybody, only this machine, only this user's files."""

from __future__ import annotations

import asyncio
import os
import re
import socket
import stat
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from agents.echo import BOUND, House
from agents.test_gate import ANNA, GOOD, PATHS, PORT
from agents.test_host import ask, bounded, client_of, said
from faults import flood
from faults.serving import Served
from remembrancer.agents import doorway
from remembrancer.agents.crowd import Crowd, Full, Limits, Turns
from remembrancer.agents.gate import Gate
from remembrancer.agents.host import Host

linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells by /proc")


# --- turns


def test_who_comes_on_top_waits_for_a_turn() -> None:
    order: list[str] = []

    async def take_turns() -> None:
        turns = Turns(Limits(1, 10, BOUND))
        first = asyncio.Event()

        async def second() -> None:
            async with turns.turn(1):
                order.append("second")

        async with turns.turn(1):
            waiting = asyncio.create_task(second())
            await asyncio.sleep(0)
            order.append("first")
            first.set()
        await waiting

    asyncio.run(take_turns())
    assert order == ["first", "second"]


@pytest.mark.parametrize(("other", "own"), [(1, True), (2, False)])
def test_who_waits_too_long_is_told_whether_it_was_its_own_doing(other: int, own: bool) -> None:
    limits = Limits(1, 10, 0.01) if own else Limits(10, 1, 0.01)

    async def wait() -> None:
        turns = Turns(limits)
        async with turns.turn(1):
            with pytest.raises(Full) as full:
                async with turns.turn(other):
                    pass
            assert full.value.own is own
        async with turns.turn(other):
            pass

    asyncio.run(wait())


@pytest.mark.parametrize(
    ("headers", "limits"),
    [
        ({}, {"calls": Limits(0, 9, 0.01)}),
        ({"mcp-method": "subscriptions/listen"}, {"streams": Limits(0, 9, 0.01)}),
        ({"content-length": "100000"}, {"bodies": Limits(0, 9, 0.01)}),
        ({"transfer-encoding": "chunked"}, {"bodies": Limits(0, 9, 0.01)}),
    ],
)
@pytest.mark.parametrize("own", [True, False])
def test_a_request_without_a_turn_is_refused_with_a_sentence(
    headers: dict[str, str], limits: dict[str, Limits], own: bool
) -> None:
    if not own:
        limits = {sort: Limits(9, 0, 0.01) for sort in limits}
    sent: list[Any] = []

    async def inner(*_: Any) -> None:
        raise AssertionError("it came in")

    async def receive() -> Any:
        return {"type": "http.request", "body": b"{}", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    gate = Gate(inner, PORT, PATHS, {"t0ken": ANNA}.get, crowd=Crowd(**limits))
    raw = [(name.encode(), value.encode()) for name, value in (GOOD | headers).items()]
    asked = {"type": "http", "method": "POST", "path": "/mcp", "headers": raw}
    asyncio.run(gate(asked, receive, send))
    assert sent[0]["status"] == (429 if own else 503)
    assert dict(sent[0]["headers"])[b"retry-after"] == b"1"
    assert b"try again in a moment" in sent[1]["body"]


def test_many_calls_at_once_are_all_answered(house: House, host: Host) -> None:
    async def ask_at_once() -> None:
        async with client_of(host, house.token, "auto") as client:
            answers = await asyncio.gather(
                *(said(client, "echo", text=str(number)) for number in range(100))
            )
        assert answers == [str(number) for number in range(100)]

    bounded(ask_at_once())


# --- connections


def test_too_many_strangers_push_each_other_out_and_nobody_else(
    house: House, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert host.wait_until_ready(BOUND)
    monkeypatch.setattr(doorway, "MOST_STRANGERS", 3)
    known = socket.create_connection(("127.0.0.1", host.port or 0), BOUND)
    assert b"200 OK" in asked(known, host, house.token)
    strangers = [socket.create_connection(("127.0.0.1", host.port or 0), BOUND) for _ in range(5)]
    assert [each.recv(1) for each in strangers[:2]] == [b"", b""]
    assert b"200 OK" in asked(known, host, house.token)
    assert b"200 OK" in asked(strangers[4], host, house.token)
    for each in (known, *strangers):
        each.close()


def test_where_there_are_too_many_connections_an_idle_one_is_closed(
    house: House, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doorway, "MOST", 3)
    assert host.wait_until_ready(BOUND)
    known: list[socket.socket] = []
    for _ in range(5):
        known.append(socket.create_connection(("127.0.0.1", host.port or 0), BOUND))
        assert b"200 OK" in asked(known[-1], host, house.token)
    assert [each.recv(1) for each in known[:2]] == [b"", b""]
    assert b"200 OK" in asked(known[2], host, house.token)
    for each in known:
        each.close()


def asked(peer: socket.socket, host: Host, token: str) -> bytes:
    """What is answered on this very connection, which stays open."""
    lines = ["GET /health HTTP/1.1", f"Host: 127.0.0.1:{host.port}"]
    peer.sendall("\r\n".join([*lines, f"Authorization: Bearer {token}", "", ""]).encode())
    answer = b""
    while not answer.endswith(b"\r\n\r\nok"):
        answer += peer.recv(4_096)
    return answer


def test_a_client_that_does_not_read_is_closed(
    house: House, host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert host.wait_until_ready(BOUND)
    monkeypatch.setattr(doorway, "SLOWEST_READER", 0.05)
    run: Any = host._run
    run._listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4_096)
    with socket.socket() as peer:
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        peer.settimeout(BOUND)
        peer.connect(("127.0.0.1", host.port or 0))
        lines = ["GET /health HTTP/1.1", f"Host: 127.0.0.1:{host.port}"]
        one = "\r\n".join([*lines, f"Authorization: Bearer {house.token}", "", ""]).encode()
        with pytest.raises(OSError, match=r"reset|closed|Broken"):
            endlessly(peer, one * 100)


def endlessly(peer: socket.socket, told: bytes) -> None:
    while True:
        peer.sendall(told)


@linux
def test_a_flood_is_borne(tmp_path: Path) -> None:
    rows = flood.measure(half_open=40, bodies=14, slowest=0.5)
    assert [row for row in rows if not row.held] == []


@linux
@pytest.mark.long
def test_a_large_flood_is_borne() -> None:
    rows = flood.measure()
    assert [row for row in rows if not row.held] == []


# --- what lies open


def test_no_answer_is_for_a_browser_or_leads_elsewhere(house: House, host: Host) -> None:
    assert host.wait_until_ready(BOUND)
    for path in ("/mcp", "/mcp/", "/health", "/nowhere", "//evil.example/mcp"):
        for method in (b"GET", b"POST", b"OPTIONS", b"HEAD"):
            for shown in ("", f"Authorization: Bearer {house.token}\r\n"):
                answer = wired(host, method + b" " + path.encode(), shown)
                assert b"access-control-" not in answer.lower()
                assert not re.search(rb"(?im)^(location|set-cookie|server):", answer)
                assert not answer.startswith(b"HTTP/1.1 3")


def test_an_upgrade_is_no_way_in(house: House, host: Host) -> None:
    assert host.wait_until_ready(BOUND)
    upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    for shown, status in (("", b"401"), (f"Authorization: Bearer {house.token}\r\n", b"404")):
        assert status in wired(host, b"GET /nowhere", upgrade + shown).split(b"\r\n")[0]


@pytest.mark.parametrize(
    "said",
    [
        "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
        "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        "Content-Length: +2\r\n\r\n{}",
        "X-Long: " + "a" * 200_000 + "\r\n\r\n",
        "no header\r\n\r\n",
        "Host: evil.example\r\nContent-Length: 2\r\n\r\n{}",
    ],
)
def test_a_request_that_could_be_read_in_two_ways_is_refused(
    house: House, host: Host, said: str
) -> None:
    assert host.wait_until_ready(BOUND)
    shown = f"Authorization: Bearer {house.token}\r\nContent-Type: application/json\r\n"
    assert re.match(rb"HTTP/1.1 4\d\d", wired(host, b"POST /mcp", shown + said, end=""))
    assert ask(host, "/health", Authorization=f"Bearer {house.token}") == (200, b"ok")


def wired(host: Host, asked: bytes, headers: str, end: str = "\r\n") -> bytes:
    """All that is answered to a request that closes."""
    with socket.create_connection(("127.0.0.1", host.port or 0), BOUND) as peer:
        told = f" HTTP/1.1\r\nHost: 127.0.0.1:{host.port}\r\nConnection: close\r\n{headers}{end}"
        found = b""
        try:
            peer.sendall(asked + told.encode())
            while piece := peer.recv(65_536):
                found += piece
        except ConnectionError:  # what is refused need not be read to its end
            pass
        return found


@linux
@pytest.mark.parametrize("deep", [False, True])
def test_every_socket_and_every_file_is_this_users_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, deep: bool
) -> None:  # fmt: skip
    with tempfile.TemporaryDirectory() as short:
        running = Path(short, "deep" * 30 if deep else "run")  # too long a path for a socket
        running.mkdir(mode=0o700)
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(running))
        with Served(tmp_path / "data") as served:
            assert listening(served.process.pid) == {"127.0.0.1"}
            assert open_to_others(tmp_path / "data") == []
            assert open_to_others(running) == []
            sockets = [file for file in running.rglob("*") if stat.S_ISSOCK(file.stat().st_mode)]
            assert len(sockets) == (not deep)


def listening(process: int) -> set[str]:
    """The addresses of the TCP sockets at which a process listens (Linux)."""
    own = set[str]()
    for handle in Path(f"/proc/{process}/fd").iterdir():
        if (found := re.fullmatch(r"socket:\[(\d+)\]", os.readlink(handle))) is not None:
            own.add(found[1])
    addresses = set[str]()
    for family in ("tcp", "tcp6"):
        for line in Path(f"/proc/{process}/net/{family}").read_text().splitlines()[1:]:
            local, state, inode = (line.split()[field] for field in (1, 3, 9))
            if state == "0A" and inode in own:
                raw = bytes.fromhex(local.split(":")[0])
                addresses.add(socket.inet_ntoa(raw[::-1]) if family == "tcp" else "tcp6")
    return addresses


def open_to_others(folder: Path) -> list[str]:
    """What lies in a folder that others than this user may touch."""
    return [
        f"{stat.filemode(file.lstat().st_mode)} {file.relative_to(folder)}"
        for file in folder.rglob("*")
        if not file.is_symlink() and file.stat().st_mode & 0o077
    ]
