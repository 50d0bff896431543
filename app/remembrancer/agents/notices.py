"""Change notices: what the journal gained, told to the subscribed clients of both eras."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterable
from contextlib import contextmanager, suppress
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


# Which of these URIs the journal's lines in (since, until] changed; called in a worker thread.
Changed = Callable[[Collection[str], int, int], set[str]]


class Notices:
    """Tells subscribers that resources changed; belongs to the loop that it is made in.

    2026 clients listen through a request that stays open; earlier ones subscribed, and are told
    over the stream that their stay keeps. Every change announces all of `uris`; of others only
    those that a watcher finds changed. `head` is the sequence of the newest journal line.
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
        self._listened: Counter[str] = Counter()
        self._watchers: list[Changed] = []
        self._told = 0

    def ring(self) -> None:
        """Something may have changed; from any thread, and even after the loop ended."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._rung.set)

    def watch(self, changed: Changed) -> None:
        """Ask this, too, which resources changed, as far as somebody wants to hear of them."""
        self._watchers.append(changed)

    async def listen(
        self,
        context: ServerRequestContext[Any, Any],
        params: types.SubscriptionsListenRequestParams,
    ) -> types.SubscriptionsListenResult:
        """Serve one 2026 subscription until its client leaves or the host stops."""
        await self.expect()
        with self._counted(params.notifications.resource_subscriptions or ()):
            return await self._handler(context, params)

    async def expect(self) -> None:
        """Somebody is about to listen, and shall hear of nothing that was before."""
        if not self._anybody():
            self._told = await self._newest()

    def close(self) -> None:
        """End the 2026 subscriptions, telling their clients that this was on purpose."""
        self._handler.close()

    async def run(self) -> None:
        """Tell of changes until cancelled: the first at once, then at most one notice a pause.

        While nobody listens the journal is not looked at, which would hold up every change.
        """
        while True:
            await self._rung_or_round()
            self._rung.clear()
            if self._anybody():
                await self._tell_what_is_new()
                await asyncio.sleep(PAUSE)

    def _anybody(self) -> bool:
        return bool(self._listening or self._presence.subscribed())

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

    @contextmanager
    def _counted(self, uris: Collection[str]) -> Generator[None]:
        self._listening += 1
        self._listened.update(uris)
        try:
            yield
        finally:
            self._listening -= 1
            self._listened.subtract(uris)
            self._listened = +self._listened

    async def _tell_what_is_new(self) -> None:
        newest, since = await self._newest(), self._told
        if newest == since:
            return
        self._told = newest
        uris = [*self._uris, *await self._found(since, newest)]
        for uri in uris:
            await self._bus.publish(ResourceUpdated(uri=uri))
        told = frozenset(uris)
        await asyncio.gather(*(self._tell(visit, told) for visit in self._presence.subscribed()))

    async def _found(self, since: int, until: int) -> set[str]:
        """The other URIs that somebody wants to hear of, and of which there is something new."""
        wanted = set(self._listened).union(*(v.uris for v in self._presence.subscribed()))
        wanted.difference_update(self._uris)
        found: set[str] = set()
        for changed in self._watchers if wanted else ():
            try:
                found |= await self._workers.run(changed, wanted, since, until)
            except Exception:
                log.warning("could not tell which resources changed", exc_info=True)
                return wanted  # to look in vain is better than never to hear
        return found

    async def _tell(self, visit: Visit, uris: frozenset[str]) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                for uri in visit.uris.intersection(uris):
                    if visit.push is not None:
                        await visit.push.send_resource_updated(uri)
        except TimeoutError:
            visit.push = None
