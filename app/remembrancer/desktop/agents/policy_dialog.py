"""The sheet in which an agent gets its name and its policy."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QLineEdit, QVBoxLayout

from remembrancer.core.author import Access, Agent
from remembrancer.core.rules import Rule, read, written
from remembrancer.desktop.agents import words
from remembrancer.desktop.agents.costs import Costs
from remembrancer.desktop.agents.facts import Facts
from remembrancer.desktop.agents.rules_table import RulesTable
from remembrancer.desktop.fields import EntityBox
from remembrancer.desktop.look.buttons import Choice, SegmentedControl
from remembrancer.desktop.look.labels import Banner, Label, Message
from remembrancer.desktop.look.plain import one_line, translate
from remembrancer.desktop.workbench import Workbench
from remembrancer.service.agents import ANSWER_BUDGET


@dataclass(frozen=True)
class Policy:
    """What an agent is called, and what it may do; `entity` locks it to one."""

    name: str
    access: Access
    dialect: str
    entity: str | None
    language: str
    answer_budget: int | None
    rules: tuple[Rule, ...] = ()

    def agent(self) -> Agent:
        """An agent that has this policy, though nobody knows it."""
        return Agent(
            0, self.name, "", "", self.access, self.dialect, self.entity, self.language,
            self.answer_budget, None, None, None, written(self.rules),
        )  # fmt: skip


class PolicyDialog(QDialog):
    """Asks for a policy; `chosen` tells it. It stays open until `close`, to show what failed."""

    chosen = Signal(object)

    def __init__(
        self, bench: Workbench, costs: Costs, agent: Agent | None, parent: object
    ) -> None:  # fmt: skip
        super().__init__(parent)  # type: ignore[call-overload]
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        adding = translate("Agents", "Add an agent")
        self.setWindowTitle(adding if agent is None else one_line(agent.name, 80))
        self.setMinimumWidth(680)
        self.name = QLineEdit()
        self.access = SegmentedControl(_accesses(), translate("Agents", "Access"))
        self.dialect = Choice(_dialects(agent), translate("Agents", "Dialect"))
        self.language = SegmentedControl(
            [(code, words.language(code)) for code in words.LANGUAGES],
            translate("Agents", "Language"),
        )
        self.budget = Choice(_budgets(agent), translate("Agents", "Answers"))
        self.entity = EntityBox(
            bench.library, bench.background, translate("Agents", "Locked to the entity"),
            translate("Agents", "every entity"),
        )  # fmt: skip
        self.rules = RulesTable()
        self.facts = Facts(costs, lambda: bench.serving.address)
        self._form = QFormLayout()
        self._trouble = Banner()
        self._build(agent)

    def policy(self) -> Policy:
        """The policy as it stands."""
        budget = self.budget.current()
        return Policy(
            self.name.text(), Access(self.access.current()), self.dialect.current(),
            self.entity.entity(), self.language.current(), int(budget) if budget else None,
            self.rules.rules(),
        )  # fmt: skip

    def show_trouble(self, sentence: str) -> None:
        """Say why the policy was not taken."""
        self._trouble.show_message(Message("bad", sentence, dismissible=False))
        self.name.setFocus()

    def _build(self, agent: Agent | None) -> None:
        self.name.setAccessibleName(translate("Agents", "Name"))
        self.name.setPlaceholderText(translate("Agents", "such as claude-code"))
        self._fill_form()
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 20, 20, 16)
        column.setSpacing(14)
        column.addWidget(self._trouble)
        column.addLayout(self._form)
        column.addWidget(Label(_told(), "small", wrap=True))
        column.addWidget(self._buttons(adding=agent is None))
        if agent is not None:
            self._fill(agent)
        self._show_facts()

    def _fill_form(self) -> None:
        form, edges = self._form, Qt.AlignmentFlag
        form.setSpacing(12)
        form.setLabelAlignment(edges.AlignRight | edges.AlignVCenter)
        for text, field in (
            (translate("Agents", "Name"), self.name),
            (translate("Agents", "May"), self.access),
            (translate("Agents", "Rules"), self.rules),
            (translate("Agents", "Dialect"), self.dialect),
            ("", self.facts.line),
            (translate("Agents", "Language"), self.language),
            (translate("Agents", "Answers"), self.budget),
            (translate("Agents", "Locked to"), self.entity),
        ):
            form.addRow(Label(text, "muted"), field)
        self.dialect.currentIndexChanged.connect(lambda _row: self._show_facts())
        self.language.chosen.connect(lambda _key: self._show_facts())
        self.access.chosen.connect(lambda _key: self._show_facts())
        self.rules.changed.connect(lambda: QTimer.singleShot(0, self, self.adjustSize))

    def _show_facts(self) -> None:
        """Show what follows from the policy as it stands, and what it leaves to choose."""
        two = self.dialect.current() in words.TWO_LANGUAGES
        self._form.setRowVisible(self.language, two)
        self.rules.show_access(Access(self.access.current()))
        self.facts.show(self.policy().agent())

    def _fill(self, agent: Agent) -> None:
        self.name.setText(agent.name)
        self.name.setEnabled(False)
        self.access.choose(agent.access.value)
        self.dialect.choose(agent.dialect)
        self.language.choose(agent.language)
        self.budget.choose(_key(agent.answer_budget))
        self.entity.setText(agent.entity or "")
        self.rules.show_rules(read(agent.rules))

    def _buttons(self, *, adding: bool) -> QDialogButtonBox:
        box = QDialogButtonBox()
        yes = translate("Agents", "Add agent") if adding else translate("Agents", "Change policy")
        self.yes = box.addButton(yes, QDialogButtonBox.ButtonRole.AcceptRole)
        box.addButton(translate("Agents", "Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        self.yes.setDefault(True)
        self.yes.clicked.connect(lambda: self.chosen.emit(self.policy()))
        box.rejected.connect(self.close)
        return box


def _accesses() -> list[tuple[str, str]]:
    """What an agent may be allowed."""
    offered = (Access.WRITE, Access.PROPOSE, Access.READ)
    return [(access.value, translate("Agents", words.ACCESS[access])) for access in offered]


def _dialects(agent: Agent | None) -> list[tuple[str, str]]:
    """The dialects there are, and that of the agent though this version may not have it."""
    choices = words.dialects()
    if agent is not None and agent.dialect not in dict(choices):
        choices.append((agent.dialect, agent.dialect))
    return choices


def _budgets(agent: Agent | None) -> list[tuple[str, str]]:
    """How long answers may be, the usual first, and as long as those of the agent are."""
    offered: list[int | None] = [ANSWER_BUDGET, 20_000, 50_000, 400_000, None]
    if agent is not None and agent.answer_budget not in offered:
        offered.append(agent.answer_budget)
    return [(_key(budget), words.budget(budget)) for budget in offered]


def _key(budget: int | None) -> str:
    return "" if budget is None else str(budget)


def _told() -> str:
    return translate(
        "Agents",
        "A locked agent sees and changes the memories of that entity alone. The policy counts "
        "from its next call on.",
    )
