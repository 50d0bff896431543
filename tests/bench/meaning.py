"""Times of the search by meaning: `python tests/bench/meaning.py [memories of the store]`.

Made vectors in groups for the scan; real models, where they are installed, for what a text costs.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from common import row, store, timed

from remembrancer.core import models
from remembrancer.core.vectors import Floats, Signs, packed, unit
from remembrancer.service.library import Library
from remembrancer.service.meaning import MeaningDesk
from remembrancer.store.vectors import Vectors

DIMENSIONS = 512
PART = 20_000
QUERY = "How much memory does the machine in the cellar have?"
MEMORY = (
    "The machine in the cellar has 8 GB of memory and two disks of 4 TB each; it makes its backups "
    "every night at two and sends a message to the house when one fails."
)


def clouds(rng: np.random.Generator, count: int) -> Floats:
    """Vectors in 2,000 groups, as texts about the same things are."""
    centres = np.random.default_rng(1).normal(size=(2_000, DIMENSIONS)).astype(np.float32)
    noise = rng.normal(size=(count, DIMENSIONS)).astype(np.float32)
    return unit(centres[rng.integers(0, 2_000, count)] + 0.7 * noise)


class Made:
    """A model of random vectors: what is measured is everything else."""

    name, dimensions = "made", DIMENSIONS

    def __init__(self) -> None:
        self._rng = np.random.default_rng(2)

    def queries(self, texts: Sequence[str]) -> Floats:
        return unit(self._rng.normal(size=(len(texts), DIMENSIONS)).astype(np.float32))

    passages = queries


def scan(count: int) -> None:
    """The scan of signs, alone and among some ids, and what share of the best it finds."""
    rng = np.random.default_rng(3)
    signs, kept = Signs(np.zeros(DIMENSIONS, np.float32)), np.empty((count, DIMENSIONS), np.int8)
    for start in range(0, count, PART):
        rows = clouds(rng, PART)
        signs.put(range(start, start + PART), rows)
        kept[start : start + PART] = np.frombuffer(b"".join(packed(rows)), np.int8).reshape(
            PART, -1
        )
    queries = clouds(rng, 10)
    some = range(0, count, 10)
    row(f"scan of {count:,} x {DIMENSIONS} bits", *timed(_turns(signs, queries)))
    row("  among a tenth of them", *timed(_turns(signs, queries, some), 10))
    found = [np.isin(_best(kept, q), signs.nearest(q, 800)) for q in queries]
    print(f"  recall@20 with 800 candidates{np.mean(found):26.3f}")


def _turns(signs: Signs, queries: Floats, among: range | None = None) -> Callable[[], object]:
    turn = iter(range(1 << 30))
    return lambda: signs.nearest(queries[next(turn) % len(queries)], 800, among)


def _best(kept: np.ndarray, query: Floats) -> np.ndarray:
    parts = [unit(kept[n : n + PART].astype(np.float32)) @ query for n in range(0, len(kept), PART)]
    return np.argsort(-np.concatenate(parts))[:20]


def cost(name: str, load: models.Load) -> None:
    """What a model takes to load, for a question, for a memory."""
    began = time.perf_counter()
    model = load()
    print(f"{name}, loaded in {time.perf_counter() - began:.2f} s")
    row(f"  a question of {len(QUERY)} characters", *timed(lambda: model.queries([QUERY])))
    row(f"  a memory of {len(MEMORY)} characters", *timed(lambda: model.passages([MEMORY])))
    four = [f"{n} {MEMORY}" for n in range(4)]
    row("  four such memories at once", *timed(lambda: model.passages(four), 10))
    row(
        f"  {models.LENGTH:,} characters",
        *timed(lambda: model.passages([(MEMORY * 99)[:2000]]), 10),
    )


def desk(memories: int) -> None:
    """A store whose memories have made vectors: reading them all, then asking."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["REMEMBRANCER_HOME"] = folder
        path = Path(shutil.copy(store(memories), Path(folder) / "copy.db"))
        with Library.open(path) as library:
            _fill(library)
            meaning = MeaningDesk(library.memories._ground, lambda: {"made": Made})
            began = time.perf_counter()
            meaning.switch(True)
            assert meaning.settle(600)
            print(f"{memories:,} vectors read in {time.perf_counter() - began:.2f} s")
            print(f"the store has {path.stat().st_size / 1e6:,.0f} MB")
            turn = iter(range(1 << 30))
            row("nearest 50", *timed(lambda: meaning.nearest(f"question {next(turn)}", 50)))
            some = range(1, memories, 10)
            row("  among a tenth", *timed(lambda: meaning.nearest(f"{next(turn)}", 50, some)))
            few = range(1, 301)
            row("cosines of 300", *timed(lambda: meaning.of(f"question {next(turn)}", few)))
            row("state", *timed(lambda: meaning.state))
            meaning.close()


def _fill(library: Library) -> None:
    beneath = library.memories._ground.store
    held, made, began = Vectors(beneath.connections), Made(), time.perf_counter()
    below = 1 << 62
    while page := held.below(made, below, 2_000):
        told = held.told([memory_id for memory_id, _ in page], 10)
        pairs = list(zip(told, packed(made.passages([t.content for t in told])), strict=True))
        beneath.write(lambda pairs=pairs: held.keep(made, pairs))
        below = page[-1][0]
    print(f"vectors written in {time.perf_counter() - began:.1f} s")


def main() -> None:
    """Print the table."""
    print(f"{'median':>52} {'p95':>9}")
    for count in (100_000, 1_000_000):
        scan(count)
    for name, load in models.installed().items():
        cost(name, load)
    desk(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)


if __name__ == "__main__":
    main()
