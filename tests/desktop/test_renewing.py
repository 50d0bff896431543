"""While the search index is renewed the window says so, quietly, and stops looking afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from peewee import sqlite3  # pyright: ignore[reportAttributeAccessIssue]
from pytestqt.qtbot import QtBot

from remembrancer.core.author import PERSON
from remembrancer.desktop.window import Window
from remembrancer.service.desk import Doing
from remembrancer.service.graph import NewEntity
from remembrancer.service.indexing import PAGE
from remembrancer.service.library import Library
from remembrancer.store.store import Store

from .conftest import settle

ME: Doing = {"author": PERSON, "origin": "test"}


@pytest.fixture
def library(store_path: Path, clock: Callable[[], int]) -> Iterator[Library]:
    """A store whose index is of an earlier analyser, without anybody who renews it."""
    with Library.open(store_path, clock) as opened:
        texts = tuple(f"entry {n}" for n in range(PAGE * 2))
        opened.graph.create([NewEntity("nas", "device", texts)], **ME)
    with sqlite3.connect(store_path) as raw:
        raw.execute("DELETE FROM setting WHERE name = 'analyser'")
    raw.close()
    with Library(Store(store_path), clock) as unhurried:
        yield unhurried


def test_the_share_is_told_until_the_index_is_current(
    window: Window, qtbot: QtBot, library: Library
) -> None:
    assert window.rail.status() == "Renewing the search index: 0 %"
    assert window.renewing.waiting
    library.indexing.bring_up(lambda done, total: done == 0)
    window.renewing.look()
    settle(window, qtbot)
    assert window.rail.status() == "Renewing the search index: 50 %"
    library.indexing.bring_up()
    qtbot.waitUntil(lambda: window.rail.status() == "")  # it looks again by itself
    assert not window.renewing.waiting
    settle(window, qtbot)
