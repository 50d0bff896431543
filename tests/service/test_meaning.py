"""Finding by meaning, with a model of a few lines: what is kept, followed, told, and ended."""

from __future__ import annotations

import threading
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

# The library's own: two SQLites in one process would take each other's locks away.
from peewee import sqlite3  # pyright: ignore[reportAttributeAccessIssue]

from notation import WINDOW, build
from remembrancer.core.author import Author, AuthorKind
from remembrancer.core.errors import BadValue, Refused
from remembrancer.core.memory import Draft, Edit
from remembrancer.core.models import Load
from remembrancer.core.vectors import Floats
from remembrancer.service.library import Library
from remembrancer.service.meaning import MeaningDesk, MeaningState, Standing

SECONDS = 20.0  # that anything may take
SAME = {"vehicle": "car", "auto": "car", "purchased": "bought"}


class Hashing:
    """Words that mean the same have the same number; a text is the sum of its words' directions."""

    dimensions = 128

    def __init__(self, name: str = "hashing") -> None:
        self.name = name
        self.given: list[str] = []
        self.gate = threading.Event()
        self.gate.set()

    def queries(self, texts: Sequence[str]) -> Floats:
        return np.array([self._vector(text) for text in texts], np.float32)

    def passages(self, texts: Sequence[str]) -> Floats:
        self.gate.wait(SECONDS)
        self.given += texts
        return self.queries(texts)

    def _vector(self, text: str) -> Any:
        numbers = [zlib.crc32(SAME.get(w, w).encode()) for w in text.lower().split()[:500]]
        return sum(np.random.default_rng(n).normal(size=self.dimensions) for n in numbers)


class Open:
    """Opens desks for libraries, and closes them all."""

    def __init__(self) -> None:
        self._desks: list[MeaningDesk] = []
        self._gates: list[threading.Event] = []

    def __call__(self, library: Library, *models: Hashing, load: Load | None = None) -> MeaningDesk:
        loads: dict[str, Load] = {m.name: load or (lambda m=m: m) for m in models}
        self._desks.append(MeaningDesk(library.memories._ground, lambda: loads))
        self._gates.extend(m.gate for m in models)
        return self._desks[-1]

    def close(self) -> None:
        for gate in self._gates:
            gate.set()
        for desk in self._desks:
            desk.close()


@pytest.fixture
def model() -> Hashing:
    return Hashing()


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, store_path: Path) -> Open:
    """Settings are in a folder of the test."""
    monkeypatch.setenv("REMEMBRANCER_HOME", str(tmp_path / "home"))
    return Open()


@pytest.fixture
def library(opened: Open, store_path: Path, clock: Any) -> Iterator[Library]:
    with Library.open(store_path, clock) as library:
        yield library
        opened.close()


CARS = "ann: she bought a car; ann: tea is hot; bob: the vehicle is red; bob: rain again"


def kept(library: Library) -> list[tuple[int, str]]:
    """(memory, model) of every vector in the file."""
    conn = sqlite3.connect(library.path)
    rows = conn.execute("SELECT memory_id, model FROM vector ORDER BY 1").fetchall()
    conn.close()
    return rows


def ids(found: list[tuple[int, float]]) -> list[int]:
    return [memory_id for memory_id, _ in found]


def test_other_words_of_the_same_meaning_are_found(
    library: Library, opened: Open, model: Hashing
) -> None:
    build(library, CARS)
    desk = opened(library, model)
    desk.switch(True)
    assert desk.settle(SECONDS)
    assert desk.state == MeaningState(Standing.READY, "hashing", 4, 4)
    assert (desk.ready, desk.state.share) == (True, 1.0)
    found = desk.nearest("purchased auto", 2)
    assert ids(found) == [1, 3]
    assert found[0][1] == pytest.approx(desk.of("purchased auto", [1, 2, 99])[1])
    assert list(desk.of("purchased auto", [1, 2, 99])) == [1, 2]
    assert ids(desk.nearest("purchased auto", 9, [2, 3, 99])) == [3, 2]
    assert desk.nearest("purchased auto", 0) == []


def test_nothing_runs_unless_it_is_switched_on_on_this_machine(
    library: Library, opened: Open, model: Hashing
) -> None:
    build(library, CARS)
    desk = opened(library, model)
    desk.start()
    assert desk.state == MeaningState(Standing.OFF)
    assert (desk.nearest("car", 5), desk.of("car", [1]), desk.settle(0)) == ([], {}, False)
    desk.switch(True)
    assert desk.settle(SECONDS)
    desk.switch(False)
    assert (desk.state, desk.nearest("car", 5)) == (MeaningState(Standing.OFF), [])
    assert [t.name for t in threading.enumerate() if t.name == "meaning"] == []
    assert len(kept(library)) == 4


def test_a_desk_elsewhere_obeys_the_switch_too(
    library: Library, opened: Open, model: Hashing
) -> None:
    build(library, CARS)
    here, there = opened(library, model), opened(library, Hashing())
    here.switch(True)
    assert there.settle(SECONDS)
    assert ids(there.nearest("tea", 1)) == [2]
    here.switch(False)
    assert there.nearest("tea", 1) == []


def test_without_a_model_it_says_so(library: Library, opened: Open) -> None:
    desk = opened(library)
    desk.switch(True)
    assert desk.state == MeaningState(Standing.NOT_INSTALLED)
    assert (desk.ready, desk.models(), desk.nearest("car", 5)) == (False, (), [])
    with pytest.raises(BadValue):
        desk.choose("another")


def test_only_the_person_sets_it_up(library: Library, opened: Open, model: Hashing) -> None:
    desk, agent = opened(library, model), Author("robin", AuthorKind.AGENT)
    with pytest.raises(Refused, match="Only the person may set up the search by meaning"):
        desk.switch(True, agent)
    with pytest.raises(Refused):
        desk.choose("hashing", agent)
    assert desk.state.standing is Standing.OFF


def test_a_model_that_cannot_be_used_is_told_and_tried_again(
    library: Library, opened: Open, model: Hashing
) -> None:
    build(library, CARS)
    wrong = [ImportError("no engine")]

    def load() -> Hashing:
        if wrong:
            raise wrong.pop()
        return model

    desk = opened(library, model, load=load)
    desk.switch(True)
    assert not desk.settle(SECONDS)
    assert desk.state == MeaningState(Standing.FAILED, "hashing")
    assert desk.nearest("car", 1) == []
    desk.switch(True)
    assert desk.settle(SECONDS)
    assert ids(desk.nearest("tea", 1)) == [2]


def test_it_follows_what_is_written_changed_and_taken_away(
    library: Library, opened: Open, model: Hashing
) -> None:
    build(library, CARS)
    desk = opened(library, model)
    desk.switch(True)
    assert desk.settle(SECONDS)
    library.bell.listen(desk.wake)
    model.gate.clear()
    build(library, "ann: snow and ice")
    library.memories.revise(2, Edit(content="coffee is cold"), **WINDOW)
    library.memories.delete(4, **WINDOW)
    assert [memory_id for memory_id, _ in kept(library)] == [1, 3]
    model.gate.set()
    assert desk.settle(SECONDS)
    assert [memory_id for memory_id, _ in kept(library)] == [1, 2, 3, 5]
    assert desk.state == MeaningState(Standing.READY, "hashing", 4, 4)
    assert ids(desk.nearest("ice", 1)) == [5]
    assert ids(desk.nearest("coffee", 1)) == [2]
    assert 4 not in ids(desk.nearest("rain again", 9))
    library.memories.restore(4, 1, **WINDOW)
    library.memories.purge(5, **WINDOW)
    assert desk.settle(SECONDS)
    assert [memory_id for memory_id, _ in kept(library)] == [1, 2, 3, 4]
    assert ids(desk.nearest("rain again", 1)) == [4]


def test_what_the_file_has_is_read_and_not_made_again(
    library: Library, opened: Open, model: Hashing
) -> None:
    build(library, CARS)
    desk = opened(library, model)
    desk.switch(True)
    assert desk.settle(SECONDS)
    desk.close()
    later = Hashing()
    desk = opened(library, later)
    assert desk.settle(SECONDS)
    assert (later.given, ids(desk.nearest("tea", 1))) == ([], [2])


def test_another_model_makes_all_vectors_anew(library: Library, opened: Open) -> None:
    build(library, CARS)
    desk = opened(library, Hashing("first"), Hashing("second"))
    desk.switch(True)
    assert desk.settle(SECONDS)
    assert (desk.models(), {model for _, model in kept(library)}) == (
        ("first", "second"),
        {"first"},
    )
    desk.choose("second")
    assert desk.settle(SECONDS)
    assert {model for _, model in kept(library)} == {"second"}
    assert desk.state == MeaningState(Standing.READY, "second", 4, 4)
    desk.choose("")
    assert desk.state.model == "first"


def test_the_newest_come_first_and_the_others_are_found_meanwhile(
    library: Library, opened: Open, model: Hashing
) -> None:
    build(library, "; ".join(f"ann: number {n} of many" for n in range(100)))
    told: list[tuple[int, int]] = []
    here = threading.Event()
    desk = opened(library, model)
    desk.listen(lambda done, total: told.append((done, total)))

    def halt(done: int, total: int) -> None:
        if not here.is_set():
            model.gate.clear()
            here.set()

    desk.listen(halt)
    desk.switch(True)
    assert here.wait(SECONDS)
    state = desk.state
    assert (state.standing, state.total, state.takes_part) == (Standing.MAKING, 100, True)
    assert 0 < state.share < 1
    assert "number 99 of many" in model.given
    assert "number 0 of many" not in model.given
    assert ids(desk.nearest("99", 1)) == [100]
    model.gate.set()
    assert desk.settle(SECONDS)
    assert told == sorted(told)
    assert told[-1] == (100, 100)


def test_two_at_the_same_store_share_the_work(
    library: Library, opened: Open, model: Hashing
) -> None:
    build(library, "; ".join(f"ann: number {n} of many" for n in range(200)))
    one, other = opened(library, model), opened(library, Hashing())
    one.switch(True)
    other.start()
    assert one.settle(SECONDS)
    assert other.settle(SECONDS)
    assert len(kept(library)) == 200
    for desk in (one, other):
        assert desk.state == MeaningState(Standing.READY, "hashing", 200, 200)
        assert ids(desk.nearest("150", 1)) == [151]


def test_a_text_that_changed_meanwhile_gets_no_old_vector(
    library: Library, opened: Open, model: Hashing
) -> None:
    build(library, "ann: tea")
    model.gate.clear()
    desk = opened(library, model)
    desk.switch(True)
    library.memories.revise(1, Edit(content="coffee"), **WINDOW)
    model.gate.set()
    assert desk.settle(SECONDS)
    assert desk.of("coffee", [1])[1] == pytest.approx(1, abs=0.01)
    assert desk.of("tea", [1])[1] < 0.5


@pytest.mark.parametrize(
    "text", ["", " \n", "\0", "\ud800", "x" * 200_000, "' OR 1=1 --", "👩‍👩‍👧"]
)
def test_no_text_whatever_raises(library: Library, opened: Open, model: Hashing, text: str) -> None:
    build(library, CARS)
    library.memories.remember(Draft("y " * 90_000, "ann"), **WINDOW)
    desk = opened(library, model)
    desk.switch(True)
    assert desk.settle(SECONDS)
    assert len(desk.nearest(text, 3)) in (0, 3)
    assert len(desk.of(text, range(100))) in (0, 5)


def test_a_vector_that_is_not_whole_is_made_again(
    library: Library, opened: Open, model: Hashing
) -> None:
    build(library, "ann: tea")
    store = library.memories._ground.store
    spoilt = "INSERT INTO vector SELECT id, 'hashing', digest, x'00' FROM memory"
    store.write(lambda: store.connections.sql(spoilt))
    desk = opened(library, model)
    desk.switch(True)
    assert desk.settle(SECONDS)
    assert ids(desk.nearest("tea", 1)) == [1]


def test_a_listener_that_fails_stops_nothing(
    library: Library, opened: Open, model: Hashing, caplog: pytest.LogCaptureFixture
) -> None:
    build(library, CARS)
    desk = opened(library, model)

    def fail(done: int, total: int) -> None:
        raise ZeroDivisionError

    stop = desk.listen(fail)
    desk.switch(True)
    assert desk.settle(SECONDS)
    assert "A listener to the making of vectors failed" in caplog.text
    stop()
    caplog.clear()
    build(library, "ann: snow")
    assert desk.settle(SECONDS)
    assert caplog.text == ""


def test_it_ends_at_once_in_the_middle_of_the_work(
    library: Library, opened: Open, model: Hashing
) -> None:
    build(library, "; ".join(f"ann: number {n} of many" for n in range(100)))
    begun = threading.Event()
    desk = opened(library, model)
    desk.listen(lambda done, total: begun.set())
    desk.switch(True)
    assert begun.wait(SECONDS)
    desk.close()
    library.close()
    assert [t for t in threading.enumerate() if t.name == "meaning"] == []
    assert (desk.state.standing, desk.nearest("99", 1)) == (Standing.OFF, [])


def test_many_threads_may_ask_while_it_works(
    library: Library, opened: Open, model: Hashing
) -> None:
    build(library, "; ".join(f"ann: number {n} of many" for n in range(100)))
    desk = opened(library, model)
    desk.switch(True)
    found: list[int] = []

    def ask(number: int) -> None:
        for n in range(number, 100, 4):
            found.append(len(desk.nearest(f"{n}", 3)))

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SECONDS)
    assert len(found) == 100
    assert desk.settle(SECONDS)
    assert ids(desk.nearest("42", 1)) == [43]
