"""An MCP server on standard input and output, for clients that spawn a command."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
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
from remembrancer.agents.work import OneClient, Workers
from remembrancer.core.author import Agent

if TYPE_CHECKING:
    from remembrancer.service.library import Library

WORKERS = 4


def serve_stdio(
    library: Library,
    dialect: Dialect,
    agent: Callable[[], Agent],
    stdin: BinaryIO,
    stdout: BinaryIO,
) -> None:
    """Serve one client until its input ends, then within two seconds return.

    `agent` is asked at every message. Both streams must have a file descriptor. What anything
    prints meanwhile goes to stderr.
    """
    pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="agents-call")
    workers = OneClient(pool, library.interrupt)
    with redirect_stdout(sys.stderr):
        try:
            asyncio.run(_serve(library, dialect, agent, workers, stdin.fileno(), stdout.fileno()))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


async def _serve(
    library: Library,
    dialect: Dialect,
    agent: Callable[[], Agent],
    workers: Workers,
    descriptor_in: int,
    descriptor_out: int,
) -> None:
    presence = Presence()
    uris = [JOURNAL.uri, *(each.uri for each in dialect.resources())]
    notices = Notices(presence, uris, library.journal.head, workers)
    server = make_server(dialect, library, workers, Who(library, presence), notices)
    stop_listening = library.bell.listen(notices.ring)
    forwarding = asyncio.create_task(notices.run())
    wire = Descriptors(descriptor_in, descriptor_out)
    try:
        visit = presence.open(wire, agent())
        with presence.request(visit):
            await Connection(wire, visit, agent).serve(server)
        wire.finish()
    finally:
        forwarding.cancel()
        stop_listening()
