"""The memcore questions over a large store: strict search of frequent and rare words, lists."""

from __future__ import annotations

import sys
from collections.abc import Callable

from common import row, store, timed, words

from remembrancer.core.filters import Filter
from remembrancer.core.keyed import Place
from remembrancer.service.library import Library


def main(memories: int) -> None:
    """Print the median and the 95th percentile of every question."""
    vocabulary = words()
    frequent, rare = vocabulary[0], vocabulary[4_000]
    with Library.open(store(memories)) as library:
        keyed = library.keyed
        some = library.memories.browse(Filter(), limit=1)[0]
        place = Place(some.entity)
        asked: dict[str, Callable[[], object]] = {
            "search, a frequent word": lambda: keyed.search(frequent, None, 20),
            "search, a rare word": lambda: keyed.search(rare, None, 20),
            "search, frequent and rare": lambda: keyed.search(f"{frequent} {rare}", None, 20),
            "search, two frequent": lambda: keyed.search(f"{frequent} {vocabulary[1]}", None, 20),
            "search, no entry has both": lambda: keyed.search(f"{frequent} zzzz", None, 20),
            "search, one letter": lambda: keyed.search("b", None, 20),
            "search, the word of a type": lambda: keyed.search("reference", None, 20),
            "search, a type and a word": lambda: keyed.search(f"project {rare}", None, 20),
            "search in a scope, frequent": lambda: keyed.search(frequent, place, 20),
            "search in a scope, rare": lambda: keyed.search(rare, place, 20),
            "recent": lambda: keyed.recent(None, 20),
            "recent, archived too": lambda: keyed.recent(None, 20, archived=True),
            "list": lambda: keyed.listed(None, 100),
            "list of a type": lambda: keyed.listed(None, 100, type="project"),
            "list of a scope": lambda: keyed.listed(place, 100),
            "events": lambda: keyed.events(None, None, 50),
            "events of a scope": lambda: keyed.events(place, None, 50),
            "events of a name": lambda: keyed.events(None, f"m-{some.id}", 50),
            "get": lambda: keyed.get(place, f"m-{some.id}"),
            "scopes": lambda: keyed.scopes(),
            "counts": lambda: keyed.counts(),
        }
        print(f"{memories:,} memories{'median':>32} {'p95':>9}")
        for name, question in asked.items():
            row(name, *timed(question), 100)


main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
