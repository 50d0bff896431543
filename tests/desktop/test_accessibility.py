"""What a screen reader finds: every control of every place has a name."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from remembrancer.core.author import PERSON
from remembrancer.core.memory import Draft
from remembrancer.desktop.window import PLACES, Window
from remembrancer.service.desk import Doing
from remembrancer.service.graph import NewEntity, Triple
from remembrancer.service.library import Library

from .conftest import settle
from .speaking import nameless

ME: Doing = {"author": PERSON, "origin": "test"}


@pytest.fixture
def filled(library: Library) -> Library:
    library.graph.create([NewEntity("nas", "device", ("has two disks",))], **ME)
    library.graph.create([NewEntity("router", "device")], **ME)
    library.graph.relate([Triple("router", "nas", "feeds")], **ME)
    library.memories.remember(Draft("The share is called backup", "nas"), **ME)
    library.agents.add("cursor", **ME)
    return library


@pytest.mark.parametrize("place", PLACES)
def test_every_control_of_a_place_has_a_name(
    filled: Library, window: Window, qtbot: QtBot, place: str
) -> None:
    window.go(place)
    settle(window, qtbot)
    assert nameless(window) == []
    window.pane(place).pose()
    settle(window, qtbot)
    assert nameless(window) == []


@pytest.mark.parametrize("place", PLACES)
def test_an_empty_store_opens_in_every_place(window: Window, qtbot: QtBot, place: str) -> None:
    window.go(place)
    settle(window, qtbot)
    assert window.place == place
    assert nameless(window) == []


def test_the_editor_names_every_field(filled: Library, window: Window, qtbot: QtBot) -> None:
    window.go("memories", new=True)
    settle(window, qtbot)
    assert nameless(window) == []


def test_the_walk_notices_a_control_without_a_name(window: Window, qtbot: QtBot) -> None:
    mute = QLineEdit(window.pane("review"))
    mute.show()
    assert nameless(window) == ["QLineEdit in ReviewPane (Role.EditableText)"]
