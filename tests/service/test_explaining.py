"""Why a memory is served for a question or not: one true reason, with its facts."""

from __future__ import annotations

import pytest

from conftest import Hand
from notation import WINDOW, build
from remembrancer.core.author import Access, Author, AuthorKind
from remembrancer.core.clock import DAY
from remembrancer.core.errors import NotFound
from remembrancer.core.explaining import Explanation, Verdict
from remembrancer.core.filters import Filter, State
from remembrancer.core.memory import Draft, Edit, Status
from remembrancer.core.ranking import Signal
from remembrancer.core.recall import Question
from remembrancer.service.library import Library

NETWORK = """\
edge: the uplink on ether1
core: the uplink of the core
far: the uplink far away
edge: it is grey
core -feeds-> edge"""
ROBIN = Author("robin", AuthorKind.AGENT)
LOCKED = Author("wren", AuthorKind.AGENT, Access.READ, entity="edge")


def number(library: Library, content: str) -> int:
    """The id of the memory that has exactly this content."""
    known = [
        m
        for state in (State.ALL, State.DELETED)
        for m in library.memories.browse(Filter(state=state), limit=1_000)
    ]
    return next(m.id for m in known if m.content == content)


def explained(library: Library, content: str, question: Question) -> Explanation:
    return library.recall.explain(question, number(library, content))


def test_what_is_served_is_told_its_place_and_its_evidence(library: Library) -> None:
    build(library, NETWORK)
    found = explained(library, "the uplink on ether1", Question("uplink"))
    assert found.verdict is Verdict.SERVED
    assert found.place is not None
    assert (found.place.place, found.place.among) == (3, 3)
    assert found.hit is not None
    assert found.hit.evidence[0].signal is Signal.WORDS


def test_what_was_deleted_archived_or_expired_is_told_so(library: Library, clock: Hand) -> None:
    build(library, NETWORK)
    uplink = number(library, "the uplink on ether1")
    library.memories.revise(uplink, Edit(expires_at=clock.at + DAY), **WINDOW)
    question = Question("uplink", "edge")
    assert library.recall.explain(question, uplink).verdict is Verdict.SERVED
    clock.advance(2)
    assert library.recall.explain(question, uplink).verdict is Verdict.EXPIRED
    library.memories.revise(uplink, Edit(status=Status.ARCHIVED), **WINDOW)
    assert library.recall.explain(question, uplink).verdict is Verdict.ARCHIVED
    library.memories.delete(uplink, **WINDOW)
    assert library.recall.explain(question, uplink).verdict is Verdict.DELETED
    with pytest.raises(NotFound):
        library.recall.explain(question, uplink, ROBIN)


def test_another_entity_is_out_of_reach_and_what_applies_is_told(library: Library) -> None:
    build(library, f"{NETWORK}; : uplink of nobody; rules: uplink for all; rules = shared")
    question = Question("uplink", "edge")
    found = explained(library, "the uplink far away", question)
    assert found.verdict is Verdict.OUT_OF_REACH
    assert found.range is not None
    assert found.range.selected == "edge"
    assert sorted(s.entity for s in found.range.scopes) == ["edge", "rules"]
    assert not found.range.related_only
    unfiled = explained(library, "uplink of nobody", question)
    assert unfiled.verdict is Verdict.OUT_OF_REACH
    assert explained(library, "uplink for all", question).verdict is Verdict.SERVED


def test_what_is_related_is_out_of_reach_only_where_that_is_not_wanted(library: Library) -> None:
    build(library, NETWORK)
    related = Question("uplink", "edge")
    assert explained(library, "the uplink of the core", related).verdict is Verdict.SERVED
    found = explained(
        library, "the uplink of the core", Question("uplink", "edge", include_related=False)
    )
    assert found.verdict is Verdict.OUT_OF_REACH
    assert found.range is not None
    assert found.range.related_only


def test_without_a_word_asked_for_it_is_told_what_was_looked_for(library: Library) -> None:
    build(library, NETWORK)
    found = explained(library, "it is grey", Question("uplinks", "edge"))
    assert found.verdict is Verdict.NO_WORDS
    assert found.words is not None
    assert found.words.looked_for == (("uplinks", ("uplink",)),)
    assert found.words.similar == ()
    symbols = explained(library, "it is grey", Question("***", "edge"))
    assert symbols.verdict is Verdict.NO_WORDS
    assert symbols.words is not None
    assert symbols.words.looked_for == ()


def test_a_misspelling_of_a_word_that_others_have_is_no_hit(library: Library) -> None:
    build(library, "edge: the uplink; edge: the uplonk")
    found = explained(library, "the uplonk", Question("uplink", "edge"))
    assert found.verdict is Verdict.NO_WORDS
    assert found.words is not None
    assert [(e.signal, e.asked, e.seen) for e in found.words.similar] == [
        (Signal.MISSPELT, "uplink", "uplonk")
    ]


def test_beyond_the_limit_it_is_beaten(library: Library) -> None:
    build(library, NETWORK)
    question = Question("uplink ether1", limit=1)
    found = explained(library, "the uplink far away", question)
    assert found.verdict is Verdict.BEATEN
    assert found.place is not None
    assert found.hit is not None
    assert found.place.last is not None
    assert found.place.place > 1
    assert found.place.among == 3
    assert found.place.last.memory.content == "the uplink on ether1"
    assert found.place.last.score > found.hit.score


def test_far_down_it_is_beaten_with_its_place_among_all(library: Library) -> None:
    build(library, "edge: uplink first")
    crowd = [("edge", [f"uplink uplink uplink {n}" for n in range(80)])]
    library.graph.observe(crowd, **WINDOW)
    question = Question("uplink", "edge", limit=1)
    answer = library.recall.ask(question)
    found = explained(library, "uplink first", question)
    assert found.verdict is Verdict.BEATEN
    assert found.room is None
    assert found.place is not None
    assert found.place.among == 81
    assert found.place.place > len(answer.items) + len(answer.left)
    assert found.hit is not None
    assert found.hit.evidence[0].signal is Signal.WORDS


def test_what_does_not_fit_says_how_much_it_needs(library: Library) -> None:
    build(library, f"{NETWORK}; edge: uplink {'word ' * 400}end")
    question = Question("uplink", "edge", max_characters=1_500)
    long = f"uplink {'word ' * 400}end"
    found = explained(library, long, question)
    assert found.verdict is Verdict.TOO_LONG
    assert found.room is not None
    assert found.room.needs > 2_000 > found.room.left > 0
    more = Question("uplink", "edge", max_characters=3_500)
    assert explained(library, long, more).verdict is Verdict.SERVED


def test_without_a_question_the_newest_are_looked_at(library: Library) -> None:
    build(library, "edge: first of all")
    library.graph.observe([("edge", [f"note {n}" for n in range(250)])], **WINDOW)
    found = explained(library, "first of all", Question(entity="edge"))
    assert found.verdict is Verdict.NOT_LOOKED_AT
    assert found.crowd is not None
    assert found.crowd.words == ()
    assert found.crowd.looked_at == 200


def test_among_very_many_with_the_same_word_only_some_are_looked_at(library: Library) -> None:
    build(library, "edge: uplink, and many more words that make it longer than the others are")
    library.graph.observe([("edge", [f"uplink {n}" for n in range(900)])], **WINDOW)
    content = "uplink, and many more words that make it longer than the others are"
    found = explained(library, content, Question("uplink"))
    assert found.verdict is Verdict.NOT_LOOKED_AT
    assert found.crowd is not None
    [(word, count)] = found.crowd.words
    assert word == "uplink: as a word"
    assert count == pytest.approx(901, rel=0.1)
    assert 0 < found.crowd.looked_at < 900
    assert found.crowd.newer


def test_a_pinned_one_is_served_without_a_word_of_the_question(library: Library) -> None:
    build(library, NETWORK)
    library.memories.revise(number(library, "it is grey"), Edit(pinned=True), **WINDOW)
    found = explained(library, "it is grey", Question("uplink", "edge"))
    assert found.verdict is Verdict.SERVED
    assert found.hit is not None
    assert found.hit.mandatory
    assert found.place is not None
    assert found.place.place == 1


def test_under_a_lock_every_other_id_is_told_the_same(library: Library) -> None:
    build(library, NETWORK)
    other = number(library, "the uplink far away")
    gone = number(library, "the uplink of the core")
    library.memories.delete(gone, **WINDOW)
    told = [library.recall.explain(Question("uplink"), n, LOCKED) for n in (other, gone, 999)]
    assert told == [Explanation(Verdict.LOCKED, None)] * 3
    own = library.recall.explain(
        Question("uplink"), number(library, "the uplink on ether1"), LOCKED
    )
    assert own.verdict is Verdict.SERVED
    assert own.place is not None
    assert own.place.among == 1


def test_there_is_no_explanation_of_what_is_not_there(library: Library) -> None:
    with pytest.raises(NotFound):
        library.recall.explain(Question("uplink"), 7)
    build(library, NETWORK)
    with pytest.raises(NotFound, match="never substitutes"):
        library.recall.explain(Question("uplink", "toaster"), 1)


@pytest.mark.parametrize("query", ["", " ", '"', "a AND (", "*", "日本", "\u200b", "uplink*" * 99])
def test_no_query_fails(library: Library, query: str) -> None:
    build(library, NETWORK)
    for memory_id in range(1, 5):
        for entity in (None, "edge"):
            library.recall.explain(Question(query, entity), memory_id)


def test_what_is_explained_as_served_is_what_is_served(library: Library) -> None:
    build(library, NETWORK)
    library.graph.observe([("edge", [f"ether1 and uplink {n} {'x' * n}" for n in range(60)])],
                          **WINDOW)  # fmt: skip
    library.memories.remember(Draft("rule", "edge", pinned=True), **WINDOW)
    for question in (
        Question("uplink ether1 5", "edge", limit=4),
        Question("uplink", max_characters=900),
        Question(entity="edge"),
    ):
        served = {h.memory.id for h in library.recall.ask(question).items}
        told = {i: library.recall.explain(question, i).verdict for i in range(1, 66)}
        assert {i for i, verdict in told.items() if verdict is Verdict.SERVED} == served
