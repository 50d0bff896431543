"""Things to press: buttons with their key on them, icon buttons, links and the pill for news."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QPushButton, QSizePolicy, QToolButton, QWidget

from remembrancer.desktop.look import fonts, paint
from remembrancer.desktop.look.chips import Chip, ChipRow, Choice, SegmentedControl
from remembrancer.desktop.look.plain import one_line, tooltip

__all__ = [
    "Chip",
    "ChipRow",
    "Choice",
    "IconButton",
    "KeyButton",
    "LinkButton",
    "PillButton",
    "SegmentedControl",
]

BUTTON_HEIGHT = 34
WIDEST_LINK = 480
_ICON, _MARGIN, _GAP = 16, 11, 7


class KeyButton(QPushButton):
    """A button with an icon, words, and the key that does the same painted as a key cap.

    The key is only shown: the action that owns the shortcut is the one that listens to it.
    """

    def __init__(
        self,
        icon: str,
        text: str,
        key: str = "",
        primary: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._icon, self._label, self._key, self._primary = icon, text, key, primary
        self.setFont(fonts.font(13, fonts.SEMIBOLD if primary else fonts.MEDIUM))
        self.setFocusPolicy(paint.BY_KEY)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.set_label(text)

    def set_label(self, text: str, icon: str = "", key: str | None = None) -> None:
        """Change the words, and the icon and the key where they are given."""
        self._label = text
        self._icon = icon or self._icon
        self._key = self._key if key is None else key
        self.setText(text.replace("&", "&&"))
        self.setAccessibleName(text)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        wide = _MARGIN + _ICON + _GAP + paint.advance(self._label, self.font()) + _MARGIN + 2
        return QSize(round(wide + (self._cap_width() + 8 if self._key else 0)), BUTTON_HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = paint.painter_on(self)
        ink = _ground(painter, self, self._primary)
        middle = self.height() / 2
        paint.symbol(painter, QPointF(_MARGIN, middle - _ICON / 2), self._icon, ink, _ICON, 2)
        left = _MARGIN + _ICON + _GAP
        words = QRectF(left, 0, paint.advance(self._label, self.font()), self.height())
        paint.words(painter, words, self._label, self.font(), ink)
        if self._key:
            self._paint_cap(painter, ink)
        painter.end()

    def _cap_width(self) -> float:
        return max(18.0, paint.advance(self._key, _cap_font()) + 10)

    def _paint_cap(self, painter: QPainter, ink: str) -> None:
        wide = self._cap_width()
        cap = QRectF(self.width() - wide - 9.5, self.height() / 2 - 8.5, wide, 17)
        if self._primary:
            painter.setOpacity(0.2)
            paint.rounded(painter, cap, 4, fill=ink)
            painter.setOpacity(1)
        else:
            paint.rounded(painter, cap, 4, fill="key", line="line")
        color = ink if self._primary else "muted"
        paint.words(painter, cap, self._key, _cap_font(), color, paint.CENTRE)


class IconButton(QToolButton):
    """A button that shows an icon alone; its name is for tooltips and screen readers."""

    def __init__(
        self, icon: str, name: str, flat: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        if not name.strip():
            raise ValueError("a button without words needs a name")
        self._icon, self._flat = icon, flat
        self.setFixedSize(30, 30)
        self.setFocusPolicy(paint.BY_KEY)
        self.set_name(name)

    def set_name(self, name: str, icon: str = "") -> None:
        """Change what the button says it does, and its icon where one is given."""
        self._icon = icon or self._icon
        self.setAccessibleName(name)
        self.setToolTip(tooltip(name))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = paint.painter_on(self)
        ink = _flat_ground(painter, self) if self._flat else _ground(painter, self, False)
        color = "muted" if ink == "text" else ink
        paint.symbol(painter, QPointF(7, 7), self._icon, color, _ICON, 2)
        painter.end()


class LinkButton(QPushButton):
    """A button that looks like a link, for the lesser deed at the edge of a card."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFont(fonts.font(12, fonts.MEDIUM))
        self.setFocusPolicy(paint.BY_KEY)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.set_label(text)

    def set_label(self, text: str) -> None:
        """Change the words."""
        self._label = one_line(text, 80)
        self.setText(self._label.replace("&", "&&"))
        self.setAccessibleName(self._label)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        wide = round(paint.advance(self._label, self.font())) + 9
        return QSize(min(wide, WIDEST_LINK), 24)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = paint.painter_on(self)
        font = fonts.font(12, fonts.MEDIUM)
        font.setUnderline(self.underMouse() and self.isEnabled())
        color = "accent" if self.isEnabled() else "faint"
        paint.words(painter, QRectF(self.rect()), self._label, font, color, paint.CENTRE)
        if self.hasFocus():
            paint.focus_ring(painter, paint.inner(self, 1), 5)
        painter.end()


class PillButton(QPushButton):
    """The wide pill above a list that says what is new and shows it when pressed."""

    def __init__(
        self, text: str = "", icon: str = "arrow-up", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._icon = icon
        self.setFont(fonts.font(12, fonts.SEMIBOLD))
        self.setFocusPolicy(paint.BY_KEY)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.announce(text)

    def announce(self, text: str) -> None:
        """Say `text`; without words the pill hides."""
        self._label = text
        self.setText(text.replace("&", "&&"))
        self.setAccessibleName(text)
        self.setVisible(bool(text))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(round(paint.advance(self._label, self.font())) + 56, 28)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, 28)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = paint.painter_on(self)
        line = "selline" if self.underMouse() else "accentbg"
        paint.rounded(painter, paint.inner(self), 8, fill="accentbg", line=line)
        wide = min(paint.advance(self._label, self.font()), self.width() - 48.0)
        left = (self.width() - wide - 22) / 2
        paint.symbol(painter, QPointF(left, 7), self._icon, "accenttext", 14, 2.2)
        words = QRectF(left + 22, 0, wide, self.height())
        paint.words(painter, words, self._label, self.font(), "accenttext")
        if self.hasFocus():
            paint.focus_ring(painter, paint.inner(self, 1), 8)
        painter.end()


def _cap_font() -> QFont:
    return fonts.font(10, fonts.SEMIBOLD)


def _ground(painter: QPainter, button: QAbstractButton, primary: bool) -> str:
    """Paint what lies under a button in its present state; returns the token of its ink."""
    rect = paint.inner(button)
    if not button.isEnabled():
        paint.rounded(painter, rect, 7, fill="bg", line="line")
        return "faint"
    if primary:
        fill = "pressed" if button.isDown() or button.underMouse() else "accent"
        paint.rounded(painter, rect, 7, fill=fill)
    else:
        fill = "track" if button.isDown() else "hover" if button.underMouse() else "btn"
        paint.rounded(painter, rect, 7, fill=fill, line="line")
    if button.hasFocus():
        _ring(painter, button, primary)
    return "onaccent" if primary else "text"


def _ring(painter: QPainter, button: QAbstractButton, primary: bool) -> None:
    if primary:
        # On the accent itself a ring of the same colour would not be seen.
        paint.rounded(painter, paint.inner(button, 3), 5, line="onaccent", width=1.5)
    else:
        paint.focus_ring(painter, paint.inner(button, 1), 7)


def _flat_ground(painter: QPainter, button: QAbstractButton) -> str:
    if not button.isEnabled():
        return "faint"
    if button.isDown() or button.underMouse():
        paint.rounded(painter, paint.inner(button), 7, fill="track")
    if button.hasFocus():
        paint.focus_ring(painter, paint.inner(button, 1), 7)
    return "text"
