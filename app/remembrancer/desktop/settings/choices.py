"""What the person chooses: the theme, the server, the interval of review."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication, QCheckBox, QVBoxLayout

from remembrancer.core.author import PERSON
from remembrancer.desktop.application import wear
from remembrancer.desktop.fields import NumberBox, row
from remembrancer.desktop.look.buttons import SegmentedControl
from remembrancer.desktop.look.labels import Card, Label
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.workbench import Workbench

HIGHEST_PORT = 65_535
LONGEST_INTERVAL = 36_500  # days


class Section(Card):
    """A card with a heading, below which `column` takes what belongs to it."""

    def __init__(self, heading: str, told: str = "") -> None:
        super().__init__()
        self.setAccessibleName(heading)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(18, 14, 18, 16)
        self.column.setSpacing(10)
        self.column.addWidget(Label(heading, "heading"))
        if told:
            self.column.addWidget(Label(told, "muted", wrap=True))


class ThemeSection(Section):
    """Light, dark, or as the desktop is; worn at once."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(translate("Settings", "Appearance"))
        self._bench = bench
        self.themes = SegmentedControl(
            [
                ("system", translate("Settings", "As the desktop")),
                ("light", translate("Settings", "Light")),
                ("dark", translate("Settings", "Dark")),
            ],
            translate("Settings", "Theme"),
        )
        self.column.addWidget(row(Label(translate("Settings", "Theme")), 1, self.themes))
        self.themes.chosen.connect(self._choose)
        self.refresh()

    def refresh(self) -> None:
        """Show what is preferred now."""
        self.themes.choose(self._bench.preferences.now.theme)

    def _choose(self, name: str) -> None:
        self._bench.preferences.change(theme=name)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            wear(app, name)


class ServerSection(Section):
    """Whether the window hosts the server, and at which port."""

    def __init__(self, bench: Workbench) -> None:
        told = translate("Settings", "Agents on this machine reach your memories through it.")
        super().__init__(translate("Settings", "MCP server"), told)
        self._bench = bench
        self.host = QCheckBox(translate("Settings", "Host the server while the window is open"))
        self.host.setAccessibleName(self.host.text())
        self.port = NumberBox(0, HIGHEST_PORT, 0, translate("Settings", "Port"))
        self.column.addWidget(self.host)
        hint = Label(translate("Settings", "0 takes any free port"), "small")
        self.column.addWidget(row(Label(translate("Settings", "Port")), hint, 1, self.port))
        self.refresh()
        self.host.toggled.connect(self._switch)
        self.port.editingFinished.connect(self._move)

    def refresh(self) -> None:
        """Show what is preferred now."""
        self.host.blockSignals(True)
        self.host.setChecked(self._bench.preferences.now.serve)
        self.host.blockSignals(False)
        self.port.setValue(self._bench.preferences.now.port)

    def _switch(self, on: bool) -> None:
        self._bench.preferences.change(serve=on)
        if on:
            self._bench.serving.start(self.port.value())
        else:
            self._bench.serving.stop()
        self._tell_trouble()

    def _move(self) -> None:
        port = self.port.value()
        if port == self._bench.preferences.now.port:
            return
        self._bench.preferences.change(port=port)
        if self._bench.serving.address is not None:
            self._bench.serving.start(port)
            self._tell_trouble()

    def _tell_trouble(self) -> None:
        if self._bench.serving.trouble:
            self._bench.tell(self._bench.serving.trouble, "bad")


class ReviewSection(Section):
    """After how many days a verified memory is due again."""

    def __init__(self, bench: Workbench) -> None:
        told = translate("Settings", "Counts for memories that have no interval of their own.")
        super().__init__(translate("Settings", "Review"), told)
        self._bench = bench
        self._days = 0
        self.interval = NumberBox(
            1, LONGEST_INTERVAL, 1, translate("Settings", "Review again after days")
        )
        words = Label(translate("Settings", "Review again after"))
        days = Label(translate("Settings", "days"), "muted")
        self.column.addWidget(row(words, 1, self.interval, days))
        self.interval.editingFinished.connect(self._change)

    def refresh(self) -> None:
        """Show the interval as the library has it."""
        self._bench.background.run(self._bench.library.review.interval, self._show, owner=self)

    def _show(self, days: int) -> None:
        self._days = days
        self.interval.setValue(days)

    def _change(self) -> None:
        days = self.interval.value()
        if days == self._days:
            return
        self._days = days
        library = self._bench.library

        def done(_nothing: None) -> None:
            sentence = translate("Settings", "Memories are due again after {0} days.")
            self._bench.tell(sentence.format(days), "ok")

        name = translate("Settings", "Review after {0} days").format(days)
        self._bench.deeds.do(
            name, lambda: library.review.set_interval(days, PERSON), done, owner=self
        )
