"""Scopes as the window and the dialects set them, whatever words they use."""

from __future__ import annotations

import pytest

from notation import WINDOW, build, sketch
from remembrancer.core.author import Access, Author, AuthorKind
from remembrancer.core.entity import Scope, ScopeRecord
from remembrancer.core.errors import Conflict, NotFound, Refused
from remembrancer.service.graph import Triple
from remembrancer.service.library import Library

LOCKED = Author("robin", AuthorKind.AGENT, Access.WRITE, entity="site")


def test_a_scope_that_was_never_set_is_device_at_revision_0(library: Library) -> None:
    build(library, "edge")
    assert library.scopes.get("edge") == ScopeRecord("edge", Scope.DEVICE, 0, ())


def test_a_failed_check_changes_nothing(library: Library) -> None:
    build(library, "edge; core; site = {core}")
    first, head = sketch(library), library.journal.head()
    for name, scope, members, expected, confirmed, failure in (
        ("nobody", Scope.SHARED, [], 0, True, NotFound),
        ("edge", Scope.SHARED, [], 1, True, Conflict),
        ("edge", Scope.SHARED, ["core"], 0, True, Refused),
        ("edge", Scope.SHARED, [], 0, False, Refused),
        ("core", Scope.SHARED, [], 0, True, Refused),
        ("edge", Scope.GROUP, ["nobody"], 0, True, NotFound),
        ("edge", Scope.GROUP, ["edge"], 0, True, Refused),
        ("edge", Scope.GROUP, ["site"], 0, True, Refused),
    ):
        with pytest.raises(failure):
            library.scopes.set(
                name, scope, members=members, expected=expected, confirmed=confirmed, **WINDOW
            )
    assert (sketch(library), library.journal.head()) == (first, head)


def test_an_empty_group_is_one(library: Library) -> None:
    build(library, "site = {}")
    assert library.scopes.get("site") == ScopeRecord("site", Scope.GROUP, 1, ())


def test_a_member_may_be_spelled_either_way(library: Library) -> None:
    build(library, "Z\u00fcrich; site = {Zu\u0308rich}")
    assert library.scopes.get("site").members == ("Z\u00fcrich",)


def test_a_ghost_has_no_scope_to_set(library: Library) -> None:
    build(library, "a")
    library.graph.relate([Triple("a", "g", "near")], ghosts=True, **WINDOW)
    with pytest.raises(NotFound):
        library.scopes.get("g")


def test_a_group_survives_the_renaming_of_a_member(library: Library) -> None:
    build(library, "edge; site = {edge}")
    library.graph.change("edge", new_name="border", **WINDOW)
    assert library.scopes.get("site").members == ("border",)
    library.scopes.set("site", Scope.DEVICE, expected=1, **WINDOW)
    library.journal.undo(library.journal.newest(1)[0].batch, **WINDOW)
    assert library.scopes.get("site").members == ("border",)


def test_a_locked_author_sees_no_members_of_its_group(library: Library) -> None:
    build(library, "edge; site = {edge}; core = shared")
    assert library.scopes.get("site", LOCKED).members == ()
    with pytest.raises(NotFound):
        library.scopes.get("core", LOCKED)
    with pytest.raises(Refused, match="locked"):
        library.scopes.set("core", Scope.DEVICE, expected=1, author=LOCKED, origin="native")
