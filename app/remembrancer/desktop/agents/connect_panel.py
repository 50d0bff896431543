"""Connect an agent: the configuration of each client, ready to be copied."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout

from remembrancer.core.author import Agent
from remembrancer.desktop.agents import words
from remembrancer.desktop.fields import CopyButton, CopyIcon, row
from remembrancer.desktop.look import fonts
from remembrancer.desktop.look.buttons import Choice, SegmentedControl
from remembrancer.desktop.look.labels import Card, ElidedLabel, Label
from remembrancer.desktop.look.plain import translate
from remembrancer.service import connecting
from remembrancer.service.connecting import HTTP, STDIO, ClientConfig, Secret

SAMPLE = "http://127.0.0.1:8757/mcp"


class ConnectPanel(Card):
    """For one client, one way, and one agent: the file, what to put there, and the token."""

    def __init__(self, store: Path) -> None:
        super().__init__()
        self._store = store
        self._address: str | None = None
        self._agent: Agent | None = None
        self._token_file: Path | None = None
        self.setAccessibleName(translate("Agents", "Connect an agent"))
        found = connecting.configurations(SAMPLE, None, ["remembrancer"])
        names = dict.fromkeys(config.client for config in found)
        self.client = Choice([(name, name) for name in names], translate("Agents", "Client"))
        self.how = SegmentedControl(
            [(how, words.way(how)) for how in (STDIO, HTTP)], translate("Agents", "Way")
        )
        self.text = QPlainTextEdit()
        self.file = ElidedLabel("", "mono", "text")
        self.whose = Label("", "muted", wrap=True)
        self.about = Label("", "muted", wrap=True)
        self.prepare = ElidedLabel("", "mono", "text")
        self.copy = CopyButton(self._to_copy)
        self._copy_prepare = CopyIcon(self._prepared, translate("Agents", "Copy the line"))
        self._build()
        self.refresh()

    def show_for(self, address: str | None, agent: Agent | None, token_file: Path | None) -> None:
        """Show it for the agent chosen, and the server's address while it runs."""
        before = (self._address, self._agent, self._token_file)
        self._address, self._agent, self._token_file = address, agent, token_file
        if (address, agent, token_file) != before:
            self.refresh()

    def config(self) -> ClientConfig | None:
        """What is shown; None where the client has no such way."""
        wanted = (self.client.current(), self.how.current())
        return next((c for c in self._configs() if (c.client, c.how) == wanted), None)

    def refresh(self) -> None:
        """Make the text anew."""
        config = self.config()
        self.whose.setText(self._whom())
        self.copy.setEnabled(config is not None)
        self.text.setPlainText(config.text if config else "")
        self.file.setText(config.file if config else "")
        known = self._token_file is not None
        self.about.setText(words.about_secret(config, known) if config else self._why_not())
        prepare = config.prepare if config else ""
        self.prepare.setText(prepare)
        self.prepare.setVisible(bool(prepare))
        self._copy_prepare.setVisible(bool(prepare))

    def _configs(self) -> list[ClientConfig]:
        command = connecting.own_command(self._store)
        address = self._address
        if self._agent is not None:
            command += connecting.policy_flags(self._agent)
            command += connecting.answer_flags(self._agent)
            address = address and connecting.address_for(address, self._agent.dialect)
        return connecting.configurations(address, self._token_file, command)

    def _whom(self) -> str:
        if self._agent is None:
            return translate("Agents", "With every right. Choose an agent to use its policy.")
        return translate("Agents", "With the policy of {0}.").format(self._agent.name)

    def _why_not(self) -> str:
        if self._address is None:
            return translate("Agents", "The server is off: start it to connect by address.")
        return translate("Agents", "This client knows no servers by address; use the command.")

    def _to_copy(self) -> str:
        config = self.config()
        if config is None:
            return ""
        file = self._token_file
        if config.secret is not Secret.PASTED or file is None:
            return config.text
        try:
            return connecting.with_token(config, file.read_text(encoding="utf-8").strip())
        except OSError:
            return config.text

    def _prepared(self) -> str:
        config = self.config()
        return config.prepare if config else ""

    def _build(self) -> None:
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setMinimumHeight(240)
        self.text.setAccessibleName(translate("Agents", "Configuration"))
        self.text.setFont(fonts.font(12, mono=True))
        self.text.setWordWrapMode(QTextOption.WrapMode.WrapAnywhere)
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByKeyboard
            | Qt.TextInteractionFlag.TextSelectableByMouse
        )
        self.text.setStyleSheet(
            "QPlainTextEdit { background: palette(window); border: 1px solid palette(mid) }"
        )
        copy_file = CopyIcon(self.file.text, translate("Agents", "Copy the file's name"))
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 16)
        column.setSpacing(10)
        column.addWidget(Label(translate("Agents", "Connect an agent"), "heading"))
        column.addWidget(row(self.client, 1, self.how))
        column.addWidget(self.whose)
        column.addWidget(Label(translate("Agents", "Put this into"), "small"))
        column.addWidget(row(self.file, copy_file, 1, gap=4))
        column.addWidget(self.text, 1)
        column.addWidget(self.about)
        column.addWidget(row(self.prepare, self._copy_prepare, 1, gap=4))
        column.addWidget(row(1, self.copy))
        self.client.currentIndexChanged.connect(lambda _row: self.refresh())
        self.how.chosen.connect(lambda _key: self.refresh())
