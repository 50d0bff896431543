"""The strips that say how the store stands: only for reading, or where it should not lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from remembrancer.desktop.look.labels import Banner, Message
from remembrancer.desktop.look.plain import translate

if TYPE_CHECKING:
    from remembrancer.core.caution import Caution
    from remembrancer.desktop.window import Window

LOOK = 1_000  # milliseconds between two looks while the store is being examined


class Standing(QObject):
    """Shows a strip above the panes for each thing that the person should know of the store.

    That nothing can be written stays in sight; a caution can be put away until the next start.
    """

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._library = window.library
        self.read_only = Banner()
        self.cautions = [Banner(_message(caution)) for caution in self._library.cautions]
        for place, banner in enumerate([self.read_only, *self.cautions]):
            window._column.insertWidget(place, banner)
        self._again = QTimer(self, singleShot=True, interval=LOOK)
        self._again.timeout.connect(self.look)
        self.look()

    def look(self) -> None:
        """Show whether anything can be written; while that is being found out, look again."""
        sentence = self._library.read_only
        if sentence is not None:
            lead = translate("Standing", "Only for reading.")
            self.read_only.show_message(Message("warning", sentence, lead, dismissible=False))
        elif self._library.examining:
            self._again.start()


def _message(caution: Caution) -> Message:
    words = {
        "network": translate(
            "Standing",
            "The store lies on a network drive ({type}). Keep it on a disk of this machine, and "
            "use only one machine at a time until then.",
        ),
        "cloud": translate(
            "Standing",
            "The store lies in a folder that {program} synchronises, which can mix up what is "
            "written. Move it to another folder, and let only backups be synchronised.",
        ),
        "sqlite": translate(
            "Standing",
            "SQLite {version} has a fault in its write-ahead log. Update it to 3.51.3 or newer; "
            "until then the store works without that log, and more slowly.",
        ),
    }
    found = words.get(caution.code)
    return Message("warning", caution.sentence if found is None else found.format(**caution.facts))
