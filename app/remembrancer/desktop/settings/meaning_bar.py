"""How many memories have been read for their meaning, as a bar."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QProgressBar, QSizePolicy

from remembrancer.desktop.look import paint
from remembrancer.desktop.look.plain import translate


class MeaningBar(QProgressBar):
    """A thin bar; the sentence above it tells the numbers, and a screen reader the share."""

    def __init__(self) -> None:
        super().__init__()
        self.setTextVisible(False)
        self.setAccessibleName(translate("Meaning", "Memories read for their meaning"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_share(self, done: int, total: int) -> None:
        """Show `done` of `total` memories; of none that is known, an empty bar."""
        self.setRange(0, max(total, 1))
        self.setValue(min(done, total))

    def sizeHint(self) -> QSize:
        return QSize(120, 8)

    def minimumSizeHint(self) -> QSize:
        return QSize(40, 8)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = paint.painter_on(self)
        paint.rounded(painter, QRectF(0, 1, self.width(), 6), 3, fill="track")
        share = self.value() / self.maximum()
        if share > 0:
            paint.rounded(painter, QRectF(0, 1, self.width() * share, 6), 3, fill="accent")
        painter.end()
