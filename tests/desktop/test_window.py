"""The window itself: places, menus, undo, what is told, the host, and a second start."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from remembrancer.core.author import PERSON, Author, AuthorKind
from remembrancer.core.errors import BadValue
from remembrancer.core.memory import Draft, Edit
from remembrancer.desktop import menus
from remembrancer.desktop.look import theme
from remembrancer.desktop.preferences import PreferenceFile
from remembrancer.desktop.single import Single
from remembrancer.desktop.window import PLACES, Window
from remembrancer.service.desk import Doing
from remembrancer.service.library import Library

from .conftest import settle

AGENT: Doing = {"author": Author("cursor", AuthorKind.AGENT), "origin": "native"}
ME: Doing = {"author": PERSON, "origin": "window"}
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.mark.parametrize(("number", "place"), list(enumerate(list(PLACES)[:7], 1)))
def test_control_and_a_number_lead_to_a_place(
    window: Window, qtbot: QtBot, number: int, place: str
) -> None:
    qtbot.keyClick(window, Qt.Key(Qt.Key.Key_0 + number), CONTROL)
    settle(window, qtbot)
    assert window.place == place
    assert window.rail.current() == place


def test_of_an_index_that_is_up_to_date_nothing_is_said_and_nobody_looks(window: Window) -> None:
    assert window.rail.status() == ""
    assert not window.renewing.waiting


def test_every_row_of_a_menu_has_a_name_and_an_icon(window: Window) -> None:
    rows = [action for menu in window.menus.values() for action in menu.actions()]
    assert len(rows) > 15
    assert all(row.text() and not row.icon().isNull() for row in rows)


def test_undo_and_redo_are_named_after_the_deed(
    window: Window, library: Library, qtbot: QtBot
) -> None:
    desk = library.memories
    memory = desk.remember(Draft("The share is called backup"), **ME)
    window.deeds.do("Edit “The share”", lambda: desk.revise(memory.id, Edit(content="b2"), **ME))
    settle(window, qtbot)
    undo, redo = window.actions_table["edit.undo"], window.actions_table["edit.redo"]
    assert undo.text() == "Undo Edit “The share”"
    undo.trigger()
    settle(window, qtbot)
    assert desk.get(memory.id).content == "The share is called backup"
    assert (undo.isEnabled(), redo.text()) == (False, "Redo Edit “The share”")
    redo.trigger()
    settle(window, qtbot)
    assert desk.get(memory.id).content == "b2"


def test_an_undo_that_would_overwrite_an_agent_asks_and_can_be_overruled(
    window: Window, library: Library, qtbot: QtBot
) -> None:
    desk = library.memories
    memory = desk.remember(Draft("one"), **ME)
    window.deeds.do("Edit", lambda: desk.revise(memory.id, Edit(content="two"), **ME))
    settle(window, qtbot)
    desk.revise(memory.id, Edit(content="three"), **AGENT)
    window.deeds.undo()
    settle(window, qtbot)
    assert desk.get(memory.id).content == "three"
    assert window.banner.isVisible()
    window.banner.pressed.emit("Undo all the same")
    settle(window, qtbot)
    assert desk.get(memory.id).content == "one"


def test_the_rail_counts_what_is_due_and_shows_that_agents_write(
    window: Window, library: Library, qtbot: QtBot
) -> None:
    library.memories.remember(Draft("one"), **AGENT)
    settle(window, qtbot)
    button = window.rail.findChildren(type(window.rail._buttons["review"]))
    names = [b.accessibleName() for b in button]
    assert "Review, 1" in names
    assert any(n.startswith("Activity, ") for n in names)


def test_a_change_by_another_process_is_noticed_without_a_bell(
    window: Window, library: Library, qtbot: QtBot
) -> None:
    with Library.open(library.path) as other:
        other.memories.remember(Draft("from elsewhere"), **AGENT)
    with qtbot.waitSignal(window.feed.changed, timeout=5_000) as told:
        pass
    assert told.args is not None
    assert told.args[0].memory_ids() == {1}


def test_a_failure_is_told_in_its_own_words(window: Window) -> None:
    window.show_problem(BadValue("The content must not be empty."))
    assert window.banner.isVisible()


def test_the_host_starts_after_the_first_paint_and_stops_with_the_window(
    window: Window, qtbot: QtBot
) -> None:
    assert window.serving.address is None
    window.preferences.change(serve=True, port=0)
    window.start_serving()
    qtbot.waitUntil(lambda: window.serving.address is not None, timeout=20_000)
    assert window.serving.trouble == ""
    window.serving.stop()
    assert window.serving.address is None


def test_a_port_that_is_taken_is_told_and_the_window_lives_on(
    window: Window, qtbot: QtBot, library: Library
) -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        window.serving.start(taken.getsockname()[1])
    assert window.serving.address is None
    assert window.serving.trouble


def test_import_and_export_by_the_menu_say_what_came_of_it(
    window: Window, library: Library, qtbot: QtBot, tmp_path: Path
) -> None:
    source = Path(__file__).parents[1] / "inputs" / "team.jsonl"
    menus.bring_in(window, source)
    settle(window, qtbot)
    assert library.map.count() == 3
    assert window.deeds.next_undo is not None
    menus.send_out(window, tmp_path / "out.jsonl", "Remembrancer (*.jsonl)")
    settle(window, qtbot)
    assert (tmp_path / "out.jsonl").stat().st_size > 100
    window.deeds.undo()
    settle(window, qtbot)
    assert library.map.count() == 0


def test_the_theme_is_switched_and_remembered(window: Window, qtbot: QtBot) -> None:
    assert theme.current().name == "light"
    window.actions_table["view.theme"].trigger()
    assert theme.current().name == "dark"
    assert PreferenceFile().now.theme == "dark"
    window.actions_table["view.theme"].trigger()


def test_a_damaged_settings_file_means_defaults(
    home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = PreferenceFile()
    file.change(theme="dark", port=9_000)
    path = home / "settings" / "settings.json"
    assert PreferenceFile().now.port == 9_000
    path.write_text('{"theme": "dark", "por', encoding="utf-8")
    assert PreferenceFile().now == PreferenceFile(home / "none.json").now
    path.write_text('{"theme": "purple", "port": "x"}', encoding="utf-8")
    assert PreferenceFile().now.theme == "system"


def test_a_second_start_raises_the_first_window(
    qapp: QApplication, window: Window, qtbot: QtBot, tmp_path: Path
) -> None:
    first, second = Single(tmp_path / "a.db"), Single(tmp_path / "a.db")
    assert not first.raise_other()
    first.listen(window)
    window.showMinimized()
    assert second.raise_other()
    qtbot.waitUntil(lambda: not window.isMinimized(), timeout=5_000)
    assert not Single(tmp_path / "b.db").raise_other()
    first.close()
