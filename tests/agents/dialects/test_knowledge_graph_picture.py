"""The graph that is kept between two readings is at every moment the one that is there."""

from __future__ import annotations

import itertools
import json
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents.dialects.graphing import create, entity, relate, shown, whole
from agents.dialects.speaking import Speaker, limited, text_of
from conftest import Hand
from remembrancer.agents.dialects import knowledge_graph_picture as pictures
from remembrancer.agents.dialects.knowledge_graph import KnowledgeGraph
from remembrancer.core.author import PERSON
from remembrancer.core.errors import RemembrancerError
from remembrancer.core.filters import Filter, State
from remembrancer.core.memory import Draft, Edit
from remembrancer.service.desk import Doing
from remembrancer.service.graph import NewEntity, Triple
from remembrancer.service.library import Library

WINDOW: Doing = {"author": PERSON, "origin": "window"}
NAMES = ("a", "b", "c", "Zu\u0308", "Z\u00fc")
FOREVER = limited(budget=None)


class Hands:
    """Somebody who does one deed after the other, whatever comes to mind."""

    def __init__(self, library: Library, clock: Hand, folder: Path) -> None:
        self.library, self.clock, self.folder = library, clock, folder
        self.numbers = itertools.count()

    def do(self, deed: int, x: int, y: int) -> None:
        """One deed; what a rule forbids is left undone."""
        deeds = [
            self.create, self.relate, self.haunt, self.observe, self.forget, self.delete,
            self.rename, self.move, self.hide, self.expire, self.wait, self.purge, self.undo,
            self.restore, self.arrive, self.remember, self.unrelate, self.silent,
        ]  # fmt: skip
        with suppress(RemembrancerError):
            deeds[deed % len(deeds)](x, y)

    def create(self, x: int, y: int) -> None:
        self.library.graph.create([NewEntity(name(x), f"t{y}", (f"n{y}",))], **WINDOW)

    def relate(self, x: int, y: int) -> None:
        self.library.graph.relate([Triple(name(x), name(y), "r")], **WINDOW)

    def haunt(self, x: int, y: int) -> None:
        self.library.graph.relate([Triple(name(x), name(y), "g")], ghosts=True, **WINDOW)

    def observe(self, x: int, y: int) -> None:
        self.library.graph.observe([(name(x), [f"n{y}"])], revive=bool(y % 2), **WINDOW)

    def forget(self, x: int, y: int) -> None:
        self.library.graph.forget([(name(x), [f"n{y}"])], **WINDOW)

    def delete(self, x: int, y: int) -> None:
        self.library.graph.delete([name(x)], **WINDOW)

    def unrelate(self, x: int, y: int) -> None:
        self.library.graph.unrelate([Triple(name(x), name(y), "r")], **WINDOW)

    def rename(self, x: int, y: int) -> None:
        self.library.graph.change(name(x), new_name=name(y), new_type="new", **WINDOW)

    def move(self, x: int, y: int) -> None:
        self.library.memories.revise(self.memory(x), Edit(entity=name(y)), **WINDOW)

    def hide(self, x: int, y: int) -> None:
        desk = self.library.memories
        (desk.archive if y % 2 else desk.revive)(self.memory(x), **WINDOW)

    def expire(self, x: int, y: int) -> None:
        edit = Edit(expires_at=self.clock.at + (y - 1) * 1_000_000 + 1)
        self.library.memories.revise(self.memory(x), edit, **WINDOW)

    def wait(self, x: int, y: int) -> None:
        self.clock.at += x * 1_000_000

    def purge(self, x: int, y: int) -> None:
        self.library.memories.purge(self.memory(x), **WINDOW)

    def restore(self, x: int, y: int) -> None:
        self.library.memories.restore(self.memory(x), y, **WINDOW)

    def remember(self, x: int, y: int) -> None:
        draft = Draft(f"n{next(self.numbers)}", name(x), key=f"k{y}")
        self.library.memories.remember(draft, **WINDOW)

    def undo(self, x: int, y: int) -> None:
        batches = list(dict.fromkeys(line.batch for line in self.library.journal.newest(30)))
        batch = batches[x % len(batches)] if batches else 0
        self.library.journal.undo(batch, force=bool(y % 2), **WINDOW)

    def arrive(self, x: int, y: int) -> None:
        file = self.folder / f"{next(self.numbers)}.jsonl"
        lines = [
            {"type": "entity", **entity(name(x), f"n{y}", "came")},
            {"type": "relation", "from": name(x), "to": name(y), "relationType": "came"},
        ]
        file.write_text("\n".join(map(json.dumps, lines)), "utf-8")
        self.library.transfer.bring_in(file, **WINDOW)

    def silent(self, x: int, y: int) -> None:
        self.library.agents.add(f"agent {next(self.numbers)}", **WINDOW)

    def memory(self, number: int) -> int:
        every = self.library.memories.browse(Filter(state=State.ALL), limit=50)
        return every[number % len(every)].id if every else 0


def name(number: int) -> str:
    return NAMES[number % len(NAMES)]


DEEDS = st.lists(st.tuples(st.integers(0, 17), st.integers(0, 9), st.integers(0, 3)), max_size=25)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(rounds=st.lists(DEEDS, min_size=1, max_size=6))
def test_it_is_the_graph_whatever_was_done(
    empty_store: Path, tmp_path_factory: pytest.TempPathFactory, rounds: list[Any]
) -> None:
    folder, clock = tmp_path_factory.mktemp("deeds"), Hand()
    with Library.open(shutil.copy(empty_store, folder / "memories.db"), clock) as library:
        kept, hands = KnowledgeGraph(library), Hands(library, clock, folder)
        for deeds in rounds:
            for deed in deeds:
                hands.do(*deed)
            agree(kept, library)


def agree(kept: KnowledgeGraph, library: Library) -> None:
    """Assert that a dialect which has read before answers as one that never did."""
    answer, fresh = (d.call("read_graph", {}, FOREVER) for d in (kept, KnowledgeGraph(library)))
    assert text_of(answer) == text_of(fresh)
    assert answer.structured_content == fresh.structured_content
    assert json.loads(text_of(answer)) == answer.structured_content
    graph = library.graph.read()
    names = [node.entity.name for node in graph.nodes]
    assert [e["name"] for e in (answer.structured_content or {})["entities"]] == names
    assert len((answer.structured_content or {})["relations"]) == len(graph.relations)


@pytest.fixture
def reads(library: Library, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """How each look at the graph went: None for all of it, else how many entities were touched."""
    looks: list[Any] = []
    news: Callable[[Any], Any] = library.graph.news

    def look(seen: Any) -> Any:
        found = news(seen)
        looks.append(None if found.touched is None else len(found.touched))
        return found

    monkeypatch.setattr(library.graph, "news", look)
    return looks


def test_only_what_changed_is_read_again(library: Library, clock: Hand, reads: list[Any]) -> None:
    graph = Speaker(KnowledgeGraph(library))
    create(graph, entity("a", "x"), "b", "c")
    for drawn in ("a(x); b; c", "a(x); b; c; a -r-> b", "a(x); b; c; a -r-> b"):
        assert whole(graph) == drawn
        relate(graph, "a -r-> b")
    assert reads == [None, 1, 0]
    soon = clock.at + 1_000_000
    library.memories.remember(Draft("y", "c", expires_at=soon), **WINDOW)
    assert whole(graph) == "a(x); b; c(y); a -r-> b"
    clock.advance(1)
    assert whole(graph) == "a(x); b; c; a -r-> b"
    clock.advance(-2)
    assert whole(graph) == "a(x); b; c(y); a -r-> b"
    assert reads[3:] == [1, None, None]
    for number in range(201):
        library.graph.observe([("b", [f"{number}"])], **WINDOW)
    assert whole(graph) == shown(graph("open_nodes", names=["a", "b", "c"]))
    assert reads[6:] == [None]


def test_a_graph_that_is_too_long_is_not_kept(
    library: Library, reads: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = Speaker(KnowledgeGraph(library))
    assert [whole(graph), whole(graph)] == ["", ""]
    create(graph, entity("a", "x" * 300))
    monkeypatch.setattr(pictures, "LONGEST", 200)
    assert whole(graph) == whole(graph) != ""
    assert reads == [None] * 4


def test_another_process_is_heard(library: Library) -> None:
    graph = Speaker(KnowledgeGraph(library))
    create(graph, "a")
    assert whole(graph) == "a"
    with Library.open(library.path) as other:
        other.graph.create([NewEntity("b", "t", ("x",))], **WINDOW)
    assert whole(graph) == "a; b(x)"
