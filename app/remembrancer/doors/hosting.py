"""`mcp` and `serve`: the library as an MCP server, on standard input and output or over HTTP."""

from __future__ import annotations

import gc
import json
import logging
import signal
import sys
import threading
from argparse import Namespace
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING

from remembrancer import places
from remembrancer.agents.admission import ORIGIN, Standing, named
from remembrancer.core.author import PERSON, Agent
from remembrancer.core.errors import RemembrancerError
from remembrancer.doors.ending import leave_within, when_parent_ends
from remembrancer.doors.flags import policy_of
from remembrancer.doors.opening import opened, token_name
from remembrancer.doors.telling import say

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from remembrancer.agents.admission import Policy
    from remembrancer.agents.host import Host
    from remembrancer.service.library import Library

SERVE = "serve"  # the agent of that door; the other one's is `stdio`
LAST = 0.25  # seconds for the store to close once the client has gone
WITHIN = 1.8  # seconds from a signal to the end of the program
LOOK = 0.1  # seconds between two looks at whether to end
PORT = 8758  # tried first; the window's server has the one before it


def mcp(arguments: Namespace) -> int:
    """Serve one client on standard input and output until it hangs up."""
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    policy = policy_of(arguments)
    with opened(arguments) as library:
        standing = Standing(library, policy)
        standing.agent()
        # mcp takes a second to load, which whoever may not come in should not wait for.
        from remembrancer.agents.dialects import DIALECTS
        from remembrancer.agents.stdio import serve_stdio

        dialect = DIALECTS[policy.dialect](library)
        _settle()
        streams = sys.stdin.buffer, sys.stdout.buffer
        serve_stdio(library, dialect, standing.agent, *streams, when_parent_ends)
        leave_within(LAST)
    return 0


def serve(arguments: Namespace) -> int:
    """Serve agents over HTTP until SIGINT or SIGTERM; one line of JSON says where."""
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    policy = policy_of(arguments)
    ended = _End()
    with _until_told(ended), opened(arguments) as library:
        file = _token_file(library, policy)
        host = _started(library, arguments.port, ended)
        library.backup_watch.start()
        try:
            _serve(host, policy.dialect, file, ended)
        finally:
            bound = leave_within(WITHIN)
            host.stop()
    bound.cancel()
    return 0


def _settle() -> None:
    """Keep the collector of garbage away from what was loaded, and from short calls."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def _serve(host: Host, dialect: str, token_file: Path, ended: _End) -> None:
    """Tell the address once requests are answered, then stay until the end."""
    from remembrancer.agents.host import State

    while not host.wait_until_ready(LOOK) and not ended.is_set():
        pass
    if host.state is State.RUNNING and host.address is not None:
        _settle()
        address = host.address if dialect == "native" else f"{host.address}/{dialect}"
        say(json.dumps({"address": address, "tokenFile": str(token_file)}))
        while not ended.wait(LOOK):  # in short waits, because on Windows a signal ends none
            pass
    if host.state is State.FAILED:
        raise RemembrancerError("The server failed; what stands above says why.")


def _started(library: Library, port: int | None, ended: _End) -> Host:
    from remembrancer.agents.dialects import DIALECTS
    from remembrancer.agents.host import Host, PortInUse, State

    def watch(state: State) -> None:
        if state in (State.FAILED, State.STOPPED):
            ended.set()

    host = Host(library, tuple(DIALECTS.values()), watch)
    try:
        host.start(PORT if port is None else port)
    except PortInUse:
        if port is not None:
            raise
        host.start(0)
    return host


class _End:
    """Whether to end: a signal said so, or the host did.

    A signal comes in the middle of anything, this very object's waiting too, so what hears it may
    take no lock.
    """

    def __init__(self) -> None:
        self._noted = False
        self._event = threading.Event()

    def note(self) -> None:
        """From a handler of signals: heard at the next look."""
        self._noted = True

    def set(self) -> None:
        """From any thread."""
        self._event.set()

    def is_set(self) -> bool:
        """Whether to end."""
        return self._noted or self._event.is_set()

    def wait(self, seconds: float) -> bool:
        """The same, after waiting for it."""
        return self._noted or self._event.wait(seconds) or self._noted


@contextmanager
def _until_told(ended: _End) -> Generator[None]:
    """Let SIGINT and SIGTERM set `ended` instead of breaking anything off."""

    def hear(_signal: int, _frame: object) -> None:
        ended.note()

    told = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(each, hear) for each in told]
    try:
        yield
    finally:
        for each, handler in zip(told, before, strict=True):
            signal.signal(each, handler)


def _token_file(library: Library, policy: Policy) -> Path:
    """The file with the token of the agent `serve`, whose policy the flags shape."""
    from remembrancer.service.tokens import read_token, token_file, write_token

    folder, name = places.token_folder(), token_name(library, SERVE)
    agent = _shaped(library, named(library, SERVE), policy)
    holder = library.agents.by_token(read_token(folder, name))
    if holder is not None and holder.id == agent.id:
        return token_file(folder, name)
    token = library.agents.new_token(agent.id, author=PERSON, origin=ORIGIN)
    return write_token(folder, name, token)


def _shaped(library: Library, agent: Agent, policy: Policy) -> Agent:
    """The agent under that policy; its token stays."""
    if policy.holds_for(agent):
        return agent
    return library.agents.change(agent.id, **asdict(policy), author=PERSON, origin=ORIGIN)
