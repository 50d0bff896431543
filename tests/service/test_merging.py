"""Merging: what moves, collapses and collides, the former name, and the way apart."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from notation import WINDOW, build, sketch
from remembrancer.core.author import Access, Author, AuthorKind
from remembrancer.core.errors import Conflict, Refused
from remembrancer.core.filters import Filter
from remembrancer.core.memory import Draft, Memory, Status
from remembrancer.service.desk import Doing
from remembrancer.service.library import Library

AGENT: Doing = {"author": Author("robin", AuthorKind.AGENT, Access.WRITE), "origin": "native"}


def note(library: Library, text: str, tags: tuple[str, ...] = ()) -> Memory:
    return library.memories.remember(Draft(text, tags=tags), **WINDOW)


def undo_last(library: Library) -> None:
    library.journal.undo(library.journal.newest(1)[0].batch, author=WINDOW["author"], origin="undo")


def test_one_memory_stays_with_the_text_chosen_and_the_other_is_superseded_in_one_deed(
    library: Library,
) -> None:
    one, other = note(library, "Tea at four", ("tea",)), note(library, "Tea is at four", ("daily",))
    stays = library.merging.memories(one.id, [other.id], content="Tea is served at four", **WINDOW)
    gone = library.memories.get(other.id)
    assert (stays.content, stays.tags) == ("Tea is served at four", ("tea", "daily"))
    assert (gone.status, gone.superseded_by) == (Status.ARCHIVED, one.id)
    assert len({line.batch for line in library.journal.newest(2)}) == 1
    undo_last(library)
    assert library.memories.get(one.id).content == "Tea at four"
    assert library.memories.get(other.id).superseded_by is None


def test_differing_numbers_have_to_be_confirmed(library: Library) -> None:
    one, other = note(library, "It listens on port 8080"), note(library, "It listens on port 8081")
    assert library.merging.preview_memories(one.id, [other.id]).asks
    with pytest.raises(Refused, match="numbers"):
        library.merging.memories(one.id, [other.id], **WINDOW)
    library.merging.memories(one.id, [other.id], confirmed=True, **WINDOW)


def test_an_agent_may_not_merge(library: Library) -> None:
    build(library, "ann; anne")
    with pytest.raises(Refused, match="Only the person"):
        library.merging.entities("ann", "anne", **AGENT)


def test_a_preview_tells_what_would_happen_and_changes_nothing(library: Library) -> None:
    build(
        library,
        "ann: likes tea; anne: likes tea; anne: has a cat; ann/drink: tea; anne/drink: "
        "coffee; anne -knows-> bob; ann -knows-> bob; anne -is-> ann; anne -has-> cat",
    )
    before = sketch(library)
    seen = library.merging.preview_entities("ann", "anne")
    assert [m.content for m in seen.plan.moved] == ["has a cat"]
    assert [m.theirs.content for m in seen.plan.same] == ["likes tea"]
    assert [m.ours.key for m in seen.plan.collisions] == ["drink"]
    assert [[r.target for r in each] for each in (seen.relations, seen.double, seen.dropped)] == [
        ["cat"], ["bob"], ["ann"]]  # fmt: skip
    assert sketch(library) == before


def test_a_key_of_both_is_asked_about_and_the_loser_is_archived(library: Library) -> None:
    build(library, "ann/drink: tea; anne/drink: coffee")
    with pytest.raises(Conflict, match="drink"):
        library.merging.entities("ann", "anne", **WINDOW)
    [meeting] = library.merging.preview_entities("ann", "anne").plan.collisions
    library.merging.entities("ann", "anne", keys={"drink": meeting.theirs.id}, **WINDOW)
    assert library.memories.get(meeting.theirs.id).key == "drink"
    assert library.memories.get(meeting.ours.id).superseded_by == meeting.theirs.id


def test_what_an_agent_writes_under_the_former_name_goes_to_the_merged_entity(
    library: Library,
) -> None:
    build(library, "ann: likes tea; anne: has a cat")
    library.merging.entities("ann", "anne", **WINDOW)
    library.graph.observe([("anne", ["sings"])], **AGENT)
    assert library.memories.remember(Draft("dances", "anne"), **AGENT).entity == "ann"
    assert library.graph.named("anne").name == "ann"
    assert library.merging.aliases("ann") == ["anne"]
    found = library.memories.browse(Filter(entity="anne"), limit=10)
    assert {m.content for m in found} == {"likes tea", "has a cat", "sings", "dances"}


def test_a_former_name_is_followed_through_two_merges(library: Library) -> None:
    build(library, "a: one; b: two; c: three")
    library.merging.entities("b", "a", **WINDOW)
    library.merging.entities("c", "b", **WINDOW)
    assert library.graph.named("a").name == "c"


def test_names_with_other_digits_and_wider_scopes_have_to_be_confirmed(library: Library) -> None:
    build(library, "server-12; server-13; all = shared; one: has a cat")
    for keep, other in (("server-12", "server-13"), ("all", "one")):
        with pytest.raises(Refused):
            library.merging.entities(keep, other, **WINDOW)
        library.merging.entities(keep, other, confirmed=True, **WINDOW)


def test_an_agent_locked_to_the_other_is_locked_to_the_one_that_stays_until_undone(
    library: Library,
) -> None:
    build(library, "ann; anne")
    library.agents.add("robin", entity="anne", **WINDOW)
    assert library.merging.preview_entities("ann", "anne").agents == ("robin",)
    library.merging.entities("ann", "anne", **WINDOW)
    robin = library.agents.named("robin")
    assert robin is not None
    assert robin.entity == "ann"
    undo_last(library)
    robin = library.agents.named("robin")
    assert robin is not None
    assert robin.entity == "anne"


ENDS = st.sampled_from(["ann", "anne", "bob"])
STATEMENTS = st.one_of(
    st.builds("{}: {}".format, ENDS, st.sampled_from(["tea", "a cat", "sings"])),
    st.builds("{}/{}: {}".format, ENDS, st.sampled_from("kl"), st.sampled_from("xyz")),
    st.builds("{} -{}-> {}".format, ENDS, st.sampled_from(["knows", "is"]), ENDS),
    st.just("site = {anne}"),
)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(STATEMENTS, max_size=8))
def test_merging_and_undoing_gives_the_same_as_before_and_undoing_that_merges_again(
    library: Library, statements: list[str]
) -> None:
    names = [name for name in ("ann", "anne", "bob", "site") if _is_there(library, name)]
    library.graph.delete(names, **WINDOW)
    build(library, "ann; anne")
    for statement in statements:
        try:
            build(library, statement)
        except (Conflict, Refused):
            continue
    before = sketch(library)
    collisions = library.merging.preview_entities("ann", "anne").plan.collisions
    keys = {str(each.ours.key): each.theirs.id for each in collisions}
    library.merging.entities("ann", "anne", keys=keys, confirmed=True, **WINDOW)
    merged = sketch(library)
    undo_last(library)
    assert sketch(library) == before
    assert library.graph.named("anne").name == "anne"
    undo_last(library)
    assert sketch(library) == merged
    assert library.graph.named("anne").name == "ann"


def _is_there(library: Library, name: str) -> bool:
    return any(e.name == name for e in library.map.entities(limit=100))
