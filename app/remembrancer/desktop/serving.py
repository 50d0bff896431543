"""The host in the window: started after the first paint, its state as a signal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from remembrancer.core.errors import RemembrancerError
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.look.rail import Rail
from remembrancer.service.library import Library

if TYPE_CHECKING:
    from remembrancer.agents.host import Host
    from remembrancer.agents.presence import Connected

LOOK = 1_000  # milliseconds between two looks at who is connected


class HostServing(QObject):
    """Starts, stops and watches the host; `changed` after every change of state or of visitors."""

    changed = Signal()
    _state = Signal()

    def __init__(self, library: Library, parent: QObject) -> None:
        super().__init__(parent)
        self._library = library
        self._host: Host | None = None
        self._visitors: list[Connected] = []
        self.trouble = ""
        self._state.connect(self.changed, Qt.ConnectionType.QueuedConnection)
        self._timer = QTimer(self, interval=LOOK)
        self._timer.timeout.connect(self._look)

    @property
    def address(self) -> str | None:
        """Where agents reach the host; None while it does not run."""
        return self._host.address if self._host is not None else None

    def start(self, port: int) -> None:
        """Start the host, or move it to that port (0: any free one); trouble is kept."""
        try:
            if self._host is None:
                self._host = self._made()
                self._host.start(port)
            elif self._host.running:
                self._host.restart(port)
            else:
                self._host.start(port)
            self.trouble = ""
            self._timer.start()
        except RemembrancerError as error:
            self.trouble = str(error)
        self.changed.emit()

    def stop(self) -> None:
        """Stop the host and end its thread."""
        self._timer.stop()
        if self._host is not None:
            self._host.stop()
        self._visitors = []
        self.changed.emit()

    def connected(self) -> list[Connected]:
        """Who is connected now, the earliest first."""
        return self._host.connected() if self._host is not None else []

    def _made(self) -> Host:
        # Imported here: the first paint must not wait for the agents' room.
        from remembrancer.agents.dialects import DIALECTS
        from remembrancer.agents.host import Host

        return Host(self._library, tuple(DIALECTS.values()), lambda _state: self._state.emit())

    def _look(self) -> None:
        visitors = self.connected()
        if visitors != self._visitors:
            self._visitors = visitors
            self.changed.emit()


def tell_server(rail: Rail, serving: HostServing) -> None:
    """Tell in the rail how the host is, now and after every change."""
    serving.changed.connect(lambda: show_server(rail, serving))
    show_server(rail, serving)


def show_server(rail: Rail, serving: HostServing) -> None:
    """Tell in the rail whether the host runs, where, and who is connected."""
    if serving.address is None:
        tone = "bad" if serving.trouble else "faint"
        lines = (serving.trouble,) if serving.trouble else ()
        rail.set_server(tone, translate("Window", "MCP server off"), lines)
        return
    port = translate("Window", "port {0}").format(serving.address.split(":")[2][:-4])
    visitors = _visitors(len(serving.connected()))
    rail.set_server("ok", translate("Window", "MCP server on"), (visitors, port))


def _visitors(number: int) -> str:
    if number == 0:
        return translate("Window", "no agent connected")
    if number == 1:
        return translate("Window", "1 agent connected")
    return translate("Window", "{0} agents connected").format(number)
