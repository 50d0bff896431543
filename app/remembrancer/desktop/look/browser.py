"""A reader for text from anywhere: Markdown or plain, that loads nothing and follows nothing."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, QUrl, Signal
from PySide6.QtGui import QImage, QTextBlockFormat, QTextCharFormat, QTextCursor, QTextDocument
from PySide6.QtWidgets import QTextBrowser, QWidget

from remembrancer.core.display import formatted_parts, plain_parts
from remembrancer.desktop.look import fonts, links, theme
from remembrancer.desktop.look.markdown import ClosedDocument, fill, mark_hidden, no_resource
from remembrancer.desktop.look.plain import display_text, number, tooltip, translate

__all__ = ["SafeBrowser", "display_text"]

_TURN = "part"


class SafeBrowser(QTextBrowser):
    """Shows foreign text, at most 20,000 characters at a time.

    A link that is pressed is told by `link_chosen`, as written; a web address opens when the
    person agrees to it, anything else never does.
    """

    link_chosen = Signal(str)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        """`name` is for screen readers."""
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setDocument(ClosedDocument(self))
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.anchorClicked.connect(self._press)
        self.highlighted.connect(self._name_target)
        self._text, self._as_markdown, self._part = "", True, 0
        theme.watch(self._wear)

    def show_markdown(self, text: str) -> None:
        """Show `text` as Markdown, without HTML or pictures."""
        self._show(text, True)

    def show_plain(self, text: str) -> None:
        """Show `text` as it is written."""
        self._show(text, False)

    def turn_to(self, part: int) -> None:
        """Show another part of a text that is too long to be shown at once; the first is 0."""
        places = formatted_parts(self._text) if self._as_markdown else plain_parts(self._text)
        self._part = min(max(part, 0), len(places) - 1)
        start, end = places[self._part]
        self._put(self._text[start:end])
        if len(places) > 1:
            self._offer_parts(start, end, len(places))
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def loadResource(self, type: int, name: QUrl | str) -> QImage:
        return no_resource()

    def doSetSource(
        self,
        name: QUrl | str,
        type: QTextDocument.ResourceType = QTextDocument.ResourceType.UnknownResource,
    ) -> None:
        # A browser would go there and show that instead of the text that was given.
        return None

    def createMimeDataFromSelection(self) -> QMimeData:
        # Qt would hand out the text as HTML too, with whatever addresses are in it.
        data, cursor = QMimeData(), self.textCursor()
        chosen = cursor.selectionEnd() - cursor.selectionStart()
        exact = chosen >= self.document().characterCount() - 1 and not self._as_markdown
        data.setText(self._text if exact else cursor.selection().toPlainText())
        return data

    def _show(self, text: str, as_markdown: bool) -> None:
        self._text, self._as_markdown = text, as_markdown
        self.turn_to(0)

    def _put(self, text: str) -> None:
        document = self.document()
        if self._as_markdown:
            fill(document, text)
            return
        document.setDefaultFont(fonts.font(13, mono=True))
        # Not the widget's own method: that would go on in the look of the text before.
        document.setPlainText(display_text(text))
        mark_hidden(document)

    def _offer_parts(self, start: int, end: int, count: int) -> None:
        """Say at the end which part this is, with links to the parts beside it."""
        told = translate("Look", "Part {0} of {1}: characters {2} to {3} of {4}.")
        numbers = (self._part + 1, count, start + 1, end, len(self._text))
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertBlock(QTextBlockFormat(), _note())
        cursor.insertText(f"\u2028{told.format(*map(number, numbers))}", _note())
        for part, words in (
            (self._part - 1, translate("Look", "Part before")),
            (self._part + 1, translate("Look", "Next part")),
        ):
            if 0 <= part < count:
                cursor.insertText("   ", _note())
                cursor.insertText(words, _link(part))

    def _press(self, url: QUrl) -> None:
        if url.scheme() == _TURN:
            self.turn_to(int(url.path()) if url.path().isdecimal() else 0)
            return
        self.link_chosen.emit(url.toString())
        links.ask(url, self)

    def _name_target(self, url: QUrl) -> None:
        self.setToolTip("" if url.scheme() == _TURN else tooltip(url.toString()))

    def _wear(self, worn: theme.Theme) -> None:
        if self._as_markdown:
            place = self.verticalScrollBar().value()
            self.turn_to(self._part)
            self.verticalScrollBar().setValue(place)


def _note() -> QTextCharFormat:
    note = QTextCharFormat()
    note.setForeground(theme.current().color("warn"))
    note.setFont(fonts.font(13))
    return note


def _link(part: int) -> QTextCharFormat:
    link = _note()
    link.setAnchor(True)
    link.setAnchorHref(f"{_TURN}:{part}")
    link.setForeground(theme.current().color("accent"))
    link.setFontUnderline(True)
    return link
