"""Nobody comes through the gate but an agent with its token, at its dialect, in good time."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

import pytest

from remembrancer.agents.gate import LARGEST_BODY, Gate
from remembrancer.agents.presence import AGENT
from remembrancer.core.author import Access, Agent

PORT = 4711
PATHS = {"/mcp": "native", "/mcp/memo": "memo"}
ANNA = Agent(7, "anna", "", "", Access.WRITE, "native", None, "en", None, None, None, None)
GOOD = {
    "host": f"127.0.0.1:{PORT}",
    "authorization": "Bearer t0ken",
    "content-type": "application/json",
}

EVERYWHERE = ["/mcp", "/mcp/memo", "/health", "/nowhere", "/", "/mcp/"]

REFUSED: list[tuple[dict[str, str], int]] = [
    ({"host": "evil.example"}, 421),
    ({"host": "127.0.0.1"}, 421),
    ({"host": f"127.0.0.1:{PORT + 1}"}, 421),
    ({"host": "127.0.0.1:evil"}, 421),
    ({"host": ""}, 421),
    ({"origin": f"http://127.0.0.1:{PORT}"}, 403),
    ({"origin": "null"}, 403),
    ({"origin": ""}, 403),
    ({"sec-fetch-site": "same-origin"}, 403),
    ({"sec-fetch-site": "cross-site"}, 403),
    ({"host": f"[::1]:{PORT}"}, 421),
    ({"content-encoding": "gzip"}, 415),
    ({"content-type": ""}, 415),
    ({"content-type": "text/plain"}, 415),
    ({"content-type": "text/plain, application/json"}, 415),
    ({"content-type": "application/x-www-form-urlencoded"}, 415),
    ({"content-length": "2", "transfer-encoding": "chunked"}, 400),
    ({"content-length": "-1"}, 400),
    ({"content-length": "1e3"}, 400),
    ({"content-length": "9" * 30}, 400),
    ({"content-length": str(LARGEST_BODY + 1)}, 413),
    ({"authorization": ""}, 401),
    ({"authorization": "Bearer"}, 401),
    ({"authorization": "Bearer "}, 401),
    ({"authorization": "Bearer wrong"}, 401),
    ({"authorization": "Basic t0ken"}, 401),
    ({"authorization": "t0ken"}, 401),
    ({"authorization": "Bearer " + "t" * 300}, 401),
    ({"authorization": "Bearer t\xf6ken"}, 401),
]


class Inner:
    """What stands behind the gate: it takes the whole request and notes it."""

    def __init__(self) -> None:
        self.agents: list[Agent] = []
        self.bodies: list[bytes] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.agents.append(scope[AGENT])
        if scope["method"] == "POST":
            self.bodies.append((await receive())["body"])
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"in"})


class Door:
    """A gate with somebody who knocks at it."""

    def __init__(self, slowest_body: float = 10.0) -> None:
        self.inner = Inner()
        self.gate = Gate(self.inner, PORT, PATHS, {"t0ken": ANNA}.get, slowest_body)

    def knock(
        self,
        headers: Iterable[tuple[str, str]],
        path: str = "/mcp",
        method: str = "POST",
        pieces: Iterable[bytes] = (b"{}",),
        ends: bool = True,
    ) -> tuple[int, dict[bytes, bytes], bytes]:
        raw = [(name.encode(), value.encode("latin-1")) for name, value in headers]
        scope = {"type": "http", "method": method, "path": path, "headers": raw}
        waiting: list[Any] = [
            {"type": "http.request", "body": piece, "more_body": True} for piece in pieces
        ]
        waiting += [{"type": "http.request", "body": b"", "more_body": False}] if ends else []
        sent: list[Any] = []

        async def receive() -> Any:
            return waiting.pop(0) if waiting else await asyncio.Event().wait()

        async def send(message: Any) -> None:
            sent.append(message)

        asyncio.run(self.gate(scope, receive, send))
        start, body = sent
        return start["status"], dict(start["headers"]), body["body"]


@pytest.fixture
def door() -> Door:
    return Door()


def test_an_agent_with_its_token_comes_in(door: Door) -> None:
    assert door.knock(GOOD.items())[0] == 200
    assert door.inner.agents == [ANNA]
    assert door.inner.bodies == [b"{}"]


@pytest.mark.parametrize(
    "change",
    [
        {"host": f"LocalHost:{PORT}"},
        {"sec-fetch-site": "none"},
        {"content-type": "Application/JSON ; charset=utf-8"},
    ],
)
def test_other_spellings_of_a_good_request_come_in(door: Door, change: dict[str, str]) -> None:
    assert door.knock((GOOD | change).items())[0] == 200


@pytest.mark.parametrize(("change", "status"), REFUSED)
def test_a_stranger_is_refused(door: Door, change: dict[str, str], status: int) -> None:
    assert door.knock((GOOD | change).items())[0] == status
    assert door.inner.agents == []


@pytest.mark.parametrize("name", ["host", "authorization", "content-length", "content-type"])
def test_a_header_that_comes_twice_is_refused(door: Door, name: str) -> None:
    good = {**GOOD, "content-length": "2"}
    assert door.knock([*good.items(), (name, good[name])])[0] in (400, 401, 415, 421)
    assert door.inner.agents == []


@pytest.mark.parametrize("path", EVERYWHERE)
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE", "OPTIONS"])
def test_no_route_answers_anything_but_401_without_a_token(
    door: Door, path: str, method: str
) -> None:
    status, headers, body = door.knock([("host", GOOD["host"])], path, method)
    assert (status, body) == (401, b"token required")
    assert headers[b"www-authenticate"] == b"Bearer"
    assert headers[b"connection"] == b"close"


def test_the_token_opens_its_own_dialect_only(door: Door) -> None:
    assert door.knock(GOOD.items(), "/mcp/memo")[0] == 403
    assert door.inner.agents == []


@pytest.mark.parametrize("method", ["OPTIONS", "PUT", "PATCH", "HEAD", "TRACE", "CONNECT", "get"])
def test_only_three_methods_reach_a_dialect(door: Door, method: str) -> None:
    status, headers, _ = door.knock(GOOD.items(), method=method)
    assert (status, headers[b"allow"]) == (405, b"GET, POST, DELETE")
    assert door.inner.agents == []


@pytest.mark.parametrize("path", ["/health", "/nowhere", "/mcp/"])
def test_where_no_dialect_is_no_body_is_taken(door: Door, path: str) -> None:
    assert door.knock(GOOD.items(), path, ends=False, pieces=[])[0] == 404
    assert door.knock(GOOD.items(), path, "GET")[0] == 200


def test_no_answer_of_the_gate_is_for_a_browser(door: Door) -> None:
    for change, _ in [*REFUSED, ({"origin": "https://evil.example"}, 403)]:
        _, headers, _ = door.knock((GOOD | change).items(), method="OPTIONS")
        assert not [name for name in headers if name.startswith(b"access-control")]
        assert b"location" not in headers
        assert b"set-cookie" not in headers


@pytest.mark.parametrize("kind", ["websocket", "lifespan"])
def test_nothing_but_http_is_served(door: Door, kind: str) -> None:
    async def nothing(*_: Any) -> Any:
        raise AssertionError("it was talked to")

    with pytest.raises(RuntimeError, match="only http"):
        asyncio.run(door.gate({"type": kind, "path": "/mcp"}, nothing, nothing))
    assert door.inner.agents == []


def test_a_body_in_pieces_is_handed_on_whole(door: Door) -> None:
    door.knock(GOOD.items(), pieces=[b"ab", b"", b"cd"])
    assert door.inner.bodies == [b"abcd"]


def test_a_body_as_large_as_allowed_comes_in(door: Door) -> None:
    assert door.knock(GOOD.items(), pieces=[b"x" * LARGEST_BODY])[0] == 200


def test_a_body_that_grows_beyond_the_bound_is_refused(door: Door) -> None:
    assert door.knock(GOOD.items(), pieces=[b"x" * LARGEST_BODY, b"x"], ends=False)[0] == 413
    assert door.inner.agents == []


def test_a_body_that_does_not_end_is_refused() -> None:
    door = Door(slowest_body=0.01)
    assert door.knock(GOOD.items(), ends=False)[0] == 408
    assert door.inner.agents == []
