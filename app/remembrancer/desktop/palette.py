"""The command palette: type a few letters, and do or open what they mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QLineEdit, QVBoxLayout

from remembrancer.desktop.look.cards import RowList
from remembrancer.desktop.look.labels import Label
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.palette_model import HEIGHT, PaletteDelegate, PaletteModel
from remembrancer.desktop.palette_rows import Row, action_rows, found_rows, ranked

if TYPE_CHECKING:
    from remembrancer.desktop.window import Window

_SIZE = (640, 460)
_PAUSE = 120  # milliseconds without a key press before the library is asked
KEPT = 8  # last used actions that are remembered
_MOVES = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 8, Qt.Key.Key_PageUp: -8}


class Palette(QDialog):
    """The keyboard stays in the box: arrow keys choose, Return does it, Esc leaves."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._window = window
        self._actions = action_rows(window)
        self._found: list[Row] = []
        self._build()
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE)
        self._pause.timeout.connect(self._ask)
        self.box.textChanged.connect(self._typed)
        self.list.opened.connect(self.take)
        self.list.clicked.connect(lambda _index: self.take())
        self._typed()

    def take(self) -> None:
        """Do what the chosen row says and go; say why where that is not possible."""
        chosen = self.chosen()
        if chosen is None:
            return
        if chosen.hindrance:
            self.hint.setText(chosen.hindrance)
            return
        self._remember(chosen)
        self.accept()
        QTimer.singleShot(0, self._window, chosen.run)  # after the window has its keyboard back

    def chosen(self) -> Row | None:
        """The row that Return would do."""
        number = self.list.currentIndex().row()
        return self.model.rows[number] if number >= 0 else None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.take()
        elif event.key() in _MOVES:
            self._move(_MOVES[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    def _move(self, by: int) -> None:
        if count := self.model.rowCount():
            now = self.list.currentIndex().row()
            once = abs(by) == 1
            self.list.choose_row((now + by) % count if once else min(max(now + by, 0), count - 1))

    def _typed(self) -> None:
        self._found = []
        self._show()
        self._pause.start()

    def _show(self) -> None:
        typed, used = self.box.text(), self._window.preferences.now.palette
        self.model.show([*ranked(self._actions, typed, used), *self._found])
        self.hint.setText("" if self.model.rows else translate("Palette", "Nothing found"))
        if self.model.rows:
            self.list.choose_row(0)

    def _ask(self) -> None:
        typed, window = self.box.text(), self._window

        def done(rows: list[Row]) -> None:
            if typed == self.box.text():
                chosen = self.list.currentIndex().row()
                self._found = rows
                self._show()
                if self.model.rows:
                    self.list.choose_row(max(chosen, 0))

        work = lambda: found_rows(window.library, window.go, typed)  # noqa: E731
        window.background.run(work, done, owner=self)

    def _remember(self, row: Row) -> None:
        kept = [each for each in self._window.preferences.now.palette if each != row.id]
        if row in self._actions:
            self._window.preferences.change(palette=[row.id, *kept][:KEPT])

    def _build(self) -> None:
        self.setWindowTitle(translate("Palette", "Command palette"))
        self.resize(*_SIZE)
        words = translate("Palette", "An action, a place, a memory or an entity")
        self.box = QLineEdit(placeholderText=words)
        self.box.setAccessibleName(self.windowTitle())
        self.model = PaletteModel(self)
        self.list = RowList(translate("Palette", "What can be done"), HEIGHT)
        self.list.setItemDelegate(PaletteDelegate(self.list))
        self.list.setModel(self.model)
        self.hint = Label("", "muted")
        column = QVBoxLayout(self)
        column.addWidget(self.box)
        column.addWidget(self.list, 1)
        column.addWidget(self.hint)
