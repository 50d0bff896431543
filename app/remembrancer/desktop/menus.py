"""The window's menus, made from the table of actions, and what their rows do."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication, QFileDialog, QMenu

from remembrancer import __version__
from remembrancer.desktop.look import theme
from remembrancer.desktop.look.plain import translate

if TYPE_CHECKING:
    from remembrancer.desktop.window import Window
    from remembrancer.service.backups_folder import Backup


MENUS = {"file": "File", "edit": "Edit", "go": "Go", "view": "View", "help": "Help"}


def titles(window: Window) -> dict[str, QMenu]:
    """The menu bar with its titles alone: what the first picture shows of it."""
    bar = window.menuBar()
    return {key: bar.addMenu(f"&{translate('Window', name)}") for key, name in MENUS.items()}


def fill(window: Window) -> None:
    """Give the menus of the window their rows."""
    slots = _slots(window)
    for key, menu in window.menus.items():
        for id_ in window.actions_table.specs:
            if id_.startswith(key + "."):
                menu.addAction(window.actions_table.bind_window(id_, window, slots[id_]))


def _slots(window: Window) -> dict[str, Callable[[], object]]:
    going = {
        id_: partial(window.go, id_.removeprefix("go."))
        for id_ in window.actions_table.specs
        if id_.startswith("go.")
    }
    return {
        **going,
        "file.import": lambda: _bring_in(window),
        "file.export": lambda: _send_out(window),
        "file.backup": lambda: _back_up(window),
        "file.quit": window.close,
        "edit.undo": window.deeds.undo,
        "edit.redo": window.deeds.redo,
        "edit.find": lambda: window.present().focus_search(),
        "edit.new": lambda: window.go("memories", new=True),
        "view.palette": lambda: _show_palette(window),
        "view.area": lambda: next_area(window),
        "view.theme": lambda: switch_theme(window),
        "help.keys": lambda: _show_keys(window),
        "help.about": lambda: window.tell(
            f"Remembrancer {__version__} · {window.library.path}", "info"
        ),
    }


def switch_theme(window: Window) -> None:
    """Wear the other theme, and keep that."""
    app = QApplication.instance()
    other = "light" if theme.current().name == "dark" else "dark"
    if isinstance(app, QApplication):
        theme.apply(app, other)
    window.preferences.change(theme=other)


def _show_palette(window: Window) -> None:
    from remembrancer.desktop.palette import Palette

    Palette(window).open()


def next_area(window: Window) -> None:
    """Move the keyboard from the rail to the list, from there to the page, and round again."""
    from remembrancer.desktop.areas import next_area as after

    after(window.rail, window.present())


def _show_keys(window: Window) -> None:
    from remembrancer.desktop.keys import KeysDialog

    KeysDialog(window.actions_table, window).open()


def _back_up(window: Window) -> None:
    def told(backup: Backup) -> None:
        window.tell(translate("Window", "Backed up to {0}").format(backup.path), "ok")

    window.background.run(window.library.backups.make, told)


def _bring_in(window: Window) -> None:
    dialog = QFileDialog(window, translate("Window", "Import memories"))
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.fileSelected.connect(lambda path: bring_in(window, Path(path)))
    dialog.open()


def bring_in(window: Window, path: Path) -> None:
    """Import a file as one deed, and say what came of it."""

    def told(report: object) -> None:
        window.tell(str(report), "ok")

    from remembrancer.desktop.deeds import WINDOW

    name = translate("Window", "Import {0}").format(path.name)
    window.deeds.do(name, lambda: window.library.transfer.bring_in(path, **WINDOW), told)


def _send_out(window: Window) -> None:
    dialog = QFileDialog(window, translate("Window", "Export memories"))
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilters(["Remembrancer (*.jsonl)", "Knowledge graph (*.json)"])
    dialog.fileSelected.connect(
        lambda path: send_out(window, Path(path), dialog.selectedNameFilter())
    )
    dialog.open()


def send_out(window: Window, path: Path, chosen: str) -> None:
    """Export into a file, in the format that its filter names."""
    format_ = "knowledge-graph" if chosen.startswith("Knowledge") else "jsonl"

    def told(_counts: object) -> None:
        window.tell(translate("Window", "Exported to {0}").format(path), "ok")

    window.background.run(lambda: window.library.transfer.send_out(path, format_), told)
