"""Lays a graph out beside the window: pictures on the way, an end at any time, joined at exit."""

from __future__ import annotations

import atexit
import logging
import math
import time

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QCoreApplication, QObject, QThread, QTimer, Signal

from remembrancer.core.layout import layout
from remembrancer.desktop.graph.scene import GraphScene

_PAUSE = 0.1  # seconds between two pictures, at least
_SHARE = 3  # times as long as it took to paint the last one
_log = logging.getLogger(__name__)
_running: set[LayoutThread] = set()


class LayoutThread(QThread):
    """Runs one layout. It belongs to nobody, so that it never dies while it works.

    `pictured(positions)` tells of (count, 2) positions on the way, as often as `taken()` is called
    but not faster than anybody can see; `settled(positions)` tells of the last ones. After `stop()`
    neither is heard any more.
    """

    pictured = Signal(object)
    settled = Signal(object)

    def __init__(
        self,
        count: int,
        edges: NDArray[np.int64],
        seed: int = 7,
        start: NDArray[np.float64] | None = None,
        fixed: NDArray[np.bool_] | None = None,
    ) -> None:
        super().__init__()
        self._task = (count, edges.copy(), seed, _copied(start), _copied(fixed))
        self._shown_at = self._next_at = 0.0
        self.finished.connect(self._forget)
        app = QCoreApplication.instance()
        if app is not None:
            app.aboutToQuit.connect(self.stop)

    @classmethod
    def of(cls, scene: GraphScene, seed: int = 7, afresh: bool = False) -> LayoutThread:
        """A layout of a scene: pinned nodes stay, known places are kept unless it is `afresh`."""
        start = scene.positions.copy()
        if afresh:
            start[~scene.pinned] = np.nan
        return cls(scene.count, scene.edges, seed, start, scene.pinned)

    def start(self, priority: QThread.Priority = QThread.Priority.LowPriority) -> None:
        """Begins to work; until the end somebody must hold on to the thread, so it is kept."""
        _running.add(self)
        super().start(priority)

    def run(self) -> None:
        """Works in the thread; what goes wrong is logged, the nodes then stay where they are."""
        try:
            positions = layout(*self._task, progress=self._report)
        except Exception:
            _log.exception("The graph could not be laid out")
            return
        if not self.isInterruptionRequested():
            self.settled.emit(positions)

    def stop(self) -> None:
        """Ends the work and waits until the thread is gone."""
        self.blockSignals(True)
        self.requestInterruption()
        self.wait()
        self._forget()

    def taken(self) -> None:
        """The picture was painted, the next one is welcome after a while."""
        # Painting holds up the work here, so it may take only a part of the time.
        cost = time.monotonic() - self._shown_at
        self._next_at = time.monotonic() + max(_PAUSE, _SHARE * cost)

    def _report(self, step: int, positions: NDArray[np.float64]) -> bool:
        if self.isInterruptionRequested():
            return False
        if time.monotonic() > self._next_at:
            self._shown_at, self._next_at = time.monotonic(), math.inf
            self.pictured.emit(positions)
        return True

    def _forget(self) -> None:
        _running.discard(self)


def stop_all() -> None:
    """Ends every layout that is still at work."""
    for thread in list(_running):
        thread.stop()


atexit.register(stop_all)


def _copied(values: NDArray | None) -> NDArray | None:
    return None if values is None else values.copy()


class Layouter(QObject):
    """Lays out one scene after the other; a new one ends the one before.

    `pictured` and `settled` are those of the thread at work.
    """

    pictured = Signal(object)
    settled = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thread: LayoutThread | None = None

    def begin(self, thread: LayoutThread) -> None:
        """Lets a thread work; the one before is stopped."""
        self.stop()
        self._thread = thread
        thread.pictured.connect(self._picture)
        thread.settled.connect(self._settle)
        thread.finished.connect(self._end)
        thread.start()

    @property
    def busy(self) -> bool:
        """Whether a layout is at work."""
        return self._thread is not None

    def stop(self) -> None:
        """Ends the layout at work, if there is one, and waits for it."""
        if self._thread is not None:
            self._thread.stop()
            self._thread = None

    def _picture(self, positions: NDArray[np.float64]) -> None:
        # Pictures of a thread that was stopped may still be waiting in the queue.
        if self._thread is not None and self.sender() is self._thread:
            self.pictured.emit(positions)
            QTimer.singleShot(0, self._thread.taken)

    def _settle(self, positions: NDArray[np.float64]) -> None:
        if self._thread is not None and self.sender() is self._thread:
            self._thread.wait()
            self._thread = None
            self.settled.emit(positions)

    def _end(self) -> None:
        if self.sender() is self._thread:
            self._thread = None
