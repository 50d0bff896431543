"""The short way of `remembrancer mcp`: over the bridge, where a host serves the store already.

What is loaded here is what every client waits for: nothing but the standard library's fast part.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from remembrancer import __version__, places
from remembrancer.agents.local_terms import PROTOCOL, STDIO
from remembrancer.doors.bridge import Bridge, Refused
from remembrancer.doors.flags import BUDGET, DIALECT, LANGUAGE, budget_in
from remembrancer.doors.links import host_at, own_server

if TYPE_CHECKING:
    from collections.abc import Sequence

_VALUED = ("--dialect", "--language", "--scope", "--answer-budget")
DIRECT = "REMEMBRANCER_DIRECT"  # in the environment of a server that must be none of a bridge


def over_the_bridge(words: Sequence[str]) -> int | None:
    """Serve `remembrancer mcp` by a host, and return the exit code.

    None where there is no such host, or these are not plainly the words of that command; whatever
    is wrong with them is told on the long way.
    """
    if os.environ.get(DIRECT):
        return None
    try:
        flags = _read(words)
        store = places.chosen_store(flags.get("--store"))
        file, hello = str(places.host_file(store)), _hello(flags, str(store.resolve()))
        link = host_at(file, hello)
    except (_Unclear, Refused):
        return None
    if link is None:
        return None
    try:
        return Bridge(link, lambda: host_at(file, hello), _start).serve()
    except KeyboardInterrupt:
        return 1


class _Unclear(Exception):
    """These words need the long way."""


def _read(words: Sequence[str]) -> dict[str, Any]:
    """The value of every flag in `[--store FILE] mcp [flags]`; raises _Unclear for other words."""
    found: dict[str, Any] = {}
    known: tuple[str, ...] = ("--store", "mcp")
    waiting = iter(words)
    for word in waiting:
        name, equals, value = word.partition("=")
        if name not in known:
            raise _Unclear
        if name == "mcp":  # what is known of it may follow
            known = ("--store", "--read-only", *_VALUED)
        if word in ("mcp", "--read-only"):
            found[word] = True
            continue
        found[name] = value if equals else next(waiting, "-")
        if found[name].startswith("-"):
            raise _Unclear
    if found.get("mcp") is not True or found.get("--read-only", True) is not True:
        raise _Unclear  # neither takes a value
    return found


def _hello(flags: dict[str, Any], store: str) -> dict[str, Any]:
    """What a host is told; it checks what the values may be."""
    try:
        budget = budget_in(flags.get("--answer-budget", str(BUDGET)))
    except ValueError as error:
        raise _Unclear from error
    policy = {
        "dialect": flags.get("--dialect", DIALECT),
        "language": flags.get("--language", LANGUAGE),
        "readOnly": "--read-only" in flags,
        "scope": flags.get("--scope"),
        "answerBudget": budget,
    }
    return {
        "protocol": PROTOCOL,
        "version": __version__,
        "store": store,
        "agent": STDIO,
        "pid": os.getpid(),
        "policy": policy,
    }


def _start() -> Any:
    # The very command, however it was spelt, so that the same program starts.
    command = [sys.executable, *sys.orig_argv[1:]]
    return own_server(command, {**os.environ, DIRECT: "1"})
