"""A played host of a store of its own, and a client whose bridge has reached it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from doors.playing import Bridged, Played
from remembrancer import places


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(places.HOME_VARIABLE, str(tmp_path / "home"))
    monkeypatch.delenv(places.STORE_VARIABLE, raising=False)
    return tmp_path


@pytest.fixture
def played(store_path: Path) -> Iterator[Played]:
    host = Played(store_path)
    host.appear()
    yield host
    host.vanish()


@pytest.fixture
def bridged(store_path: Path, played: Played) -> Iterator[Bridged]:
    client = Bridged(store_path)
    played.take()
    yield client
    client.close()
