"""A store that cannot be opened: the window says why, and offers what helps."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

# The library's own: two SQLites in one process would take each other's locks away.
from peewee import sqlite3  # pyright: ignore[reportAttributeAccessIssue]
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QCheckBox, QMessageBox

from notation import build, sketch
from remembrancer.core.errors import NotAStore, StoreDamaged
from remembrancer.desktop import application
from remembrancer.desktop.look import theme
from remembrancer.desktop.look.labels import Banner
from remembrancer.desktop.preferences import PreferenceFile
from remembrancer.desktop.trouble import Trouble
from remembrancer.desktop.window import Window
from remembrancer.service.library import Library

PAGE = 4096
PICTURES = os.environ.get("TROUBLE_PICTURES")  # a folder for pictures of the page


@pytest.fixture(autouse=True)
def settled(home: Path, qapp: QApplication) -> Iterator[None]:
    PreferenceFile().change(serve=False, theme="light", place="memories")
    before = set(qapp.topLevelWidgets())
    yield
    for widget in qapp.topLevelWidgets():
        if widget not in before:
            widget.deleteLater()


@pytest.fixture
def damaged(store_path: Path) -> Path:
    """A store without its beginning and without a page of an index."""
    with Library.open(store_path) as library:
        build(library, "nas: 4 GB; nas: two disks")
    with store_path.open("r+b") as file:
        file.write(bytes(100))
    return store_path


class Person:
    """Does one thing after the other to the newest window, each as soon as it can be done."""

    def __init__(self, *deeds: Callable[[Window], bool]) -> None:
        self.deeds = list(deeds)
        self.timer = QTimer(interval=20)
        self.timer.timeout.connect(self._try)
        self.timer.start()

    def _try(self) -> None:
        windows = [w for w in QApplication.topLevelWidgets() if isinstance(w, Window)]
        shown = [w for w in windows if w.isVisible()]
        if shown and self.deeds and self.deeds[0](shown[-1]):
            self.deeds.pop(0)
        if not self.deeds:
            self.timer.stop()


def page_of(window: Window) -> Trouble | None:
    shown = window.stack.currentWidget()
    return shown if isinstance(shown, Trouble) else None


def test_what_is_wrong_is_said_and_quitting_changes_nothing(damaged: Path) -> None:
    before = damaged.read_bytes()
    seen: list[str] = []

    def look(window: Window) -> bool:
        page = page_of(window)
        if page is None:
            return False
        seen.extend((page.heading.text(), page.sentence.text()))
        assert not page.again.isVisible()
        page.quit.click()
        return True

    person = Person(look)
    with pytest.raises(StoreDamaged):
        application.run(damaged)
    assert not person.timer.isActive()
    assert seen[0] == "The store is damaged"
    assert "Nothing was changed" in seen[1]
    assert damaged.read_bytes() == before


def test_it_is_examined_salvaged_and_opened_again(damaged: Path) -> None:
    seen: list[str] = []

    def examine(window: Window) -> bool:
        page = page_of(window)
        if page is not None:
            page.examine.click()
        return page is not None

    def salvage(window: Window) -> bool:
        page = page_of(window)
        if page is None or not page.salvage.isEnabled():
            return False
        seen.append(page.progress.text())
        _picture(window, "trouble")
        page.salvage.click()
        return True

    def answer(window: Window) -> bool:
        box = window.findChild(QMessageBox)
        if box is None:
            return False
        assert box.findChild(QCheckBox) is not None
        next(b for b in box.buttons() if b.text() == "Salvage").click()
        return True

    def look(window: Window) -> bool:
        if not window.is_open:
            return False
        seen.append(window.banner.accessibleName())
        seen.append(sketch(window.library))
        window.close()
        return True

    person = Person(examine, salvage, answer, look)
    assert application.run(damaged) == 0
    assert not person.timer.isActive()
    assert "damaged" in seen[0]
    assert "rows were saved, 0 lost" in seen[1]
    assert "memories-damaged-" in seen[1]
    assert "nas: two disks" in seen[2]


def test_a_backup_is_put_back(damaged: Path, tmp_path: Path, empty_store: Path) -> None:
    seen: list[str] = []

    def restore(window: Window) -> bool:
        page = page_of(window)
        if page is not None:
            page.restore(empty_store)
        return page is not None

    def look(window: Window) -> bool:
        if not window.is_open:
            return False
        seen.append(sketch(window.library))
        window.close()
        return True

    person = Person(restore, look)
    assert application.run(damaged) == 0
    assert not person.timer.isActive()
    assert seen == [""]
    assert list(damaged.parent.glob("memories-before-*.db"))


def test_what_is_no_store_can_only_be_tried_again(tmp_path: Path) -> None:
    path = tmp_path / "notes.db"
    path.write_text("not a store\n" * 1_000)
    seen: list[object] = []

    def again(window: Window) -> bool:
        page = page_of(window)
        if page is None:
            return False
        seen.append(window)
        assert not page.salvage.isVisible()
        page.again.click()
        return True

    def leave(window: Window) -> bool:
        page = page_of(window)
        if page is None or window is seen[0]:
            return False
        page.quit.click()
        return True

    person = Person(again, leave)
    with pytest.raises(NotAStore):
        application.run(path)
    assert not person.timer.isActive()


def test_a_store_of_a_newer_version_is_shown_and_says_that_it_can_only_be_read(
    store_path: Path,
) -> None:
    with Library.open(store_path) as library:
        build(library, "nas: 4 GB")
    with closing(sqlite3.connect(store_path)) as conn:
        conn.execute("PRAGMA user_version = 999")
    before = store_path.read_bytes()
    seen: list[str] = []

    def look(window: Window) -> bool:
        strips = [b for b in window.findChildren(Banner) if b.isVisible()]
        if not window.is_open or not strips or not window.background.idle:
            return False
        seen.append(" ".join(strip.accessibleName() for strip in strips))
        _picture(window, "read-only")
        window.close()
        return True

    person = Person(look)
    assert application.run(store_path) == 0
    assert not person.timer.isActive()
    assert "newer version" in seen[0]
    assert store_path.read_bytes() == before


def _picture(window: Window, name: str) -> None:
    if PICTURES is None:
        return
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    for wear in ("light", "dark"):
        theme.apply(app, wear)
        QApplication.processEvents()
        window.grab().save(f"{PICTURES}/{name}-{wear}.png")  # type: ignore[call-overload]
    theme.apply(app, "light")
