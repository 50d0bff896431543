"""How far a session of review is: a bar, what undo would take back, and the way out."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QProgressBar, QVBoxLayout, QWidget

from remembrancer.desktop.fields import row
from remembrancer.desktop.look import paint
from remembrancer.desktop.look.buttons import KeyButton
from remembrancer.desktop.look.labels import Label
from remembrancer.desktop.look.plain import number, one_line, translate

_NAMED = 20


class _Bar(QProgressBar):
    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(translate("Review", "Decided in this session"))
        self.setTextVisible(False)
        self.setFixedHeight(6)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = paint.painter_on(self)
        whole = QRectF(self.rect())
        paint.rounded(painter, whole, 3, fill="track")
        share = self.value() / max(self.maximum(), 1)
        if share:
            done = QRectF(0, 0, max(whole.width() * share, 6), whole.height())
            paint.rounded(painter, done, 3, fill="accent")
        painter.end()


class SessionStrip(QWidget):
    """Says how many are decided of how many; `undo` and `stop` are its two buttons."""

    undo = Signal()
    stop = Signal()

    def __init__(self, undo_key: str, stop_key: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.told = Label("", "small")
        self.bar = _Bar()
        self.undo_button = KeyButton("undo-2", translate("Review", "Undo"), undo_key)
        self.stop_button = KeyButton("circle-check", translate("Review", "Finish"), stop_key)
        self.undo_button.clicked.connect(self.undo)
        self.stop_button.clicked.connect(self.stop)
        self._buttons = row(self.undo_button, 1, self.stop_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.told)
        column.addWidget(self.bar)
        column.addWidget(self._buttons)
        self.show_progress(0, 0)
        self.name_undo("")

    def show_progress(self, decided: int, whole: int) -> None:
        """Show that `decided` of `whole` are done; before the first decision how many there are."""
        begun = translate("Review", "{0} of {1} decided")
        waiting = translate("Review", "{1} to decide")
        sentence = begun if decided else waiting
        self.told.setText(sentence.format(number(decided), number(whole)) if whole else "")
        self.bar.setMaximum(max(whole, 1))
        self.bar.setValue(decided)
        self.bar.setVisible(bool(whole))
        self._buttons.setVisible(bool(decided))

    def name_undo(self, deed: str) -> None:
        """Say on the button what undo would take back; nothing: it cannot be pressed."""
        self.undo_button.setEnabled(bool(deed))
        said = translate("Review", "Undo {0}").format(one_line(deed, _NAMED))
        self.undo_button.set_label(said if deed else translate("Review", "Undo"))
