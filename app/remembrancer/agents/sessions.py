"""The sessions of earlier clients, which live on when their host starts anew or forgot them."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from mcp.server import Server
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.types.version import HANDSHAKE_PROTOCOL_VERSIONS

from remembrancer.agents.gate import LARGEST_BODY
from remembrancer.agents.presence import AGENT, SILENCE, VISIT, Presence, Visit
from remembrancer.core.author import Agent

if TYPE_CHECKING:
    from starlette.types import Message, Receive, Scope, Send

MOST_OF_ONE, MOST = 64, 256  # sessions that are held open for one agent, and for all
_BESIDE = 64  # that may be opening at the same time
_SESSION_ID = b"mcp-session-id"
_VERSION = b"mcp-protocol-version"
_EARLIER = [version.encode() for version in HANDSHAKE_PROTOCOL_VERSIONS]


class Sessions:
    """The ASGI application of one dialect.

    2026 clients have no session. Earlier ones have: one that the server no longer has, but whose
    stay is known, is answered without it; its client goes on as before, and only misses change
    notices until it connects anew. So where too many are held, the most silent one is let go.
    """

    def __init__(self, server: Server[Any], presence: Presence) -> None:
        self._presence = presence
        self._held: dict[bytes, Visit] = {}
        self._kept = StreamableHTTPSessionManager(
            server,
            json_response=True,  # half the time of a stream of one event
            session_idle_timeout=SILENCE,
            max_request_body_size=LARGEST_BODY,
            max_sessions=MOST + _BESIDE,
        )
        # Not in JSON mode: only so is a 2026 client that hangs up noticed, and its call cancelled.
        self._without = StreamableHTTPSessionManager(
            server, stateless=True, max_request_body_size=LARGEST_BODY
        )

    @asynccontextmanager
    async def run(self) -> AsyncGenerator[None]:
        """Serve within this context; once per instance."""
        async with self._kept.run(), self._without.run():
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request that came through the gate."""
        agent: Agent = scope[AGENT]
        scope = {**scope, "user": _user(agent)}
        headers = dict(scope["headers"])
        if headers.get(_VERSION, _EARLIER[0]) not in _EARLIER:
            return await self._without.handle_request(scope, receive, send)
        key = headers.get(_SESSION_ID)
        visit = None if key is None else self._presence.find_session(key, agent)
        if key is None or visit is None:
            await self._kept.handle_request(scope, receive, self._watching(send, agent))
            return await self._let_the_silent_go(agent)
        with self._presence.request(visit):
            await self._serve_known({**scope, VISIT: visit}, receive, send, key, visit)

    def _watching(self, send: Send, agent: Agent) -> Send:
        """Notes the session that an opening request is given."""

        async def watch(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] < 400:
                key = dict(message["headers"]).get(_SESSION_ID)
                if key is not None:
                    self._held[key] = self._presence.open_session(key, agent)
            await send(message)

        return watch

    async def _serve_known(
        self, scope: Scope, receive: Receive, send: Send, key: bytes, visit: Visit
    ) -> None:
        body = await receive()  # all of it, the gate sees to that
        lost = False

        async def unless_lost(message: Message) -> None:
            nonlocal lost
            lost = lost or message.get("status") == 404
            if not lost:
                await send(message)

        await self._kept.handle_request(scope, _again(body, receive), unless_lost)
        if lost:
            visit.push = None
            self._held.pop(key, None)
            await self._serve_lost(scope, _again(body, receive), send)
        if scope["method"] == "DELETE":
            self._held.pop(key, None)
            self._presence.close(key)

    async def _let_the_silent_go(self, agent: Agent) -> None:
        """Hold no more sessions of this agent, and of all, than may be."""
        own = {key: visit for key, visit in self._held.items() if visit.agent.id == agent.id}
        for held, most in ((own, MOST_OF_ONE), (self._held, MOST)):
            if len(held) > most:
                await self._let_go(min(held, key=lambda key: _silence(held[key])))

    async def _let_go(self, key: bytes) -> None:
        visit = self._held.pop(key)
        visit.push = None
        headers = [(_SESSION_ID, key), (b"accept", b"application/json")]
        scope: Scope = {"type": "http", "method": "DELETE", "path": "/", "headers": headers}
        await self._kept.handle_request({**scope, "user": _user(visit.agent)}, _nothing, _unheard)

    async def _serve_lost(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "POST":
            # There is no stream to listen to, and nothing left to delete.
            return await _plain(send, 200 if scope["method"] == "DELETE" else 405)
        headers = [(name, value) for name, value in scope["headers"] if name != _SESSION_ID]
        await self._without.handle_request({**scope, "headers": headers}, receive, send)


def _user(agent: Agent) -> AuthenticatedUser:
    # The session manager compares this, so no agent can use the session of another.
    return AuthenticatedUser(AccessToken(token="-", client_id=str(agent.id), scopes=[]))


def _silence(visit: Visit) -> tuple[bool, int]:
    """The less, the less it matters to let its session go."""
    return visit.open_requests > 0, visit.last_call


async def _nothing() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


async def _unheard(message: Message) -> None:
    pass


def _again(body: Message, receive: Receive) -> Receive:
    waiting = [body]

    async def replay() -> Message:
        return waiting.pop() if waiting else await receive()

    return replay


async def _plain(send: Send, status: int) -> None:
    headers = [(b"content-length", b"0"), (b"allow", b"POST, DELETE")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b""})
