"""`mcp` and `serve`: the library as an MCP server, on standard input and output or over HTTP."""

from __future__ import annotations

import logging
import signal
import sys
import threading
from argparse import Namespace
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from remembrancer import places
from remembrancer.core.author import PERSON, Agent
from remembrancer.core.errors import Conflict, RemembrancerError
from remembrancer.doors.flags import Policy
from remembrancer.doors.opening import ORIGIN, opened, token_name
from remembrancer.doors.telling import say

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from remembrancer.service.library import Library

STDIO, SERVE = "stdio", "serve"  # the agents of the two doors
PORT = 8758  # tried first; the window's server has the one before it


def mcp(arguments: Namespace) -> int:
    """Serve one client on standard input and output until it hangs up."""
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    policy = Policy.of(arguments)
    with opened(arguments) as library:
        agent = replace(_named(library, STDIO), **asdict(policy))
        # mcp takes a second to load, which a store that cannot be opened should not wait for.
        from remembrancer.agents.dialects import DIALECTS
        from remembrancer.agents.stdio import serve_stdio

        dialect = DIALECTS[policy.dialect](library)
        serve_stdio(library, dialect, agent, sys.stdin.buffer, sys.stdout.buffer)
    return 0


def serve(arguments: Namespace) -> int:
    """Serve agents over HTTP until SIGINT or SIGTERM; one line of JSON says where."""
    import json

    from remembrancer.agents.dialects import DIALECTS
    from remembrancer.agents.host import Host, State

    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    policy = Policy.of(arguments)
    ended = threading.Event()

    def watch(state: State) -> None:
        if state in (State.FAILED, State.STOPPED):
            ended.set()

    with opened(arguments) as library, _until_told(ended):
        file = _token_file(library, policy)
        host = Host(library, tuple(DIALECTS.values()), watch)
        _start(host, arguments.port)
        if not host.wait_until_ready(60) and not ended.is_set():
            raise RemembrancerError("The server did not start within a minute.")
        failed = host.state is State.FAILED
        if not failed:
            address = _address(host.address or "", policy.dialect)
            say(json.dumps({"address": address, "tokenFile": str(file)}))
            _wait(ended)
            failed = host.state is State.FAILED
        host.stop()
    if failed:
        raise RemembrancerError("The server failed; what is above says why.")
    return 0
