"""One side of a difference: the lines, the ground of each row, and the signs in the gutter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint, QRectF, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextLayout,
)
from PySide6.QtWidgets import QTextEdit, QWidget

from remembrancer.core.diff import Mark, Row, RowKind
from remembrancer.desktop.look import fonts, paint, theme
from remembrancer.desktop.look.markdown import ClosedDocument, blocks
from remembrancer.desktop.look.plain import breakable, reveal, spelled_out, units

GUTTER = 26
LEADING = 4


@dataclass(frozen=True)
class Wording:
    """How the lines of a side are told apart: the sign and its ink, grounds of row and mark."""

    sign: str
    ink: str
    row: str
    mark: str


OLD = Wording("−", "bad", "delrow", "delmark")
NEW = Wording("+", "ok", "addrow", "addmark")


@dataclass(frozen=True)
class Line:
    """A line of one side as it is shown; marks are starts and lengths in UTF-16 units."""

    text: str
    present: bool
    differs: bool
    marks: tuple[tuple[int, int], ...] = ()


def old_line(row: Row) -> Line:
    """The left side of a row."""
    return _line(row.left, row.left_marks, row.kind)


def new_line(row: Row) -> Line:
    """The right side of a row."""
    return _line(row.right, row.right_marks, row.kind)


def _line(text: str | None, marks: tuple[Mark, ...], kind: RowKind) -> Line:
    if text is None:
        return Line("", present=False, differs=True)
    shown, moved = _shown(text, marks)
    return Line(shown, present=True, differs=kind is not RowKind.EQUAL, marks=moved)


def _shown(text: str, marks: tuple[Mark, ...]) -> tuple[str, tuple[tuple[int, int], ...]]:
    """`text` made safe to show, and its marks where they are then."""
    pieces, moved, done, length = [], [], 0, 0
    for start, end in marks:
        before, inside = _safe(text[done:start]), _safe(text[start:end])
        moved.append((length + units(before), units(inside)))
        pieces += [before, inside]
        length, done = length + units(before) + units(inside), end
    return "".join([*pieces, _safe(text[done:])]), tuple(moved)


def _safe(text: str) -> str:
    # One line stays one block, or the two sides would not face each other any more.
    return breakable(reveal(text).replace("\n", "⏎"), "\u2028")


class DiffSide(QTextEdit):
    """The lines of one side. Grounds are painted under the text, since that is ten times quicker
    than the selections that Qt offers for it. `width_changed` tells that lines may break anew."""

    width_changed = Signal()

    def __init__(self, wording: Wording, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._wording = wording
        self._lines: tuple[Line, ...] = ()
        self._current = range(0)
        self._gutter = _Gutter(self)
        document = ClosedDocument(self)
        document.setDefaultFont(fonts.font(13))
        document.setDocumentMargin(4)
        self.setDocument(document)
        self.setReadOnly(True)
        self.setAccessibleName(name)
        self.setTabChangesFocus(True)
        self.setViewportMargins(GUTTER, 0, 0, 0)
        self.verticalScrollBar().valueChanged.connect(self._gutter.update)

    def show_lines(self, lines: Sequence[Line]) -> None:
        """Show these lines, one block each."""
        self._lines, self._current = tuple(lines), range(0)
        # An empty block at the end: Qt leaves the margin of a last block out of the height.
        self.setPlainText("".join(f"{line.text}\n" for line in lines))
        self._space_lines()
        self.mark_words()

    def _space_lines(self) -> None:
        spaced = QTextBlockFormat()
        spaced.setLineHeight(128, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeBlockFormat(spaced)

    def mark_words(self) -> None:
        """Put the marks on the words that differ, in the colours of the present theme."""
        format = QTextCharFormat()
        format.setBackground(theme.current().color(self._wording.mark))
        format.setFontWeight(fonts.SEMIBOLD)
        hidden = QTextCharFormat()
        hidden.setBackground(theme.current().color("warnbg"))
        hidden.setForeground(theme.current().color("warn"))
        for block, line in zip(blocks(self.document()), self._lines, strict=False):
            ranges = [_range(mark, format) for mark in line.marks]
            ranges += [_range(span, hidden) for span in spelled_out(line.text)]
            if ranges:
                block.layout().setFormats(ranges)

    def set_current(self, rows: range) -> None:
        """Show these rows as the change that the person looks at."""
        self._current = rows
        self.viewport().update()
        self._gutter.update()

    def scroll_to(self, row: int) -> None:
        """Bring `row` to the upper third of the sight."""
        top = self._top(self.document().findBlockByNumber(row))
        self.verticalScrollBar().setValue(round(top - self.viewport().height() / 3))

    def heights(self) -> list[float]:
        """The height of each row without what `set_margins` added, in pixels."""
        layout = self.document().documentLayout()
        return [layout.blockBoundingRect(block).height() for block in blocks(self.document())]

    def set_margins(self, margins: Sequence[float]) -> None:
        """Add so many pixels below each row, so that it ends where its counterpart ends."""
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        for block, margin in zip(blocks(self.document()), margins, strict=False):
            format = block.blockFormat()
            if abs(format.bottomMargin() - margin) > 0.1:
                format.setBottomMargin(margin)
                QTextCursor(block).setBlockFormat(format)
        cursor.endEditBlock()
        self._gutter.update()

    def sign_of(self, row: int) -> str:
        """The sign that stands in the gutter beside a row; empty for rows that do not differ."""
        line = self._lines[row]
        return self._wording.sign if line.differs and line.present else ""

    def _top(self, block: QTextBlock) -> float:
        return self.document().documentLayout().blockBoundingRect(block).top()

    def visible_rows(self) -> Iterator[tuple[int, QRectF]]:
        """The rows in sight, each with its rectangle in the viewport."""
        block = self.cursorForPosition(QPoint(0, 0)).block()
        # The extra height of a line lies below its letters: half of it is moved above them.
        offset, wide = self.verticalScrollBar().value() + LEADING / 2, self.viewport().width()
        while block.isValid() and block.blockNumber() < len(self._lines):
            top = round(self._top(block) - offset)
            if top > self.viewport().height():
                return
            yield (
                block.blockNumber(),
                QRectF(0, top, wide, round(self._bottom(block) - offset) - top),
            )
            block = block.next()

    def _bottom(self, block: QTextBlock) -> float:
        if block.next().isValid():
            return self._top(block.next())
        rect = self.document().documentLayout().blockBoundingRect(block)
        return rect.bottom() + block.blockFormat().bottomMargin()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        for row, rect in self.visible_rows():
            self.paint_ground(painter, row, rect)
        painter.end()
        super().paintEvent(event)

    def paint_ground(self, painter: QPainter, row: int, rect: QRectF) -> None:
        """Paint what lies under a row, here or in the gutter."""
        line, worn = self._lines[row], theme.current()
        if line.differs:
            ground = self._wording.row if line.present else "gap"
            painter.fillRect(rect, worn.color(ground))
            if not line.present:
                _hatch(painter, rect)

    def paint_sign(self, painter: QPainter, row: int, rect: QRectF) -> None:
        """Paint the sign of a row into the gutter, and the bar of the present change."""
        place = QRectF(rect.left() + 4, rect.top(), GUTTER - 4, min(rect.height(), 20))
        font = fonts.font(14, fonts.BOLD)
        paint.words(painter, place, self.sign_of(row), font, self._wording.ink, paint.CENTRE)
        if row in self._current:
            bar = QRectF(0, rect.top(), 3, rect.height())
            painter.fillRect(bar, theme.current().color("accent"))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.width_changed.emit()
        sight = self.viewport().geometry()
        self._gutter.setGeometry(sight.left() - GUTTER, sight.top(), GUTTER, sight.height())


class _Gutter(QWidget):
    """The strip at the left of a side that holds the signs."""

    def __init__(self, side: DiffSide) -> None:
        super().__init__(side)
        self._side = side

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = paint.painter_on(self)
        for row, rect in self._side.visible_rows():
            strip = QRectF(0, rect.top(), GUTTER, rect.height())
            self._side.paint_ground(painter, row, strip)
            self._side.paint_sign(painter, row, strip)
        painter.end()


def _range(mark: tuple[int, int], format: QTextCharFormat) -> QTextLayout.FormatRange:
    made = QTextLayout.FormatRange()
    made.start, made.length, made.format = *mark, format  # type: ignore[misc]
    return made


def _hatch(painter: QPainter, rect: QRectF) -> None:
    """Slanting lines: here the other side has a line and this one has none."""
    painter.fillRect(rect, QBrush(theme.current().color("line"), Qt.BrushStyle.BDiagPattern))
