"""Entities, observations, relations and ghosts, as every vocabulary of the graph uses them."""

from __future__ import annotations

import pytest

from notation import WINDOW, build, sketch
from remembrancer.core.author import Access, Author, AuthorKind
from remembrancer.core.errors import BadValue, Conflict, NotFound, Refused
from remembrancer.core.filters import Filter
from remembrancer.core.memory import Edit, Status
from remembrancer.service.graph import NewEntity, Triple
from remembrancer.service.library import Library
from remembrancer.service.one_path import Secrets

LOCKED = Author("robin", AuthorKind.AGENT, Access.WRITE, entity="a")


def test_creating_passes_over_what_is_there(library: Library) -> None:
    build(library, "a:person")
    wanted = [NewEntity("a", "robot", ("x",)), NewEntity("b", "t", ("y", "y")), NewEntity("b", "u")]
    assert [e.name for e in library.graph.create(wanted, **WINDOW)] == ["b"]
    assert sketch(library) == "a:person\nb:t\nb: y"


def test_one_bad_value_refuses_the_whole_call(library: Library) -> None:
    for bad in (NewEntity("", "t"), NewEntity("x", "t" * 201), NewEntity("x", "t", ("",))):
        with pytest.raises(BadValue):
            library.graph.create([NewEntity("fine", "t"), bad], **WINDOW)
    assert sketch(library) == ""


def test_a_missing_end_is_passed_over_made_a_ghost_or_an_error(library: Library) -> None:
    build(library, "a")
    wanted = [Triple("a", "g", "near")]
    assert library.graph.relate(wanted, **WINDOW) == []
    with pytest.raises(NotFound, match="Entity with name g not found"):
        library.graph.relate(wanted, strict=True, **WINDOW)
    assert len(library.graph.relate([*wanted, *wanted], ghosts=True, **WINDOW)) == 1
    assert sketch(library) == "a:thing\n?g\na -near-> g"
    with pytest.raises(BadValue):
        library.graph.relate([Triple("a", " ", "near")], ghosts=True, **WINDOW)


def test_a_ghost_heals_when_its_entity_appears(library: Library) -> None:
    build(library, "a")
    library.graph.relate([Triple("a", "g", "near")], ghosts=True, **WINDOW)
    build(library, "g:person")
    assert sketch(library) == "a:thing\ng:person\na -near-> g"


def test_an_unknown_entity_is_passed_over_or_an_error(library: Library) -> None:
    build(library, "a: x")
    wanted = [("nobody", ["y"]), ("a", ["x", "y", "y"])]
    assert library.graph.observe(wanted, **WINDOW) == [("a", ["y"])]
    with pytest.raises(NotFound):
        library.graph.observe(wanted, strict=True, **WINDOW)
    assert library.graph.forget([("nobody", ["y"]), ("a", ["y", "q"])], **WINDOW) == [("a", 1)]


def test_names_are_masked_as_texts_are(library: Library) -> None:
    secret = "password: hunter2hunter2"
    new = NewEntity(secret, secret, (secret,))
    library.graph.create([new], secrets=Secrets.MASK, **WINDOW)
    library.graph.observe([(secret, [secret + " b"])], secrets=Secrets.MASK, **WINDOW)
    triple = Triple(secret, secret, secret)
    assert library.graph.relate([triple], secrets=Secrets.MASK, **WINDOW)
    assert "hunter2" not in sketch(library)


def test_deleting_hides_everything_that_hung_on_it(library: Library) -> None:
    build(library, "a -r-> b -r-> c; a: x; g = {a, b}")
    assert library.graph.delete(["a", "nobody", "a"], **WINDOW) == ["a"]
    assert sketch(library) == "b:thing\nc:thing\ng:thing = {b}\nb -r-> c"
    assert library.memories.count(Filter()) == 0
    build(library, "a: x")
    assert library.graph.open(["a"]).relations == ()


def test_renaming_keeps_everything_and_the_index_follows(library: Library) -> None:
    build(library, "before -r-> b; before: x")
    library.graph.change("before", new_name="after", new_type="person", **WINDOW)
    assert sketch(library) == "after:person\nb:thing\nafter -r-> b\nafter: x"
    assert len(library.memories.browse(Filter(words="after"))) == 1
    assert library.memories.browse(Filter(words="before")) == []
    with pytest.raises(Conflict):
        library.graph.change("after", new_name="b", **WINDOW)
    with pytest.raises(NotFound):
        library.graph.change("before", new_name="z", **WINDOW)


def test_the_graph_shows_what_is_active_and_unexpired_in_order(library: Library) -> None:
    build(library, "b: 2; a: 1; b: 3; b: 4; : loose")
    old = library.memories.browse(Filter(words="3"))[0]
    library.memories.revise(old.id, Edit(status=Status.ARCHIVED), **WINDOW)
    shown = [(n.entity.name, n.observations) for n in library.graph.read().nodes]
    assert shown == [("b", ("2", "4")), ("a", ("1",))]


def test_a_locked_author_sees_and_touches_its_entity_alone(library: Library) -> None:
    build(library, "a -r-> b; a -self-> a; b: y; a: x")
    for graph in (
        library.graph.read(LOCKED),
        library.graph.search("", 10, LOCKED),
        library.graph.open(["b", "a"], LOCKED),
    ):
        assert [n.entity.name for n in graph.nodes] == ["a"]
        assert [r.type for r in graph.relations] == ["self"]
    with pytest.raises(NotFound):
        library.graph.named("b", LOCKED)
    with pytest.raises(Refused, match="locked"):
        library.graph.delete(["a", "b"], author=LOCKED, origin="native")
    with pytest.raises(Refused, match="locked"):
        library.graph.change("a", new_name="z", author=LOCKED, origin="native")


def test_look_alike_names_are_offered(library: Library) -> None:
    build(library, "Edge 1; EDGE  1; core")
    entity = library.graph.named("Edge 1")
    assert [e.name for e in library.map.alike(entity)] == ["EDGE  1"]
