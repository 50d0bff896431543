"""What the making of vectors passes at every touch of the store, so that it ends in time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from remembrancer.store import faults
from remembrancer.store.store import Store

T = TypeVar("T")


class Ended(Exception):
    """The work is over; the store may be closed."""


class Gate:
    """What the work passes at every touch of the store, until it is shut."""

    def __init__(self, store: Store) -> None:
        self._path = store.path
        self._lock = threading.Lock()
        self._shut = threading.Event()

    @property
    def is_shut(self) -> bool:
        """Whether the work is to end."""
        return self._shut.is_set()

    def shut(self) -> None:
        """Let nobody through any more; who was through has come back when this returns."""
        self._shut.set()
        with self._lock:
            pass

    def ask(self, question: Callable[[], T]) -> T:
        """Touch the store, or raise Ended. Errors come as StoreProblem."""
        with self._lock, faults.named(self._path):
            self.pass_by()
            return question()

    def pass_by(self) -> None:
        """Raise Ended when the work is to end."""
        if self.is_shut:
            raise Ended

    def wait(self, seconds: float) -> None:
        """Wait a while, or until it is shut."""
        self._shut.wait(seconds)
