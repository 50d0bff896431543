"""The settings place, driven by keys."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from remembrancer import __version__, places
from remembrancer.core.author import PERSON
from remembrancer.core.errors import StoreDamaged
from remembrancer.desktop.fields import CopyIcon
from remembrancer.desktop.look import theme
from remembrancer.desktop.look.buttons import IconButton
from remembrancer.desktop.preferences import PreferenceFile
from remembrancer.desktop.settings.licences import licences
from remembrancer.desktop.settings.pane import SettingsPane
from remembrancer.desktop.settings.places_section import PlacesSection
from remembrancer.desktop.window import Window
from remembrancer.service.library import Library

from .conftest import settle


@pytest.fixture
def pane(window: Window, qtbot: QtBot) -> SettingsPane:
    window.go("settings")
    settle(window, qtbot)
    found = window.pane("settings")
    assert isinstance(found, SettingsPane)
    return found


def type_number(box: object, number: int, qtbot: QtBot) -> None:
    box.setFocus()  # type: ignore[attr-defined]
    box.selectAll()  # type: ignore[attr-defined]
    qtbot.keyClicks(box, str(number))
    qtbot.keyClick(box, Qt.Key.Key_Return)


def test_a_theme_is_worn_at_once_and_kept(pane: SettingsPane, qtbot: QtBot) -> None:
    for name in ("dark", "light"):
        qtbot.keyClick(pane.theme.themes._segments[name], Qt.Key.Key_Space)
        assert theme.current().name == name
        assert PreferenceFile().now.theme == name


def test_a_theme_switched_elsewhere_is_shown(
    pane: SettingsPane, window: Window, qtbot: QtBot
) -> None:
    window.preferences.change(theme="dark")
    window.go("settings")
    settle(window, qtbot)
    assert pane.theme.themes.current() == "dark"


def test_a_port_is_kept_and_does_not_start_a_server_that_is_off(
    pane: SettingsPane, window: Window, qtbot: QtBot
) -> None:
    type_number(pane.server.port, 9_100, qtbot)
    assert PreferenceFile().now.port == 9_100
    assert window.serving.address is None


def test_hosting_starts_and_stops_with_its_box(
    pane: SettingsPane, window: Window, qtbot: QtBot
) -> None:
    type_number(pane.server.port, 0, qtbot)
    qtbot.keyClick(pane.server.host, Qt.Key.Key_Space)
    assert window.serving.address is not None
    assert PreferenceFile().now.serve
    qtbot.keyClick(pane.server.host, Qt.Key.Key_Space)
    assert window.serving.address is None
    assert not PreferenceFile().now.serve


def test_the_interval_of_review_is_the_librarys(
    pane: SettingsPane, window: Window, qtbot: QtBot, library: Library
) -> None:
    assert pane.review.interval.value() == 90
    type_number(pane.review.interval, 30, qtbot)
    settle(window, qtbot)
    assert library.review.interval() == 30
    library.review.set_interval(45, PERSON)
    window.go("settings")
    settle(window, qtbot)
    assert pane.review.interval.value() == 45


def test_every_place_is_named_with_its_path(pane: SettingsPane, library: Library) -> None:
    assert pane.places.paths == {
        "Store": library.path,
        "Settings": places.settings_file(),
        "Backups": places.backup_folder(),
        "Tokens": places.token_folder(),
    }


def test_a_path_is_copied_and_its_folder_opened(qtbot: QtBot, tmp_path: Path) -> None:
    shown: list[Path] = []
    section = PlacesSection(tmp_path / "memories.db", lambda folder: bool(shown.append(folder)))
    qtbot.addWidget(section)
    buttons = section.findChildren(IconButton)
    copy = next(b for b in buttons if isinstance(b, CopyIcon))
    opening = next(b for b in buttons if not isinstance(b, CopyIcon))
    qtbot.keyClick(copy, Qt.Key.Key_Space)
    assert QGuiApplication.clipboard().text() == str(tmp_path / "memories.db")
    qtbot.keyClick(opening, Qt.Key.Key_Space)
    assert shown == [tmp_path]


def test_a_sound_store_is_called_sound(pane: SettingsPane, window: Window, qtbot: QtBot) -> None:
    qtbot.keyClick(pane.upkeep.check, Qt.Key.Key_Space)
    settle(window, qtbot)
    told = pane.upkeep.result.accessibleName()
    assert told == "The store and its search index are sound."


def test_what_is_wrong_is_told_in_words_and_not_without_end(pane: SettingsPane) -> None:
    pane.upkeep._checked([f"Page {n} is damaged." for n in range(9)])
    told = pane.upkeep.result.accessibleName()
    assert told.startswith("The store is not sound. Page 0 is damaged.")
    assert told.endswith("and 4 more")
    pane.upkeep._failed(StoreDamaged("The file is not sound."))
    assert pane.upkeep.result.accessibleName() == "The file is not sound."


def test_versions_are_told_and_can_be_copied(
    pane: SettingsPane, window: Window, qtbot: QtBot
) -> None:
    qtbot.keyClick(pane.about.copy, Qt.Key.Key_Space)
    told = QGuiApplication.clipboard().text().split("\n")
    assert told[0] == f"Remembrancer {__version__}"
    assert [line.split()[0] for line in told[1:]] == ["SQLite", "Qt", "PySide6", "MCP"]
    assert all(line.split()[-1][0].isdigit() for line in told)


def test_every_licence_can_be_read(pane: SettingsPane, qtbot: QtBot) -> None:
    qtbot.keyClick(pane.about.licences, Qt.Key.Key_Space)
    dialog = pane.about.dialog
    assert dialog is not None
    assert "MIT License" in dialog.text.toPlainText()
    dialog.part.choose("Qt and PySide6")
    assert "Lesser General Public License" in dialog.text.toPlainText()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert pane.about.dialog is None


def test_no_licence_is_empty() -> None:
    found = licences()
    assert {"Remembrancer", "Inter", "JetBrains Mono", "Lucide icons"} <= {x.name for x in found}
    assert {"mcp", "numpy", "peewee"} <= {x.name for x in found}
    assert [x.name for x in found if not x.text.strip()] == []


def test_a_narrow_window_sets_the_sections_below_each_other(
    pane: SettingsPane, window: Window, qtbot: QtBot
) -> None:
    assert pane.places.mapTo(pane, pane.places.rect().topLeft()).x() > pane.theme.width()
    pane.resize(700, 500)
    assert pane._columns.direction() is pane._columns.Direction.TopToBottom


def test_the_place_is_shown_without_loading_mcp() -> None:
    code = "import sys, remembrancer.desktop.settings.pane; print('mcp' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "False\n"
