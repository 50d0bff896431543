"""Pictures of places: of the size and theme asked for, and always the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from remembrancer.core.author import PERSON
from remembrancer.core.errors import BadValue, StoreProblem
from remembrancer.core.memory import Draft
from remembrancer.desktop.picture import paint
from remembrancer.places import settings_file
from remembrancer.service.desk import Doing
from remembrancer.service.graph import NewEntity
from remembrancer.service.library import Library

ME: Doing = {"author": PERSON, "origin": "test"}
PLACES = ("review", "memories", "graph", "entities", "activity", "recall", "agents", "settings")


@pytest.fixture
def store(store_path: Path, qapp: QApplication, home: Path) -> Path:
    """A store with a few memories and an agent."""
    with Library.open(store_path) as library:
        library.graph.create([NewEntity("nas", "device"), NewEntity("router", "device")], **ME)
        for text in ("The backup runs at night.", "The backup needs two disks.", "It is grey."):
            library.memories.remember(Draft(text, "nas"), **ME)
        library.agents.add("cursor", **ME)
    return store_path


@pytest.mark.parametrize("place", PLACES)
def test_the_same_store_gives_the_same_picture(place: str, store: Path, tmp_path: Path) -> None:
    files = [tmp_path / "one.png", tmp_path / "two.png"]
    for file in files:
        paint(place, file, store)
    assert QImage(str(files[0])).width() == 1440
    assert files[0].read_bytes() == files[1].read_bytes()


def test_size_and_theme_are_those_asked_for(store: Path, tmp_path: Path) -> None:
    paint("settings", tmp_path / "dark.png", store, "dark", (1000, 640))
    picture = QImage(str(tmp_path / "dark.png"))
    assert (picture.width(), picture.height()) == (1000, 640)
    assert picture.pixelColor(990, 630).lightness() < 60


def test_the_persons_settings_are_neither_read_nor_written(store: Path, tmp_path: Path) -> None:
    paint("settings", tmp_path / "one.png", store)
    assert not settings_file().exists()


def test_an_unknown_place_or_theme_is_refused_with_what_there_is(
    store: Path, tmp_path: Path
) -> None:
    with pytest.raises(BadValue, match="recall"):
        paint("nowhere", tmp_path / "x.png", store)
    with pytest.raises(BadValue, match="light or dark"):
        paint("recall", tmp_path / "x.png", store, "pink")


def test_a_file_that_cannot_be_written_is_told(store: Path, tmp_path: Path) -> None:
    with pytest.raises(StoreProblem, match="could not be written"):
        paint("settings", tmp_path / "no" / "x.png", store)
