"""What the tools of each agent cost it, counted off the window's thread and remembered."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject

from remembrancer.agents.cost import tool_cost
from remembrancer.core.author import Agent
from remembrancer.desktop.workbench import Workbench

log = logging.getLogger(__name__)

# What the tools that an agent is told of depend on.
_Sort = tuple[str, str, str, bool]


class Costs:
    """Characters by sort of agent. Counting loads mcp, which takes a second the first time."""

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        self._known: dict[_Sort, int | None] = {}

    def of(self, agent: Agent) -> int | None:
        """The characters of the definitions of an agent's tools; None while they are unknown."""
        return self._known.get(_sort(agent))

    def count(self, agents: Iterable[Agent], then: Callable[[], None], owner: QObject) -> None:
        """Count what is not known yet of these agents; `then` is called if that was anything."""
        unknown = {_sort(a): a for a in agents if _sort(a) not in self._known}
        if not unknown:
            return

        def work() -> dict[_Sort, int | None]:
            return {sort: self._counted(agent) for sort, agent in unknown.items()}

        def done(found: dict[_Sort, int | None]) -> None:
            self._known.update(found)
            then()

        self._bench.background.run(work, done, owner=owner)

    def _counted(self, agent: Agent) -> int | None:
        try:
            return tool_cost(self._bench.library, agent)
        except Exception:  # a number that is missing is no reason to trouble the person
            log.warning("could not count the tools of %s", agent.dialect, exc_info=True)
            return None


def _sort(agent: Agent) -> _Sort:
    return agent.dialect, agent.language, agent.access, agent.entity is not None
