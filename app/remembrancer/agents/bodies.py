"""Bodies over HTTP, held to the rules of lines: no session sees what is no message."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remembrancer.agents.lines import complaint

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


class Strict:
    """An ASGI application around another, behind the gate, which hands a body on in one piece."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand a message on, or say what is wrong with it."""
        if scope["method"] != "POST":
            return await self._app(scope, receive, send)
        first = await receive()
        wrong = complaint(first.get("body", b""))
        if wrong is None:
            return await self._app(scope, _again(first, receive), send)
        await _say(send, wrong)


def _again(first: Message, receive: Receive) -> Receive:
    waiting = [first]

    async def replay() -> Message:
        return waiting.pop() if waiting else await receive()

    return replay


async def _say(send: Send, body: bytes) -> None:
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
    ]
    await send({"type": "http.response.start", "status": 400, "headers": headers})
    await send({"type": "http.response.body", "body": body})
