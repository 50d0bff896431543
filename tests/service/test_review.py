"""The queue of review: what the person is asked about, in which order, and self-approval."""

from __future__ import annotations

import pytest

from conftest import Hand
from remembrancer.core.author import PERSON, Author, AuthorKind
from remembrancer.core.clock import DAY
from remembrancer.core.entity import Scope
from remembrancer.core.errors import Refused
from remembrancer.core.filters import Filter, State
from remembrancer.core.memory import Draft, Edit, Memory
from remembrancer.core.recall import Question
from remembrancer.core.review import Reason
from remembrancer.core.risk import Cause
from remembrancer.core.scheduling import EVERY
from remembrancer.service.desk import Doing
from remembrancer.service.graph import NewEntity
from remembrancer.service.library import Library

CURSOR = Author("cursor", AuthorKind.AGENT)
AGENT: Doing = {"author": CURSOR, "origin": "native"}
ME: Doing = {"author": PERSON, "origin": "window"}


@pytest.fixture(autouse=True)
def _nas(library: Library) -> None:
    names = [NewEntity("nas", "device"), NewEntity("house", "place")]
    library.graph.create(names, **ME)


def write(library: Library, text: str, entity: str = "nas", key: str | None = None) -> Memory:
    return library.memories.remember(Draft(text, entity, key, confidence=0.8), **AGENT)


def test_an_agent_cannot_take_its_own_memory_out_of_the_persons_queue(library: Library) -> None:
    memory = write(library, "The share is called backup")
    after = library.memories.revise(memory.id, Edit(verified=True), **AGENT)
    assert (after.verified_by, after.review_days) == ("cursor", None)
    assert library.memories.count(Filter(state=State.REVIEW)) == 0  # the agents' own queue
    assert list(library.review.ordered()) == [memory.id]
    assert library.review.count() == 1
    assert library.review.waits([memory.id]) == {memory.id}
    assert Cause.ONLY_AN_AGENT in {f.cause for f in library.review.why(memory.id)}
    library.memories.verify(memory.id, **ME)
    assert library.review.count() == 0


def test_an_agents_word_after_the_persons_does_not_move_the_persons_date(
    library: Library, clock: Hand
) -> None:
    memory = write(library, "The share is called backup")
    library.memories.verify(memory.id, **ME)
    clock.advance(60)
    library.memories.revise(memory.id, Edit(verified=True), **AGENT)
    assert library.review.count() == 0
    clock.advance(31)  # 91 days after the person's, 31 after the agent's
    assert list(library.review.ordered()) == [memory.id]


def test_words_that_an_agent_changed_and_verified_wait_for_the_person(library: Library) -> None:
    memory = write(library, "The share is called backup")
    library.memories.verify(memory.id, **ME)
    library.memories.revise(memory.id, Edit(content="It is called b2", verified=True), **AGENT)
    assert list(library.review.ordered()) == [memory.id]


def test_what_was_served_and_what_is_contradicted_comes_first(library: Library) -> None:
    plain = write(library, "It hums")
    served = write(library, "The printer stands upstairs")
    against = write(library, "Port 443", key="port")
    other = write(library, "Port 8443", "house", "port")
    library.scopes.set("house", Scope.SHARED, members=(), expected=0, confirmed=True, **ME)
    for _ in range(9):
        library.recall.serve(Question("printer upstairs", "nas"), CURSOR)
    library.memories.remember(Draft("unfiled"), **ME)  # receipts are written before it
    order = list(library.review.ordered())
    assert set(order[:2]) == {against.id, other.id}
    assert order[2:4] == [served.id, plain.id]
    causes = {f.cause: f for f in library.review.why(served.id)}
    assert causes[Cause.SERVED].amount == 9
    assert library.review.served([served.id, plain.id])[served.id][0] == 9


def test_a_reason_keeps_its_memories_alone_in_the_same_order(library: Library) -> None:
    write(library, "It hums")
    doubted = library.memories.remember(Draft("It sings", "nas", confidence=0.1), **AGENT)
    assert list(library.review.ordered(Reason.LOW_CONFIDENCE)) == [doubted.id]
    assert library.review.ordered()[0] == doubted.id


def test_confirming_moves_the_next_date_and_undo_moves_it_back(
    library: Library, clock: Hand
) -> None:
    memory = write(library, "The share is called backup")
    library.memories.verify(memory.id, **ME)
    clock.advance(91)
    shown = library.review.outlook(library.memories.get(memory.id))
    assert (shown.now, shown.confirmed, shown.corrected) == (90, 180, 30)
    after = library.memories.verify(memory.id, **ME)
    assert after.review_days == 180
    assert after.due_at == (after.verified_at or 0) + 180 * DAY + 1
    library.journal.undo(library.journal.newest(1)[0].batch, **ME)
    assert library.memories.get(memory.id).review_days is None


def test_the_steps_are_the_persons_to_choose(library: Library, clock: Hand) -> None:
    library.review.set_steps(EVERY, (100, 200))
    library.review.set_steps("fact", (95,))
    memory = write(library, "The share is called backup")
    library.memories.verify(memory.id, **ME)
    clock.advance(91)
    assert library.memories.verify(memory.id, **ME).review_days == 95
    library.review.set_steps("fact", ())
    assert library.review.steps() == {EVERY: (100, 200)}
    with pytest.raises(Refused):
        library.review.set_steps(EVERY, (5,), CURSOR)


def test_a_session_is_taken_back_in_one_deed_except_what_changed_since(library: Library) -> None:
    kept = [write(library, f"Disk {n} is new") for n in range(3)]
    batches = list[int]()
    for memory in kept:
        library.memories.archive(memory.id, **ME)
        batches.append(library.journal.newest(1)[0].batch)
    library.memories.revive(kept[2].id, **AGENT)
    found = library.review.undo_session(batches, **ME)
    assert (found.undone, found.kept) == (2, 1)
    assert library.review.count() == 3
    lines = library.journal.newest(2)
    assert {x.batch for x in lines} == {lines[0].batch}
    library.journal.undo(lines[0].batch, **ME)
    assert library.review.count() == 1
