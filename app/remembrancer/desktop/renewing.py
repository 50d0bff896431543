"""The renewal of the search index in the window: a quiet status for as long as it goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from remembrancer.desktop.look.plain import translate

if TYPE_CHECKING:
    from remembrancer.desktop.window import Window
    from remembrancer.service.indexing import IndexState

LOOK = 1_000  # milliseconds between two looks at how far it is


class Renewing(QObject):
    """Looks once; where the index is being renewed, again until it is current."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        self._again = QTimer(self, singleShot=True, interval=LOOK)
        self._again.timeout.connect(self.look)
        self.look()

    @property
    def waiting(self) -> bool:
        """Whether another look is to come."""
        return self._again.isActive()

    def look(self) -> None:
        """Ask how far the index is, and say so."""
        indexing = self._window.library.indexing
        self._window.background.run(lambda: indexing.state, self._show, owner=self)

    def _show(self, state: IndexState) -> None:
        if state.current or self._window.library.read_only is not None:
            self._window.rail.set_status("")
            return
        words = translate("Window", "Renewing the search index: {0} %")
        self._window.rail.set_status(words.format(state.percent))
        self._again.start()
