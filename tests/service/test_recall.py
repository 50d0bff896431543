"""What a question can reach: the library as a whole, or what applies to one entity."""

from __future__ import annotations

import pytest

from notation import WINDOW, build
from remembrancer.core.author import PERSON, Access, Author, AuthorKind
from remembrancer.core.entity import Scope
from remembrancer.core.errors import NotFound
from remembrancer.core.filters import Filter
from remembrancer.core.memory import Draft, Edit
from remembrancer.core.recall import Question, Recall
from remembrancer.service.library import Library

NETWORK = """\
edge: uplink on ether1
edge/dns: 1.1.1.1
policy: no telnet; policy/dns: 9.9.9.9
site: power fails on Sundays
core: neighbour of edge
far: nothing to do with it
policy = shared; site = {edge}
core -feeds-> edge; far -feeds-> core
: a loose end"""


def ask(library: Library, query: str = "", entity: str | None = None) -> Recall:
    return library.recall.ask(Question(query, entity))


def contents(found: Recall) -> set[str]:
    return {h.memory.content for h in found.items}


def test_an_entity_is_told_what_applies_to_it_and_what_is_near(library: Library) -> None:
    build(library, NETWORK)
    found = ask(library, entity="edge")
    assert {h.memory.entity: h.reasons[0] for h in found.items} == {
        "edge": "Selected entity",
        "policy": "Shared across all devices",
        "site": "Explicit group membership",
        "core": "Related context only — not inherited policy",
    }
    assert [s.entity for s in found.scopes] == ["policy", "edge", "site"]


def test_without_an_entity_the_whole_library_is_searched(library: Library) -> None:
    build(library, NETWORK)
    assert "a loose end" in contents(ask(library))
    assert contents(ask(library, "neighbour")) == {"neighbour of edge"}
    assert not any(h.mandatory for h in ask(library).items)


def test_words_are_found_in_their_other_forms(library: Library) -> None:
    build(library, "edge: the routers were restarted; edge: Die Häuser am See")
    assert "the routers were restarted" in contents(ask(library, "router restart"))
    assert "Die Häuser am See" in contents(ask(library, "haus", "edge"))


@pytest.mark.parametrize(
    "query", ["", " ", '"', "a AND (", "*", "ether1*", "NEAR(", "日本", "\u200b"]
)
def test_no_query_fails(library: Library, query: str) -> None:
    build(library, NETWORK)
    for entity in (None, "edge"):
        ask(library, query, entity)


def test_values_that_disagree_are_conflicts_among_what_applies(library: Library) -> None:
    build(library, NETWORK)
    [conflict] = ask(library, "zebra", "edge").conflicts
    assert conflict.key == "dns"
    assert [m.content for m in conflict.memories] == ["1.1.1.1", "9.9.9.9"]
    assert ask(library, "zebra").conflicts == ()
    record = library.scopes.get("policy")
    library.scopes.set("policy", Scope.DEVICE, expected=record.revision, **WINDOW)
    assert ask(library, "zebra", "edge").conflicts == ()


def test_a_small_entity_is_found_among_many_others(library: Library) -> None:
    build(library, "edge: uplink of the edge; other")
    crowd = [("other", [f"uplink uplink uplink {n}" for n in range(2_500)])]
    library.graph.observe(crowd, **WINDOW)
    assert contents(ask(library, "uplink", "edge")) == {"uplink of the edge"}


def test_an_unknown_entity_is_never_replaced_by_another(library: Library) -> None:
    build(library, NETWORK)
    with pytest.raises(NotFound, match="never substitutes"):
        ask(library, entity="edge2")


def test_a_locked_author_gets_its_own_and_nothing_else(library: Library) -> None:
    build(library, NETWORK)
    author = Author("robin", AuthorKind.AGENT, Access.READ, entity="site")
    for question in (Question(), Question("power", "site"), Question("edge dns")):
        found = library.recall.ask(question, author)
        assert contents(found) <= {"power fails on Sundays"}
        assert [(s.entity, s.members) for s in found.scopes] == [("site", ())]
        assert found.conflicts == ()
    with pytest.raises(NotFound):
        library.recall.ask(Question(entity="edge"), author)


def test_the_review_interval_of_the_person_counts(library: Library) -> None:
    build(library, "edge")
    memory = library.memories.remember(Draft("x", "edge"), **WINDOW)
    library.memories.revise(memory.id, Edit(verified=True), **WINDOW)
    library.review.set_interval(1, PERSON)
    [before] = ask(library, entity="edge").items
    assert before.reasons == ("Selected entity",)


def test_what_was_served_is_counted_for_each_agent(library: Library) -> None:
    build(library, NETWORK)
    memory = library.memories.browse(Filter(words="telnet"))[0]
    library.recall.ask(Question("telnet"))
    for name in ("robin", "robin", "wren"):
        library.recall.serve(Question("telnet"), Author(name, AuthorKind.AGENT))
    library.upkeep.tidy()  # receipts are written behind the reader's back
    receipts = [r[:3] for r in library.memories.receipts(memory.id)]
    assert receipts == [("robin", 2, 18), ("wren", 1, 9)]
