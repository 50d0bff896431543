"""The demonstration shows every feature, is the same every time, and never disturbs a store."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import Hand
from remembrancer.core.author import PERSON
from remembrancer.core.clock import DAY
from remembrancer.core.entity import Scope
from remembrancer.core.filters import Filter, State
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Draft
from remembrancer.core.recall import Question
from remembrancer.core.review import Reason
from remembrancer.service.demo import fill
from remembrancer.service.library import Library


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Library:
    library = Library.open(tmp_path_factory.mktemp("demo") / "demo.db", Hand())
    fill(library)
    return library


def test_it_is_of_a_size_to_look_around_in(demo: Library) -> None:
    assert demo.map.count() >= 60
    assert demo.memories.count(Filter(state=State.ALL)) >= 150


@pytest.mark.parametrize("state", State)
def test_every_state_can_be_seen(demo: Library, state: State) -> None:
    assert demo.memories.count(Filter(state=state)) > 0


def test_memories_are_of_many_kinds_and_authors(demo: Library) -> None:
    found = demo.memories.browse(Filter(state=State.ALL), limit=1_000)
    assert len({m.kind for m in found}) >= len(Kind) - 1
    assert {m.author for m in found} == {"claude-code", "cursor", "import", "you"}


def test_every_reason_for_review_can_be_seen(demo: Library) -> None:
    queue = demo.review.queue(1_000)
    assert {reason for memory in queue for reason in demo.review.reasons(memory)} == set(Reason)
    assert len(queue) < demo.memories.count(Filter()) * 2 / 3


def test_every_scope_and_some_ghosts_can_be_seen(demo: Library) -> None:
    nodes, _ = demo.map.drawing()
    assert {node.scope for node in nodes} == set(Scope)
    assert {node.name for node in nodes if node.ghost} == {
        "influxdb",
        "Kasia",
        "PIM export",
        "Wallbox garage",
    }


def test_recall_shows_constraints_and_a_conflict(demo: Library) -> None:
    answer = demo.recall.ask(Question("ntp server firmware", "core-sw"))
    assert [c.key for c in answer.conflicts] == ["ntp-server"]
    assert sum(hit.mandatory for hit in answer.items) >= 4


def test_some_memory_was_revised_by_several(demo: Library) -> None:
    found = demo.memories.browse(Filter(state=State.ALL), limit=1_000)
    histories = [demo.memories.history(m.id) for m in found]
    assert max(len({line.author for line in lines}) for lines in histories) >= 3


def test_it_happened_over_the_last_months_and_not_in_the_future(demo: Library) -> None:
    now = demo.clock()
    times = [line.at for line in demo.journal.after(0, 10_000)]
    assert times == sorted(times)
    assert times[0] < now - 190 * DAY
    assert now - DAY < times[-1] <= now


def test_the_store_is_sound(demo: Library) -> None:
    assert demo.upkeep.problems() == []


def test_it_is_the_same_every_time(demo: Library, tmp_path: Path) -> None:
    with Library.open(tmp_path / "again.db", Hand()) as again:
        fill(again)
        again.transfer.send_out(tmp_path / "again.jsonl")
    demo.transfer.send_out(tmp_path / "demo.jsonl")
    first, second = ((tmp_path / f"{n}.jsonl").read_bytes() for n in ("demo", "again"))
    assert first.split(b"\n")[1:] == second.split(b"\n")[1:]


def test_a_store_in_use_is_left_alone(library: Library) -> None:
    library.memories.remember(Draft("mine"), author=PERSON, origin="test")
    head = library.journal.head()
    assert (fill(library), library.journal.head()) == (False, head)


def test_the_window_hears_of_it(library: Library) -> None:
    rings: list[int] = []
    library.bell.listen(lambda: rings.append(1))
    assert fill(library)
    assert rings == [1]
