"""How many requests are under way at a time: whoever comes on top waits a while, then is told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """How many of one agent and in all, and how long whoever comes on top waits (seconds)."""

    of_one: int
    in_all: int
    patience: float


CALLS = Limits(32, 128, 20.0)  # requests that are answered at a time
STREAMS = Limits(64, 256, 2.0)  # requests that stay open to be told of changes
BODIES = Limits(4, 12, 8.0)  # large bodies that are in memory at a time


class Full(Exception):
    """There was no turn; `own` says that the agent itself has too many requests under way."""

    def __init__(self, own: bool) -> None:
        super().__init__("no turn")
        self.own = own


class Turns:
    """Turns of one sort; for one loop. An agent that takes all of its own leaves others theirs."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._of_agents: dict[int, asyncio.Semaphore] = {}
        self._in_all = asyncio.Semaphore(limits.in_all)

    @asynccontextmanager
    async def turn(self, agent_id: int) -> AsyncGenerator[None]:
        """Have a turn within this context, after waiting for it; raises Full."""
        own = self._of_agents.setdefault(agent_id, asyncio.Semaphore(self._limits.of_one))
        async with AsyncExitStack() as stack:
            waits_for_itself = own.locked()
            try:
                async with asyncio.timeout(self._limits.patience):
                    await stack.enter_async_context(own)
                    waits_for_itself = False
                    await stack.enter_async_context(self._in_all)
            except TimeoutError as error:
                raise Full(waits_for_itself) from error
            yield


class Crowd:
    """The turns of everything that takes some."""

    def __init__(
        self, calls: Limits = CALLS, streams: Limits = STREAMS, bodies: Limits = BODIES
    ) -> None:
        self.calls = Turns(calls)
        self.streams = Turns(streams)
        self.bodies = Turns(bodies)
