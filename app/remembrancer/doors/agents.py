"""`agent add`, `agent list`, `agent revoke`: who may come in, without a window."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import asdict
from typing import TYPE_CHECKING

from remembrancer import places
from remembrancer.agents.admission import ORIGIN
from remembrancer.core.author import PERSON
from remembrancer.core.errors import NotFound
from remembrancer.doors.flags import policy_of
from remembrancer.doors.opening import opened, token_name
from remembrancer.doors.telling import say, say_json

if TYPE_CHECKING:
    from remembrancer.core.author import Agent


def add(arguments: Namespace) -> int:
    """Let an agent in and tell the file of its token."""
    from remembrancer.service.tokens import write_token

    with opened(arguments) as library:
        policy = asdict(policy_of(arguments))
        agent, token = library.agents.add(arguments.name, **policy, author=PERSON, origin=ORIGIN)
        file = write_token(places.token_folder(), token_name(library, agent.name), token)
    if arguments.json:
        say_json({"name": agent.name, "tokenFile": file})
    else:
        say(str(file))
    return 0


def list_all(arguments: Namespace) -> int:
    """Tell who may come in."""
    with opened(arguments) as library:
        agents = library.agents.all()
    if arguments.json:
        say_json(agents)
        return 0
    for agent in agents:
        say(_line(agent))
    if not agents:
        say("There are no agents yet.")
    return 0


def revoke(arguments: Namespace) -> int:
    """Let an agent in no more."""
    from remembrancer.service.tokens import forget_token

    with opened(arguments) as library:
        agent = library.agents.named(arguments.name)
        if agent is None:
            raise NotFound(f"There is no agent named {arguments.name!r}.", code="agent")
        library.agents.revoke(agent.id, author=PERSON, origin=ORIGIN)
        forget_token(places.token_folder(), token_name(library, agent.name))
    say(f"{agent.name} may come in no more.")
    return 0


def _line(agent: Agent) -> str:
    lock = "" if agent.entity is None else f"  only {agent.entity}"
    revoked = "" if agent.revoked_at is None else "  revoked"
    return f"{agent.name}  {agent.dialect}  {agent.access}{lock}{revoked}"
