"""Who calls a tool: the author of its deeds, and how the answer should look."""

from __future__ import annotations

from dataclasses import dataclass

from remembrancer.core.author import Author


@dataclass(frozen=True, slots=True)
class Caller:
    """One caller. `answer_budget` counts characters, None means no bound; `language` is de or en.

    `session` names one client's stay, from its first request until half an hour of silence.
    """

    author: Author
    session: str
    answer_budget: int | None
    language: str
