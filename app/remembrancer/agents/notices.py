"""Change notices: what the journal gained, told to the subscribed clients of both eras."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from mcp import types
from mcp.server import ServerRequestContext
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourceUpdated

from remembrancer.agents.presence import Presence, Visit
from remembrancer.agents.work import Workers

log = logging.getLogger(__name__)

PAUSE = 0.1  # seconds between two notices
ROUND = 1.0  # seconds after which the journal is looked at unasked: other processes do not ring
PATIENCE = 2.0  # seconds after which a client that does not read is told nothing more


class Notices:
    """Tells subscribers that resources changed; belongs to the loop that it is made in.

    2026 clients listen through a request that stays open; earlier ones subscribed, and are told
    over the stream that their stay keeps. `head` is the sequence of the newest journal line.
    """

    def __init__(
        self, presence: Presence, uris: Iterable[str], head: Callable[[], int], workers: Workers
    ) -> None:
        self._presence = presence
        self._uris = tuple(dict.fromkeys(uris))
        self._head = head
        self._workers = workers
        self._loop = asyncio.get_running_loop()
        self._rung = asyncio.Event()
        self._bus = InMemorySubscriptionBus()
        self._handler = ListenHandler(self._bus, max_subscriptions=256)
        self._listening = 0
        self._told = 0

    def ring(self) -> None:
        """Something may have changed; from any thread, and even after the loop ended."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._rung.set)

    async def listen(
        self,
        context: ServerRequestContext[Any, Any],
        params: types.SubscriptionsListenRequestParams,
    ) -> types.SubscriptionsListenResult:
        """Serve one 2026 subscription until its client leaves or the host stops."""
        self._listening += 1
        try:
            return await self._handler(context, params)
        finally:
            self._listening -= 1

    def close(self) -> None:
        """End the 2026 subscriptions, telling their clients that this was on purpose."""
        self._handler.close()

    async def run(self) -> None:
        """Tell of changes until cancelled: the first at once, then at most one notice a pause."""
        self._told = await self._newest()
        while True:
            await self._rung_or_round()
            if self._rung.is_set() or self._listening or self._presence.subscribed():
                self._rung.clear()
                await self._tell_what_is_new()
                await asyncio.sleep(PAUSE)

    async def _rung_or_round(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(ROUND):
                await self._rung.wait()

    async def _newest(self) -> int:
        try:
            return await self._workers.run(self._head)
        except Exception:
            log.warning("could not look at the journal", exc_info=True)
            return self._told

    async def _tell_what_is_new(self) -> None:
        newest = await self._newest()
        if newest == self._told:
            return
        self._told = newest
        for uri in self._uris:
            await self._bus.publish(ResourceUpdated(uri=uri))
        await asyncio.gather(*(self._tell(visit) for visit in self._presence.subscribed()))

    async def _tell(self, visit: Visit) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                for uri in visit.uris.intersection(self._uris):
                    if visit.push is not None:
                        await visit.push.send_resource_updated(uri)
        except TimeoutError:
            visit.push = None
