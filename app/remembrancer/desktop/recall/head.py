"""The head of the recall place: what it shows, and by which signals the answer was found."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QWidget

from remembrancer.core.recall import Question
from remembrancer.desktop.look.labels import Label
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.recall import words
from remembrancer.desktop.recall.asking import Asking


class RecallHead(QWidget):
    """The name of the place at the left, and at the right a quiet line about the last answer."""

    def __init__(self, asking: Asking) -> None:
        super().__init__()
        self._asking = asking
        self.signals = Label("", "small")
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(12)
        line.addWidget(Label(translate("Recall", "Recall"), "pane"))
        told = translate("Recall", "What an agent gets for a question, to the letter")
        line.addWidget(Label(told, "muted"))
        line.addStretch(1)
        line.addWidget(self.signals)
        asking.answered.connect(lambda question, _whole: self._show(question))
        asking.failed.connect(lambda _question, _error: self.signals.clear())

    def _show(self, question: Question) -> None:
        # Without words nothing was searched for: what stands highest is served.
        asked = bool(question.query.strip())
        self.signals.setText(words.signals(self._asking.meaning) if asked else "")
