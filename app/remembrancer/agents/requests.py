"""What every handler of requests stands on: the dialect, the library, and who asks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from remembrancer.agents.caller import Caller
from remembrancer.agents.dialect import Dialect
from remembrancer.agents.notices import Notices
from remembrancer.agents.presence import Visit
from remembrancer.agents.who import Context, Who
from remembrancer.agents.work import Workers

if TYPE_CHECKING:
    from remembrancer.service.library import Library


@dataclass(frozen=True)
class Ground:
    """One dialect's server, as far as its handlers need it."""

    dialect: Dialect
    library: Library
    workers: Workers
    who: Who
    notices: Notices

    async def arrived(self, context: Context) -> Visit:
        """The stay of whoever asks; told to the library once a stay."""
        visit = self.who.visit(context)
        if not visit.announced:
            await self.workers.run(self.who.announce, visit)
        return visit

    async def caller(self, context: Context) -> Caller:
        """Whoever asks, as a dialect sees it."""
        return self.who.caller(await self.arrived(context))
