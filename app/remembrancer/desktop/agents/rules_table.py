"""The small table of an agent's rules: verdict, kind, scope; to add, remove and put in order."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from remembrancer.core.author import Access
from remembrancer.core.entity import Scope
from remembrancer.core.kinds import Kind
from remembrancer.core.rules import Rule, Verdict
from remembrancer.desktop.agents import rules_words
from remembrancer.desktop.fields import row
from remembrancer.desktop.look.buttons import IconButton, LinkButton
from remembrancer.desktop.look.chips import Choice
from remembrancer.desktop.look.labels import Label
from remembrancer.desktop.look.plain import translate

MOST = 40  # rules of an agent
_ROW, _SEEN = 38, 5


class RuleRow(QWidget):
    """One rule. `moved` wants it up (-1) or down (1), `removed` gone."""

    changed = Signal()
    moved = Signal(int)
    removed = Signal()

    def __init__(self, rule: Rule) -> None:
        super().__init__()
        say = translate
        verdicts = [(v.value, rules_words.verdict(v)) for v in Verdict]
        kinds = [("", say("Rules", "any kind")), *((k.value, k.value) for k in Kind)]
        scopes = [
            ("", say("Rules", "any scope")),
            *((s.value, rules_words.scope(s)) for s in Scope),
        ]
        self.verdict = Choice(verdicts, say("Rules", "Verdict"))
        self.kind = Choice(kinds, say("Rules", "Kind"))
        self.scope = Choice(scopes, say("Rules", "Scope"))
        self.up = IconButton("chevron-up", say("Rules", "Move this rule up"), flat=True)
        self.down = IconButton("chevron-down", say("Rules", "Move this rule down"), flat=True)
        self.remove = IconButton("x", say("Rules", "Remove this rule"), flat=True)
        self.verdict.choose(rule.verdict.value)
        self.kind.choose(rule.kind or "")
        self.scope.choose(rule.scope or "")
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 2, 0, 2)
        line.setSpacing(6)
        for choice in (self.verdict, self.kind, self.scope):
            line.addWidget(choice, 1)
            choice.currentIndexChanged.connect(lambda _row: self.changed.emit())
        for button in (self.up, self.down, self.remove):
            line.addWidget(button)
        self.up.clicked.connect(lambda: self.moved.emit(-1))
        self.down.clicked.connect(lambda: self.moved.emit(1))
        self.remove.clicked.connect(self.removed)

    def rule(self) -> Rule:
        """The rule as it is chosen."""
        kind, scope = self.kind.current(), self.scope.current()
        return Rule(
            Verdict(self.verdict.current()),
            Kind(kind) if kind else None,
            Scope(scope) if scope else None,
        )


class RulesTable(QWidget):
    """The rules in their order, and below them what they come to, in sentences."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._access = Access.WRITE
        self.rows: list[RuleRow] = []
        self.add = LinkButton(translate("Rules", "Add a rule"))
        self.add.setAutoDefault(False)  # Return saves the policy
        self.said = Label(role="muted", wrap=True)
        self._room = QWidget()
        self._lines = QVBoxLayout(self._room)
        self._lines.setContentsMargins(0, 0, 0, 0)
        self._lines.setSpacing(0)
        self._lines.addStretch(1)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setWidget(self._room)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self._scroll)
        column.addWidget(row(self.add, 1))
        column.addWidget(self.said)
        self.add.clicked.connect(lambda: self._append(Rule(Verdict.HOLD)))
        self._tell()

    def rules(self) -> tuple[Rule, ...]:
        """The rules as they stand, the first that counts first."""
        return tuple(each.rule() for each in self.rows)

    def show_rules(self, rules: Sequence[Rule]) -> None:
        """Show these in place of the present ones."""
        for each in list(self.rows):
            self._remove(each)
        for rule in rules:
            self._append(rule)

    def show_access(self, access: Access) -> None:
        """Say what follows for an agent of that access; one that only reads has no rules."""
        self._access = access
        self._tell()

    # --- inside

    def _append(self, rule: Rule) -> None:
        line = RuleRow(rule)
        line.changed.connect(self._tell)
        line.moved.connect(lambda by: self._move(line, by))
        line.removed.connect(lambda: self._remove(line))
        self.rows.append(line)
        self._lines.insertWidget(self._lines.count() - 1, line)
        self._tell()

    def _remove(self, line: RuleRow) -> None:
        self.rows.remove(line)
        self._lines.removeWidget(line)
        line.hide()
        line.deleteLater()
        self._tell()

    def _move(self, line: RuleRow, by: int) -> None:
        place = self.rows.index(line) + by
        if not 0 <= place < len(self.rows):
            return
        self.rows.remove(line)
        self.rows.insert(place, line)
        self._lines.removeWidget(line)
        self._lines.insertWidget(place, line)
        self._tell()

    def _tell(self) -> None:
        writes = self._access is not Access.READ
        for place, line in enumerate(self.rows):
            line.up.setEnabled(place > 0)
            line.down.setEnabled(place < len(self.rows) - 1)
        self._scroll.setFixedHeight(_ROW * min(len(self.rows), _SEEN))
        self._scroll.setVisible(writes and bool(self.rows))
        self.add.setVisible(writes)
        self.add.setEnabled(len(self.rows) < MOST)
        self.said.setText(rules_words.said(self._access, self.rules()))
        self.changed.emit()
