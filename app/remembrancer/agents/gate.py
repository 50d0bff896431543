"""The gate in front of everything that is served: no browsers, no strangers, no endless bodies."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from remembrancer.agents.crowd import Crowd, Full
from remembrancer.agents.presence import AGENT
from remembrancer.core.author import Agent

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

log = logging.getLogger(__name__)

LARGEST_BODY = 1 << 20  # bytes
SMALL_BODY = 1 << 16  # bytes; of longer ones only a few are taken in at a time
SLOWEST_BODY = 10.0  # seconds from the first to the last byte
WELCOME = "remembrancer.welcome"  # what a connection left in the scope to be told whose it is
_LONGEST_TOKEN = 256
_METHODS = ("GET", "POST", "DELETE")
_JSON = b"application/json"
_LISTENS = b"subscriptions/listen"

_Headers = Mapping[bytes, list[bytes]]

_SAYINGS = {
    400: b"bad length",
    401: b"token required",
    403: b"forbidden",
    404: b"not found",
    405: b"method not allowed",
    408: b"too slow",
    413: b"too large",
    415: b"only plain application/json",
    421: b"wrong host",
    429: b"Too many requests of this agent are under way; try again in a moment.",
    503: b"Too much is under way; try again in a moment.",
}


class Gate:
    """An ASGI application around another; every refusal is short, constant and closes.

    `dialects` says which dialect is served at a path, `agent_of` whose token it is, if anybody's.
    What gets through carries its agent in the scope, and its body in one piece. Nothing of a body
    is taken before the token was shown.
    """

    def __init__(
        self,
        app: ASGIApp,
        port: int,
        dialects: Mapping[str, str],
        agent_of: Callable[[str], Agent | None],
        slowest_body: float | None = None,
        crowd: Crowd | None = None,
    ) -> None:
        self._app = app
        # Not [::1]: nobody listens there, so whoever says so came another way.
        self._hosts = {f"127.0.0.1:{port}".encode(), f"localhost:{port}".encode()}
        self._dialects = dialects
        self._agent_of = agent_of
        self._slowest_body = SLOWEST_BODY if slowest_body is None else slowest_body
        self._crowd = crowd or Crowd()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request or refuse it."""
        if scope["type"] != "http":
            raise RuntimeError(f"only http is served, not {scope['type']}")
        headers = _collected(scope)
        status = _stranger(headers, self._hosts)
        if status:
            return await _refuse(send, status)
        try:
            agent = self._agent(headers)
        except Exception:
            log.exception("the agents could not be looked up")
            return await _refuse(send, 503)
        if agent is None:
            return await _refuse(send, 401)
        scope.get("state", {}).get(WELCOME, _nobody)()
        status = self._misplaced(scope, headers, agent)
        if status:
            return await _refuse(send, status)
        await self._let_in({**scope, AGENT: agent}, headers, receive, send)

    def _agent(self, headers: _Headers) -> Agent | None:
        values = headers[b"authorization"]
        scheme, _, token = values[0].partition(b" ") if len(values) == 1 else (b"", b"", b"")
        token = token.strip()
        if scheme.lower() != b"bearer" or not 0 < len(token) <= _LONGEST_TOKEN:
            return None
        return self._agent_of(token.decode("latin-1"))

    def _misplaced(self, scope: Scope, headers: _Headers, agent: Agent) -> int:
        """The status for what an agent may not ask here, or 0."""
        method, dialect = scope["method"], self._dialects.get(scope["path"])
        if dialect is None:  # the other paths take no body
            return 0 if method in ("GET", "HEAD") else 404
        if dialect != agent.dialect:
            return 403
        if method not in _METHODS:
            return 405
        return 415 if method == "POST" and not _is_json(headers[b"content-type"]) else 0

    async def _let_in(self, scope: Scope, headers: _Headers, receive: Receive, send: Send) -> None:
        agent: Agent = scope[AGENT]
        stays_open = scope["method"] == "GET" or headers[b"mcp-method"] == [_LISTENS]
        turns = self._crowd.streams if stays_open else self._crowd.calls
        try:
            # A large body has its turn until it is answered: for so long it is in memory.
            async with AsyncExitStack() as until_answered:
                body = await self._body(agent, headers, receive, until_answered)
                if isinstance(body, int):
                    return await _refuse(send, body)
                if body is None:
                    return None
                await until_answered.enter_async_context(turns.turn(agent.id))
                await self._app(scope, _replayed(body, receive), send)
        except Full as full:
            await _refuse(send, 429 if full.own else 503)

    async def _body(
        self, agent: Agent, headers: _Headers, receive: Receive, turn: AsyncExitStack
    ) -> bytes | int | None:
        """The whole body, the status of its refusal, or None if the client left; may raise Full."""
        try:
            async with asyncio.timeout(self._slowest_body):
                if _is_large(headers):
                    await turn.enter_async_context(self._crowd.bodies.turn(agent.id))
                body = await _whole_body(receive)
        except TimeoutError:
            return 408
        return 413 if body is not None and len(body) > LARGEST_BODY else body


def _nobody() -> None:
    pass


def _stranger(headers: _Headers, hosts: set[bytes]) -> int:
    """The status for what no client of ours sends, or 0."""
    if len(headers[b"host"]) != 1 or headers[b"host"][0].lower() not in hosts:
        return 421
    if headers[b"origin"] or headers[b"sec-fetch-site"] not in ([], [b"none"]):
        return 403
    if headers[b"content-encoding"]:
        return 415
    if headers[b"transfer-encoding"] and headers[b"content-length"]:
        return 400  # two readers could take it for two different requests
    return _bad_length(headers[b"content-length"])


def _is_large(headers: _Headers) -> bool:
    length = headers[b"content-length"]
    return bool(headers[b"transfer-encoding"]) or (bool(length) and int(length[0]) > SMALL_BODY)


def _is_json(values: list[bytes]) -> bool:
    return len(values) == 1 and values[0].partition(b";")[0].strip().lower() == _JSON


def _collected(scope: Scope) -> _Headers:
    headers: defaultdict[bytes, list[bytes]] = defaultdict(list)
    for name, value in scope["headers"]:
        headers[name].append(value)
    return headers


def _bad_length(values: list[bytes]) -> int:
    if not values:
        return 0
    if len(values) > 1 or not values[0].isdigit() or len(values[0]) > 18:
        return 400
    return 413 if int(values[0]) > LARGEST_BODY else 0


async def _whole_body(receive: Receive) -> bytes | None:
    """The body, or a little more than allowed of it, or None if the client left."""
    body = bytearray()
    while len(body) <= LARGEST_BODY:
        message = await receive()
        if message["type"] != "http.request":
            return None
        body += message.get("body", b"")
        if not message.get("more_body", False):
            break
    return bytes(body)


def _replayed(body: bytes, receive: Receive) -> Receive:
    first: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return first.pop() if first else await receive()

    return replay


async def _refuse(send: Send, status: int) -> None:
    body = _SAYINGS[status]
    headers = [
        (b"content-type", b"text/plain"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        (b"connection", b"close"),
    ]
    if status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    if status == 405:
        headers.append((b"allow", ", ".join(_METHODS).encode()))
    if status in (429, 503):
        headers.append((b"retry-after", b"1"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
