"""From choosing Graph to its first picture, for a graph of many entities."""

from __future__ import annotations

import json
import os
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["REMEMBRANCER_HOME"] = tempfile.mkdtemp()

from common import FOLDER, ME
from PySide6.QtWidgets import QApplication

from remembrancer.desktop.application import make_application, wear
from remembrancer.desktop.graph.pane import GraphPane
from remembrancer.desktop.window import Window
from remembrancer.service.library import Library

BOUND = 2_000.0
PATIENCE = 60.0


def lines(entities: int) -> Iterator[str]:
    """Communities of about a hundred with hubs, two relations an entity, few across."""
    rng = random.Random(5)
    for number in range(entities):
        kind = f"type {number // 100 % 9}"
        yield json.dumps({"type": "entity", "name": f"e{number}", "entityType": kind})
    for number in range(entities):
        home = number // 100 * 100
        far = rng.randrange(entities) if rng.random() < 0.04 else home + rng.randrange(100)
        for target in (home, min(far, entities - 1)):
            ends = {"from": f"e{number}", "to": f"e{target}"}
            yield json.dumps({"type": "relation", **ends, "relationType": "knows"})


def store(entities: int) -> Path:
    """A store with that graph; made at the first call, then kept for the next."""
    FOLDER.mkdir(exist_ok=True)
    path = FOLDER / f"graph-{entities}.db"
    if not path.exists():
        source = FOLDER / f"graph-{entities}.jsonl"
        source.write_text("\n".join(lines(entities)) + "\n", encoding="utf-8")
        with Library.open(path) as library:
            library.transfer.bring_in(source, **ME)
            library.upkeep.tidy()
    return path


def main(entities: int) -> None:
    """Print when the first picture stood, and when the layout had settled."""
    wear(make_application(), "light")
    copied = Path(shutil.copy(store(entities), tempfile.mkdtemp()))
    with Library.open(copied) as library:
        window = Window(library)
        window.resize(1440, 900)
        window.show()
        _live_until(lambda: window.background.idle)
        began = time.perf_counter()
        window.go("graph")
        pane = window.pane("graph")
        assert isinstance(pane, GraphPane)
        _live_until(lambda: pane.canvas.state.scene.placed().any())
        pane.canvas.repaint()
        first = (time.perf_counter() - began) * 1_000
        _live_until(pane.still)
        settled = (time.perf_counter() - began) * 1_000
        verdict = "ok" if first <= BOUND else "OVER"
        print(f"{entities:,} entities: first picture {first:.0f} ms {verdict} (≤ {BOUND:.0f})")
        print(f"{'':>10}settled after {settled:.0f} ms")
        window.shut()


def _live_until(done: object) -> None:
    end = time.perf_counter() + PATIENCE
    while not done() and time.perf_counter() < end:  # type: ignore[operator]
        QApplication.processEvents()


main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
