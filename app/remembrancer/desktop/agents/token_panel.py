"""A new token: where its file is, and the token itself, hidden until the person wants to see it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QVBoxLayout

from remembrancer.desktop.fields import CopyButton, CopyIcon, row
from remembrancer.desktop.look import fonts
from remembrancer.desktop.look.buttons import IconButton, KeyButton
from remembrancer.desktop.look.labels import Card, ElidedLabel, Label, Symbol
from remembrancer.desktop.look.plain import translate


class TokenPanel(Card):
    """Shown after a token was made; once closed, the token is shown no more."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(translate("Agents", "New token"))
        self.title = Label("", "heading")
        self.path = ElidedLabel("", "mono", "text")
        self.token = QLineEdit()
        self.reveal = KeyButton("eye", translate("Agents", "Reveal"))
        self.copy = CopyButton(self.token.text)
        self._close = IconButton(
            "x", translate("Agents", "Close; the token is shown no more"), True
        )
        self._build()
        self.hide()

    def show_token(self, agent: str, file: Path, token: str) -> None:
        """Offer a token that was just made and written to `file`."""
        self.title.setText(translate("Agents", "The token of {0}").format(agent))
        self.path.setText(str(file))
        self.token.setText(token)
        self._hide_token(True)
        self.show()

    def forget(self) -> None:
        """Let the token go."""
        self.token.clear()
        self.hide()

    def _build(self) -> None:
        self.token.setReadOnly(True)
        self.token.setAccessibleName(translate("Agents", "Token"))
        self.token.setFont(fonts.font(12, mono=True))
        told = translate(
            "Agents",
            "It is kept in a file that only you can read. It is shown here once: "
            "Remembrancer itself keeps no copy.",
        )
        copy_path = CopyIcon(self.path.text, translate("Agents", "Copy the path"))
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 12, 14)
        column.setSpacing(8)
        column.addWidget(row(Symbol("key", "accent"), self.title, 1, self._close))
        column.addWidget(Label(told, "muted", wrap=True))
        column.addWidget(row(self.path, copy_path, 1, gap=4))
        column.addWidget(row(self.token, self.reveal, self.copy))
        self.reveal.clicked.connect(self._toggle)
        self._close.clicked.connect(self.forget)

    def _toggle(self) -> None:
        self._hide_token(self.token.echoMode() is QLineEdit.EchoMode.Normal)

    def _hide_token(self, hidden: bool) -> None:
        modes = QLineEdit.EchoMode
        self.token.setEchoMode(modes.Password if hidden else modes.Normal)
        self.token.setFocusPolicy(Qt.FocusPolicy.NoFocus if hidden else Qt.FocusPolicy.StrongFocus)
        label = translate("Agents", "Reveal") if hidden else translate("Agents", "Hide")
        self.reveal.set_label(label, "eye" if hidden else "eye-off")
