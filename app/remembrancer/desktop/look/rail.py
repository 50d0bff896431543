"""The rail at the left of the window: the places one can go to, the server's state, settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QFrame,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from remembrancer.desktop.look import fonts, paint
from remembrancer.desktop.look.plain import number, one_line, translate

RAIL_WIDTH = 208
ENTRY_HEIGHT = 36


@dataclass(frozen=True)
class RailEntry:
    """A place of the window: its key, the name of its icon, and its name for the reader."""

    key: str
    icon: str
    text: str


class RailButton(QToolButton):
    """One place of the rail, with a number or a live dot at its right end."""

    def __init__(self, entry: RailEntry, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.entry = entry
        self._badge, self._live = "", False
        self.setText(entry.text.replace("&", "&&"))
        self.setCheckable(True)
        self.setFocusPolicy(paint.BY_KEY)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self._name()

    def set_badge(self, badge: str) -> None:
        """Show a number, or nothing."""
        self._badge = badge
        self._name()

    def set_live(self, live: bool) -> None:
        """Show or hide the dot that says that something goes on there."""
        self._live = live
        self._name()

    def _name(self) -> None:
        live = translate("Rail", "active") if self._live else ""
        parts = (self.entry.text, self._badge, live)
        self.setAccessibleName(", ".join(part for part in parts if part))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(RAIL_WIDTH - 20, ENTRY_HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, ENTRY_HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        on = self.isChecked()
        painter = paint.painter_on(self)
        if on or self.underMouse():
            paint.rounded(painter, paint.inner(self, 0), 8, fill="accentbg" if on else "track")
        paint.symbol(painter, QPointF(12, 9), self.entry.icon, "accenttext" if on else "muted", 18)
        font = fonts.font(13, fonts.SEMIBOLD if on else fonts.MEDIUM)
        words = QRectF(42, 0, self.width() - 84, self.height())
        paint.words(painter, words, self.entry.text, font, "accenttext" if on else "text")
        self._paint_end(painter, on)
        if self.hasFocus():
            paint.focus_ring(painter, paint.inner(self, 1), 8)
        painter.end()

    def _paint_end(self, painter: QPainter, on: bool) -> None:
        if self._badge:
            place = QRectF(0, 0, self.width() - 13.0, self.height())
            ink = "accenttext" if on else "muted"
            font = fonts.font(12, fonts.SEMIBOLD)
            paint.words(painter, place, self._badge, font, ink, paint.RIGHT)
        elif self._live:
            paint.dot(painter, QPointF(self.width() - 18.0, self.height() / 2), 4, "ok")


class ServerCard(QAbstractButton):
    """What the server does right now: a dot, a title and two lines; pressing it tells more."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(paint.BY_KEY)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.show_state("faint", "", ())

    def show_state(self, tone: str, title: str, lines: Sequence[str]) -> None:
        """`tone` colours the dot: ok, warn, bad or faint; at most two `lines` are shown."""
        self._tone, self._title = tone, one_line(title, 60)
        self._lines = tuple(one_line(line, 80) for line in lines[:2])
        self.setAccessibleName(". ".join((self._title, *self._lines)))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(RAIL_WIDTH - 24, 67)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 67)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = paint.painter_on(self)
        fill = "hover" if self.underMouse() else "panel"
        paint.rounded(painter, paint.inner(self), 9, fill=fill, line="line")
        paint.dot(painter, QPointF(15, 19), 4, self._tone)
        wide = self.width() - 20.0
        title = QRectF(26, 10, wide - 16, 18)
        paint.words(painter, title, self._title, fonts.font(12, fonts.SEMIBOLD), "text")
        for row, line in enumerate(self._lines):
            place = QRectF(11, 28 + row * 15, wide, 16)
            paint.words(painter, place, line, fonts.font(11), "muted")
        if self.hasFocus():
            paint.focus_ring(painter, paint.inner(self, 1), 9)
        painter.end()


class _Status(QWidget):
    """A quiet line about what the program does of itself; hidden where there is nothing to say."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(24)
        self.say("")

    def say(self, sentence: str) -> None:
        self.setAccessibleName(sentence)
        self.setVisible(bool(sentence))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = paint.painter_on(self)
        place = QRectF(11, 0, self.width() - 11, self.height())
        paint.words(painter, place, self.accessibleName(), fonts.font(11), "muted")
        painter.end()


class _Brand(QWidget):
    """The sign and the name of the program."""

    def __init__(self, name: str, icon: str) -> None:
        super().__init__()
        self._name, self._icon = name, icon
        self.setAccessibleName(name)
        self.setFixedHeight(56)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = paint.painter_on(self)
        paint.rounded(painter, QRectF(6, 12, 28, 28), 8, fill="accent")
        paint.symbol(painter, QPointF(11, 17), self._icon, "onaccent", 18)
        place = QRectF(44, 12, self.width() - 44, 28)
        paint.words(painter, place, self._name, fonts.font(15, fonts.SEMIBOLD), "text")
        painter.end()


class Rail(QFrame):
    """The places of the window, of which one is chosen, a status, the server's card, and Settings.

    `chosen` tells the key of the place that the person chose, Settings among them;
    `server_pressed` that the server's card was pressed. Arrow keys go from place to place.
    """

    chosen = Signal(str)
    server_pressed = Signal()

    def __init__(
        self,
        brand: str,
        places: Sequence[RailEntry],
        settings: RailEntry,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setFixedWidth(RAIL_WIDTH)
        self.setAccessibleName(translate("Rail", "Places"))
        self._group = QButtonGroup(self)
        self._group.buttonClicked.connect(self._clicked)
        self._buttons: dict[str, RailButton] = {}
        self._server = ServerCard()
        self._server.setVisible(False)
        self._server.clicked.connect(self.server_pressed)
        self._status = _Status()
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 6, 11, 10)
        column.setSpacing(4)
        column.addWidget(_Brand(brand, "brain"))
        for entry in places:
            column.addWidget(self._added(entry))
        column.addStretch(1)
        column.addWidget(self._status)
        column.addWidget(self._server)
        column.addSpacing(6)
        column.addWidget(self._added(settings))

    def _added(self, entry: RailEntry) -> RailButton:
        button = RailButton(entry)
        self._buttons[entry.key] = button
        self._group.addButton(button)
        return button

    def choose(self, key: str) -> None:
        """Show `key` as the present place; emits nothing. Raises KeyError for an unknown one."""
        self._buttons[key].setChecked(True)

    def current(self) -> str:
        """The key of the present place; empty before one was chosen."""
        return next((key for key, button in self._buttons.items() if button.isChecked()), "")

    def set_badge(self, key: str, badge: int | str | None) -> None:
        """Show a number at a place; 0, "" and None show none."""
        text = number(badge) if isinstance(badge, int) and badge else str(badge or "")
        self._buttons[key].set_badge(text)

    def set_live(self, key: str, live: bool) -> None:
        """Show or hide the live dot of a place."""
        self._buttons[key].set_live(live)

    def set_status(self, sentence: str) -> None:
        """Say what the program does of itself at this moment; empty says nothing."""
        self._status.say(sentence)

    def status(self) -> str:
        """What is said of that; empty where nothing is."""
        return self._status.accessibleName()

    def set_server(self, tone: str, title: str, lines: Sequence[str] = ()) -> None:
        """Show the server's state: `tone` of the dot (ok, warn, bad, faint), title, two lines."""
        self._server.show_state(tone, title, lines)
        self._server.setVisible(True)

    def _clicked(self, button: QAbstractButton) -> None:
        if isinstance(button, RailButton):
            self.chosen.emit(button.entry.key)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = paint.painter_on(self)
        paint.rounded(painter, QRectF(self.rect()), 0, fill="rail")
        edge = QRectF(self.width() - 1, 0, 1, self.height())
        paint.rounded(painter, edge, 0, fill="line")
        painter.end()
