"""A client's stay, as far as it outlives the program that hosts it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Stay:
    """Whose it is, what its client calls itself, and since when; times in microseconds UTC.

    `name` is the stay's own. What the client shows to be known again is kept as a digest alone.
    """

    agent_id: int
    name: str
    client: str
    version: str
    since: int
    last_call: int
