"""What a score is made of: the formula in one line, and every part of it beneath."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from remembrancer.core.explaining import breakdown
from remembrancer.core.recall import Hit, query_words
from remembrancer.desktop.fields import row
from remembrancer.desktop.look.labels import Label
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.recall.signal_list import SignalList
from remembrancer.desktop.recall.signal_model import faces, formula


class Score(QWidget):
    """The score of one hit, taken apart."""

    def __init__(self) -> None:
        super().__init__()
        self.signals = SignalList()
        self.formula = Label("", "mono")
        heading = Label(translate("Recall", "What the score is made of"), "heading")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(row(heading, 1, self.formula))
        column.addWidget(self.signals)

    def show_hit(self, hit: Hit, query: str, now: int) -> None:
        """Take the score of a hit apart; `now` is when it was asked for (microseconds)."""
        found = breakdown(hit, query, now)
        self.formula.setText(formula(found))
        self.signals.show_rows(faces(found, hit, bool(query_words(query)), now))
