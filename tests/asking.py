"""Asking a library for words, and what the answers are made of as text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from notation import WINDOW
from remembrancer.core.author import PERSON, Author
from remembrancer.core.ranking import WEIGHTS, Rated, Weights
from remembrancer.core.recall import Hit, Question
from remembrancer.service.finding import Finder, within
from remembrancer.service.graph import NewEntity
from remembrancer.service.library import Library
from remembrancer.service.recall import RecallDesk

LABELLED: dict[str, Any] = json.loads(
    (Path(__file__).parent / "inputs" / "demem.json").read_text(encoding="utf-8")
)


def ask(
    library: Library, query: str, entity: str | None = None, weights: Weights = WEIGHTS,
    author: Author = PERSON, limit: int = 50,
) -> tuple[Hit, ...]:  # fmt: skip
    """The hits of a question, the best first."""
    desk = RecallDesk(library.recall._ground, weights)
    return desk.ask(Question(query, entity, limit, max_characters=100_000), author).items


def contents(hits: tuple[Hit, ...]) -> list[str]:
    return [hit.memory.content for hit in hits]


def seek(library: Library, query: str, ids: list[int] | None = None) -> list[Rated]:
    """What the finder finds within entities (None: everywhere)."""
    store = library._store
    with store.reading():
        return Finder(store).find(query, within(store, ids, library.clock()))


def drawn(hits: tuple[Hit, ...]) -> str:
    """Every hit in a line: what it says, its score, the reasons, and what each is made of."""
    return "\n".join(
        f"{hit.memory.content} {hit.score:.9f} {list(hit.reasons)} "
        + ", ".join(f"{e.signal} {e.asked}: {e.seen} {e.amount:.9f}" for e in hit.evidence)
        for hit in hits
    )


def crowd(library: Library, count: int, entity: str = "crowd") -> None:
    """Add so many memories that have nothing to do with anything."""
    texts = tuple(f"unit {n} stands in row {n % 20} of the shelf" for n in range(count))
    library.graph.create([NewEntity(entity, "thing", texts)], **WINDOW)
