"""An editor for text from anywhere: what is not touched in it stays as it was, sign for sign."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QMimeData, QTimer
from PySide6.QtGui import (
    QKeyEvent,
    QKeySequence,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
)
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from remembrancer.core.display import editable, ends

_NEW_LINES = (
    QKeySequence.StandardKey.InsertParagraphSeparator,
    QKeySequence.StandardKey.InsertLineSeparator,
)
_STEP = 20_000  # characters that come into sight at a time
_BLOCK = "\u2029"
# The break between two blocks is a character with a format of its own. That a break is for the
# eye alone is kept in that format, so that it goes and comes back with the break itself.
_FOR_THE_EYE = QTextFormat.Property.UserProperty.value + 1


class ExactEdit(QPlainTextEdit):
    """Plain text, in and out. Lines that are too long to be laid out are broken for the eye alone.

    `toPlainText` of Qt turns some signs into others; `stored_text` gives the text itself. A long
    text comes into sight in steps, so that the window stays awake; until then it only shows.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._given, self._ends = "", ends("")
        self._touched = self._broken = False
        self._waiting: list[tuple[str, bool]] = []
        self._rest = QTimer(self, interval=0)
        self._rest.timeout.connect(self._go_on)
        self.textChanged.connect(self._touch)

    def show_text(self, text: str) -> None:
        """Edit `text`; what could be taken back before can be no longer."""
        self._given, self._ends = text, ends(text)
        self._broken = False
        self._waiting = list(editable(self._ends.shown(text)))
        self.setReadOnly(True)
        self.setPlainText("")
        self.document().setUndoRedoEnabled(False)
        self._rest.start()
        self._go_on()
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def stored_text(self) -> str:
        """The text as it is to be stored."""
        if not self._touched:
            return self._given
        raw = self.document().toRawText()
        if not self._broken:
            return self._ends.stored(raw.replace(_BLOCK, "\n"))
        return self._ends.stored(self._between(0, self.document().characterCount() - 1))

    @property
    def filling(self) -> bool:
        """Whether a part of the text is still to come into sight."""
        return bool(self._waiting)

    # --- Qt asks for these

    def createMimeDataFromSelection(self) -> QMimeData:
        cursor, data = self.textCursor(), QMimeData()
        shown = self._between(cursor.selectionStart(), cursor.selectionEnd())
        data.setText(self._ends.stored(shown))
        return data

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return source.hasText()

    def insertFromMimeData(self, source: QMimeData) -> None:
        text = source.text().replace("\0", "")
        shown = ends(text).shown(text)
        cursor = self.textCursor()
        cursor.beginEditBlock()
        cursor.removeSelectedText()
        for piece, broken in editable(shown):
            self._put(cursor, piece, broken)
        cursor.endEditBlock()
        self.setTextCursor(cursor)
        self.ensureCursorVisible()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self.isReadOnly() and any(event.matches(key) for key in _NEW_LINES):
            # Qt would give the new break the format of the one before.
            cursor = self.textCursor()
            cursor.insertBlock(QTextBlockFormat(), QTextCharFormat())
            self.setTextCursor(cursor)
            self.ensureCursorVisible()
            event.accept()
        else:
            super().keyPressEvent(event)

    # --- inside

    def _touch(self) -> None:
        self._touched = True

    def _go_on(self) -> None:
        """Bring the next part of the text into sight, and let it be edited when that was all."""
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.beginEditBlock()
        size = 0
        while self._waiting and size < _STEP:
            piece, broken = self._waiting.pop(0)
            self._put(cursor, piece, broken)
            size += len(piece)
        cursor.endEditBlock()
        self._touched = False
        if not self._waiting:
            self._rest.stop()
            self.document().setUndoRedoEnabled(True)
            self.setReadOnly(False)

    def _put(self, cursor: QTextCursor, piece: str, broken: bool) -> None:
        cursor.insertText(piece, QTextCharFormat())
        if broken:
            known = QTextCharFormat()
            known.setProperty(_FOR_THE_EYE, True)
            cursor.insertBlock(QTextBlockFormat(), known)
            self._broken = True

    def _between(self, start: int, end: int) -> str:
        """The shown text between two places, without the breaks that are for the eye alone."""
        raw = self.document().toRawText().encode("utf-16-le", "surrogatepass")
        out, done = list[str](), start
        for place in self._breaks(start, end):
            out.append(_decoded(raw, done, place))
            done = place + 1
        return "".join([*out, _decoded(raw, done, end)]).replace(_BLOCK, "\n")

    def _breaks(self, start: int, end: int) -> Iterator[int]:
        block: QTextBlock = self.document().findBlock(start).next()
        while self._broken and block.isValid() and block.position() <= end:
            if block.charFormat().hasProperty(_FOR_THE_EYE):
                yield block.position() - 1
            block = block.next()


def _decoded(raw: bytes, start: int, end: int) -> str:
    return raw[start * 2 : end * 2].decode("utf-16-le", "surrogatepass")
