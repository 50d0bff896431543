"""The gate in front of everything that is served: no browsers, no strangers, no endless bodies."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from remembrancer.agents.presence import AGENT
from remembrancer.core.author import Agent

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

log = logging.getLogger(__name__)

LARGEST_BODY = 1 << 20  # bytes
SLOWEST_BODY = 10.0  # seconds from the first to the last byte
_LONGEST_TOKEN = 256

_Headers = Mapping[bytes, list[bytes]]

_SAYINGS = {
    400: b"bad length",
    401: b"token required",
    403: b"forbidden",
    408: b"too slow",
    413: b"too large",
    415: b"no content encoding",
    421: b"wrong host",
    503: b"try again",
}


class Gate:
    """An ASGI application around another; every refusal is short, constant and closes.

    `dialects` says which dialect is served at a path, `agent_of` whose token it is, if anybody's.
    What gets through carries its agent in the scope, and its body in one piece.
    """

    def __init__(
        self,
        app: ASGIApp,
        port: int,
        dialects: Mapping[str, str],
        agent_of: Callable[[str], Agent | None],
        slowest_body: float = SLOWEST_BODY,
    ) -> None:
        self._app = app
        self._hosts = {f"127.0.0.1:{port}".encode(), f"localhost:{port}".encode()}
        self._dialects = dialects
        self._agent_of = agent_of
        self._slowest_body = slowest_body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request or refuse it."""
        if scope["type"] != "http":
            raise RuntimeError(f"only http is served, not {scope['type']}")
        headers = _collected(scope)
        status = self._stranger(headers)
        if status:
            return await _refuse(send, status)
        try:
            agent = self._agent(headers)
        except Exception:
            log.exception("the agents could not be looked up")
            return await _refuse(send, 503)
        if agent is None:
            return await _refuse(send, 401)
        if self._dialects.get(scope["path"], agent.dialect) != agent.dialect:
            return await _refuse(send, 403)
        await self._admit({**scope, AGENT: agent}, receive, send)

    def _stranger(self, headers: _Headers) -> int:
        """The status for what no client of ours sends, or 0."""
        if len(headers[b"host"]) != 1 or headers[b"host"][0].lower() not in self._hosts:
            return 421
        if headers[b"origin"] or headers[b"sec-fetch-site"] not in ([], [b"none"]):
            return 403
        if headers[b"content-encoding"]:
            return 415
        return _bad_length(headers[b"content-length"])

    def _agent(self, headers: _Headers) -> Agent | None:
        values = headers[b"authorization"]
        scheme, _, token = values[0].partition(b" ") if len(values) == 1 else (b"", b"", b"")
        token = token.strip()
        if scheme.lower() != b"bearer" or not 0 < len(token) <= _LONGEST_TOKEN:
            return None
        return self._agent_of(token.decode("latin-1"))

    async def _admit(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            async with asyncio.timeout(self._slowest_body):
                body = await _whole_body(receive)
        except TimeoutError:
            return await _refuse(send, 408)
        if body is None:
            return None
        if len(body) > LARGEST_BODY:
            return await _refuse(send, 413)
        await self._app(scope, _replayed(body, receive), send)


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
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
