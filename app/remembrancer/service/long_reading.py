"""A long reading in the background: begun, heard of, stopped, and told however it ends."""

from __future__ import annotations

import logging
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum
from typing import Generic, TypeVar

from remembrancer.core.errors import RemembrancerError

S = TypeVar("S")
_log = logging.getLogger(__name__)


class Standing(StrEnum):
    """Where a long reading stands."""

    NEVER = "never"
    UNDER_WAY = "under way"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"


class LongReading(ABC, Generic[S]):
    """One reading at a time on a thread of its own; `state` says how far it is. Any thread may ask.

    A subclass says what is read, and the states in which it begins, ends and fails.
    """

    def __init__(self, name: str, state: S) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._state = state
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._ears: list[Callable[[], object]] = []

    @property
    def state(self) -> S:
        """How far the reading is and what it has found so far."""
        return self._state

    def listen(self, ear: Callable[[], object]) -> Callable[[], None]:
        """Let `ear` hear, on the thread that reads, whenever the state changes; returns its end."""
        self._ears.append(ear)

        def deaf() -> None:
            with suppress(ValueError):
                self._ears.remove(ear)

        return deaf

    def begin(self) -> None:
        """Read in the background, unless that is under way."""
        with self._lock:
            if self._thread is not None and self._thread.is_alive():
                return
            self._stop.clear()
            self._thread = threading.Thread(target=self._quietly, name=self._name, daemon=True)
            self._set(self._begun())
            self._thread.start()

    def stop(self) -> None:
        """End the reading where it is; what was found so far stays."""
        self._stop.set()

    def wait(self) -> None:
        """Wait for the end of the reading that is under way, if there is one."""
        if self._thread is not None:
            self._thread.join()

    def close(self) -> None:
        """End the reading and wait for that."""
        self.stop()
        self.wait()

    @abstractmethod
    def _begun(self) -> S:
        """The state in which a reading begins."""

    @abstractmethod
    def _read(self) -> S:
        """Read, telling how far it is by `_set`, until `_stop` is set; returns the last state."""

    @abstractmethod
    def _failed(self) -> S:
        """The state of a reading that could not go on."""

    def _set(self, state: S) -> None:
        self._state = state
        for ear in list(self._ears):
            ear()

    def _quietly(self) -> None:
        try:
            ended = self._read()
        except RemembrancerError as problem:
            _log.warning("The reading %r could not go on: %s", self._name, problem)
            ended = self._failed()
        except Exception:
            _log.exception("The reading %r failed", self._name)
            ended = self._failed()
        self._set(ended)
