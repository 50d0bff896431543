"""From an agent's answered write in another process to its words in the open window."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["REMEMBRANCER_HOME"] = tempfile.mkdtemp()

from PySide6.QtWidgets import QApplication

from remembrancer.core.author import PERSON
from remembrancer.core.memory import Draft
from remembrancer.desktop.application import make_application, wear
from remembrancer.desktop.memories.pane import MemoriesPane
from remembrancer.desktop.window import Window
from remembrancer.service.library import Library

BOUND = 1_000.0
WRITER = """
import sys, time
from remembrancer.core.author import Author, AuthorKind
from remembrancer.core.memory import Edit
from remembrancer.service.library import Library

doing = {"author": Author("agent", AuthorKind.AGENT), "origin": "native"}
with Library.open(sys.argv[1]) as library:
    for line in sys.stdin:
        library.memories.revise(1, Edit(content=line.strip()), **doing)
        print(time.time(), flush=True)
"""


def main(times: int) -> None:
    """Print how long the window takes to show what another process wrote."""
    wear(make_application(), "light")
    path = Path(os.environ["REMEMBRANCER_HOME"]) / "memories.db"
    with Library.open(path) as library:
        library.memories.remember(Draft("first words"), author=PERSON, origin="bench")
        window = Window(library)
        window.show()
        window.go("memories")
        pane = window.pane("memories")
        assert isinstance(pane, MemoriesPane)
        _live_until(lambda: pane.desk.memory is not None)
        command = [sys.executable, "-c", WRITER, str(path)]
        with subprocess.Popen(command, stdin=-1, stdout=-1, text=True) as writer:
            found = [_once(pane, writer, f"words {n}") for n in range(times)]
            assert writer.stdin is not None
            writer.stdin.close()
        window.shut()
    median, worst = statistics.median(found), max(found)
    verdict = "ok" if worst <= BOUND else "OVER"
    print(f"shown after {median:.0f} ms (median of {times}), {worst:.0f} ms at worst   {verdict}")


def _once(pane: MemoriesPane, writer: subprocess.Popen[str], words: str) -> float:
    assert writer.stdin is not None
    assert writer.stdout is not None
    writer.stdin.write(words + "\n")
    writer.stdin.flush()
    acknowledged = float(writer.stdout.readline())
    _live_until(lambda: pane.desk.memory is not None and pane.desk.memory.content == words)
    return (time.time() - acknowledged) * 1_000


def _live_until(done: object) -> None:
    end = time.time() + 20
    while not done() and time.time() < end:  # type: ignore[operator]
        QApplication.processEvents()
        time.sleep(0.001)


main(int(sys.argv[1]) if len(sys.argv) > 1 else 30)
