"""What every test stands on: a real store in a folder of its own, and a clock that obeys."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from remembrancer.agents.caller import Caller
from remembrancer.core.author import Author, AuthorKind
from remembrancer.core.clock import DAY
from remembrancer.service.library import Library

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # the tests need no screen

BEGINNING = 1_767_225_600_000_000  # 1 January 2026, in microseconds


class Hand:
    """A clock whose hand is moved by the test; every look moves it by one microsecond."""

    def __init__(self, at: int = BEGINNING) -> None:
        self.at = at

    def __call__(self) -> int:
        self.at += 1
        return self.at

    def advance(self, days: float) -> None:
        """Let days pass."""
        self.at += int(days * DAY)


@pytest.fixture(scope="session")
def empty_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One empty store, made once; tests get a copy of it."""
    path = tmp_path_factory.mktemp("empty") / "empty.db"
    Library.open(path).close()
    return path


@pytest.fixture
def clock() -> Hand:
    return Hand()


@pytest.fixture
def store_path(empty_store: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(empty_store, tmp_path / "memories.db"))


@pytest.fixture
def library(store_path: Path, clock: Hand) -> Iterator[Library]:
    with Library.open(store_path, clock) as opened:
        yield opened


@pytest.fixture
def caller() -> Caller:
    """An agent that may write, as a dialect sees it."""
    return Caller(Author("robin", AuthorKind.AGENT), "session", 100_000, "en")
