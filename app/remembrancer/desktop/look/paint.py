"""Strokes that every self-painted block shares: rounded grounds, words in one line, focus rings."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QTextLayout, QTextOption
from PySide6.QtWidgets import QWidget

from remembrancer.desktop.look import icons, theme

Formats = Sequence[QTextLayout.FormatRange]

LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
CENTRE = Qt.AlignmentFlag.AlignCenter

# A click leaves the focus where it was: only who moves by keyboard sees the ring, and the list
# that the person works in keeps hearing single keys after a button was clicked.
BY_KEY = Qt.FocusPolicy.TabFocus


def painter_on(widget: QWidget) -> QPainter:
    """A painter on `widget` with soft edges; the caller ends it."""
    painter = QPainter(widget)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    return painter


def rounded(
    painter: QPainter,
    rect: QRectF,
    radius: float,
    fill: str | QColor | None = None,
    line: str | QColor | None = None,
    width: float = 1.0,
) -> None:
    """A rectangle with round corners; colours are tokens or colours, None leaves that part out."""
    painter.setPen(QPen(_color(line), width) if line is not None else Qt.PenStyle.NoPen)
    painter.setBrush(_color(fill) if fill is not None else Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(rect, radius, radius)


def dot(painter: QPainter, centre: QPointF, radius: float, fill: str | QColor) -> None:
    """A filled dot."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(_color(fill))
    painter.drawEllipse(centre, radius, radius)


def words(
    painter: QPainter,
    rect: QRectF,
    text: str,
    font: QFont,
    color: str | QColor,
    align: Qt.AlignmentFlag = LEFT,
) -> None:
    """One line of text, cut with an ellipsis where `rect` ends."""
    painter.setFont(font)
    painter.setPen(_color(color))
    painter.drawText(rect, int(align), elided(text, font, rect.width()))


def paragraph(
    painter: QPainter, rect: QRectF, text: str, font: QFont, color: str | QColor, most: int
) -> None:
    """`text` broken into lines from the top of `rect`, at most `most`; the last one is elided."""
    layout = QTextLayout(text, font)
    painter.setPen(_color(color))
    count = lay_lines(layout, rect.width(), most)
    for number in range(count):
        line = layout.lineAt(number)
        if number == most - 1:
            at = QRectF(rect.left(), rect.top() + line.y(), rect.width(), line.height())
            words(painter, at, _from_unit(text, line.textStart()), font, color)
        else:
            line.draw(painter, rect.topLeft())


def lay_lines(layout: QTextLayout, width: float, most: int = 0) -> int:
    """Break `layout` into lines of `width` pixels, at most `most` (0: all).

    Returns how many lines there are.
    """
    option = layout.textOption()
    # A run without a blank goes on in the next line, rather than out of sight.
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.beginLayout()
    count, height = 0, 0.0
    while not most or count < most:
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(width)
        line.setPosition(QPointF(0, height))
        height += line.height() + 1
        count += 1
    layout.endLayout()
    return count


def laid_out(text: str, font: QFont, width: float, formats: Formats = ()) -> QTextLayout:
    """`text` with its own line ends, broken into lines of `width` pixels."""
    layout = QTextLayout(text.replace("\n", "\u2028"), font)
    layout.setFormats(list(formats))
    lay_lines(layout, width)
    return layout


def _from_unit(text: str, start: int) -> str:
    """The rest of `text` from the UTF-16 unit `start` on."""
    return text.encode("utf-16-le")[start * 2 :].decode("utf-16-le")


def elided(text: str, font: QFont, width: float) -> str:
    """`text` with an ellipsis where it is wider than `width` pixels in `font`."""
    # Half a pixel of grace: a width that was measured for this very text must hold it.
    return QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, width + 0.5)


def advance(text: str, font: QFont) -> float:
    """The width of `text` in `font`, in pixels."""
    return QFontMetricsF(font).horizontalAdvance(text)


def symbol(
    painter: QPainter,
    at: QPointF,
    name: str,
    color: str | QColor,
    px: int,
    stroke: float = 1.75,
) -> None:
    """The icon `name` with its upper left corner at `at`."""
    ratio = painter.device().devicePixelRatioF()
    painter.drawPixmap(at, icons.pixmap(name, _color(color), px, ratio, stroke))


def focus_ring(painter: QPainter, rect: QRectF, radius: float) -> None:
    """The ring that shows where the keyboard is."""
    rounded(painter, rect, radius, line="accent", width=2.0)


def inner(widget: QWidget, by: float = 0.5) -> QRectF:
    """The rectangle of `widget`, moved in so that a line of one pixel is sharp."""
    return QRectF(widget.rect()).adjusted(by, by, -by, -by)


def _color(given: str | QColor) -> QColor:
    return theme.current().color(given) if isinstance(given, str) else given
