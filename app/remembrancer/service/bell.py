"""A doorbell, not a letter: it says only that something happened; who hears reads the journal."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

_log = logging.getLogger(__name__)


class Bell:
    """Rings everybody who listens, on the thread of whoever rang."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._listeners: dict[int, Callable[[], None]] = {}
        self._next = 0

    def listen(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` at every ring from any thread; calling what is returned ends that."""
        with self._lock:
            number = self._next
            self._next += 1
            self._listeners[number] = listener
        return lambda: self._stop(number)

    def ring(self) -> None:
        """Tell everybody. A listener that fails is logged and does not silence the others."""
        with self._lock:
            listeners = list(self._listeners.values())
        for listener in listeners:
            try:
                listener()
            except Exception:
                _log.exception("A listener of the doorbell failed")

    def _stop(self, number: int) -> None:
        with self._lock:
            self._listeners.pop(number, None)
