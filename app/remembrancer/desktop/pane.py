"""What every place of the window is: a widget that opens on something and hears of changes."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from remembrancer.desktop.feed import Changes
from remembrancer.desktop.workbench import Workbench


class Pane(QWidget):
    """One place. A pane is made when it is first opened and kept until the window closes."""

    def __init__(self, bench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bench = bench

    def open(self, **what: object) -> None:
        """Show something in particular; called each time the person comes here."""

    def changed(self, changes: Changes) -> None:
        """Something changed in the store; called only while the pane exists, hidden or not."""

    def focus_search(self) -> None:
        """Put the keyboard into the pane's search box, where it has one."""

    def may_leave(self) -> bool:
        """Whether the person may go elsewhere now; a pane with unsaved words asks first."""
        return True

    def pose(self) -> None:
        """Show yourself at your best for a picture; what is still to come may come later."""

    def still(self) -> bool:
        """Whether nothing moves of itself any more, so that a picture can be taken."""
        return True
