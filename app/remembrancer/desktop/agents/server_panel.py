"""The server's card: whether it runs or why not, its address, and the buttons that change that."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from remembrancer.desktop.fields import CopyIcon, NumberBox, row
from remembrancer.desktop.look.buttons import KeyButton
from remembrancer.desktop.look.labels import Banner, Card, ElidedLabel, Label, Message, Symbol
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.workbench import Workbench

HIGHEST_PORT = 65_535


class ServerPanel(Card):
    """Shows and switches the host; `changed` tells that the person did something to it."""

    changed = Signal()

    def __init__(self, bench: Workbench) -> None:
        super().__init__()
        self._bench = bench
        self._address = ""
        self.setAccessibleName(translate("Agents", "MCP server"))
        self._symbol = Symbol("server", "faint", 22)
        self.title = Label("", "heading")
        self.sentence = Label("", "muted", wrap=True)
        self.address = ElidedLabel("", "mono", "text")
        self.copy = CopyIcon(lambda: self._address, translate("Agents", "Copy the address"))
        self.port = NumberBox(
            0, HIGHEST_PORT, bench.preferences.now.port, translate("Agents", "Port")
        )
        self.switch = KeyButton("plug", "")
        self.again = KeyButton("refresh-cw", translate("Agents", "Restart"))
        self.trouble = Banner()
        self._reached = row(self.address, self.copy, 1, gap=4)
        self._build()
        self.refresh()

    def refresh(self) -> None:
        """Show how the host stands now."""
        serving = self._bench.serving
        self.show_state(serving.address, serving.trouble)

    def show_state(self, address: str | None, trouble: str = "") -> None:
        """Show a state: its address while it runs, and what is wrong."""
        on = address is not None
        self._address = address or ""
        self._symbol.show_icon("server", "ok" if on else "bad" if trouble else "faint")
        self.title.setText(_title(on, trouble))
        self.sentence.setText(_sentence(on))
        self.address.setText(self._address)
        self._reached.setVisible(on)
        self.again.setEnabled(on)
        label = translate("Agents", "Stop") if on else translate("Agents", "Start")
        self.switch.set_label(label, "x" if on else "plug")
        self._show_trouble(trouble)

    def _show_trouble(self, trouble: str) -> None:
        if trouble:
            self.trouble.show_message(Message("bad", trouble, dismissible=False))
        else:
            self.trouble.hide()

    def _build(self) -> None:
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self.title)
        words.addWidget(self.sentence)
        self.port.setToolTip(translate("Agents", "0 takes any free port"))
        top = QHBoxLayout()
        top.setSpacing(12)
        top.addWidget(self._symbol)
        top.addLayout(words, 1)
        top.addWidget(row(Label(translate("Agents", "Port"), "muted"), self.port))
        top.addWidget(self.again)
        top.addWidget(self.switch)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 14)
        column.setSpacing(8)
        column.addLayout(top)
        column.addWidget(self._reached)
        column.addWidget(self.trouble)
        self.switch.clicked.connect(self._switch)
        self.again.clicked.connect(self._start)
        self.port.editingFinished.connect(self._port_chosen)

    def _switch(self) -> None:
        if self._bench.serving.address is None:
            self._start()
        else:
            self._bench.serving.stop()
            self.changed.emit()

    def _start(self) -> None:
        self._bench.serving.start(self.port.value())
        self.changed.emit()

    def _port_chosen(self) -> None:
        port = self.port.value()
        if port == self._bench.preferences.now.port:
            return
        self._bench.preferences.change(port=port)
        if self._bench.serving.address is not None:
            self._start()


def _title(on: bool, trouble: str) -> str:
    if on:
        return translate("Agents", "The MCP server runs")
    if trouble:
        return translate("Agents", "The MCP server could not start")
    return translate("Agents", "The MCP server is off")


def _sentence(on: bool) -> str:
    if on:
        return translate("Agents", "Agents on this machine reach your memories here.")
    return translate("Agents", "Agents reach your memories only by the command.")
