"""One trial of the judge, beside the window: a slow server must hold up nothing else."""

from __future__ import annotations

import logging
import threading

from PySide6.QtCore import QObject, Signal

from remembrancer.service.judge import JudgeDesk

_log = logging.getLogger(__name__)


class JudgeTrial(QObject):
    """Tries the judge once at a time; `ended` tells the Trial, or None where it failed itself.

    It has no parent: its thread holds on to it, so that a window which closes meanwhile need not
    wait for the server.
    """

    ended = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.busy = False
        self.ended.connect(self._rest)

    def begin(self, desk: JudgeDesk) -> None:
        """Ask; returns at once."""
        self.busy = True
        threading.Thread(target=self._run, args=(desk,), name="judge-trial", daemon=True).start()

    def _run(self, desk: JudgeDesk) -> None:
        try:
            found = desk.trial()
        except Exception as wrong:
            # Its kind alone: a key may stand in its words.
            _log.warning("The judge could not be tried: %s", type(wrong).__name__)
            found = None
        self.ended.emit(found)

    def _rest(self) -> None:
        self.busy = False
