"""The tables of the pane: who is connected, and who may connect."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from remembrancer.core.author import Agent
from remembrancer.desktop import words as all_words
from remembrancer.desktop.agents import words
from remembrancer.desktop.look import icons, theme
from remembrancer.desktop.look.plain import one_line, tooltip, translate

_Index = QModelIndex | QPersistentModelIndex
AGENT_ROLE = int(Qt.ItemDataRole.UserRole) + 1
TOOLS, LOCK = 3, 4  # the columns with the characters of an agent's tools, and with its entity
_LONGEST_LOCK = 16  # characters of it, so that names have room


@dataclass(frozen=True)
class Guest:
    """One connected client, as the host tells of it; times in microseconds UTC."""

    agent: str
    client: str
    since: int
    last_call: int


class _Table(QAbstractTableModel):
    """Rows of plain texts under fixed headings."""

    headings: tuple[str, ...] = ()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.cells: list[tuple[str, ...]] = []

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.cells)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.headings)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        cell = self.cells[index.row()][index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return one_line(cell, 120)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tooltip(cell)
        if role == Qt.ItemDataRole.DecorationRole and index.column() == 0:
            return icons.icon(icons.for_agent(cell))
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        across = orientation is Qt.Orientation.Horizontal
        if role != Qt.ItemDataRole.DisplayRole or not across:
            return None
        return translate("Agents", self.headings[section])

    def put(self, cells: list[tuple[str, ...]]) -> None:
        """Show these rows; the same number of rows keeps what is chosen."""
        if len(cells) != len(self.cells):
            self.beginResetModel()
            self.cells = cells
            self.endResetModel()
        elif cells:
            self.cells = cells
            last = self.index(len(cells) - 1, len(self.headings) - 1)
            self.dataChanged.emit(self.index(0, 0), last)


class VisitorModel(_Table):
    """Who is connected: agent, client, since when, last call."""

    headings = ("Agent", "Client", "Since", "Last call")

    def show(self, visitors: Sequence[Guest], now: int) -> None:
        """Show these, as of `now`."""
        self.put([
            (v.agent, v.client or "—", all_words.moment(v.since, now), _ago(v.last_call, now))
            for v in visitors
        ])  # fmt: skip


class AgentModel(_Table):
    """Every agent: name, what it may do, its dialect, its lock, and when it was last here.

    `cost` gives the characters of an agent's tools, as far as they are known.
    """

    headings = ("Name", "May", "Dialect", "Tools", "Locked to", "Last seen")

    def __init__(self, cost: Callable[[Agent], int | None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._cost = cost
        self.agents: list[Agent] = []

    def show(self, agents: Sequence[Agent], now: int) -> None:
        """Show these, as of `now`: those that may come in first."""
        self.agents = sorted(agents, key=lambda a: a.revoked_at is not None)
        self.put([self._cells(agent, now) for agent in self.agents])

    def row_of(self, agent_id: int) -> int:
        """Where an agent stands; -1 when it is not there."""
        return next((i for i, a in enumerate(self.agents) if a.id == agent_id), -1)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        agent = self.agents[index.row()]
        if role == AGENT_ROLE:
            return agent
        if role == Qt.ItemDataRole.DisplayRole and index.column() == LOCK:
            return one_line(self.cells[index.row()][LOCK], _LONGEST_LOCK)
        if role == Qt.ItemDataRole.ToolTipRole and index.column() == TOOLS:
            return self._told_cost(agent)
        if role == Qt.ItemDataRole.ForegroundRole and agent.revoked_at is not None:
            return theme.current().color("faint")
        return super().data(index, role)

    def _cells(self, agent: Agent, now: int) -> tuple[str, ...]:
        seen = "—" if agent.last_seen is None else _ago(agent.last_seen, now)
        cost = self._cost(agent)
        tools = "—" if cost is None else f"{cost:,}"
        return agent.name, words.may(agent), words.spoken(agent), tools, agent.entity or "—", seen

    def _told_cost(self, agent: Agent) -> str | None:
        cost = self._cost(agent)
        return None if cost is None else tooltip(words.cost(cost))


def _ago(at: int, now: int) -> str:
    age = all_words.age(at, now)
    if age == all_words.age(now, now):
        return age
    return translate("Agents", "{0} ago").format(age)
