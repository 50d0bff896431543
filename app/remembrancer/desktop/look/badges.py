"""Small painted words: badges for kinds and tags, single icons, and text with a bold beginning."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPaintEvent, QTextCharFormat, QTextLayout
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from remembrancer.desktop.look import fonts, paint, theme
from remembrancer.desktop.look.plain import display_text, one_line, units

BADGE_HEIGHT = 22
WIDEST_BADGE = 300


class Badge(QLabel):
    """A word on a rounded ground, for tags and scopes."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setFont(fonts.font(11, fonts.SEMIBOLD))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setText(text)

    def setText(self, text: str) -> None:
        super().setText(one_line(text, 60))
        self.updateGeometry()

    def colors(self) -> tuple[QColor, QColor]:
        """Ink and ground."""
        worn = theme.current()
        return worn.color("muted"), worn.color("key")

    def sizeHint(self) -> QSize:
        wide = round(paint.advance(self.text(), self.font())) + 20
        return QSize(min(wide, WIDEST_BADGE), BADGE_HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        ink, ground = self.colors()
        rect = QRectF(self.rect())
        painter = paint.painter_on(self)
        paint.rounded(painter, rect, rect.height() / 2, fill=ground)
        inside = rect.adjusted(9.5, 0, -9.5, 0)
        paint.words(painter, inside, self.text(), self.font(), ink, paint.CENTRE)
        painter.end()


class KindBadge(Badge):
    """The kind of a memory, in the colours of that kind."""

    def __init__(self, kind: str = "", text: str = "", parent: QWidget | None = None) -> None:
        self._kind = kind
        super().__init__(text or kind, parent)

    def show_kind(self, kind: str, text: str = "") -> None:
        """Show `kind`; `text` is its word in the reader's language, if not the kind itself."""
        self._kind = kind
        self.setText(text or kind)

    def colors(self) -> tuple[QColor, QColor]:
        return theme.current().kind(self._kind)


class Symbol(QWidget):
    """One icon that only decorates; words beside it say the same."""

    def __init__(
        self, name: str, token: str = "muted", px: int = 18, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._name, self._token, self._px = name, token, px
        self.setFixedSize(px, px)

    def show_icon(self, name: str, token: str) -> None:
        """Show another icon, or the same in another colour."""
        self._name, self._token = name, token
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = paint.painter_on(self)
        paint.symbol(painter, QPointF(0, 0), self._name, self._token, self._px)
        painter.end()


class LeadLabel(QLabel):
    """Wrapping text whose first words are bold, without any markup being read."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lead, self._token = 0, "text"
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setFont(fonts.font(13))
        self.setWordWrap(True)

    def show_text(self, lead: str, text: str, token: str) -> None:
        """Show `lead` in bold and `text` after it, both in the colour of `token`."""
        lead = display_text(lead)
        self._lead, self._token = units(lead), token
        self.setText(f"{lead} {display_text(text)}".strip())
        self.updateGeometry()
        self.update()

    def heightForWidth(self, width: int) -> int:
        return round(self._laid_out(width).boundingRect().height() + 0.5)

    def sizeHint(self) -> QSize:
        wide = min(640, round(self._laid_out(10_000).boundingRect().width()) + 1)
        return QSize(wide, self.heightForWidth(wide))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.heightForWidth(self.width()) if self.width() > 120 else 18)

    def paintEvent(self, event: QPaintEvent) -> None:
        layout = self._laid_out(self.width())
        painter = paint.painter_on(self)
        painter.setPen(theme.current().color(self._token))
        layout.draw(painter, QPointF(0, (self.height() - layout.boundingRect().height()) / 2))
        painter.end()

    def _laid_out(self, width: float) -> QTextLayout:
        return paint.laid_out(self.text(), self.font(), width, [self._bold_lead()])

    def _bold_lead(self) -> QTextLayout.FormatRange:
        bold = QTextCharFormat()
        bold.setFontWeight(fonts.SEMIBOLD)
        lead = QTextLayout.FormatRange()
        lead.start, lead.length, lead.format = 0, self._lead, bold  # type: ignore[misc]
        return lead
