"""Words on the window: labels by role, banners, empty states, cards and lines. Plain text only."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QFont,
    QPaintEvent,
    QResizeEvent,
    QTextLayout,
)
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from remembrancer.core.display import longest_run
from remembrancer.desktop.look import fonts, paint, theme
from remembrancer.desktop.look.badges import Badge, KindBadge, LeadLabel, Symbol
from remembrancer.desktop.look.buttons import IconButton
from remembrancer.desktop.look.plain import display_text, one_line, tooltip, translate

__all__ = [
    "Badge",
    "Banner",
    "Card",
    "ElidedLabel",
    "EmptyState",
    "KindBadge",
    "Label",
    "LeadLabel",
    "Message",
    "Separator",
    "Symbol",
]

# role -> (pixels, weight, tone, mono)
ROLES: dict[str, tuple[int, QFont.Weight, str, bool]] = {
    "title": (20, fonts.SEMIBOLD, "text", False),
    "pane": (18, fonts.SEMIBOLD, "text", False),
    "heading": (13, fonts.SEMIBOLD, "text", False),
    "body": (13, fonts.NORMAL, "text", False),
    "muted": (13, fonts.NORMAL, "muted", False),
    "small": (12, fonts.NORMAL, "faint", False),
    "caption": (11, fonts.SEMIBOLD, "faint", False),
    "mono": (12, fonts.NORMAL, "faint", True),
}


LONGEST_RUN = 40  # characters without a blank that Qt may lay out by itself
WIDEST_LINE = 2_000
WIDEST = 480  # pixels that a text with a longer run asks for


class Label(QLabel):
    """Words in one of the roles of `ROLES`; whatever markup they hold is shown, not read."""

    def __init__(
        self,
        text: str = "",
        role: str = "body",
        tone: str = "",
        wrap: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._unbroken = False
        self._heights: dict[int, int] = {}  # by width; layouts ask again and again
        px, weight, usual, mono = ROLES[role]
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setFont(fonts.font(px, weight, mono))
        self.setWordWrap(wrap)
        self.set_tone(tone or usual)
        self.setText(text)

    def setText(self, text: str) -> None:
        shown = display_text(text)
        # Qt would make the label, and the whole window, as wide as the longest run.
        self._heights.clear()
        self._unbroken = self.wordWrap() and longest_run(shown) > LONGEST_RUN
        super().setText(shown)

    def heightForWidth(self, width: int) -> int:
        if not self._unbroken:
            return super().heightForWidth(width)
        if width not in self._heights:
            self._heights[width] = round(self._laid_out(width).boundingRect().height() + 0.5)
        return self._heights[width]

    def sizeHint(self) -> QSize:
        if not self._unbroken:
            return super().sizeHint()
        return QSize(WIDEST, self.heightForWidth(WIDEST))

    def minimumSizeHint(self) -> QSize:
        if not self._unbroken:
            return super().minimumSizeHint()
        return QSize(120, self.fontMetrics().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._unbroken:
            super().paintEvent(event)
            return
        painter = paint.painter_on(self)
        painter.setPen(theme.current().color(str(self.property("tone"))))
        self._laid_out(self.width()).draw(painter, QPointF(0, 0))
        painter.end()

    def _laid_out(self, width: float) -> QTextLayout:
        return paint.laid_out(self.text(), self.font(), width)

    def set_tone(self, tone: str) -> None:
        """Colour the words: text, muted, faint, accent, accenttext, warn, bad or ok."""
        self.setProperty("tone", tone)
        self.style().unpolish(self)
        self.style().polish(self)


class ElidedLabel(Label):
    """A label of one line that is cut where its place ends; the tooltip then has it all."""

    def __init__(
        self, text: str = "", role: str = "body", tone: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(text, role, tone, parent=parent)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def setText(self, text: str) -> None:
        super().setText(one_line(text))
        self._tell_rest()

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return QSize(min(hint.width(), WIDEST_LINE), hint.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(24, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._tell_rest()

    def _tell_rest(self) -> None:
        whole = self.text()
        cut = paint.elided(whole, self.font(), self.width()) != whole
        self.setToolTip(tooltip(whole) if cut else "")

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = paint.painter_on(self)
        ink = str(self.property("tone"))
        paint.words(painter, QRectF(self.rect()), self.text(), self.font(), ink)
        painter.end()


class Card(QFrame):
    """The rounded panel that most of the window lies on."""

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = paint.painter_on(self)
        paint.rounded(painter, paint.inner(self), 10, fill="panel", line="line")
        painter.end()


class Separator(QFrame):
    """A fine line, across or (`upright`) down."""

    def __init__(self, upright: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        if upright:
            self.setFixedWidth(1)
        else:
            self.setFixedHeight(1)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = paint.painter_on(self)
        paint.rounded(painter, QRectF(self.rect()), 0, fill="line")
        painter.end()


@dataclass(frozen=True)
class Message:
    """What a banner says.

    `tone` is info, warning, bad or ok; `lead` stands first in bold; `buttons` are at most three
    pairs of key and words; without `icon` the tone chooses one.
    """

    tone: str
    text: str
    lead: str = ""
    buttons: tuple[tuple[str, str], ...] = ()
    dismissible: bool = True
    icon: str = ""


# tone -> (icon, ground, ink, line)
_TONES = {
    "info": ("info", "accentbg", "accenttext", "selline"),
    "warning": ("triangle-alert", "warnbg", "warn", "warnline"),
    "bad": ("circle-alert", "badbg", "bad", "badline"),
    "ok": ("circle-check", "okbg", "ok", "okline"),
}
MOST_BUTTONS = 3


class Banner(QFrame):
    """A sentence across the pane with up to three answers; hidden until it has a message.

    `pressed` tells the key of an answer; `dismissed` tells that the person closed the banner,
    which hides it.
    """

    pressed = Signal(str)
    dismissed = Signal()

    def __init__(self, message: Message | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._symbol = Symbol("info")
        self._words = LeadLabel()
        self._close = IconButton("x", translate("Banner", "Dismiss"), flat=True)
        self._close.clicked.connect(self._dismiss)
        self._answers: list[QPushButton] = []
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(14, 8, 8, 8)
        self._row.setSpacing(10)
        self._row.addWidget(self._symbol)
        self._row.addWidget(self._words, 1)
        self._row.addWidget(self._close)
        self._tone = "info"
        self.setVisible(False)
        if message:
            self.show_message(message)

    def show_message(self, message: Message) -> None:
        """Say `message`, in place of what was said. Raises ValueError for too many buttons."""
        if len(message.buttons) > MOST_BUTTONS:
            raise ValueError("a banner has room for three buttons")
        self._tone = message.tone
        icon, _, ink, _ = _TONES[message.tone]
        self._symbol.show_icon(message.icon or icon, ink)
        self._words.show_text(message.lead, message.text, ink)
        self._close.setVisible(message.dismissible)
        self._offer(message.buttons)
        self.setAccessibleName(self._words.text())
        self.setVisible(True)
        self.update()
        if QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))

    def _offer(self, buttons: tuple[tuple[str, str], ...]) -> None:
        for answer in self._answers:
            self._row.removeWidget(answer)
            answer.deleteLater()
        self._answers = [self._answer(key, text) for key, text in buttons]
        for answer in self._answers:
            self._row.insertWidget(self._row.count() - 1, answer)

    def _answer(self, key: str, text: str) -> QPushButton:
        answer = QPushButton(text.replace("&", "&&"), self)
        answer.setFont(fonts.font(12, fonts.SEMIBOLD))
        answer.setAccessibleName(text)
        answer.clicked.connect(lambda: self.pressed.emit(key))
        return answer

    def _dismiss(self) -> None:
        self.setVisible(False)
        self.dismissed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        _, ground, _, line = _TONES[self._tone]
        painter = paint.painter_on(self)
        paint.rounded(painter, paint.inner(self), 9, fill=ground, line=line)
        painter.end()


class EmptyState(QWidget):
    """What stands where there is nothing to show: an icon, a heading, a sentence, maybe a deed."""

    pressed = Signal()

    def __init__(
        self,
        icon: str,
        heading: str,
        sentence: str = "",
        button: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._symbol = Symbol(icon, "faint", 40)
        self._heading = Label(heading, "heading")
        self._heading.setFont(fonts.font(15, fonts.SEMIBOLD))
        self._sentence = Label(sentence, "muted", wrap=True)
        self._button = QPushButton(button)
        self._button.clicked.connect(self.pressed)
        self._build()
        self.show_state(icon, heading, sentence, button)

    def _build(self) -> None:
        centre = Qt.AlignmentFlag.AlignHCenter
        self._heading.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._sentence.setMaximumWidth(380)
        # Between stretches rather than aligned: an aligned label never learns its height.
        middle = QHBoxLayout()
        middle.addStretch(1)
        middle.addWidget(self._sentence, 100)
        middle.addStretch(1)
        column = QVBoxLayout(self)
        column.setSpacing(8)
        column.addStretch(1)
        column.addWidget(self._symbol, 0, centre)
        column.addSpacing(4)
        column.addWidget(self._heading, 0, centre)
        column.addLayout(middle)
        column.addSpacing(4)
        column.addWidget(self._button, 0, centre)
        column.addStretch(1)

    def show_state(self, icon: str, heading: str, sentence: str = "", button: str = "") -> None:
        """Say something else; without words the sentence and the button hide."""
        self._symbol.show_icon(icon, "faint")
        self._heading.setText(heading)
        self._sentence.setText(sentence)
        self._sentence.setVisible(bool(sentence))
        self._button.setText(button.replace("&", "&&"))
        self._button.setVisible(bool(button))
