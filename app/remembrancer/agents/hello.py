"""The first line of a local client: for whom it speaks, and whether it wants this very host."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from remembrancer import __version__
from remembrancer.agents.admission import Policy
from remembrancer.agents.local_terms import LANGUAGES, PROTOCOL, STDIO
from remembrancer.core.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Container
    from pathlib import Path

LONGEST = 1 << 16  # bytes


@dataclass(frozen=True)
class Hello:
    """What a local client said of itself; `secret` is empty where a folder guards the socket.

    `process` is the number of its own, for the log.
    """

    protocol: int
    version: str
    store: str
    agent: str
    secret: str
    process: int
    policy: Policy

    def check(self, store: Path, dialects: Container[str], secret: str) -> None:
        """Raise Refused unless it may come in here."""
        if not secrets.compare_digest(_bytes(self.secret), _bytes(secret)):
            raise Refused("The secret is wrong.", code="secret")
        if (self.protocol, self.version) != (PROTOCOL, __version__):
            raise Refused(f"This host is Remembrancer {__version__}.", code="version")
        if self.store != str(store):
            raise Refused("This host serves another store.", code="store")
        if self.agent != STDIO:
            raise Refused("This host does not know that agent.", code="agent")
        if self.policy.dialect not in dialects:
            raise Refused("This host does not speak that dialect.", code="dialect")


def heard(line: bytes) -> Hello:
    """The hello in a line; raises Refused for what is none, BadValue for a scope that is none."""
    try:
        said = json.loads(line) if len(line) <= LONGEST else None
    except (ValueError, RecursionError):
        said = None
    match said:
        case {
            "protocol": int(protocol),
            "version": str(version),
            "store": str(store),
            "agent": str(agent),
            "secret": str(secret),
            "pid": int(process),
            "policy": policy,
        }:
            return Hello(protocol, version, store, agent, secret, process, _policy(policy))
        case _:
            raise Refused("That is no hello.", code="hello")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _policy(said: object) -> Policy:
    match said:
        case {
            "dialect": str(dialect),
            "language": str(language),
            "readOnly": bool(read_only),
            "scope": None | str() as scope,
            "answerBudget": None | int() as budget,
        } if language in LANGUAGES and (budget is None or budget > 0):
            return Policy.asked(dialect, language, read_only, scope, budget)
        case _:
            raise Refused("That is no policy.", code="hello")
