"""The thread that sees to the backups while the window or the server is open."""

from __future__ import annotations

import logging
import threading

from remembrancer.core.clock import MINUTE, Clock
from remembrancer.core.errors import RemembrancerError
from remembrancer.service.backups import BackupsDesk

FIRST, LOOK = 3.0, 30.0  # seconds until the first look, and between two
AGAIN = 10 * MINUTE  # after which what failed is tried again
_log = logging.getLogger(__name__)


class BackupWatch:
    """Looks every half minute whether a backup is due, and lets it be made."""

    def __init__(self, desk: BackupsDesk, clock: Clock) -> None:
        self._desk = desk
        self._clock = clock
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._failed_at: int | None = None

    def start(self) -> None:
        """Begin, in a thread of its own; it ends with the library."""
        if self._thread is None and not self._stop.is_set():
            self._thread = threading.Thread(target=self._loop, name="backups", daemon=True)
            self._thread.start()

    def look(self) -> None:
        """Make what is due now, unless it failed a moment ago."""
        now = self._clock()
        if self._failed_at is not None and 0 <= now - self._failed_at < AGAIN:
            return
        self._desk.look_after()
        self._failed_at = now if self._desk.state.failure else None

    def close(self) -> None:
        """End, after what is under way."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()

    def _loop(self) -> None:
        pause = FIRST
        while not self._stop.wait(pause):
            pause = LOOK
            try:
                self.look()
            except RemembrancerError:  # the store is busy or gone for a moment
                _log.exception("The backups could not be looked after")
