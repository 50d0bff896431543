"""How the window ends when the system says so: at once, in good order, and within a bound."""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections.abc import Callable

from PySide6.QtCore import QObject, QSocketNotifier
from PySide6.QtWidgets import QApplication

from remembrancer.desktop.window import Window

WITHIN = 1.8  # seconds from the signal to the end of the program
_TOLD = [
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
    if hasattr(signal, name)
]


class Signals(QObject):
    """Hears the signals that end a program; `end` is called in the GUI thread.

    A signal can only be noted while Qt waits, so it is written into a socket that Qt watches. For
    the main thread; `close` gives the signals back.
    """

    def __init__(self, end: Callable[[], None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._end = end
        self._heard, self._noted = socket.socketpair()
        for each in (self._heard, self._noted):
            each.setblocking(False)
        self._notifier = QSocketNotifier(self._heard.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._hear)
        self._wakeup = signal.set_wakeup_fd(self._noted.fileno(), warn_on_full_buffer=False)
        self._handlers = {each: signal.signal(each, _note) for each in _TOLD}

    def close(self) -> None:
        """Hear no more."""
        for each, handler in self._handlers.items():
            signal.signal(each, handler)
        signal.set_wakeup_fd(self._wakeup)
        self._notifier.setEnabled(False)
        self._heard.close()
        self._noted.close()

    def _hear(self) -> None:
        if set(self._heard.recv(64)) & set(_TOLD):
            self._end()


class Leaving:
    """Ends the window when it is told to, whatever is open or under way there."""

    def __init__(self, app: QApplication, window: Window) -> None:
        self._app, self._window = app, window
        self._bound: threading.Timer | None = None
        self._signals = Signals(self.leave)

    def leave(self) -> None:
        """Close the window, or leave it where it would rather ask something: nobody is there.

        What still runs when the bound is reached is broken off, which harms nothing: what was
        acknowledged is on the disk, and the rest is a transaction that never was.
        """
        if self._bound is None:
            self._bound = threading.Timer(WITHIN, os._exit, [0])
            self._bound.daemon = True
            self._bound.start()
        self._window.close()
        self._app.exit(0)

    def done(self) -> None:
        """All is closed in time."""
        self._signals.close()
        if self._bound is not None:
            self._bound.cancel()


def _note(_signal: int, _frame: object) -> None:
    pass
