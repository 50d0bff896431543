"""From a request to its caller: the policy is the token's, the name is what the client declares."""

from __future__ import annotations

import logging
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from mcp.server import ServerRequestContext

from remembrancer.agents.caller import Caller
from remembrancer.agents.discretion import discreet
from remembrancer.agents.presence import AGENT, VISIT, Presence, Visit
from remembrancer.core.author import Agent

if TYPE_CHECKING:
    from remembrancer.service.library import Library

log = logging.getLogger(__name__)

Context = ServerRequestContext[Any, Any]

_LONGEST_NAME, _LOOKED_AT = 100, 2_000


class Who:
    """Knows the callers of one host, or of one stdio connection, whose agent is given."""

    def __init__(self, library: Library, presence: Presence, agent: Agent | None = None) -> None:
        self._library = library
        self.presence = presence
        self._agent = agent

    def visit(self, context: Context) -> Visit:
        """The stay that a request belongs to, with what its client declares."""
        client, version = _declared(context)
        scope: dict[str, Any] = {} if context.request is None else context.request.scope
        agent: Agent | None = scope.get(AGENT, self._agent)
        if agent is None:
            raise RuntimeError("a request came past the gate")
        visit: Visit = scope.get(VISIT) or self.presence.arrive(agent, client, version)
        visit.agent = agent  # its policy may have changed since the last request
        visit.client, visit.version = client or visit.client, version or visit.version
        return visit

    def caller(self, visit: Visit) -> Caller:
        """The caller that a dialect sees."""
        agent = visit.agent
        author = agent.author(visit.client)
        return Caller(author, visit.session, agent.answer_budget, agent.language)

    def announce(self, visit: Visit) -> None:
        """Record that the agent was here, once a stay; that this fails must not stop a call."""
        visit.announced = True
        try:
            self.presence.keep(visit)
            self._library.agents.seen(visit.agent.id, visit.client, visit.version)
        except Exception:
            log.warning("could not record that agent %d was here", visit.agent.id, exc_info=True)


def _declared(context: Context) -> tuple[str, str]:
    params = context.session.client_params
    if params is None:
        return "", ""
    return _tame(params.client_info.name), _tame(params.client_info.version)


@lru_cache(maxsize=256)  # every request declares the same two
def _tame(name: str) -> str:
    """A declared name comes from outside and is shown in lists: one line, visible characters."""
    name = discreet(name[:_LOOKED_AT])[: 2 * _LONGEST_NAME]
    visible = "".join(c if c.isprintable() else " " for c in name)
    return " ".join(visible.split())[:_LONGEST_NAME]
