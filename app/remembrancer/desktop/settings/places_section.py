"""Where everything lies on this machine: paths to copy and folders to open."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from remembrancer import places
from remembrancer.desktop.fields import CopyIcon, row
from remembrancer.desktop.look.buttons import IconButton
from remembrancer.desktop.look.labels import ElidedLabel, Label
from remembrancer.desktop.look.plain import translate
from remembrancer.desktop.settings.choices import Section


def open_folder(folder: Path) -> bool:
    """Show a folder in the desktop's own file manager; False when that is not possible."""
    return QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))


class PlacesSection(Section):
    """The store, the settings, the backups and the tokens; `opening` shows a folder."""

    def __init__(self, store: Path, opening: Callable[[Path], bool] = open_folder) -> None:
        told = translate("Settings", "All of these lie on this machine.")
        super().__init__(translate("Settings", "Places"), told)
        self._opening = opening
        self.paths = {
            translate("Settings", "Store"): store,
            translate("Settings", "Settings"): places.settings_file(),
            translate("Settings", "Backups"): places.backup_folder(),
            translate("Settings", "Tokens"): places.token_folder(),
        }
        for name, path in self.paths.items():
            self.column.addWidget(self._line(name, path))

    def _line(self, name: str, path: Path) -> QWidget:
        label = Label(name)
        label.setFixedWidth(72)
        shown = ElidedLabel(str(path), "mono", "text")
        copy = CopyIcon(lambda: str(path), translate("Settings", "Copy the path: {0}").format(name))
        show = IconButton(
            "folder-open", translate("Settings", "Open the folder: {0}").format(name), flat=True
        )
        show.clicked.connect(lambda: self._show(path))
        line = row(label, shown, copy, show, gap=4)
        layout = line.layout()
        assert layout is not None
        layout.setStretch(1, 1)  # type: ignore[attr-defined]
        return line

    def _show(self, path: Path) -> None:
        self._opening(path if path.is_dir() else path.parent)
