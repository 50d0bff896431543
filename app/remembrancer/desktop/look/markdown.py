"""Markdown from anywhere put into a document: no HTML, no pictures, nothing hidden, our look."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import (
    QBrush,
    QImage,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFragment,
    QTextFrame,
    QTextFrameFormat,
    QTextTable,
)

from remembrancer.desktop.look import fonts, theme
from remembrancer.desktop.look.plain import display_text, reveal, spelled_out, translate

TEXT_PIXELS, CODE_PIXELS = 14, 13
HEADING_PIXELS = {1: 20, 2: 18, 3: 16}

_FEATURES = (
    QTextDocument.MarkdownFeature.MarkdownDialectGitHub
    | QTextDocument.MarkdownFeature.MarkdownNoHTML
)
_PICTURE = "\ufffc"
_LINE_BREAK = "\u2028"
_LETTERS = re.compile(r"[^\W\d_]")
_TASK = re.compile(r"^(\s*(?:[-*+]|\d+[.)])\s+)\[[xX]\]", re.MULTILINE)
_LONGEST_LANGUAGE = 20

_Span = tuple[int, int, QTextCharFormat]


class ClosedDocument(QTextDocument):
    """A document that fetches nothing: no pictures, no style sheets, neither from disk nor net."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setUndoRedoEnabled(False)
        self.setDocumentMargin(2)
        self.setIndentWidth(22)

    def loadResource(self, type: int, name: QUrl | str) -> QImage:
        return no_resource()


def no_resource() -> QImage:
    """What is given in place of every resource: a picture of one clear dot.

    It has to be a picture: where it gets nothing, Qt opens local files by itself.
    """
    dot = QImage(1, 1, QImage.Format.Format_ARGB32)
    dot.fill(0)
    return dot


def fill(document: QTextDocument, text: str) -> None:
    """Show `text` as Markdown in `document`, in the colours of the present theme.

    Where Markdown would swallow words of the text (titles of links, definitions, surplus cells),
    a sentence at the end says so: the person shall know what an agent reads.
    """
    source = display_text(text)
    document.setDefaultFont(fonts.font(TEXT_PIXELS))
    # A blank line first, or Qt would take leading dashes for front matter and show none of it.
    document.setMarkdown(f"\n{source}" if source.startswith("---") else source, _FEATURES)
    _mend_tables(document)
    _spell_out_pictures(document)
    _reveal_entities(document)
    swallowed = swallows(source, document)
    restyle(document)
    if swallowed:
        _add_note(document)


def swallows(source: str, document: QTextDocument) -> bool:
    """Whether letters of `source` are to be seen nowhere in `document`, nor in its links."""
    written = _count(html.unescape(_TASK.sub(r"\1", source)))
    shown = sum(_count(block.text()) + _language(block) for block in blocks(document))
    return written > shown + sum(_target(piece) for piece in fragments(document))


def _count(text: str) -> int:
    return len(_LETTERS.findall(text))


def _language(block: QTextBlock) -> int:
    if block.previous().isValid() and _code_language(block.previous()) == _code_language(block):
        return 0
    return min(_count(_code_language(block)), _LONGEST_LANGUAGE)


def _code_language(block: QTextBlock) -> str:
    return block.blockFormat().stringProperty(QTextFormat.Property.BlockCodeLanguage)


def _target(piece: QTextFragment) -> int:
    """The letters of a link's target, unless its words are the target itself."""
    target = piece.charFormat().anchorHref()
    return 0 if piece.text() in target else _count(target)


def blocks(document: QTextDocument) -> Iterator[QTextBlock]:
    """The blocks of a document in order."""
    block = document.begin()
    while block.isValid():
        yield block
        block = block.next()


def fragments(document: QTextDocument) -> Iterator[QTextFragment]:
    """The runs of equal format of a document in order."""
    for block in blocks(document):
        walk = block.begin()
        while not walk.atEnd():
            yield walk.fragment()
            walk += 1


def _mend_tables(document: QTextDocument) -> None:
    """Take out the empty line that Qt puts into the first cell of a table behind a code block."""
    for table in _tables(document.rootFrame()):
        corner = table.cellAt(0, 0)
        first = corner.firstCursorPosition()
        if not first.block().text() and first.block() != corner.lastCursorPosition().block():
            first.deleteChar()


def _spell_out_pictures(document: QTextDocument) -> None:
    """Put words in the place of each picture, since none is ever loaded."""
    pictures = [
        (piece.position(), piece.length(), piece.charFormat().toImageFormat())
        for piece in fragments(document)
        if piece.charFormat().isImageFormat()
    ]
    edit = QTextCursor(document)
    edit.beginEditBlock()  # one laying out for all of them
    for start, length, format in reversed(pictures):
        said = format.stringProperty(QTextFormat.Property.ImageAltText)
        words = translate("Look", "[picture: {0}]").format(f"{said} {format.name()}".strip())
        _select(document, start, length).insertText(reveal(words), QTextCharFormat())
    edit.endEditBlock()


def _reveal_entities(document: QTextDocument) -> None:
    """Spell out hidden characters that the text wrote as entities, such as `&#8238;`."""
    for block in blocks(document):
        text = block.text()
        if _revealed(text) != text:
            cursor = _select(document, block.position(), block.length() - 1)
            cursor.insertText(_revealed(text), QTextCharFormat())


def _revealed(text: str) -> str:
    return _LINE_BREAK.join(reveal(line) for line in text.split(_LINE_BREAK))


def _add_note(document: QTextDocument) -> None:
    note = QTextCharFormat()
    note.setForeground(theme.current().color("warn"))
    note.setFontItalic(True)
    cursor = QTextCursor(document)
    cursor.movePosition(QTextCursor.MoveOperation.End)
    cursor.insertBlock(QTextBlockFormat(), note)
    sentence = translate("Look", "Some words of this text are only to be seen in its source.")
    cursor.insertText(sentence, note)


def restyle(document: QTextDocument) -> None:
    """Give the document the sizes and colours that the import of Markdown does not carry."""
    spans = [span for piece in fragments(document) for span in _piece_spans(document, piece)]
    spans += [span for block in blocks(document) for span in _hidden_spans(block)]
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    for block in blocks(document):
        QTextCursor(block).setBlockFormat(_block_format(block))
    for start, length, format in spans:
        _select(document, start, length).setCharFormat(format)
    for table in _tables(document.rootFrame()):
        _style_table(table)
    cursor.endEditBlock()


def _select(document: QTextDocument, start: int, length: int) -> QTextCursor:
    cursor = QTextCursor(document)
    cursor.setPosition(start)
    cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
    return cursor


def _block_format(block: QTextBlock) -> QTextBlockFormat:
    format = block.blockFormat()
    if format.headingLevel():
        format.setTopMargin(14 if block.blockNumber() else 0)
        format.setBottomMargin(6)
    elif _is_code(format):
        format.setBackground(theme.current().color("code"))
        format.setLeftMargin(4)
    else:
        format.setBottomMargin(4)
        format.setLineHeight(132, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    return format


def _is_code(format: QTextBlockFormat) -> bool:
    return format.hasProperty(QTextFormat.Property.BlockCodeFence) or format.hasProperty(
        QTextFormat.Property.BlockCodeLanguage
    )


def _piece_spans(document: QTextDocument, piece: QTextFragment) -> Iterator[_Span]:
    block = document.findBlock(piece.position()).blockFormat()
    yield piece.position(), piece.length(), _char_format(block, piece.charFormat())


def _char_format(block: QTextBlockFormat, present: QTextCharFormat) -> QTextCharFormat:
    worn, format = theme.current(), QTextCharFormat(present)
    if present.fontFixedPitch() or _is_code(block):
        format.setFontFamilies([fonts.CODE])
        format.setBackground(worn.color("code"))
        _set_pixels(format, CODE_PIXELS)
    if block.headingLevel():
        _set_pixels(format, HEADING_PIXELS.get(block.headingLevel(), TEXT_PIXELS))
        format.setFontWeight(fonts.SEMIBOLD)
    if present.isAnchor():
        format.setForeground(worn.color("accent"))
        format.setFontUnderline(True)
    elif block.hasProperty(QTextFormat.Property.BlockQuoteLevel):
        format.setForeground(worn.color("muted"))
    return format


def _set_pixels(format: QTextCharFormat, pixels: int) -> None:
    # Headings carry a size step of their own, which would win over pixels.
    format.clearProperty(QTextFormat.Property.FontSizeAdjustment)
    format.setProperty(QTextFormat.Property.FontPixelSize, pixels)


def mark_hidden(document: QTextDocument) -> None:
    """Put what was spelled out in a document of plain text on a ground of warning."""
    spans = [span for block in blocks(document) for span in _hidden_spans(block)]
    edit = QTextCursor(document)
    edit.beginEditBlock()  # one laying out for all of them
    for start, length, format in spans:
        _select(document, start, length).mergeCharFormat(format)
    edit.endEditBlock()


def _hidden_spans(block: QTextBlock) -> Iterator[_Span]:
    """Hidden characters that were spelled out stand on a ground of warning."""
    for start, length in spelled_out(block.text()):
        format = QTextCharFormat()
        format.setBackground(theme.current().color("warnbg"))
        format.setForeground(theme.current().color("warn"))
        format.setFontFamilies([fonts.CODE])
        _set_pixels(format, CODE_PIXELS - 1)
        yield block.position() + start, length, format


def _tables(frame: QTextFrame) -> Iterator[QTextTable]:
    for child in frame.childFrames():
        if isinstance(child, QTextTable):
            yield child
        yield from _tables(child)


def _style_table(table: QTextTable) -> None:
    format = table.format().toTableFormat()
    format.setBorderCollapse(True)
    format.setBorder(1)
    format.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
    format.setBorderBrush(QBrush(theme.current().color("line")))
    format.setCellPadding(5)
    format.setTopMargin(6)
    format.setBottomMargin(8)
    table.setFormat(format)
    for column in range(table.columns()):
        head = table.cellAt(0, column)
        cursor = head.firstCursorPosition()
        cursor.setPosition(head.lastPosition(), QTextCursor.MoveMode.KeepAnchor)
        bold = QTextCharFormat()
        bold.setFontWeight(fonts.SEMIBOLD)
        cursor.mergeCharFormat(bold)
