"""Whose token it is, without asking the store at every request."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from remembrancer.core.author import Agent

if TYPE_CHECKING:
    from remembrancer.service.library import Library


class Tokens:
    """The agents of tokens seen before, for as long as nothing at all was changed in the store.

    So a revoked token or a changed policy counts from the next request on, whoever changed it.
    Only digests are kept, and looked up: how long that takes depends on the digest alone, which
    whoever guesses cannot steer towards another without knowing a token. For one thread.
    """

    def __init__(self, library: Library) -> None:
        self._library = library
        self._version: int | None = None
        self._known: dict[bytes, Agent] = {}

    def agent(self, token: str) -> Agent | None:
        """The agent that holds this token, if any."""
        version = self._library.version()
        if version != self._version:
            self._known.clear()
            self._version = version
        digest = hashlib.sha256(token.encode()).digest()
        agent = self._known.get(digest) or self._library.agents.by_token(token)
        if agent is not None:
            self._known[digest] = agent
        return agent
