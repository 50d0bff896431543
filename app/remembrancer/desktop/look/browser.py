"""A reader for text from anywhere: Markdown or plain, that loads nothing and follows nothing."""

from __future__ import annotations

from PySide6.QtCore import QUrl, Signal
from PySide6.QtGui import QImage, QTextDocument
from PySide6.QtWidgets import QTextBrowser, QWidget

from remembrancer.desktop.look import fonts, theme
from remembrancer.desktop.look.markdown import ClosedDocument, fill, no_resource
from remembrancer.desktop.look.plain import display_text, tooltip

__all__ = ["SafeBrowser", "display_text"]


class SafeBrowser(QTextBrowser):
    """Shows foreign text; a link that is pressed is only told by `link_chosen`, as written."""

    link_chosen = Signal(str)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        """`name` is for screen readers."""
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setDocument(ClosedDocument(self))
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.anchorClicked.connect(self._tell)
        self.highlighted.connect(self._name_target)
        self._text, self._as_markdown = "", True
        theme.watch(self._wear)

    def show_markdown(self, text: str) -> None:
        """Show `text` as Markdown, without HTML or pictures, at most 20,000 characters of it."""
        self._text, self._as_markdown = text, True
        fill(self.document(), text)

    def show_plain(self, text: str) -> None:
        """Show `text` as it is written, at most 20,000 characters of it."""
        self._text, self._as_markdown = text, False
        document = self.document()
        document.setDefaultFont(fonts.font(13, mono=True))
        # Not the widget's own method: that would go on in the look of the text before.
        document.setPlainText(display_text(text))

    def loadResource(self, type: int, name: QUrl | str) -> QImage:
        return no_resource()

    def doSetSource(
        self,
        name: QUrl | str,
        type: QTextDocument.ResourceType = QTextDocument.ResourceType.UnknownResource,
    ) -> None:
        # A browser would go there and show that instead of the text that was given.
        return None

    def _tell(self, url: QUrl) -> None:
        self.link_chosen.emit(url.toString())

    def _name_target(self, url: QUrl) -> None:
        self.setToolTip(tooltip(url.toString()))

    def _wear(self, worn: theme.Theme) -> None:
        if self._as_markdown:
            place = self.verticalScrollBar().value()
            self.show_markdown(self._text)
            self.verticalScrollBar().setValue(place)
