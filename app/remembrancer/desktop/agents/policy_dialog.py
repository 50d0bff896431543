"""The sheet in which an agent gets its name and its policy."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QLineEdit, QVBoxLayout

from remembrancer.core.author import Access, Agent
from remembrancer.desktop.agents import words
from remembrancer.desktop.fields import EntityBox
from remembrancer.desktop.look.buttons import Choice, SegmentedControl
from remembrancer.desktop.look.labels import Banner, Label, Message
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.workbench import Workbench


@dataclass(frozen=True)
class Policy:
    """What an agent is called, and what it may do; `entity` locks it to one."""

    name: str
    access: Access
    dialect: str
    entity: str | None


class PolicyDialog(QDialog):
    """Asks for a policy; `chosen` tells it. It stays open until `close`, to show what failed."""

    chosen = Signal(object)

    def __init__(self, bench: Workbench, agent: Agent | None, parent: object) -> None:
        super().__init__(parent)  # type: ignore[call-overload]
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        adding = translate("Agents", "Add an agent")
        self.setWindowTitle(adding if agent is None else agent.name)
        self.setMinimumWidth(480)
        self.name = QLineEdit()
        self.access = SegmentedControl(
            [(a.value, translate("Agents", words.ACCESS[a])) for a in (Access.WRITE, Access.READ)],
            translate("Agents", "Access"),
        )
        choices = [(d, words.dialect(d)) for d in words.DIALECTS]
        if agent is not None and agent.dialect not in words.DIALECTS:
            choices.append((agent.dialect, agent.dialect))
        self.dialect = Choice(choices, translate("Agents", "Dialect"))
        self.entity = EntityBox(
            bench.library, bench.background, translate("Agents", "Locked to the entity"),
            translate("Agents", "every entity"),
        )  # fmt: skip
        self._trouble = Banner()
        self._build(agent)

    def policy(self) -> Policy:
        """The policy as it stands."""
        access = Access(self.access.current())
        return Policy(self.name.text(), access, self.dialect.current(), self.entity.entity())

    def show_trouble(self, sentence: str) -> None:
        """Say why the policy was not taken."""
        self._trouble.show_message(Message("bad", sentence, dismissible=False))
        self.name.setFocus()

    def _build(self, agent: Agent | None) -> None:
        self.name.setAccessibleName(translate("Agents", "Name"))
        self.name.setPlaceholderText(translate("Agents", "such as claude-code"))
        form = QFormLayout()
        form.setSpacing(12)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        for text, field in (
            (translate("Agents", "Name"), self.name),
            (translate("Agents", "May"), self.access),
            (translate("Agents", "Dialect"), self.dialect),
            (translate("Agents", "Locked to"), self.entity),
        ):
            form.addRow(Label(text, "muted"), field)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 20, 20, 16)
        column.setSpacing(14)
        column.addWidget(self._trouble)
        column.addLayout(form)
        column.addWidget(Label(_told(), "small", wrap=True))
        column.addWidget(self._buttons(adding=agent is None))
        if agent is not None:
            self._fill(agent)

    def _fill(self, agent: Agent) -> None:
        self.name.setText(agent.name)
        self.name.setEnabled(False)
        if agent.access is not Access.PROPOSE:
            self.access.choose(agent.access.value)
        self.dialect.choose(agent.dialect)
        self.entity.setText(agent.entity or "")

    def _buttons(self, *, adding: bool) -> QDialogButtonBox:
        box = QDialogButtonBox()
        yes = translate("Agents", "Add agent") if adding else translate("Agents", "Change policy")
        self.yes = box.addButton(yes, QDialogButtonBox.ButtonRole.AcceptRole)
        box.addButton(translate("Agents", "Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        self.yes.setDefault(True)
        self.yes.clicked.connect(lambda: self.chosen.emit(self.policy()))
        box.rejected.connect(self.close)
        return box


def _told() -> str:
    return translate(
        "Agents",
        "A locked agent sees and changes the memories of that entity alone. The policy counts "
        "from its next call on.",
    )
