"""One window a store: a second start raises the first."""

from __future__ import annotations

import os
import sys
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QDir
from PySide6.QtWidgets import QWidget

# Qt's network room is loaded when it is needed: the first paint does without it.
if TYPE_CHECKING:
    from PySide6.QtNetwork import QLocalServer

PATIENCE = 300  # milliseconds to wait for the first window's answer


class Single:
    """The private local address of the window over one store."""

    def __init__(self, store: Path) -> None:
        # A short name for a path, not a secret: the socket is only for this user anyway.
        self._name = f"remembrancer-{zlib.crc32(os.fsencode(store.resolve())):08x}"
        self._server: QLocalServer | None = None

    def raise_other(self) -> bool:
        """Ask the window that is open on this store to come forward; False when there is none."""
        if sys.platform != "win32" and not Path(QDir.tempPath(), self._name).exists():
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

    def _raise(self, server: QLocalServer, window: QWidget) -> None:
        while (socket := server.nextPendingConnection()) is not None:
            socket.deleteLater()
        window.showNormal() if window.isMinimized() else window.show()
        window.raise_()
        window.activateWindow()
