"""The form for an entity's name and type: for a new one, and for another name or type."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCompleter, QGridLayout, QHBoxLayout, QLineEdit, QWidget

from remembrancer.desktop.fields import NameModel
from remembrancer.desktop.look.buttons import KeyButton
from remembrancer.desktop.look.labels import Label
from remembrancer.desktop.look.plain import translate


class EntityForm(QWidget):
    """Two lines and two buttons. `saved` tells name and type; Return saves, Escape cancels."""

    saved = Signal(str, str)
    cancelled = Signal()

    def __init__(self, save: str, parent: QWidget | None = None) -> None:
        """`save` are the words on the button that saves."""
        super().__init__(parent)
        self.name = QLineEdit()
        self.type = QLineEdit()
        self._types = NameModel(self)
        self._save = KeyButton("check", save, "↵", primary=True)
        self._cancel = KeyButton("x", translate("Entities", "Cancel"), "Esc")
        self._build()
        self._connect()

    def start(self, name: str, type_: str, types: Sequence[str]) -> None:
        """Begin with these words; `types` are offered while the type is typed."""
        self.name.setText(name)
        self.type.setText(type_)
        self._types.setStringList([t for t in types if t])
        self._look()
        first = self.type if name and not type_ else self.name
        first.setFocus(Qt.FocusReason.OtherFocusReason)
        first.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
        else:
            super().keyPressEvent(event)

    def _build(self) -> None:
        labels = (translate("Entities", "Name"), translate("Entities", "Type"))
        self.type.setPlaceholderText(translate("Entities", "device, project, person …"))
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(8)
        for row, (text, edit) in enumerate(zip(labels, (self.name, self.type), strict=True)):
            label = Label(text, "muted")
            label.setBuddy(edit)
            edit.setAccessibleName(text)
            grid.addWidget(label, row, 0)
            grid.addWidget(edit, row, 1)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self._save)
        buttons.addWidget(self._cancel)
        buttons.addStretch(1)
        grid.addLayout(buttons, 2, 1)
        offer = QCompleter(self._types, self)
        offer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        popup = offer.popup()
        if popup is not None:
            popup.setAccessibleName(translate("Entities", "Types that there are"))
        self.type.setCompleter(offer)

    def _connect(self) -> None:
        self.name.textChanged.connect(lambda _text: self._look())
        for edit in (self.name, self.type):
            edit.returnPressed.connect(self._tell)
        self._save.clicked.connect(self._tell)
        self._cancel.clicked.connect(self.cancelled)

    def _look(self) -> None:
        self._save.setEnabled(bool(self.name.text().strip()))

    def _tell(self) -> None:
        if self._save.isEnabled():
            self.saved.emit(self.name.text(), self.type.text().strip())
