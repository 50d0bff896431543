"""The search box and the filters below it: every choice is a word in the box, and back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCompleter, QGridLayout, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from remembrancer.core.entity import Scope
from remembrancer.core.filters import State
from remembrancer.core.kinds import Kind
from remembrancer.core.query import parse
from remembrancer.desktop.fields import NameModel
from remembrancer.desktop.look import icons
from remembrancer.desktop.look.buttons import IconButton
from remembrancer.desktop.look.chips import ChipRow, ChipSpec, Choice
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.workbench import Workbench

_STATES = {
    State.ACTIVE: "Active",
    State.PINNED: "Pinned",
    State.REVIEW: "Due",
    State.ARCHIVED: "Archived",
    State.DELETED: "Deleted",
    State.ALL: "All",
}


class FilterBar(QWidget):
    """A box whose text is the whole filter; chips and lists only write into it."""

    changed = Signal()

    def __init__(self, bench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bench = bench
        self._following = False
        self._build()
        self._connect()

    def text(self) -> str:
        """What the box says."""
        return self.box.text()

    def set_text(self, text: str) -> None:
        """Let the box say something else."""
        self.box.setText(text)

    def focus(self) -> None:
        """Put the keyboard into the box."""
        self.box.setFocus()
        self.box.selectAll()

    def toggle(self) -> None:
        """Show or hide the lists; their choices are read when they come into sight."""
        self.panel.setVisible(not self.panel.isVisible())
        if self.panel.isVisible():
            library = self._bench.library
            self._bench.background.run(library.journal.authors, self._offer_agents, owner=self)
            names = lambda: [e.name for e in library.map.entities(limit=5_000)]  # noqa: E731
            self._bench.background.run(names, self._entities.setStringList, owner=self)

    def _written(self, **changes: Any) -> None:
        """One part of the query changed by a chip or a list."""
        if not self._following:
            self.box.setText(replace(parse(self.box.text()), **changes).text())

    def _follow(self, text: str) -> None:
        """Chips and lists show what the box says."""
        query = parse(text)
        self._following = True
        self.states.choose(query.state or State.ACTIVE)
        _choose(self.kind, query.kind)
        _choose(self.scope, query.scope)
        _choose(self.agent, query.agent)
        for line, said in ((self.entity, query.entity), (self.tag, query.tag)):
            if not line.hasFocus():
                line.setText(said or "")
        self._following = False
        self.changed.emit()

    def _state(self, key: str) -> None:
        self._written(state=None if key == State.ACTIVE else key)

    def _offer_agents(self, names: list[str]) -> None:
        self._following = True
        self.agent.clear()
        self.agent.addItem(translate("Filters", "Anybody"), "")
        for name in names:
            self.agent.add(name, name)
        _choose(self.agent, parse(self.box.text()).agent)
        self._following = False

    def _build(self) -> None:
        say = translate
        self.box = QLineEdit(clearButtonEnabled=True)
        self.box.setAccessibleName(say("Filters", "Search memories"))
        self.box.setPlaceholderText(say("Filters", "Search — words, kind:fact, tag:x, stale:>90d"))
        self.box.addAction(
            icons.icon("search", "faint", 16), QLineEdit.ActionPosition.LeadingPosition
        )
        self.more = IconButton("filter", say("Filters", "More filters"))
        chips = [ChipSpec(s.value, say("Filters", t)) for s, t in _STATES.items()]
        self.states = ChipRow(chips, name=say("Filters", "State"))
        anything = say("Filters", "Any kind")
        self.kind = Choice(
            [("", anything), *((k.value, k.value) for k in Kind)], say("Filters", "Kind")
        )
        anywhere = say("Filters", "Any scope")
        self.scope = Choice(
            [("", anywhere), *((s.value, s.value) for s in Scope)], say("Filters", "Scope")
        )
        self.agent = Choice([("", say("Filters", "Anybody"))], say("Filters", "Written last by"))
        self.entity = _line(say("Filters", "Entity"))
        self.tag = _line(say("Filters", "Tag"))
        self._entities = NameModel(self)
        completer = QCompleter(self._entities, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self.entity.setCompleter(completer)
        self._lay_out()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addWidget(self.box, 1)
        row.addWidget(self.more)
        self.panel = QWidget()
        grid = QGridLayout(self.panel)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(6)
        for place, field in enumerate((self.entity, self.tag, self.kind, self.scope, self.agent)):
            grid.addWidget(field, place // 2, place % 2)
        self.panel.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(row)
        column.addWidget(self.states)
        column.addWidget(self.panel)

    def _connect(self) -> None:
        self.box.textChanged.connect(self._follow)
        self.more.clicked.connect(self.toggle)
        self.states.chosen.connect(self._state)
        self.kind.currentIndexChanged.connect(
            lambda: self._written(kind=self.kind.current() or None)
        )
        self.scope.currentIndexChanged.connect(
            lambda: self._written(scope=self.scope.current() or None)
        )
        self.agent.currentIndexChanged.connect(
            lambda: self._written(agent=self.agent.current() or None)
        )
        self.entity.textChanged.connect(lambda t: self._written(entity=t.strip() or None))
        self.tag.textChanged.connect(lambda t: self._written(tag=t.strip() or None))


def _choose(choice: Choice, key: str | None) -> None:
    place = choice.findData(key or "")
    choice.setCurrentIndex(max(place, 0))


def _line(name: str) -> QLineEdit:
    line = QLineEdit(clearButtonEnabled=True)
    line.setAccessibleName(name)
    line.setPlaceholderText(name)
    return line
