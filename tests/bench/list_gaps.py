"""Longest gaps of the GUI thread while scrolling and filtering a list of many memories."""

from __future__ import annotations

import os
import sys
import tempfile
import time

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["REMEMBRANCER_HOME"] = tempfile.mkdtemp()

from common import store
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from remembrancer.desktop.application import make_application, wear
from remembrancer.desktop.look import fonts
from remembrancer.desktop.memories.pane import MemoriesPane
from remembrancer.desktop.window import Window
from remembrancer.service.library import Library

BOUND = 100.0


class Gaps:
    """A timer of 2 ms; what lies between two of its ticks beyond that is a gap."""

    def __init__(self) -> None:
        self.longest = 0.0
        self._last = time.perf_counter()
        self._timer = QTimer(interval=2)
        self._timer.timeout.connect(self._tick)
        self._timer.start()

    def _tick(self) -> None:
        now = time.perf_counter()
        self.longest = max(self.longest, (now - self._last) * 1_000)
        self._last = now

    def take(self, name: str) -> None:
        """Print the longest gap so far and begin anew."""
        verdict = "ok" if self.longest <= BOUND else "OVER"
        print(f"{name:<40}{self.longest:8.1f} ms   {verdict} (≤ {BOUND:.0f})")
        self.longest = 0.0


def live(seconds: float) -> None:
    """Let the window live for a while."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        QApplication.processEvents()


def main(memories: int) -> None:
    """Scroll by wheel and by jumps, then filter by chips and by words."""
    app = make_application()
    fonts.load(app)
    wear(app, "light")
    with Library.open(store(memories)) as library:
        window = Window(library)
        window.show()
        window.go("memories")
        pane = window.pane("memories")
        assert isinstance(pane, MemoriesPane)
        live(2)
        gaps = Gaps()
        bar = pane.list.verticalScrollBar()
        for step in range(200):
            bar.setValue(step * 40)
            live(0.005)
        gaps.take("scrolling by wheel")
        for step in range(40):
            bar.setValue(step * bar.maximum() // 40)
            live(0.02)
        gaps.take("jumping anywhere")
        for text in ("bata", "bata do", "kind:fact", "state:review", "entity:nobody", ""):
            pane.filters.set_text(text)
            live(1)
        gaps.take("filtering")
        window.go("review")
        live(2)
        gaps.take("opening Review")
        window.shut()


main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
