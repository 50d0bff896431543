"""Taking a deed back gives the state before it, whatever the deed was."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conftest import Hand
from notation import WINDOW, build, sketch
from remembrancer.core.author import Author, AuthorKind
from remembrancer.core.entity import Scope
from remembrancer.core.errors import Conflict, NotFound, Refused, RemembrancerError
from remembrancer.core.filters import Filter, State
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Draft, Edit, Status
from remembrancer.service.graph import NewEntity, Triple
from remembrancer.service.library import Library

Deed: TypeAlias = Callable[[Library], object]

NAMES = st.sampled_from(["a", "b", "c", "g"])
TEXTS = st.sampled_from(["x", "y", "z"])
TYPES = st.sampled_from(["t", "u"])
MANY = st.lists(NAMES, min_size=1, max_size=3)
EDITS: st.SearchStrategy[Edit] = st.sampled_from(
    [
        Edit(content="x"),
        Edit(content="new", title="T"),
        Edit(status=Status.ARCHIVED, archived_reason="old"),
        Edit(status=Status.ACTIVE),
        Edit(verified=True),
        Edit(pinned=True, kind=Kind.LESSON, tags=("p", "q")),
        Edit(entity="b"),
        Edit(entity=None),
        Edit(key="k2", source="call"),
    ]
)


def last_batch(library: Library) -> int:
    return library.journal.newest(1)[0].batch


def undo(library: Library, **more: Any) -> int:
    return library.journal.undo(last_batch(library), **more, **WINDOW)


def some_memory(library: Library, n: int) -> int:
    found = list(library.memories.ids(Filter(state=State.ALL)))
    return sorted(found)[n % len(found)] if found else 0


@st.composite
def deeds(draw: st.DrawFn) -> Deed:
    """One call that may change something."""
    name, other, text, many = draw(NAMES), draw(NAMES), draw(TEXTS), draw(MANY)
    kind, n, edit = draw(TYPES), draw(st.integers(0, 9)), draw(EDITS)
    triple = Triple(name, other, kind)
    new = [NewEntity(m, kind, (text,)) for m in many]
    draft = Draft(text + kind, name, key="k", kind=Kind.LESSON, tags=("r",))
    return draw(
        st.sampled_from(
            [
                lambda lib: lib.graph.create(new, **WINDOW),
                lambda lib: lib.graph.observe([(m, [text, kind]) for m in many], **WINDOW),
                lambda lib: lib.graph.relate([triple], **WINDOW),
                lambda lib: lib.graph.relate([triple], ghosts=True, **WINDOW),
                lambda lib: lib.graph.delete(many, **WINDOW),
                lambda lib: lib.graph.forget([(m, [text]) for m in many], **WINDOW),
                lambda lib: lib.graph.unrelate([triple], **WINDOW),
                lambda lib: lib.graph.change(name, new_name=text, new_type=kind, **WINDOW),
                lambda lib: lib.memories.remember(draft, **WINDOW),
                lambda lib: lib.memories.revise(some_memory(lib, n), edit, **WINDOW),
                lambda lib: lib.memories.delete(some_memory(lib, n), **WINDOW),
                lambda lib: lib.memories.restore(some_memory(lib, n), 1, **WINDOW),
                lambda lib: share(lib, name, Scope.GROUP, many),
                lambda lib: share(lib, name, Scope.SHARED, []),
                lambda lib: share(lib, name, Scope.DEVICE, []),
            ]
        )
    )


def share(library: Library, name: str, scope: Scope, members: list[str]) -> None:
    expected = library.scopes.get(name).revision
    library.scopes.set(
        name, scope, members=members, expected=expected, confirmed=True, **WINDOW
    )  # fmt: skip


@pytest.fixture
def opened(empty_store: Path, tmp_path: Path) -> Callable[[], Any]:
    """Opens a new empty library at every call."""
    numbers = count()

    @contextmanager
    def fresh() -> Iterator[Library]:
        path = Path(shutil.copy(empty_store, tmp_path / f"{next(numbers)}.db"))
        with Library.open(path, Hand()) as library:
            yield library

    return fresh


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(deeds(), min_size=1, max_size=12))
def test_undoing_a_deed_right_after_it_gives_the_first_state_back(
    opened: Callable[[], Any], doings: list[Deed]
) -> None:
    with opened() as library:
        build(library, "a -t-> b; a: x; b/k: y; g = {a, b}; c = shared; c -u-> g; c: z")
        for deed in doings:
            first, head = sketch(library), library.journal.head()
            try:
                deed(library)
            except RemembrancerError:
                assert library.journal.head() == head
                continue
            if library.journal.head() == head:
                assert sketch(library) == first
                continue
            then = sketch(library)
            undo(library)
            assert sketch(library) == first
            undo(library)  # an undo is a deed and can be taken back itself
            assert sketch(library) == then
        assert library.upkeep.problems() == []


def test_a_deleted_entity_comes_back_with_all_that_belongs_to_it(library: Library) -> None:
    build(library, "a:t -r-> b; c -r-> a; a: x; a/k: y; g = {a, b}; a -self-> a")
    first = sketch(library)
    library.graph.delete(["a"], **WINDOW)
    assert sketch(library) == "b:thing\nc:thing\ng:thing = {b}"
    undo(library)
    assert sketch(library) == first
    revived = library.graph.open(["a"]).nodes[0]
    assert revived.observations == ("x", "y")


def test_what_was_changed_since_is_not_overwritten(library: Library) -> None:
    build(library, "a: x")
    memory = library.memories.browse(Filter())[0]
    batch = last_batch(library)
    library.memories.revise(memory.id, Edit(content="y"), **WINDOW)
    with pytest.raises(Conflict, match="changed since by you"):
        library.journal.undo(batch, **WINDOW)
    library.journal.undo(batch, force=True, **WINDOW)
    assert sketch(library) == "a:thing"


@pytest.mark.parametrize("since", ["a: more", "a -r-> b"])
def test_an_entity_that_gained_something_is_not_taken_away(library: Library, since: str) -> None:
    build(library, "b; a")
    batch = last_batch(library)
    build(library, since)
    with pytest.raises(Conflict, match="has gained"):
        library.journal.undo(batch, **WINDOW)


def test_a_ghost_that_became_real_and_gained_memories_stays_real(library: Library) -> None:
    build(library, "a")
    library.graph.relate([Triple("a", "g", "near")], ghosts=True, **WINDOW)
    library.graph.create([NewEntity("g", "t")], **WINDOW)
    batch = last_batch(library)
    undo(library)
    assert "?g" in sketch(library)
    undo(library)
    build(library, "g: x")
    with pytest.raises(Conflict):
        library.journal.undo(batch, force=True, **WINDOW)


def test_a_name_that_was_taken_again_is_not_given_twice(library: Library) -> None:
    build(library, "a:t")
    library.graph.delete(["a"], **WINDOW)
    batch = last_batch(library)
    build(library, "a:u")
    with pytest.raises(Conflict, match="there again"):
        library.journal.undo(batch, **WINDOW)
    assert sketch(library) == "a:u"


def test_a_renamed_entity_is_found_by_its_old_name_after_undo(library: Library) -> None:
    build(library, "oldname: x")
    library.graph.change("oldname", new_name="newname", **WINDOW)
    undo(library)
    assert len(library.memories.browse(Filter(words="oldname"))) == 1
    assert library.memories.browse(Filter(words="newname")) == []


def test_what_was_forgotten_for_good_does_not_come_back(library: Library) -> None:
    build(library, "a: x")
    remembered, memory = last_batch(library), library.memories.browse(Filter())[0]
    library.memories.purge(memory.id, **WINDOW)
    for batch in (last_batch(library), remembered):
        with pytest.raises(Refused, match="forgotten for good"):
            library.journal.undo(batch, force=True, **WINDOW)


def test_only_the_person_undoes(library: Library) -> None:
    build(library, "a")
    with pytest.raises(Refused, match="Only the person"):
        library.journal.undo(1, author=Author("robin", AuthorKind.AGENT), origin="native")
    with pytest.raises(NotFound):
        library.journal.undo(999, **WINDOW)
