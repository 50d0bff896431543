"""Things to choose from: chips with counts in rows that wrap, segments, and lists that open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QSizePolicy,
    QWidget,
)

from remembrancer.desktop.look import fonts, paint
from remembrancer.desktop.look.flow import FlowLayout
from remembrancer.desktop.look.plain import number, one_line

Count = int | str | None


@dataclass(frozen=True)
class ChipSpec:
    """What a chip stands for, what it says, and how many things it would show (None: unsaid)."""

    key: str
    text: str
    count: Count = None


class _Choice(QAbstractButton):
    """A checkable thing with words, which a screen reader sees as a button."""

    def __init__(self, key: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.key = key
        self.label = one_line(text, 60)
        self.setCheckable(True)
        self.setText(self.label.replace("&", "&&"))
        self.setAccessibleName(self.label)
        self.setFocusPolicy(paint.BY_KEY)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def words_font(self) -> QFont:
        return fonts.font(12, fonts.SEMIBOLD if self.isChecked() else fonts.MEDIUM)

    def words_width(self) -> float:
        # The bold width even when not chosen, so that choosing moves nothing.
        return paint.advance(self.label, fonts.font(12, fonts.SEMIBOLD))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


class Chip(_Choice):
    """A filter that is on or off, with the number of things it would show."""

    def __init__(
        self, key: str, text: str, count: Count = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(key, text, parent)
        self.set_count(count)

    def set_count(self, count: Count) -> None:
        """Show `count`: a number, a bound such as "1000+", or None for no number at all."""
        self._count = "" if count is None else number(count) if isinstance(count, int) else count
        self.setAccessibleName(f"{self.label}, {self._count}" if self._count else self.label)
        self.updateGeometry()
        self.update()

    def count_text(self) -> str:
        """The number as it is shown; empty if there is none."""
        return self._count

    def sizeHint(self) -> QSize:
        count = paint.advance(self._count, fonts.font(11)) + 6 if self._count else 0
        return QSize(round(self.words_width() + count + 22), 28)

    def paintEvent(self, event: QPaintEvent) -> None:
        on, rect = self.isChecked(), paint.inner(self)
        fill = "accentbg" if on else "hover" if self.underMouse() else "panel"
        painter = paint.painter_on(self)
        paint.rounded(painter, rect, 13.5, fill=fill, line="selline" if on else "line")
        body = QRectF(11, 0, self.words_width(), self.height())
        ink = "faint" if not self.isEnabled() else "accenttext" if on else "text"
        paint.words(painter, body, self.label, self.words_font(), ink)
        number = QRectF(0, 0, self.width() - 11.0, self.height())
        ink = "accenttext" if on else "faint"
        paint.words(painter, number, self._count, fonts.font(11), ink, paint.RIGHT)
        if self.hasFocus():
            paint.focus_ring(painter, paint.inner(self, 1), 13)
        painter.end()


class ChipRow(QWidget):
    """Chips side by side, wrapping where the row is narrow.

    `chosen` tells the key that the person chose; arrow keys choose the chip beside. With
    `exclusive=False` chips are switched one by one, Tab goes from chip to chip, and `chosen` tells
    the key that was switched.
    """

    chosen = Signal(str)

    def __init__(
        self,
        chips: Sequence[ChipSpec] = (),
        exclusive: bool = True,
        name: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self._chips: dict[str, Chip] = {}
        self._flow = FlowLayout(self)
        # Only for chips of which one is on: Qt takes the other buttons of a group out of the
        # way of Tab, which would leave chips that are switched one by one out of reach.
        self._group = QButtonGroup(self) if exclusive else None
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.set_chips(chips)

    def set_chips(self, chips: Sequence[ChipSpec]) -> None:
        """Put these chips in place of the present ones; what was on stays on where it can."""
        on = self.keys_on()
        for chip in self._chips.values():
            self._flow.removeWidget(chip)
            chip.deleteLater()
        self._chips = {spec.key: self._made(spec) for spec in chips}
        still = [key for key in on if key in self._chips]
        self.choose(*(still or list(self._chips)[: 1 if self._group else 0]))

    def _made(self, spec: ChipSpec) -> Chip:
        chip = Chip(spec.key, spec.text, spec.count, self)
        chip.clicked.connect(lambda: self.chosen.emit(spec.key))
        if self._group:
            self._group.addButton(chip)
        self._flow.addWidget(chip)
        chip.setVisible(True)
        return chip

    def set_counts(self, counts: Mapping[str, Count]) -> None:
        """Show new numbers; chips that `counts` does not name keep theirs."""
        for key, count in counts.items():
            if key in self._chips:
                self._chips[key].set_count(count)

    def choose(self, *keys: str) -> None:
        """Switch on the chips of `keys`, and the others off where they may be; emits nothing."""
        for key, chip in self._chips.items():
            chip.setChecked(key in keys)

    def keys_on(self) -> list[str]:
        """The keys of the chips that are on, in the order of the row."""
        return [key for key, chip in self._chips.items() if chip.isChecked()]

    def chip(self, key: str) -> Chip:
        """The chip of `key`. Raises KeyError if there is none."""
        return self._chips[key]


class Choice(QComboBox):
    """One of many choices, opened as a list."""

    def __init__(
        self,
        choices: Sequence[tuple[str, str]],
        name: str,
        parent: QWidget | None = None,
    ) -> None:
        """`choices` are pairs of key and words; `name` is for screen readers."""
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setFont(fonts.font(13))
        for key, text in choices:
            self.add(text, key)

    def add(self, text: str, key: str) -> None:
        """Offer one more choice, at the end."""
        self.addItem(one_line(text, 80), key)

    def current(self) -> str:
        """The key of the choice that holds; empty where there is none."""
        return self.currentData() or ""

    def choose(self, key: str) -> None:
        """Make `key` the choice. Raises KeyError for a key that is no choice."""
        place = self.findData(key)
        if place < 0:
            raise KeyError(key)
        self.setCurrentIndex(place)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width() + 22, 32)

    def paintEvent(self, event: QPaintEvent) -> None:
        fill = "hover" if self.underMouse() else "btn"
        ink = "text" if self.isEnabled() else "faint"
        painter = paint.painter_on(self)
        paint.rounded(painter, paint.inner(self), 7, fill=fill, line="line")
        words = QRectF(11, 0, self.width() - 44, self.height())
        paint.words(painter, words, self.currentText(), self.font(), ink)
        at = QPointF(self.width() - 26, self.height() / 2 - 8)
        paint.symbol(painter, at, "chevron-down", "muted", 16, 2)
        if self.hasFocus():
            paint.focus_ring(painter, paint.inner(self, 1), 7)
        painter.end()


class _Segment(_Choice):
    """One choice of a segmented control."""

    def sizeHint(self) -> QSize:
        return QSize(round(self.words_width()) + 24, 28)

    def paintEvent(self, event: QPaintEvent) -> None:
        on = self.isChecked()
        painter = paint.painter_on(self)
        if on or self.underMouse():
            fill = "accentbg" if on else "hover"
            paint.rounded(painter, paint.inner(self), 6, fill=fill)
        ink = "accenttext" if on else "muted"
        rect = QRectF(self.rect())
        paint.words(painter, rect, self.label, self.words_font(), ink, paint.CENTRE)
        if self.hasFocus():
            paint.focus_ring(painter, paint.inner(self, 1), 6)
        painter.end()


class SegmentedControl(QFrame):
    """A few choices of which exactly one holds; `chosen` tells the key that the person chose."""

    chosen = Signal(str)

    def __init__(
        self,
        choices: Sequence[tuple[str, str]],
        name: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self)
        row.setContentsMargins(4, 4, 4, 4)
        row.setSpacing(2)
        self._group = QButtonGroup(self)
        self._segments = {key: _Segment(key, text, self) for key, text in choices}
        for segment in self._segments.values():
            self._group.addButton(segment)
            row.addWidget(segment)
        self._group.buttonClicked.connect(self._clicked)
        self.choose(next(iter(self._segments)))

    def current(self) -> str:
        """The key of the choice that holds."""
        return next(key for key, segment in self._segments.items() if segment.isChecked())

    def choose(self, key: str) -> None:
        """Make `key` the choice; emits nothing. Raises KeyError for a key that is no choice."""
        self._segments[key].setChecked(True)

    def _clicked(self, button: QAbstractButton) -> None:
        if isinstance(button, _Segment):
            self.chosen.emit(button.key)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = paint.painter_on(self)
        paint.rounded(painter, paint.inner(self), 9, fill="panel", line="line")
        painter.end()
