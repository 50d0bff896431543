"""What follows from a policy: the path that an agent has to use, and what its tools cost it."""

from __future__ import annotations

from collections.abc import Callable

from remembrancer.core.author import Agent
from remembrancer.desktop.agents import words
from remembrancer.desktop.agents.costs import Costs
from remembrancer.desktop.fields import CopyIcon, row
from remembrancer.desktop.look.labels import ElidedLabel, Label
from remembrancer.desktop.look.plain import translate
from remembrancer.service import connecting

NATIVE_PATH = "/mcp"


def path_of(agent: Agent) -> str:
    """Where the host serves the dialect of an agent."""
    return connecting.address_for(NATIVE_PATH, agent.dialect)


class Facts:
    """One line of them: the path, ready to be copied, and the characters of the tools.

    `address` gives the native address of the host, None while it does not run.
    """

    def __init__(self, costs: Costs, address: Callable[[], str | None]) -> None:
        self._costs, self._address = costs, address
        self._agent: Agent | None = None
        self.path = ElidedLabel("", "mono", "text")
        self.cost = Label("", "muted")
        self.cost.setToolTip(
            translate("Agents", "What the agent reads of its tools in every conversation")
        )
        copy = CopyIcon(self._to_copy, translate("Agents", "Copy the address of this dialect"))
        title = Label(translate("Agents", "Path"), "muted")
        self.line = row(title, self.path, copy, self.cost, 1)

    def show(self, agent: Agent | None) -> None:
        """Show the facts of an agent; nothing without one."""
        self._agent = agent
        self.line.setVisible(agent is not None)
        if agent is None:
            return
        self.path.setText(path_of(agent))
        self._show_cost()
        self._costs.count([agent], self._show_cost, self.line)

    def _show_cost(self) -> None:
        characters = None if self._agent is None else self._costs.of(self._agent)
        self.cost.setText("" if characters is None else words.cost(characters))

    def _to_copy(self) -> str:
        if self._agent is None:
            return ""
        address = self._address()
        if address is None:
            return path_of(self._agent)
        return connecting.address_for(address, self._agent.dialect)
