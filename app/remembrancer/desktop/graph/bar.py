"""The bar above the graph: find an entity, what colours tell, how far the focus reaches."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCompleter, QHBoxLayout, QLineEdit, QWidget

from remembrancer.desktop.fields import NameModel
from remembrancer.desktop.graph.state import ColourBy
from remembrancer.desktop.look import icons
from remembrancer.desktop.look.buttons import KeyButton
from remembrancer.desktop.look.chips import SegmentedControl
from remembrancer.desktop.look.plain import translate


class GraphBar(QWidget):
    """`names` is what the search box completes; the pane connects the rest."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        say = translate
        self.names = NameModel(self)
        self.search = self._search_box()
        self.colours = SegmentedControl(
            [
                (ColourBy.TYPE.value, say("Graph", "Type")),
                (ColourBy.SCOPE.value, say("Graph", "Scope")),
                (ColourBy.STALENESS.value, say("Graph", "Staleness")),
            ],
            name=say("Graph", "What the colours tell"),
        )
        self.depths = SegmentedControl(
            [("1", say("Graph", "1 step")), ("2", say("Graph", "2")), ("3", say("Graph", "3"))],
            name=say("Graph", "How far the focus reaches"),
        )
        self.fit_button = KeyButton("maximize", say("Graph", "Show all"), "0")
        self.tidy_button = KeyButton("sparkles", say("Graph", "Tidy up"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(10)
        for part in (self.search, self.colours, self.depths, self.fit_button, self.tidy_button):
            row.addWidget(part)

    def _search_box(self) -> QLineEdit:
        box = QLineEdit()
        box.setClearButtonEnabled(True)
        box.setFixedWidth(300)
        box.setAccessibleName(translate("Graph", "Find an entity"))
        box.setPlaceholderText(translate("Graph", "Find an entity   Ctrl+F"))
        box.addAction(icons.icon("search", "faint", 16), QLineEdit.ActionPosition.LeadingPosition)
        completer = QCompleter(self.names, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        box.setCompleter(completer)
        return box
