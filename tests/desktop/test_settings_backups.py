"""Backups in Settings, driven by keys: made, listed, and put back while the window opens anew."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtWidgets import QApplication, QCheckBox, QMessageBox
from pytestqt.qtbot import QtBot

from remembrancer import places
from remembrancer.core.author import PERSON
from remembrancer.core.errors import NotFound
from remembrancer.core.filters import Filter
from remembrancer.core.memory import Draft
from remembrancer.core.thinning import Why
from remembrancer.desktop import application
from remembrancer.desktop.look import theme
from remembrancer.desktop.memories.pane import MemoriesPane
from remembrancer.desktop.preferences import PreferenceFile
from remembrancer.desktop.settings import backups_words
from remembrancer.desktop.settings.backups_section import BackupsSection
from remembrancer.desktop.settings.pane import SettingsPane
from remembrancer.desktop.window import Window
from remembrancer.service.backups import BackupState
from remembrancer.service.desk import Doing
from remembrancer.service.library import Library

from .conftest import settle
from .speaking import nameless

ME: Doing = {"author": PERSON, "origin": "test"}


@pytest.fixture
def section(window: Window, qtbot: QtBot, library: Library) -> BackupsSection:
    library.memories.remember(Draft("old"), **ME)
    return opened(window, qtbot)


def opened(window: Window, qtbot: QtBot) -> BackupsSection:
    window.go("settings")
    settle(window, qtbot)
    pane = window.pane("settings")
    assert isinstance(pane, SettingsPane)
    return pane.backups


def cells(section: BackupsSection) -> list[list[str]]:
    model = section.model
    columns = range(model.columnCount())
    return [
        [model.index(row, column).data() for column in columns] for row in range(model.rowCount())
    ]


def question(section: BackupsSection, window: Window, qtbot: QtBot) -> QMessageBox:
    section.table.selectRow(0)
    qtbot.keyClick(section.put_back, Qt.Key.Key_Space)
    settle(window, qtbot)
    box = section.findChild(QMessageBox)
    assert box is not None
    return box


def test_at_first_there_is_none_and_one_is_made_by_a_key(
    section: BackupsSection, window: Window, qtbot: QtBot, library: Library
) -> None:
    assert section.state.text() == "None yet; the first is made in a moment."
    assert not section.table.isVisible()
    qtbot.keyClick(section.make, Qt.Key.Key_Space)
    settle(window, qtbot)
    (made,) = library.backups.folder.iterdir()
    assert section.result.accessibleName() == f"Backed up to {made}"
    assert section.state.text() == "Last backup: now. Nothing changed since."
    assert [row[1:3] for row in cells(section)] == [["By hand", "1"]]
    assert section.make.isEnabled()


def test_every_backup_is_listed_with_its_reason_and_number_of_memories(
    section: BackupsSection, window: Window, qtbot: QtBot, library: Library
) -> None:
    library.backups.make(Why.IMPORT)
    library.memories.remember(Draft("new"), **ME)
    library.backups.make(Why.TIME)
    (library.backups.folder / "memories-20200101-000000.db").write_text("no store")
    opened(window, qtbot)
    assert [row[1:3] for row in cells(section)] == [
        ["Daily", "2"], ["Before an import", "1"], ["By hand", "unreadable"],
    ]  # fmt: skip
    section.table.selectRow(2)
    assert not section.put_back.isEnabled()
    section.table.selectRow(1)
    assert section.put_back.isEnabled()


def test_what_failed_is_said_and_stays_said(
    section: BackupsSection, window: Window, qtbot: QtBot, library: Library
) -> None:
    library.backups.folder.write_text("in the way")
    qtbot.keyClick(section.make, Qt.Key.Key_Space)
    settle(window, qtbot)
    assert "No backup could be made in" in section.result.accessibleName()
    section.result.hide()
    opened(window, qtbot)
    assert section.result.accessibleName().startswith("The last attempt failed. No backup could")


def test_the_folder_is_shown(
    section: BackupsSection, window: Window, qtbot: QtBot, library: Library
) -> None:
    shown: list[Path] = []
    section._opening = lambda folder: bool(shown.append(folder))
    qtbot.keyClick(section.show_folder, Qt.Key.Key_Space)
    library.backups.make()
    qtbot.keyClick(section.show_folder, Qt.Key.Key_Space)
    assert shown == [library.backups.folder.parent, library.backups.folder]


def test_the_question_says_what_would_be_gone_and_no_is_the_answer_of_return(
    section: BackupsSection, window: Window, qtbot: QtBot, library: Library
) -> None:
    library.backups.make()
    memory = library.memories.browse(Filter())[0]
    library.memories.verify(memory.id, **ME)
    library.memories.remember(Draft("new"), **ME)
    opened(window, qtbot)
    box = question(section, window, qtbot)
    assert box.text().startswith("Put back the backup of 1 Jan 2026")
    told = box.informativeText()
    assert "Memories since then: 1 added, 1 changed, 0 removed." in told
    assert "Memories in the backup: 1." in told
    assert "The present store is kept beside it" in told
    assert box.defaultButton().text() == "Cancel"
    box.close()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        (BackupState(None, None, 0, "", busy=False), "None yet: there is nothing to back up."),
        (BackupState(5, None, 0, "", busy=True), "Backing up…"),
        (BackupState(0, 86_400_000_000, 3, "", busy=False), "The next: in 23 h at the latest."),
    ],
)
def test_every_state_has_a_sentence(state: BackupState, sentence: str) -> None:
    assert backups_words.state(state, 3_600_000_000)[2].endswith(sentence)


def test_every_reason_and_size_has_words() -> None:
    assert all(backups_words.reason(why) for why in Why)
    sizes = [999, 1_000, 934_000, 1_500_000, 12_000_000, 3_400_000_000]
    assert [backups_words.size(n) for n in sizes] == [
        "999 B", "1 kB", "934 kB", "1.5 MB", "12 MB", "3.4 GB",
    ]  # fmt: skip


def test_every_control_has_a_name_and_is_reached_by_the_tab_key(
    section: BackupsSection, window: Window, qtbot: QtBot, qapp: QApplication, library: Library
) -> None:
    library.backups.make()
    opened(window, qtbot)
    section.table.selectRow(0)
    for name in ("dark", "light"):
        theme.apply(qapp, name)
        assert nameless(section) == []
    section.table.setFocus()
    for widget in (section.make, section.show_folder, section.put_back):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        assert QApplication.focusWidget() is widget


def test_a_memory_is_forgotten_in_the_backups_where_that_is_ticked(
    window: Window, qtbot: QtBot, library: Library
) -> None:
    memory = library.memories.remember(Draft("the xylophonix code"), **ME)
    library.backups.make()
    window.go("memories", memory_id=memory.id)
    settle(window, qtbot)
    pane = window.pane("memories")
    assert isinstance(pane, MemoriesPane)
    pane.deeds.purge()
    box = pane.findChild(QMessageBox)
    assert box is not None
    tick = box.findChild(QCheckBox)
    assert tick is not None
    tick.setChecked(True)
    next(b for b in box.buttons() if b.text() == "Forget").click()
    settle(window, qtbot)
    with pytest.raises(NotFound):
        library.memories.get(memory.id)
    assert window.banner.accessibleName() == "Forgotten. Backups written anew: 1; text exports: 0."
    assert [b.look.memories for b in library.backups.all() if b.look] == [0]


# --- the whole application


class Person:
    """Does one thing after the other as soon as the window is ready for it."""

    def __init__(self, *steps: Callable[[Window], bool]) -> None:
        self._steps = list(steps)
        self.timer = QTimer(interval=20)
        self.timer.timeout.connect(self._look)
        self.timer.start()

    def _look(self) -> None:
        windows = [w for w in QApplication.topLevelWidgets() if isinstance(w, Window)]
        here = [w for w in windows if w.isVisible() and w.is_open and w.background.idle]
        if here and self._steps and self._steps[0](here[0]):
            self._steps.pop(0)
        if not self._steps:
            self.timer.stop()


def _section(window: Window) -> BackupsSection:
    pane = window.pane("settings")
    assert isinstance(pane, SettingsPane)
    return pane.backups


def test_a_backup_is_put_back_and_the_window_opens_anew(
    home: Path, store_path: Path, qapp: QApplication
) -> None:
    PreferenceFile().change(serve=True, port=0, theme="light", place="settings")
    with Library.open(store_path, backups=places.backup_folder()) as library:
        library.memories.remember(Draft("old"), **ME)
        library.backups.make()
        library.memories.remember(Draft("new"), **ME)
    seen: list[object] = []

    def ask(window: Window) -> bool:
        if not window.serving.address:
            return False
        section = _section(window)
        if section.model.rowCount() == 0:
            return False
        seen.append(window)
        section.table.selectRow(section.model.rowCount() - 1)
        section.put_back.click()
        return True

    def answer(window: Window) -> bool:
        box = window.findChild(QMessageBox)
        if box is None:
            return False
        next(b for b in box.buttons() if b.text() == "Put back").click()
        return True

    def look(window: Window) -> bool:
        if window is seen[0] or not window.serving.address:
            return False
        seen.append([m.content for m in window.library.memories.browse(Filter())])
        seen.append(window.banner.accessibleName())
        window.close()
        return True

    person = Person(ask, answer, look)
    assert application.run(store_path) == 0
    assert not person.timer.isActive()
    assert seen[1] == ["old"]
    assert str(seen[2]).startswith("The store is what the backup of ")
    kept = list(store_path.parent.glob("memories-before-*.db"))
    assert len(kept) == 1
    with Library.open(kept[0]) as former:
        assert {m.content for m in former.memories.browse(Filter())} == {"old", "new"}


def test_a_store_that_another_program_has_open_is_opened_again_as_it_was(
    home: Path, store_path: Path, qapp: QApplication
) -> None:
    PreferenceFile().change(serve=False, theme="light", place="settings")
    with Library.open(store_path, backups=places.backup_folder()) as other:
        other.memories.remember(Draft("old"), **ME)
        backup = other.backups.make()
        other.memories.remember(Draft("new"), **ME)
        seen: list[object] = []

        def begin(window: Window) -> bool:
            seen.append(window)
            _section(window)._reopen(backup)
            return True

        def look(window: Window) -> bool:
            if window is seen[0]:
                return False
            seen.append(window.banner.accessibleName())
            seen.append(window.library.memories.count(Filter()))
            window.close()
            return True

        person = Person(begin, look)
        assert application.run(store_path) == 0
    assert not person.timer.isActive()
    assert str(seen[1]).startswith("Another program has ")
    assert seen[2] == 2
