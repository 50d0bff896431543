"""Agents: the server, who is connected, who may connect, and how to connect one more."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QCloseEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QVBoxLayout, QWidget

from remembrancer import places
from remembrancer.core.author import Agent
from remembrancer.core.clock import SECOND
from remembrancer.core.journal import Subject
from remembrancer.desktop.agents.connect_panel import SAMPLE, ConnectPanel
from remembrancer.desktop.agents.models import Guest, VisitorModel
from remembrancer.desktop.agents.roster import Roster
from remembrancer.desktop.agents.server_panel import ServerPanel
from remembrancer.desktop.agents.token_files import token_files
from remembrancer.desktop.agents.token_panel import TokenPanel
from remembrancer.desktop.feed import Changes
from remembrancer.desktop.fields import ROW, row, scrolled, table
from remembrancer.desktop.look.labels import Card, Label
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.pane import Pane
from remembrancer.desktop.workbench import Workbench
from remembrancer.service.connecting import HTTP

TWO_COLUMNS = 980  # pixels of width from which both sides stand beside each other
MOST_VISITORS = 6  # rows of the table of visitors before it scrolls


class AgentsPane(Pane):
    """At the left what is: the server, agents, visitors. At the right how to connect one more."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench)
        self.server = ServerPanel(bench)
        self.token = TokenPanel()
        self.roster = Roster(bench, self.token)
        self.visitors = VisitorModel(self)
        self.connect_panel = ConnectPanel(bench.library.path)
        self._sides = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._files: dict[int, Path] = {}
        self._build()
        self._connect()

    def open(self, **what: object) -> None:
        """Show the pane; `agent_id` chooses an agent."""
        self._read(what.get("agent_id"))
        self._show_serving()
        self.roster.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def changed(self, changes: Changes) -> None:
        if changes.of(Subject.AGENT):
            self._read(None)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.token.forget()
        super().closeEvent(event)

    def pose(self) -> None:
        """Show the server as if it ran, two agents connected, and one of them chosen."""
        now = self.bench.library.clock()
        living = [a for a in self.roster.model.agents if a.revoked_at is None]
        self._show_guests([_posed(a, now) for a in living[:2]])
        self.roster.view.selectRow(0)
        self.server.show_state(SAMPLE)
        self.connect_panel.how.choose(HTTP)
        self.connect_panel.show_for(SAMPLE, self.roster.chosen(), places.token_folder() / "…")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        directions = QBoxLayout.Direction
        wide = self.width() >= TWO_COLUMNS
        self._sides.setDirection(directions.LeftToRight if wide else directions.TopToBottom)

    # --- reading

    def _read(self, chosen: object) -> None:
        library, folder = self.bench.library, places.token_folder()

        def work() -> tuple[list[Agent], dict[int, Path]]:
            agents = library.agents.all()
            return agents, token_files(library, agents, folder)

        def show(found: tuple[list[Agent], dict[int, Path]]) -> None:
            agents, self._files = found
            self.roster.show_agents(agents, chosen if isinstance(chosen, int) else None)
            self._show_connecting()

        self.bench.background.run(work, show, owner=self)

    def _show_serving(self) -> None:
        self.server.refresh()
        self._show_guests(self.bench.serving.connected())  # type: ignore[arg-type]
        self._show_connecting()

    def _show_guests(self, guests: Sequence[Guest]) -> None:
        self.visitors.show(guests, self.bench.library.clock())
        rows = self.visitors.rowCount()
        self._guests.setVisible(rows > 0)
        self._nobody.setVisible(rows == 0)
        self._guests.setFixedHeight(ROW * (min(rows, MOST_VISITORS) + 1) + 2)

    def _show_connecting(self) -> None:
        agent = self.roster.chosen()
        if agent is not None and agent.revoked_at is not None:
            agent = None
        file = self._files.get(agent.id) if agent is not None else None
        self.connect_panel.show_for(self.bench.serving.address, agent, file)

    # --- putting together

    def _build(self) -> None:
        column = QVBoxLayout()
        column.setSpacing(12)
        for part in (self.server, self.token, self.roster, self._visitors_card()):
            column.addWidget(part)
        column.addStretch(1)
        self._sides.setContentsMargins(0, 0, 8, 0)
        self._sides.setSpacing(12)
        self._sides.addLayout(column, 3)
        self._sides.addWidget(self.connect_panel, 2)
        room = QWidget()
        room.setLayout(self._sides)
        told = translate("Agents", "Who writes and reads here, and what each may do")
        title = Label(translate("Agents", "Agents"), "pane")
        whole = QVBoxLayout(self)
        whole.setContentsMargins(16, 14, 8, 14)
        whole.setSpacing(12)
        whole.addWidget(row(title, Label(told, "muted"), 1, gap=12))
        whole.addWidget(scrolled(room), 1)

    def _visitors_card(self) -> Card:
        card = Card()
        self._guests = table(self.visitors, translate("Agents", "Who is connected"), wide=1)
        self._guests.setSelectionMode(self._guests.SelectionMode.NoSelection)
        self._nobody = Label(
            translate("Agents", "Nobody is connected. A command that serves the store by itself is "
                      "seen in Activity once it writes."),
            "muted", wrap=True,
        )  # fmt: skip
        column = QVBoxLayout(card)
        column.setContentsMargins(16, 12, 16, 14)
        column.setSpacing(6)
        column.addWidget(Label(translate("Agents", "Who is connected"), "heading"))
        column.addWidget(self._guests)
        column.addWidget(self._nobody)
        return card

    def _connect(self) -> None:
        self.server.changed.connect(self._show_serving)
        changed = getattr(self.bench.serving, "changed", None)
        if changed is not None:
            changed.connect(self._show_serving)
        choosing = self.roster.view.selectionModel()
        assert isinstance(choosing, QItemSelectionModel)
        choosing.selectionChanged.connect(lambda *_: self._show_connecting())
        self.roster.token_made.connect(lambda agent_id: self._read(agent_id))


def _posed(agent: Agent, now: int) -> Guest:
    client = f"{agent.client_name or agent.name} {agent.client_version}".strip()
    return Guest(agent.name, client, now - 3_600 * SECOND, now - 20 * SECOND)
