"""About: the versions of what is at work, and the licences to read."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import Any

from PySide6.QtCore import Qt, qVersion
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from remembrancer import __version__
from remembrancer.desktop.fields import CopyButton, row
from remembrancer.desktop.look.browser import SafeBrowser
from remembrancer.desktop.look.buttons import Choice, KeyButton
from remembrancer.desktop.look.labels import Label
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.settings.choices import Section
from remembrancer.desktop.settings.licences import Licence, licences
from remembrancer.desktop.workbench import Workbench

UNKNOWN = "…"


def installed(package: str) -> str:
    """The version of a package, read from its metadata alone; a dash where it has none."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "—"


class AboutSection(Section):
    """Names and versions, and the way to the licences."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(translate("Settings", "About Remembrancer"))
        self._bench = bench
        self.versions: dict[str, str] = {
            "Remembrancer": __version__,
            "SQLite": UNKNOWN,
            "Qt": qVersion(),
            "PySide6": installed("PySide6-Essentials"),
            "MCP SDK": installed("mcp"),
        }
        self._labels: dict[str, Label] = {}
        for name, number in self.versions.items():
            self._labels[name] = Label(number, "mono", "text")
            self.column.addWidget(row(Label(name), 1, self._labels[name]))
        self.licences = KeyButton("file-text", translate("Settings", "Licences…"))
        self.copy = CopyButton(self.told, translate("Settings", "Copy versions"))
        self.column.addWidget(row(self.licences, self.copy, 1))
        self.licences.clicked.connect(self.show_licences)
        self.dialog: LicencesDialog | None = None

    def told(self) -> str:
        """The versions as lines, for whoever asks for them."""
        return "\n".join(f"{name} {number}" for name, number in self.versions.items())

    def refresh(self) -> None:
        """Ask the store which SQLite it runs on."""
        if self.versions["SQLite"] != UNKNOWN:
            return
        facts = self._bench.library.upkeep.facts
        self._bench.background.run(facts, self._show_facts, owner=self)

    def show_licences(self) -> None:
        """Open the page of licences."""
        self.dialog = LicencesDialog(licences(), self)
        self.dialog.finished.connect(lambda _code: self._forget())
        self.dialog.open()

    def _forget(self) -> None:
        self.dialog = None

    def _show_facts(self, facts: dict[str, Any]) -> None:
        self.versions["SQLite"] = str(facts["sqlite"])
        self._labels["SQLite"].setText(self.versions["SQLite"])


class LicencesDialog(QDialog):
    """One licence at a time, chosen by what it is for."""

    def __init__(self, found: list[Licence], parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(translate("Settings", "Licences"))
        self.resize(720, 620)
        self._texts = {each.name: each.text for each in found}
        choices = [(x.name, f"{x.name} — {x.licence}" if x.licence else x.name) for x in found]
        self.part = Choice(choices, translate("Settings", "Part of the program"))
        self.text = SafeBrowser(translate("Settings", "Text of the licence"))
        self.part.currentIndexChanged.connect(lambda _row: self._show())
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        column.addWidget(self.part)
        column.addWidget(self.text, 1)
        self._show()

    def _show(self) -> None:
        self.text.show_plain(self._texts[self.part.current()])
