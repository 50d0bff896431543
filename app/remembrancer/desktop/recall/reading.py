"""What the agent reads: the exact text, its share of the budget, and what it is warned of."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPaintEvent, QTextOption
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QVBoxLayout, QWidget

from remembrancer.core.recall import Question, Recall
from remembrancer.desktop.fields import CopyButton, row, scrolled
from remembrancer.desktop.look import fonts, paint
from remembrancer.desktop.look.flow import FlowLayout
from remembrancer.desktop.look.labels import Badge, Banner, Card, Label, Message
from remembrancer.desktop.look.plain import display_text, translate
from remembrancer.desktop.recall import words
from remembrancer.desktop.recall.conflicts import ConflictsCard

SHOWN_SCOPES = 60


class BudgetBar(QWidget):
    """How much of the budget is used, as a bar; words beside it say the same."""

    def __init__(self) -> None:
        super().__init__()
        self._share = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_share(self, share: float) -> None:
        """Show a share of the budget, 0 to 1."""
        self._share = min(1.0, max(0.0, share))
        self.setAccessibleName(
            translate("Recall", "{0} % of the budget").format(round(self._share * 100))
        )
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(120, 8)

    def paintEvent(self, event: QPaintEvent) -> None:
        rect = QRectF(0, 1, self.width(), 6)
        painter = paint.painter_on(self)
        paint.rounded(painter, rect, 3, fill="track")
        used = QRectF(0, 1, self.width() * self._share, 6)
        paint.rounded(painter, used, 3, fill="warn" if self._share > 0.9 else "accent")
        painter.end()


class ContextCard(Card):
    """The exact text in plain letters, with its length against the budget."""

    def __init__(self) -> None:
        super().__init__()
        self._context = ""
        self.text = QPlainTextEdit()
        self.copy = CopyButton(lambda: self._context)
        self.size_label = Label("", "small")
        self.bar = BudgetBar()
        self._build()

    def show_answer(self, answer: Recall, question: Question) -> None:
        """Show what was served; hidden characters are spelled out, and copied as they are."""
        self._context = answer.context
        self.text.setPlainText(display_text(answer.context))
        used, budget = len(answer.context), question.max_characters
        self.size_label.setText(words.characters(used, budget))
        self.bar.show_share(used / budget)

    def _build(self) -> None:
        self.text.setReadOnly(True)
        self.text.setAccessibleName(translate("Recall", "What the agent reads"))
        self.text.setFont(fonts.font(12, mono=True))
        self.text.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        # A tab belongs to the window here: it goes on to the next control.
        self.text.setTabChangesFocus(True)
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByKeyboard
            | Qt.TextInteractionFlag.TextSelectableByMouse
        )
        self.text.setMinimumHeight(220)
        self.text.setStyleSheet(
            "QPlainTextEdit { background: palette(window); border: 1px solid palette(mid) }"
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 16)
        column.setSpacing(8)
        heading = Label(translate("Recall", "What the agent reads"), "heading")
        column.addWidget(row(heading, 1, self.copy))
        column.addWidget(row(self.bar, self.size_label, gap=12))
        column.addWidget(self.text, 1)


class ScopesCard(Card):
    """The scopes that were in force for the question."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(translate("Recall", "Scopes in force"))
        self._flow_holder = QWidget()
        self._flow = FlowLayout(self._flow_holder)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 14)
        column.setSpacing(8)
        column.addWidget(Label(translate("Recall", "Scopes in force"), "heading"))
        column.addWidget(self._flow_holder)

    def show_answer(self, answer: Recall) -> None:
        """Show its scopes; without any the card hides."""
        while (item := self._flow.takeAt(0)) is not None:
            old = item.widget()
            if old is not None:
                old.deleteLater()
        texts = [words.scope(record) for record in answer.scopes[:SHOWN_SCOPES]]
        if len(answer.scopes) > SHOWN_SCOPES:
            more = len(answer.scopes) - SHOWN_SCOPES
            texts.append(translate("Recall", "and {0} more").format(more))
        for text in texts:
            self._flow.addWidget(Badge(text, self._flow_holder))
        self._flow_holder.updateGeometry()
        self.setVisible(bool(texts))


class ReadingSide(QWidget):
    """Warnings, the text, conflicting values and scopes, one below the other."""

    def __init__(self) -> None:
        super().__init__()
        self.context = ContextCard()
        self.conflicts = ConflictsCard()
        self.scopes = ScopesCard()
        self._banners: list[Banner] = []
        self._build()

    def show_answer(self, answer: Recall, question: Question) -> None:
        """Show everything that goes with an answer."""
        self._warn(answer.warnings)
        self.context.show_answer(answer, question)
        self.conflicts.show_conflicts(answer.conflicts)
        self.scopes.show_answer(answer)

    def warnings(self) -> list[str]:
        """The warnings that are shown."""
        return [banner.accessibleName() for banner in self._banners]

    def _warn(self, warnings: tuple[str, ...]) -> None:
        for banner in self._banners:
            self._column.removeWidget(banner)
            banner.deleteLater()
        self._banners = [
            Banner(Message("warning", translate("Recall", warning), dismissible=False))
            for warning in warnings
        ]
        for place, banner in enumerate(self._banners):
            self._column.insertWidget(place, banner)

    def _build(self) -> None:
        room = QWidget()
        self._column = QVBoxLayout(room)
        self._column.setContentsMargins(0, 0, 6, 0)
        self._column.setSpacing(10)
        self._column.addWidget(self.context, 1)
        self._column.addWidget(self.conflicts)
        self._column.addWidget(self.scopes)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(scrolled(room))
