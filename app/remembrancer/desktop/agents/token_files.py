"""Which file holds whose token, as far as the token in it is still the agent's."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from remembrancer.core.author import Agent
from remembrancer.service.library import Library
from remembrancer.service.tokens import read_token, token_file


def token_files(library: Library, agents: Iterable[Agent], folder: Path) -> dict[int, Path]:
    """agent id -> the file in `folder` with its present token.

    The folder may serve several stores, so each token is checked against this one.
    """
    found: dict[int, Path] = {}
    for agent in agents:
        token = read_token(folder, agent.name)
        holder = library.agents.by_token(token) if token else None
        if holder is not None and holder.id == agent.id:
            found[agent.id] = token_file(folder, agent.name)
    return found
