"""The agents that may come in, and what the person does with them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypedDict

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMessageBox, QVBoxLayout

from remembrancer import places
from remembrancer.core.author import Access, Agent
from remembrancer.core.errors import RemembrancerError
from remembrancer.core.rules import Rule
from remembrancer.desktop.agents.costs import Costs
from remembrancer.desktop.agents.facts import Facts
from remembrancer.desktop.agents.models import LOCK, AgentModel
from remembrancer.desktop.agents.policy_dialog import Policy, PolicyDialog
from remembrancer.desktop.agents.token_panel import TokenPanel
from remembrancer.desktop.deeds import WINDOW
from remembrancer.desktop.fields import ROW, row, table
from remembrancer.desktop.look.buttons import KeyButton
from remembrancer.desktop.look.labels import Card, EmptyState, Label
from remembrancer.desktop.look.plain import one_line, translate
from remembrancer.desktop.look.question import Question
from remembrancer.desktop.workbench import Workbench
from remembrancer.service.tokens import write_token

MOST = 8  # rows before the table scrolls

Made = tuple[Agent, str, Path]


class Rights(TypedDict):
    """A policy as the desk for agents takes it."""

    access: Access
    dialect: str
    entity: str | None
    language: str
    answer_budget: int | None
    rules: tuple[Rule, ...]


class Roster(Card):
    """The table of agents with its deeds; `token_made` tells the agent that has a new token."""

    token_made = Signal(int)

    def __init__(self, bench: Workbench, token: TokenPanel) -> None:
        super().__init__()
        self._bench, self._token = bench, token
        self._costs = Costs(bench)
        self.model = AgentModel(self._costs.of, self)
        self.facts = Facts(self._costs, lambda: bench.serving.address)
        self.view = table(self.model, translate("Agents", "Agents that may connect"))
        self.add = KeyButton("plus", translate("Agents", "Add agent"), primary=True)
        self.change = KeyButton("pencil", translate("Agents", "Change policy"))
        self.renew = KeyButton("key", translate("Agents", "New token"))
        self.revoke = KeyButton("circle-x", translate("Agents", "Revoke"))
        self.dialog: PolicyDialog | None = None
        self.question: Question | None = None
        self._build()
        self._connect()
        self._enable()

    def show_agents(self, agents: Sequence[Agent], chosen: int | None) -> None:
        """Show these; keep what is chosen, or choose the agent of that id."""
        before = self.chosen()
        wanted = chosen or (before.id if before is not None else 0)
        self.model.show(agents, self._bench.library.clock())
        place = self.model.row_of(wanted)
        if place >= 0:
            self.view.selectRow(place)
        else:
            self.view.clearSelection()
        self.view.setColumnHidden(LOCK, all(agent.entity is None for agent in agents))
        some = bool(agents)
        self.view.setVisible(some)
        self._empty.setVisible(not some)
        self.view.setFixedHeight(ROW * (min(len(agents), MOST) + 1) + 2)
        self._enable()
        self._costs.count(agents, self._show_costs, self)

    def _show_costs(self) -> None:
        self.model.show(self.model.agents, self._bench.library.clock())
        self.facts.show(self.chosen())

    def chosen(self) -> Agent | None:
        """The agent that is chosen in the table."""
        rows = self.view.selectionModel().selectedRows()
        return self.model.agents[rows[0].row()] if rows else None

    # --- deeds

    def ask_for_new(self) -> None:
        """Open the sheet for one more agent."""
        self._open(None, self._let_in)

    def ask_for_policy(self) -> None:
        """Open the sheet for the policy of the agent chosen."""
        agent = self._living()
        if agent is not None:
            self._open(agent, lambda policy: self._give(agent, policy))

    def ask_for_token(self) -> None:
        """Ask whether the agent chosen shall get another token: that cannot be undone."""
        agent = self._living()
        if agent is None:
            return
        self.question = question = Question(
            translate("Agents", "New token"),
            translate("Agents", "Give “{0}” a new token?").format(_short(agent)),
            self,
        )
        question.explain(
            translate("Agents", "The old one ends at once: the agent is let in again only with "
                      "the new one.")
        )  # fmt: skip
        yes = question.addButton(
            translate("Agents", "New token"), QMessageBox.ButtonRole.AcceptRole
        )
        question.addButton(translate("Agents", "Cancel"), QMessageBox.ButtonRole.RejectRole)
        yes.clicked.connect(lambda: self._give_token(agent))
        question.open()

    def _give_token(self, agent: Agent) -> None:
        library, folder = self._bench.library, places.token_folder()

        def work() -> Made:
            token = library.agents.new_token(agent.id, **WINDOW)
            return agent, token, write_token(folder, agent.name, token)

        # No deed for the list of undo: an old token, kept as a hash alone, never comes back.
        self._bench.background.run(work, self._made, owner=self)

    def let_go(self) -> None:
        """Revoke the agent chosen; undo lets it in again."""
        agent = self._living()
        if agent is None:
            return
        library = self._bench.library
        name = translate("Agents", "Revoke “{0}”").format(_short(agent))
        self._bench.deeds.do(name, lambda: library.agents.revoke(agent.id, **WINDOW), owner=self)

    def _let_in(self, policy: Policy) -> None:
        library, folder = self._bench.library, places.token_folder()

        def work() -> Made:
            agent, token = library.agents.add(
                policy.name, **_rights(policy), **WINDOW,
            )  # fmt: skip
            return agent, token, write_token(folder, agent.name, token)

        def done(made: Made) -> None:
            self._close_dialog()
            self._made(made)

        name = translate("Agents", "Add agent “{0}”").format(one_line(policy.name, 40))
        self._bench.deeds.do(name, work, done, self._not_taken, owner=self)

    def _give(self, agent: Agent, policy: Policy) -> None:
        library = self._bench.library

        def work() -> Agent:
            return library.agents.change(
                agent.id, **_rights(policy), **WINDOW,
            )  # fmt: skip

        name = translate("Agents", "Change policy of “{0}”").format(_short(agent))
        self._bench.deeds.do(
            name, work, lambda _agent: self._close_dialog(), self._not_taken, owner=self
        )

    def _made(self, made: Made) -> None:
        agent, token, file = made
        self._token.show_token(agent.name, file, token)
        self.token_made.emit(agent.id)

    def _open(self, agent: Agent | None, chosen: Callable[[Policy], None]) -> None:
        self.dialog = PolicyDialog(self._bench, self._costs, agent, self)
        self.dialog.chosen.connect(chosen)
        self.dialog.finished.connect(lambda _code: self._forget_dialog())
        self.dialog.open()

    def _close_dialog(self) -> None:
        if self.dialog is not None:
            self.dialog.close()

    def _forget_dialog(self) -> None:
        self.dialog = None

    def _not_taken(self, error: RemembrancerError) -> None:
        if self.dialog is not None:
            self.dialog.show_trouble(str(error))
        else:
            self._bench.problem(error)

    def _living(self) -> Agent | None:
        agent = self.chosen()
        return agent if agent is not None and agent.revoked_at is None else None

    # --- putting together

    def _build(self) -> None:
        self._empty = EmptyState(
            "bot", translate("Agents", "No agent yet"),
            translate("Agents", "Add one to get a token for the address, or use the command, "
                      "which needs none."),
        )  # fmt: skip
        self._empty.setMinimumHeight(170)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 14)
        column.setSpacing(8)
        heading = Label(translate("Agents", "Agents that may connect"), "heading")
        column.addWidget(row(heading, 1, self.add))
        column.addWidget(self.view)
        column.addWidget(self._empty)
        column.addWidget(self.facts.line)
        column.addWidget(row(self.change, self.renew, self.revoke, 1))

    def _connect(self) -> None:
        self.add.clicked.connect(self.ask_for_new)
        self.change.clicked.connect(self.ask_for_policy)
        self.renew.clicked.connect(self.ask_for_token)
        self.revoke.clicked.connect(self.let_go)
        self.view.activated.connect(lambda _index: self.ask_for_policy())
        self.view.selectionModel().selectionChanged.connect(lambda *_: self._enable())

    def _enable(self) -> None:
        living = self._living() is not None
        for button in (self.change, self.renew, self.revoke):
            button.setEnabled(living)
        self.facts.show(self.chosen())


def _rights(policy: Policy) -> Rights:
    return {
        "access": policy.access,
        "dialect": policy.dialect,
        "entity": policy.entity,
        "language": policy.language,
        "answer_budget": policy.answer_budget,
        "rules": policy.rules,
    }


def _short(agent: Agent) -> str:
    return one_line(agent.name, 40)
