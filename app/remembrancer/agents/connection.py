"""One client's messages, whatever carries its lines: handed in, answered, waited for at the end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any, Protocol

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp import types
from mcp.server import Server
from mcp.shared.message import ServerMessageMetadata, SessionMessage

from remembrancer.agents.lines import BadLine, answers_become_lines, parsed, unparsed
from remembrancer.agents.presence import AGENT, VISIT, Visit
from remembrancer.core.author import Agent
from remembrancer.core.errors import RemembrancerError

LAST_ANSWERS = 1.2  # seconds that calls have to end once the client said it will ask nothing more
_CANCEL = "notifications/cancelled"

Message = types.JSONRPCMessage | BadLine


class Wire(Protocol):
    """What carries lines between one client and the loop.

    `gone` is set once nobody reads what is sent.
    """

    gone: asyncio.Event

    def messages(self) -> AsyncIterator[Message]:
        """What every line of the client holds, until it will send no more."""
        ...

    async def send(self, line: bytes) -> None:
        """Send a line with its end, waiting while too many are under way."""
        ...


@dataclass(frozen=True, slots=True)
class Asked:
    """Where a message came from; stands in a context where over HTTP the request does."""

    scope: dict[str, Any]


def taken(line: bytes | None) -> Message:
    """What a line holds; None is one that was too long."""
    try:
        return parsed(line)
    except BadLine as bad:
        return bad


class Connection:
    """One client at the other end of a wire.

    `agent` says at every message who it is and what it may do; a RemembrancerError of it is what
    the client is told instead of an answer.
    """

    def __init__(self, wire: Wire, visit: Visit, agent: Callable[[], Agent]) -> None:
        self._wire = wire
        self._visit = visit
        self._agent = agent
        self._unanswered: set[types.RequestId] = set()
        self._quiet = asyncio.Event()
        self._quiet.set()
        self._listening = anyio.CancelScope()
        self._until_gone = anyio.CancelScope()

    async def serve(self, server: Server[Any]) -> None:
        """Until the client asks no more and what it asked is answered, or nobody reads."""
        answers_become_lines()
        incoming, received = anyio.create_memory_object_stream[SessionMessage | Exception]()
        sent, outgoing = anyio.create_memory_object_stream[SessionMessage]()
        watching = asyncio.create_task(self._end_when_gone())
        try:
            with self._until_gone:
                async with anyio.create_task_group() as group:
                    group.start_soon(self._hand_in, incoming)
                    group.start_soon(self._hand_out, outgoing)
                    await server.run(received, sent, server.create_initialization_options())
        finally:
            watching.cancel()

    def finish(self) -> None:
        """Listen no more; what was asked has a little while to be answered."""
        self._listening.cancel()

    async def _end_when_gone(self) -> None:
        await self._wire.gone.wait()
        self._until_gone.cancel()

    async def _hand_in(self, incoming: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
        async with incoming:
            with self._listening:
                async for message in self._wire.messages():
                    await self._take(message, incoming)
            with anyio.move_on_after(LAST_ANSWERS):
                await self._quiet.wait()

    async def _take(
        self, message: Message, incoming: MemoryObjectSendStream[SessionMessage | Exception]
    ) -> None:
        if isinstance(message, BadLine):
            return await self._wire.send(unparsed(message.answer))
        try:
            asked = Asked({AGENT: self._agent(), VISIT: self._visit})
        except RemembrancerError as refused:
            return await self._refuse(message, str(refused))
        self._expect(message)
        metadata = ServerMessageMetadata(request_context=asked)
        await incoming.send(SessionMessage(message, metadata))

    async def _refuse(self, message: types.JSONRPCMessage, sentence: str) -> None:
        if isinstance(message, types.JSONRPCRequest):
            error = types.ErrorData(code=types.INVALID_REQUEST, message=sentence)
            answer = types.JSONRPCError(jsonrpc="2.0", id=message.id, error=error)
            await self._wire.send(unparsed(answer))

    def _expect(self, message: types.JSONRPCMessage) -> None:
        match message:
            case types.JSONRPCRequest() if message.method != "subscriptions/listen":
                self._unanswered.add(message.id)
                self._quiet.clear()
            case types.JSONRPCNotification(params={"requestId": id}) if message.method == _CANCEL:
                self._settle(id)
            case _:  # a subscription stays open until the end, and owes no answer
                pass

    async def _hand_out(self, outgoing: MemoryObjectReceiveStream[SessionMessage]) -> None:
        async with outgoing:
            async for sent in outgoing:
                await self._wire.send(unparsed(sent.message))
                if isinstance(sent.message, types.JSONRPCResponse | types.JSONRPCError):
                    self._settle(sent.message.id)

    def _settle(self, id: object) -> None:
        self._unanswered = {each for each in self._unanswered if each != id}
        if not self._unanswered:
            self._quiet.set()
