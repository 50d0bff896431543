"""One window a store: a second start raises the first."""

from __future__ import annotations

import hashlib
from pathlib import Path

from PySide6.QtNetwork import QLocalServer, QLocalSocket
from PySide6.QtWidgets import QWidget

PATIENCE = 300  # milliseconds to wait for the first window's answer


class Single:
    """The private local address of the window over one store."""

    def __init__(self, store: Path) -> None:
        digest = hashlib.sha256(str(store.resolve()).encode()).hexdigest()[:16]
        self._name = f"remembrancer-{digest}"
        self._server = QLocalServer()
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)

    def raise_other(self) -> bool:
        """Ask the window that is open on this store to come forward; False when there is none."""
        socket = QLocalSocket()
        socket.connectToServer(self._name)
        there = socket.waitForConnected(PATIENCE)
        socket.disconnectFromServer()
        return there

    def listen(self, window: QWidget) -> None:
        """Be the window that others raise."""
        if not self._server.listen(self._name):
            QLocalServer.removeServer(self._name)  # left behind by a process that was killed
            self._server.listen(self._name)
        self._server.newConnection.connect(lambda: self._raise(window))

    def close(self) -> None:
        """Let the address go."""
        self._server.close()

    def _raise(self, window: QWidget) -> None:
        while (socket := self._server.nextPendingConnection()) is not None:
            socket.deleteLater()
        window.showNormal() if window.isMinimized() else window.show()
        window.raise_()
        window.activateWindow()
