"""What each client of memo asked and read, for as many sessions as are worth keeping."""

from __future__ import annotations

import threading
from collections import OrderedDict

from remembrancer.core.asked_before import AskedBefore

_SESSIONS = 256


class OpenQuestions:
    """One memory of questions for each session; the longest unused gives way."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sessions: OrderedDict[str, AskedBefore] = OrderedDict()

    def of(self, session: str) -> AskedBefore:
        """What that session asked; nothing at first."""
        with self._lock:
            asked = self._sessions.setdefault(session, AskedBefore())
            self._sessions.move_to_end(session)
            while len(self._sessions) > _SESSIONS:
                self._sessions.popitem(last=False)
            return asked
