"""One window a store: a second start raises the first."""

from __future__ import annotations

import os
import sys
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QDir, QLockFile
from PySide6.QtWidgets import QWidget

from remembrancer import places

# Qt's network room is loaded when it is needed: the first paint does without it.
if TYPE_CHECKING:
    from PySide6.QtNetwork import QLocalServer

PATIENCE = 300  # milliseconds to wait for the first window's answer


class Single:
    """The private local address of the window over one store, and the lock of whoever has it.

    Both lie in a folder of this user's alone, so that nobody else can stand there instead. The lock
    of a window that was killed is open: it names a process that is no more.
    """

    def __init__(self, store: Path) -> None:
        # A short name for a path, not a secret: the socket is only for this user anyway.
        name = f"remembrancer-{zlib.crc32(os.fsencode(store.resolve())):08x}"
        folder = places.socket_folder()
        self._path = Path(QDir.tempPath() if folder is None else folder, name)
        self._name = name if sys.platform == "win32" else str(self._path)
        self._lock = QLockFile(f"{self._path}.lock")
        self._lock.setStaleLockTime(0)
        self._server: QLocalServer | None = None

    def raise_other(self) -> bool:
        """Ask the window that is open on this store to come forward; False when there is none."""
        if self._lock.tryLock(0) or self._lock.error() != QLockFile.LockError.LockFailedError:
            return False
        from PySide6.QtNetwork import QLocalSocket

        socket = QLocalSocket()
        socket.connectToServer(self._name)
        there = socket.waitForConnected(PATIENCE)
        socket.disconnectFromServer()
        return there

    def listen(self, window: QWidget) -> None:
        """Be the window that others raise."""
        from PySide6.QtNetwork import QLocalServer

        server = self._server = QLocalServer()
        server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        if not server.listen(self._name):
            QLocalServer.removeServer(self._name)  # left behind by a process that was killed
            server.listen(self._name)
        server.newConnection.connect(lambda: self._raise(server, window))

    def close(self) -> None:
        """Let the address go."""
        if self._server is not None:
            self._server.close()
        self._lock.unlock()

    def _raise(self, server: QLocalServer, window: QWidget) -> None:
        while (socket := server.nextPendingConnection()) is not None:
            socket.deleteLater()
        window.showNormal() if window.isMinimized() else window.show()
        window.raise_()
        window.activateWindow()
