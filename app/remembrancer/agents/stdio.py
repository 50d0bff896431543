"""An MCP server on standard input and output, for clients that spawn a command."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, BinaryIO

from remembrancer.agents.connection import Connection
from remembrancer.agents.descriptors import Descriptors
from remembrancer.agents.dialect import Dialect
from remembrancer.agents.journal_resource import JOURNAL
from remembrancer.agents.notices import Notices
from remembrancer.agents.presence import Presence
from remembrancer.agents.server import make_server
from remembrancer.agents.who import Who
from remembrancer.agents.work import OneClient, Pool, Workers
from remembrancer.core.author import Agent

if TYPE_CHECKING:
    from remembrancer.service.library import Library

WORKERS = 4
LAST_CALLS = 0.2  # seconds for the calls that were broken off to end


def serve_stdio(
    library: Library,
    dialect: Dialect,
    agent: Callable[[], Agent],
    stdin: BinaryIO,
    stdout: BinaryIO,
    when_left: Callable[[Callable[[], None]], None] = lambda end: None,
) -> None:
    """Serve one client until its input ends, then within two seconds return.

    `agent` is asked at every message. Both streams must have a file descriptor. What anything
    prints meanwhile goes to stderr. `when_left` is handed what may be called, from any thread, once
    nobody is left to serve although the input has not ended.
    """
    pool = Pool(WORKERS, "agents-call")
    workers = OneClient(pool, library.interrupt)
    with redirect_stdout(sys.stderr):
        try:
            descriptors = stdin.fileno(), stdout.fileno()
            asyncio.run(_serve(library, dialect, agent, workers, descriptors, when_left))
        finally:
            pool.close(LAST_CALLS)


async def _serve(
    library: Library,
    dialect: Dialect,
    agent: Callable[[], Agent],
    workers: Workers,
    descriptors: tuple[int, int],
    when_left: Callable[[Callable[[], None]], None],
) -> None:
    presence = Presence()
    uris = [JOURNAL.uri, *(each.uri for each in dialect.resources())]
    notices = Notices(presence, uris, library.journal.head, workers)
    server = make_server(dialect, library, workers, Who(library, presence), notices)
    stop_listening = library.bell.listen(notices.ring)
    forwarding = asyncio.create_task(notices.run())
    wire = Descriptors(*descriptors)
    when_left(wire.leave)
    try:
        visit = presence.open(wire, agent())
        with presence.request(visit):
            await Connection(wire, visit, agent).serve(server)
        wire.finish()
    finally:
        forwarding.cancel()
        stop_listening()
