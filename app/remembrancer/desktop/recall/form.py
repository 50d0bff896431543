"""The question: words, for which entity, and the budget of rows and characters."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QLineEdit, QVBoxLayout, QWidget

from remembrancer.core.recall import Question
from remembrancer.desktop.fields import EntityBox, NumberBox, row
from remembrancer.desktop.look import fonts, icons
from remembrancer.desktop.look.buttons import SegmentedControl
from remembrancer.desktop.look.flow import FlowLayout
from remembrancer.desktop.look.labels import Label
from remembrancer.desktop.look.plain import number, translate
from remembrancer.desktop.workbench import Workbench

BUDGETS = (3_000, 6_000, 16_000)
LOWEST, HIGHEST, STEP = 500, 16_000, 500  # characters, as memory_recall takes them
MOST_ROWS = 50
LONGEST = 500  # characters of a question
OTHER = ""
ROW_HEIGHT = 36


class QuestionForm(QWidget):
    """What is asked; `asked` tells that it changed, `entered` that the person is done with it."""

    asked = Signal()
    entered = Signal()

    def __init__(self, bench: Workbench) -> None:
        super().__init__()
        self.words = QLineEdit()
        self.entity = EntityBox(
            bench.library, bench.background, translate("Recall", "For which entity"),
            translate("Recall", "whole library"),
        )  # fmt: skip
        self.limit = NumberBox(1, MOST_ROWS, 12, translate("Recall", "Most memories"))
        self.budget = NumberBox(
            LOWEST, HIGHEST, 6_000, translate("Recall", "Budget in characters"), STEP
        )
        choices = [*((str(b), number(b)) for b in BUDGETS), (OTHER, translate("Recall", "other"))]
        self.budgets = SegmentedControl(choices, translate("Recall", "Budget"))
        self.related = QCheckBox(translate("Recall", "related entities"))
        self._build()
        self._connect()

    def question(self) -> Question:
        """The question as it stands."""
        return Question(
            query=self.words.text(),
            entity=self.entity.entity(),
            limit=self.limit.value(),
            max_characters=self.budget.value(),
            include_related=self.related.isChecked(),
        )

    def put(self, words: str | None, entity: str | None) -> None:
        """Fill in words, an entity, or both."""
        if words is not None:
            self.words.setText(words)
        if entity is not None:
            self.entity.setText(entity)

    def _build(self) -> None:
        self.words.setAccessibleName(translate("Recall", "Question"))
        self.words.setPlaceholderText(translate("Recall", "Ask as an agent would ask"))
        self.words.setMaxLength(LONGEST)
        self.words.setFont(fonts.font(15))
        self.words.setFixedHeight(42)
        self.words.setClearButtonEnabled(True)
        icon = icons.icon("search")
        self.words.addAction(icon, QLineEdit.ActionPosition.LeadingPosition)
        self.entity.setFixedWidth(240)
        self.related.setChecked(True)
        self.related.setAccessibleName(translate("Recall", "Related entities too"))
        self.budgets.choose("6000")
        options = QWidget()
        flow = FlowLayout(options, 16)
        for part in self._parts():
            part.setFixedHeight(ROW_HEIGHT)
            flow.addWidget(part)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        column.addWidget(self.words)
        column.addWidget(options)

    def _parts(self) -> list[QWidget]:
        return [
            row(Label(translate("Recall", "For"), "muted"), self.entity),
            row(Label(translate("Recall", "At most"), "muted"), self.limit),
            row(Label(translate("Recall", "Budget"), "muted"), self.budgets, self.budget),
            row(self.related),
        ]

    def _connect(self) -> None:
        self.words.textChanged.connect(lambda _text: self.asked.emit())
        self.words.returnPressed.connect(self.entered)
        self.entity.named.connect(lambda _name: self.asked.emit())
        self.entity.returnPressed.connect(self.entered)
        self.limit.valueChanged.connect(lambda _value: self.asked.emit())
        self.budget.valueChanged.connect(self._budget_changed)
        self.budgets.chosen.connect(self._budget_chosen)
        self.related.toggled.connect(lambda _on: self.asked.emit())

    def _budget_chosen(self, key: str) -> None:
        if key == OTHER:
            self.budget.setFocus()
            self.budget.selectAll()
        else:
            self.budget.setValue(int(key))

    def _budget_changed(self, value: int) -> None:
        self.budgets.choose(str(value) if value in BUDGETS else OTHER)
        self.asked.emit()
