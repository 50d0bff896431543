"""What a question may see and cost: nothing of others under a lock, few rows in a large store."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asking import ask, contents, seek
from conftest import BEGINNING, Hand
from notation import WINDOW, build
from remembrancer.core import ranking
from remembrancer.core.author import Access, Author, AuthorKind
from remembrancer.core.filters import Filter
from remembrancer.service.gathering import CANDIDATES, FEW
from remembrancer.service.graph import NewEntity
from remembrancer.service.library import Library

LOCKED = Author("robin", AuthorKind.AGENT, Access.READ, entity="mine")
OWN = ["the pump leaks oil", "seals of the pump were replaced", "Jenkins builds every night",
       "der Kellerschlüssel hängt am Brett", "the waterfall is 10 GB/s away"]  # fmt: skip
QUERIES = ["pump leaks", "jenkns", "the pump", "water", "Schlüssel", "GB/s", "pimp", "seal night"]
OTHERS = "pump leaks jenkns Jenkins the water pimp GB/s Schlüssel seal night"
WORDS = st.lists(st.sampled_from(OTHERS.split()), min_size=1, max_size=4).map(" ".join)


def answers(library: Library) -> str:
    """What the locked agent is answered, without the numbers of other memories."""
    hits = [hit for query in QUERIES for hit in ask(library, query, author=LOCKED)]
    return "\n".join(
        f"{h.memory.content} {h.score:.6f} {list(h.reasons)} "
        + ", ".join(f"{e.signal} {e.asked} {e.amount:.6f}" for e in h.evidence)
        for h in hits
    )


def holds(path: Path, texts: list[tuple[str, str]]) -> Library:
    """A library with these memories, (entity, text) in their order, all written at one time."""
    library = Library.open(path, lambda: BEGINNING)
    build(library, "mine; other")
    for entity, text in texts:
        library.graph.observe([(entity, [text])], **WINDOW)
    return library


@pytest.fixture(scope="module")
def alone(empty_store: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """What the agent is answered where nobody else has anything."""
    path = Path(shutil.copy(empty_store, tmp_path_factory.mktemp("alone") / "memories.db"))
    with holds(path, [("mine", text) for text in OWN]) as library:
        found = answers(library)
    assert "Similar spelling" in found
    assert "Akin word" in found
    return found


@settings(max_examples=25, deadline=None)
@given(before=st.lists(WORDS, max_size=4), after=st.lists(WORDS, max_size=4))
def test_a_locked_agent_is_answered_the_same_whatever_others_hold(
    empty_store: Path, tmp_path_factory: pytest.TempPathFactory, alone: str,
    before: list[str], after: list[str],
) -> None:  # fmt: skip
    path = Path(shutil.copy(empty_store, tmp_path_factory.mktemp("locked") / "memories.db"))
    mine = [("mine", text) for text in OWN]
    texts = [*(("other", t) for t in before), *mine, *(("other", t) for t in after)]
    with holds(path, texts) as library:
        assert answers(library) == alone


def test_a_locked_agent_does_not_notice_what_others_write_between(
    store_path: Path, alone: str
) -> None:
    texts = [pair for text in OWN for pair in (("mine", text), ("other", f"other {text}"))]
    with holds(store_path, texts) as library:
        assert answers(library) == alone


@pytest.mark.parametrize("text", ["jenkns", "pump pimp", "unrelated"])
def test_a_locked_agent_with_many_memories_does_not_notice_others(
    store_path: Path, text: str
) -> None:
    with holds(store_path, [("mine", own) for own in OWN]) as library:
        row = tuple(f"unit {n} stands in row {n % 20} of the shelf" for n in range(FEW + 50))
        library.graph.observe([("mine", row)], **WINDOW)
        before = answers(library)
        library.graph.observe([("other", [f"{text} {n}" for n in range(40)])], **WINDOW)
        assert answers(library) == before


def test_what_is_out_of_reach_does_not_hide_what_is_within(library: Library) -> None:
    texts = tuple(f"uplink uplink {n}" for n in range(CANDIDATES * 4 + 10))
    library.graph.create([NewEntity("gone", "thing", texts)], **WINDOW)
    library.graph.delete(["gone"], **WINDOW)
    build(library, "yard: the uplink of the cellar is slow since the flood of last year")
    [found] = contents(ask(library, "uplink"))
    assert found.startswith("the uplink of the cellar")


# --- a large store

FREQUENT = "the server of the north wing and its guard"


def filled(library: Library, count: int) -> None:
    texts = [f"{FREQUENT} {n}{' rarity' if n % 997 == 0 else ''}" for n in range(count)]
    parts = [NewEntity(f"e{at}", "thing", tuple(texts[at::10])) for at in range(10)]
    library.graph.create(parts, **WINDOW)


@pytest.fixture(scope="module")
def large(empty_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    path = Path(shutil.copy(empty_store, tmp_path_factory.mktemp("large") / "memories.db"))
    with Library.open(path, Hand()) as opened:
        filled(opened, 5_000)
        yield opened


@pytest.fixture(scope="module")
def larger(empty_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    path = Path(shutil.copy(empty_store, tmp_path_factory.mktemp("larger") / "memories.db"))
    with Library.open(path, Hand()) as opened:
        filled(opened, 40_000)
        yield opened


ASKED = ["the of and its", "server north wing guard", "rarity", "servr nroth",
         "the rarity of the server", "3989"]  # fmt: skip
FOUND = CANDIDATES + ranking.TOGETHER_BEST * len(ranking.TOGETHER)


def bounded(library: Library, query: str, ids: list[int] | None) -> int:
    """How many a question finds; it costs no more steps of SQLite than a few lists do."""
    steps = 0

    def step() -> int:
        nonlocal steps
        steps += 1
        return 0

    connection = library._store.connections.connection()
    connection.set_progress_handler(step, 1_000)
    found = seek(library, query, ids)
    connection.set_progress_handler(None, 0)
    assert steps < 1_500
    return len(found)


@pytest.mark.parametrize("query", ASKED)
def test_a_question_in_a_large_store_is_bounded_and_answered(large: Library, query: str) -> None:
    assert large.memories.count(Filter()) == 5_000
    assert 0 < bounded(large, query, None) <= FOUND
    hits = ask(large, query)
    assert hits
    assert "rarity" not in query or all("rarity" in c for c in contents(hits)[:5])


@pytest.mark.parametrize("query", ASKED[:4])
@pytest.mark.parametrize("ids", [[1], [9], [1, 2, 3]])
def test_entities_in_a_large_store_are_answered_whatever_is_newer(
    large: Library, query: str, ids: list[int]
) -> None:
    assert 0 < bounded(large, query, ids) <= max(FOUND, FEW)


@pytest.mark.long
@pytest.mark.parametrize("query", ASKED)
def test_a_question_in_a_larger_store_is_bounded_and_answered(larger: Library, query: str) -> None:
    assert 0 < bounded(larger, query, None) <= FOUND
    assert ask(larger, query)
