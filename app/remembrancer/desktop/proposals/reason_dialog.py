"""The sheet in which the person says why she refuses: the agent is told."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QVBoxLayout, QWidget

from remembrancer.desktop.look.labels import Label
from remembrancer.desktop.look.plain import translate

_LONGEST = 500


class ReasonDialog(QDialog):
    """Asks for a reason; `given` tells it."""

    given = Signal(str)

    def __init__(self, question: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(translate("Proposals", "Refuse with a reason"))
        self.setMinimumWidth(460)
        self.reason = QLineEdit()
        self.reason.setMaxLength(_LONGEST)
        self.reason.setAccessibleName(translate("Proposals", "Reason"))
        self.reason.setPlaceholderText(translate("Proposals", "such as: we moved away from it"))
        box = QDialogButtonBox()
        yes = box.addButton(
            translate("Proposals", "Refuse"), QDialogButtonBox.ButtonRole.AcceptRole
        )
        box.addButton(translate("Proposals", "Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        yes.setDefault(True)
        yes.clicked.connect(self._give)
        box.rejected.connect(self.close)
        hint = translate("Proposals", "The agent hears it when it proposes the same again.")
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 20, 20, 16)
        column.setSpacing(12)
        column.addWidget(Label(question, wrap=True))
        column.addWidget(self.reason)
        column.addWidget(Label(hint, "small", wrap=True))
        column.addWidget(box)
        self.reason.setFocus()

    def _give(self) -> None:
        self.given.emit(self.reason.text())
        self.close()
