"""From process start to the first painted window: `python tests/bench/first_paint.py [sizes]`."""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from common import store

PROGRAM = """
import sys, time
from pathlib import Path
from PySide6.QtCore import QTimer
from remembrancer.desktop import application
from remembrancer.desktop.window import Window

class Watched(Window):
    def paintEvent(self, event):
        super().paintEvent(event)
        if not hasattr(self, "told"):
            self.told = True
            print(time.time(), "mcp" in sys.modules, flush=True)

    def start_serving(self):
        self.timer = QTimer(self, interval=2)
        self.timer.timeout.connect(self.look)
        self.timer.start()

    def look(self):
        if self.background.idle:
            self.timer.stop()
            self.close()
        elif not hasattr(self, "filled") and self.pane("review").model.rowCount():
            self.filled = self.repaint() or print(time.time(), flush=True)

application.Window = Watched
application.run(Path(sys.argv[1]))
"""
BARE = """
import time
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMainWindow

class Bare(QMainWindow):
    def paintEvent(self, event):
        print(time.time())
        QTimer.singleShot(0, self.close)

app = QApplication([])
window = Bare()
window.show()
app.exec()
"""
BOUND = 300.0


def once(path: Path, home: str) -> tuple[float, float]:
    """Milliseconds from starting the process to the first paint, and to the cards in it."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "REMEMBRANCER_HOME": home}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # the second start of a person has bytecode
    began = time.time()
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(path)],
        env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    painted, loaded, *filled = done.stdout.split()
    if loaded != "False":
        raise SystemExit("mcp was imported before the first paint")
    return (float(painted) - began) * 1_000, (float(filled[0]) - began) * 1_000 if filled else 0.0


def measure(path: Path, name: str) -> None:
    """Print the medians of five starts, after one that warms the disk."""
    with tempfile.TemporaryDirectory() as home:
        found = [once(path, home) for _ in range(6)][1:]
    median = statistics.median(f[0] for f in found)
    filled = statistics.median(f[1] for f in found)
    verdict = "ok" if median <= BOUND else "OVER"
    each = ", ".join(f"{f[0]:.0f}" for f in found)
    cards = f"  first cards {filled:.0f} ms" if filled else ""
    print(f"{name:<20}{median:6.0f} ms  {verdict} (≤ {BOUND:.0f})  [{each}]{cards}")


def bare() -> float:
    """Milliseconds to the first paint of a Qt window without anything: what no program beats."""
    began = time.time()
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, "-c", BARE], env=environment, capture_output=True, text=True, check=True
    )
    return (float(done.stdout) - began) * 1_000


with tempfile.TemporaryDirectory() as folder:
    print(f"{'a bare Qt window':<20}{statistics.median(bare() for _ in range(5)):6.0f} ms")
    measure(Path(folder) / "new.db", "an empty store")
    for size in [int(s) for s in sys.argv[1:]] or [100_000]:
        copied = Path(shutil.copy(store(size), folder))
        measure(copied, f"{size:,} memories")
