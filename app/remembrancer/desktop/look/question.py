"""A question in a box of its own, in plain words whatever they hold."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from remembrancer.desktop.look.plain import display_text, one_line


class Question(QMessageBox):
    """A box that reads no markup; it is gone once it was answered. `open` shows it."""

    def __init__(self, title: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWindowTitle(one_line(title, 80))
        self.setText(display_text(text))

    def explain(self, text: str) -> None:
        """Say more in smaller letters below."""
        self.setInformativeText(display_text(text))
