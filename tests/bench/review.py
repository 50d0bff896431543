"""Times of opening Review: `python tests/bench/review.py [sizes]`, everything due, much served."""

from __future__ import annotations

import random
import sys

from common import row, store, timed

from remembrancer.core.author import Author, AuthorKind
from remembrancer.core.review import Reason
from remembrancer.service.library import Library

BOUND = 300.0  # milliseconds at 100,000 memories
SERVED = 20_000
AGENT = Author("bench", AuthorKind.AGENT)


def serve(library: Library) -> None:
    """Let some memories have been served, once and for all."""
    ground = library.review._ground
    if ground.store.extras.receipts(1):
        return
    rng, now = random.Random(5), ground.clock()
    picked = [1, *(rng.randint(1, 90_000) for _ in range(SERVED))]
    ground.store.write(lambda: ground.store.extras.served("bench", [(i, 90) for i in picked], now))


def measure(memories: int) -> None:
    """Print the table for a store of that size."""
    print(f"\n{memories:,} memories, all due{'median':>34} {'p95':>9}")
    with Library.open(store(memories)) as library:
        serve(library)
        desk = library.review
        first = desk.ordered()[:64]

        def opened() -> None:
            desk.ordered()
            page = library.memories.several(first)
            desk.served(first)
            desk.why(page[0].id)

        row("Review opens: ranked, first page, why", *timed(opened, 15), BOUND)
        row("  ranked alone", *timed(desk.ordered, 15))
        row("  ranked, one reason", *timed(lambda: desk.ordered(Reason.LOW_CONFIDENCE), 15))
        row("bounded counts", *timed(lambda: (desk.count(), desk.counts()), 15))
        row("who waits of ten", *timed(lambda: desk.waits(first[:10]), 15))


for size in [int(s) for s in sys.argv[1:]] or [100_000]:
    measure(size)
