"""The filters above the list of calls: words, authors, doors."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from remembrancer.desktop.activity.reading import AGENTS, Wanted
from remembrancer.desktop.fields import SearchBox
from remembrancer.desktop.look.buttons import ChipRow, Choice
from remembrancer.desktop.look.chips import ChipSpec
from remembrancer.desktop.look.labels import Label
from remembrancer.desktop.look.plain import one_line, translate

MOST_CHIPS = 6
_ALL, _BY, _OTHERS = "all", "by:", "others"


class Filters(QWidget):
    """`changed` tells that other calls are wanted, `to_the_list` that the keyboard goes there."""

    changed = Signal()
    to_the_list = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.search = SearchBox(
            translate("Activity", "Search what was written"),
            translate("Activity", "Search the journal"),
        )
        self.authors = ChipRow(name=translate("Activity", "Authors"))
        self.others = Choice((), translate("Activity", "Other authors"))
        self.doors = Choice(
            (
                ("", translate("Activity", "Through any door")),
                (AGENTS, translate("Activity", "Agents")),
                ("window", translate("Activity", "Window")),
                ("import", translate("Activity", "Imports")),
                ("undo", translate("Activity", "Undo")),
            ),
            translate("Activity", "Door"),
        )
        self._build()
        self._connect()
        self.show_authors(())

    def wanted(self) -> Wanted:
        """Which calls the person wants to see."""
        return Wanted(self.search.text().strip(), self._author(), self.doors.current())

    def show_authors(self, names: Sequence[str]) -> None:
        """Offer these authors, the most important first."""
        chosen = self._author()
        chips = [ChipSpec(_BY + n, one_line(n, 24)) for n in names[:MOST_CHIPS]]
        self.authors.set_chips([ChipSpec(_ALL, translate("Activity", "Everybody")), *chips])
        self.others.blockSignals(True)
        self.others.clear()
        self.others.addItem(translate("Activity", "Others…"), "")
        for name in names[MOST_CHIPS:]:
            self.others.addItem(one_line(name, 60), name)
        self.others.setCurrentIndex(max(0, self.others.findData(chosen) if chosen else 0))
        self.others.blockSignals(False)
        self.others.setVisible(len(names) > MOST_CHIPS)

    def reset(self) -> None:
        """Want everything again."""
        self.authors.choose(_ALL)
        self.others.setCurrentIndex(0)
        self.doors.setCurrentIndex(0)
        self.search.clear()
        self.changed.emit()

    def _author(self) -> str | None:
        if self.others.currentData():
            return str(self.others.currentData())
        key = next(iter(self.authors.keys_on()), _ALL)
        return None if key == _ALL else key.removeprefix(_BY)

    def _build(self) -> None:
        head = QHBoxLayout()
        head.addWidget(Label(translate("Activity", "Activity"), "pane"))
        head.addStretch(1)
        head.addWidget(self.others)
        head.addWidget(self.doors)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        column.addLayout(head)
        column.addWidget(self.search)
        column.addWidget(self.authors)

    def _connect(self) -> None:
        self.search.textChanged.connect(lambda _text: self.changed.emit())
        self.search.to_the_list.connect(self.to_the_list)
        self.authors.chosen.connect(self._chip_chosen)
        self.others.currentIndexChanged.connect(self._other_chosen)
        self.doors.currentIndexChanged.connect(lambda _row: self.changed.emit())

    def _chip_chosen(self, _key: str) -> None:
        self.others.blockSignals(True)
        self.others.setCurrentIndex(0)
        self.others.blockSignals(False)
        self.changed.emit()

    def _other_chosen(self, row: int) -> None:
        self.authors.choose(_OTHERS if row > 0 else _ALL)
        self.changed.emit()
