"""Times of pages, search and recall inside the process: `python tests/bench/pages.py [sizes]`."""

from __future__ import annotations

import random
import sys

from common import row, store, timed, words

from remembrancer.core.filters import Filter, Order, State
from remembrancer.core.recall import Question
from remembrancer.service.library import Library

BOUND = 20.0  # milliseconds at 100,000 memories


def measure(memories: int) -> None:
    """Print the table for a store of that size."""
    rng, vocabulary = random.Random(11), words()
    print(f"\n{memories:,} memories{'median':>43} {'p95':>9}")
    with Library.open(store(memories)) as library:
        entity = library.map.entities(limit=50)[7].name
        rare = lambda: " ".join(rng.choices(vocabulary[200:], k=3))  # noqa: E731
        common = lambda: " ".join(rng.choices(vocabulary[:12], k=3))  # noqa: E731
        browse = library.memories.browse
        row("review page (50 due, keyset)", *timed(lambda: library.review.queue(50)), BOUND)
        row("review count, bounded", *timed(library.review.count), BOUND)
        row("memory page (50 newest)", *timed(lambda: browse(Filter())), BOUND)
        pinned = lambda: browse(Filter(state=State.REVIEW), Order.PINNED_FIRST, 30)  # noqa: E731
        row("native review page (30, pinned first)", *timed(pinned), BOUND)
        row("memory page of one entity", *timed(lambda: browse(Filter(entity=entity))), BOUND)
        row("search page, rare words", *timed(lambda: browse(Filter(words=rare()))), BOUND)
        row("search page, frequent words", *timed(lambda: browse(Filter(words=common()))))
        ask = library.recall.ask
        row("recall, rare words", *timed(lambda: ask(Question(rare()))), BOUND)
        row("recall, one entity", *timed(lambda: ask(Question(rare(), entity))), BOUND)
        row("recall, frequent words", *timed(lambda: ask(Question(common()))), BOUND)
        row("recall, no words", *timed(lambda: ask(Question())), BOUND)
        row("every id for the list", *timed(lambda: library.memories.ids(Filter()), 10))


for size in [int(s) for s in sys.argv[1:]] or [10_000, 100_000]:
    measure(size)
