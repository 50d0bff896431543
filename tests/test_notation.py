"""The notation of the tests says what it means."""

from __future__ import annotations

from notation import WINDOW, build, sketch
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Draft, Status
from remembrancer.service.graph import Triple
from remembrancer.service.library import Library

SMALL = """\
ann:person
bob:thing
policy:thing = shared
site:place = {ann, bob}
ann -knows-> bob
bob -at-> site
: loose end
ann/drink: coffee
ann: likes tea
policy: be kind: always"""


def test_what_is_built_is_sketched(library: Library) -> None:
    build(library, "ann:person -knows-> bob -at-> site:place; ann: likes tea; ann/drink: coffee")
    build(library, "policy = shared\n policy: be kind: always\n: loose end\nsite = {bob, ann}")
    assert sketch(library) == SMALL


def test_a_sketch_can_be_built_again(library: Library) -> None:
    assert sketch(build(library, SMALL)) == SMALL


def test_an_empty_library_is_an_empty_sketch(library: Library) -> None:
    assert sketch(library) == ""


def test_a_sketch_shows_what_is_unusual(library: Library) -> None:
    build(library, "ann:person")
    library.graph.relate([Triple("ann", "zoe", "knows")], ghosts=True, **WINDOW)
    draft = Draft("x", "ann", kind=Kind.LESSON, pinned=True, source="call", title="T", tags=("t",))
    memory = library.memories.remember(draft, **WINDOW)
    library.memories.revise(memory.id, {"status": Status.ARCHIVED, "verified": True}, **WINDOW)
    assert sketch(library).splitlines() == [
        "ann:person",
        "?zoe",
        "ann -knows-> zoe",
        "ann: x [archived, lesson, pinned, verified, from call, titled T, #t]",
    ]


def test_deleted_things_are_not_sketched(library: Library) -> None:
    build(library, "ann -knows-> bob; ann: x")
    library.graph.delete(["ann"], **WINDOW)
    assert sketch(library) == "bob:thing"
