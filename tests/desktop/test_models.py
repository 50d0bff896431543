"""Every item model that the window shows passes Qt's own tests, in every place."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QAbstractItemModel
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QAbstractItemView
from pytestqt.qtbot import QtBot

from remembrancer.core.author import PERSON
from remembrancer.core.memory import Draft, Edit
from remembrancer.desktop.keys import KeysDialog
from remembrancer.desktop.window import PLACES, Window
from remembrancer.service.desk import Doing
from remembrancer.service.graph import NewEntity, Triple
from remembrancer.service.library import Library

from .conftest import settle

ME: Doing = {"author": PERSON, "origin": "test"}


@pytest.fixture
def filled(library: Library) -> Library:
    library.graph.create([NewEntity("nas", "device", ("has two disks", "is loud"))], **ME)
    library.graph.create([NewEntity("router", "device")], **ME)
    library.graph.relate([Triple("router", "nas", "feeds")], **ME)
    memory = library.memories.remember(Draft("The share is called backup", "nas"), **ME)
    library.memories.revise(memory.id, Edit(content="The share is called b2"), **ME)
    library.agents.add("cursor", **ME)
    return library


def models(window: Window) -> list[QAbstractItemModel]:
    found = {id(v.model()): v.model() for v in window.findChildren(QAbstractItemView)}
    return [m for m in found.values() if m is not None]


@pytest.mark.parametrize("place", PLACES)
def test_the_models_of_a_place_hold_while_the_store_changes(
    filled: Library, window: Window, qtbot: QtBot, place: str
) -> None:
    window.go(place)
    settle(window, qtbot)
    mode = QAbstractItemModelTester.FailureReportingMode.Fatal
    testers = [QAbstractItemModelTester(m, mode, window) for m in models(window)]
    assert testers
    added = filled.memories.remember(Draft("It sleeps at night", "nas"), **ME)
    settle(window, qtbot)
    filled.memories.delete(added.id, **ME)
    filled.graph.delete(["router"], **ME)
    window.pane(place).pose()
    settle(window, qtbot)


def test_the_page_of_keys_passes_too(window: Window) -> None:
    dialog = KeysDialog(window.actions_table, window)
    view = dialog.findChild(QAbstractItemView)
    assert view is not None
    mode = QAbstractItemModelTester.FailureReportingMode.Fatal
    QAbstractItemModelTester(view.model(), mode, dialog)
    assert view.model().rowCount() > 10
