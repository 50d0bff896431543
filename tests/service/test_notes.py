"""Notes under tags: remembered and superseded in one step, forgotten, classified, browsed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conftest import Hand
from notation import WINDOW, build, sketch
from remembrancer.core.author import Access, Author, AuthorKind
from remembrancer.core.errors import BadValue, Refused, RemembrancerError
from remembrancer.core.journal import Deed
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Draft, Memory, Status
from remembrancer.core.tag_guard import Concern
from remembrancer.service.desk import Doing
from remembrancer.service.graph import NewEntity, Triple
from remembrancer.service.library import Library
from remembrancer.service.notes import Arrival, Kept, NewNote, NotesDesk

ROBIN = Author("robin", AuthorKind.AGENT)
LOCKED = Author("robin", AuthorKind.AGENT, Access.WRITE, entity="mine")
READER = Author("robin", AuthorKind.AGENT, Access.READ)
DOING: Doing = {"author": ROBIN, "origin": "memo"}
INSIDE: Doing = {"author": LOCKED, "origin": "memo"}


def keep(
    library: Library, text: str, tags: str = "", *, kind: Kind = Kind.UNSORTED,
    instead: tuple[int, ...] = (), doing: Doing = DOING,
) -> Kept:  # fmt: skip
    note = NewNote(text, tuple(tags.split()), kind, instead)
    return library.notes.remember(note, reason="superseded", **doing)


def forget(library: Library, *ids: int, reason: str = "outdated", doing: Doing = DOING) -> Any:
    done = library.notes.forget(ids, reason=reason, **doing)
    return done.done, done.unknown


def now(library: Library, kept: Kept) -> Memory:
    return library.memories.get(kept.memory.id)


def deeds(library: Library, memory_id: int) -> list[str]:
    return [line.deed.value for line in library.memories.history(memory_id)]


# --- remember


def test_a_note_is_filed_under_its_first_tag_made_as_a_project(library: Library) -> None:
    kept = keep(library, "x", "lighthouse spare")
    assert kept.arrival is Arrival.NEW
    assert sketch(library) == "lighthouse:project\nlighthouse: x [unsorted, #lighthouse, #spare]"


def test_the_word_of_a_kind_is_a_tag_but_no_entity(library: Library) -> None:
    keep(library, "x", "pitfall lighthouse")
    keep(library, "y", "decision")
    assert sketch(library).splitlines()[1:] == [
        ": y [unsorted, #decision]",
        "lighthouse: x [unsorted, #pitfall, #lighthouse]",
    ]


def test_a_note_without_tags_is_unfiled(library: Library) -> None:
    keep(library, "x")
    assert sketch(library) == ": x [unsorted]"


def test_a_ghost_becomes_the_project(library: Library) -> None:
    build(library, "ann")
    library.graph.relate([Triple("ann", "a", "owns")], ghosts=True, **WINDOW)
    keep(library, "x", "a")
    assert "a:project" in sketch(library)
    assert "ann -owns-> a" in sketch(library)


def test_a_name_has_one_spelling_among_tags_and_entities(library: Library) -> None:
    kept = keep(library, "x", "Cafe\u0301")
    assert kept.memory.entity == "Café"
    assert library.notes.titles("Cafe\u0301", ROBIN, 9).tag.total == 1
    assert kept.memory.tags == ("Café",)


def test_the_same_text_of_the_same_project_is_there_already(library: Library) -> None:
    first = keep(library, "x", "a")
    head = library.journal.head()
    again = keep(library, "x", "a b", kind=Kind.PITFALL)
    assert again.arrival is Arrival.THERE
    assert again.memory == first.memory
    assert library.journal.head() == head
    assert keep(library, "x", "b").arrival is Arrival.NEW
    assert keep(library, "x").arrival is Arrival.NEW
    assert keep(library, "x").arrival is Arrival.THERE


def test_the_same_text_brings_an_archived_note_back(library: Library) -> None:
    first = keep(library, "x", "a")
    forget(library, first.memory.id)
    again = keep(library, "x", "a")
    assert again.arrival is Arrival.REVIVED
    assert again.memory.id == first.memory.id
    assert now(library, first).status is Status.ACTIVE
    assert now(library, first).archived_reason is None
    assert deeds(library, first.memory.id) == ["revive", "archive", "remember"]


def test_what_is_superseded_is_archived_and_linked_in_the_same_batch(library: Library) -> None:
    old, older = keep(library, "old", "a"), keep(library, "older", "b")
    head = library.journal.head()
    new = keep(library, "new", "a", instead=(older.memory.id, old.memory.id, 99))
    assert new.superseded == (older.memory.id, old.memory.id)
    assert new.unknown == (99,)
    for kept in (old, older):
        assert now(library, kept).status is Status.ARCHIVED
        assert now(library, kept).archived_reason == "superseded"
        assert now(library, kept).superseded_by == new.memory.id
    lines = library.journal.after(head)
    assert [(x.deed, x.reason) for x in lines] == [
        (Deed.REMEMBER, None),
        (Deed.SUPERSEDE, "superseded"),
        (Deed.SUPERSEDE, "superseded"),
    ]
    assert len({x.batch for x in lines}) == 1


def test_a_text_that_is_there_supersedes_all_the_same_but_not_itself(library: Library) -> None:
    one, two = keep(library, "one", "a"), keep(library, "two", "a")
    again = keep(library, "two", "a", instead=(one.memory.id, two.memory.id))
    assert again.arrival is Arrival.THERE
    assert (again.superseded, again.unknown) == ((one.memory.id,), ())
    assert now(library, one).superseded_by == two.memory.id
    assert now(library, two).status is Status.ACTIVE


def test_two_supersessions_are_two_lines_and_the_newest_counts(library: Library) -> None:
    old = keep(library, "old", "a").memory.id
    keep(library, "new", "a", instead=(old,))
    newest = keep(library, "newest", "a", instead=(old,))
    assert library.memories.get(old).superseded_by == newest.memory.id
    assert deeds(library, old) == ["supersede", "supersede", "remember"]


def test_when_something_fails_nothing_is_kept(library: Library) -> None:
    old = keep(library, "old", "a").memory.id
    with pytest.raises(BadValue):
        keep(library, "x", "t" * 201, instead=(old,))
    with pytest.raises(BadValue):
        keep(library, "x" * 200_001, "a", instead=(old,))
    assert library.memories.get(old).status is Status.ACTIVE
    assert "x" not in sketch(library)


def test_credentials_are_masked_and_named(library: Library) -> None:
    kept = keep(library, "the password: hunter2-tango-9 works", "a")
    assert "hunter2" not in kept.memory.content
    assert kept.secrets
    assert keep(library, "fine", "a").secrets == ()


def test_a_secret_that_fell_into_tags_is_masked(library: Library) -> None:
    kept = keep(library, "x", "a password: hunter2-tango-9")
    assert "hunter2" not in sketch(library)
    assert kept.memory.entity == "a"
    assert kept.secrets


def test_a_new_tag_beside_a_known_one_is_mentioned(library: Library) -> None:
    for n in range(3):
        assert keep(library, f"{n}", "lighthouse").advice[:1] == () or n == 0
    [advice] = keep(library, "x", "lighthous").advice
    assert advice.concern is Concern.NEIGHBOURS
    assert advice.known == (("lighthouse", 3),)


def test_the_guard_counts_the_living_only(library: Library) -> None:
    ids = [keep(library, f"{n}", "lighthouse").memory.id for n in range(4)]
    assert forget(library, *ids) == (tuple(ids), ())
    [advice] = keep(library, "x", "lighthous").advice
    assert advice.concern is Concern.NEW


def test_a_tag_may_be_known_as_the_entity_of_other_vocabularies(library: Library) -> None:
    build(library, "lighthouse: 1; lighthouse: 2")
    [advice] = keep(library, "x", "lighthous").advice
    assert advice.known == (("lighthouse", 2),)


# --- forget and classify


def test_forgetting_archives_with_the_reason(library: Library, clock: Hand) -> None:
    id_ = keep(library, "x", "a").memory.id
    assert forget(library, id_, 99, reason="wrong") == ((id_,), (99,))
    memory = library.memories.get(id_)
    assert (memory.status, memory.archived_reason) == (Status.ARCHIVED, "wrong")
    assert (memory.archived_by, memory.superseded_by) == ("robin", None)
    clock.advance(days=1)
    forget(library, id_, reason="really")
    again = library.memories.get(id_)
    assert again.archived_reason == "really"
    assert again.archived_at is not None
    assert memory.archived_at is not None
    assert again.archived_at > memory.archived_at
    assert deeds(library, id_) == ["archive", "archive", "remember"]


def test_the_newest_word_about_a_superseded_note_is_that_it_is_outdated(library: Library) -> None:
    old = keep(library, "old", "a").memory.id
    keep(library, "new", "a", instead=(old,))
    forget(library, old, reason="never true")
    memory = library.memories.get(old)
    assert (memory.archived_reason, memory.superseded_by) == ("never true", None)


def test_a_tombstone_is_unknown(library: Library) -> None:
    id_ = keep(library, "x", "a").memory.id
    library.memories.delete(id_, **WINDOW)
    assert forget(library, id_) == ((), (id_,))
    assert library.notes.fetch([id_], ROBIN) == []


def test_a_secret_in_a_reason_is_masked(library: Library) -> None:
    id_ = keep(library, "x", "a").memory.id
    done = library.notes.forget([id_], reason="password: hunter2-tango-9", **DOING)
    assert done.secrets
    assert "hunter2" not in done.reason
    assert library.memories.get(id_).archived_reason == done.reason
    assert "hunter2" not in str(library.memories.history(id_))


def test_classifying_keeps_a_kind_that_reads_the_same(library: Library) -> None:
    one, two = keep(library, "x", "a").memory.id, keep(library, "y", "a").memory.id
    library.memories.revise(two, {"kind": Kind.WORK}, **WINDOW)
    same = frozenset({Kind.WORK, Kind.CHRONICLE})
    done = library.notes.classify([one, two, 99], Kind.CHRONICLE, same=same, **DOING)
    assert (done.done, done.unknown) == ((one, two), (99,))
    assert library.memories.get(one).kind is Kind.CHRONICLE
    assert library.memories.get(two).kind is Kind.WORK
    assert library.memories.get(two).revision == 2


def test_an_archived_note_can_be_classified_and_stays_as_it_was(library: Library) -> None:
    id_ = keep(library, "x", "a").memory.id
    forget(library, id_)
    at = library.memories.get(id_).archived_at
    library.notes.classify([id_], Kind.PITFALL, same=frozenset(), **DOING)
    memory = library.memories.get(id_)
    assert (memory.kind, memory.archived_at) == (Kind.PITFALL, at)


def test_everything_can_be_undone_at_once(library: Library) -> None:
    old = keep(library, "old", "a").memory.id
    keep(library, "new", "a", instead=(old,))
    batch = library.journal.after(library.journal.head() - 1)[-1].batch
    library.journal.undo(batch, **WINDOW)
    assert sketch(library) == "a:project\na: old [unsorted, #a]"


# --- the board and the titles


def board(library: Library, author: Author = ROBIN) -> dict[str, dict[str, int]]:
    found = library.notes.board(author)
    return {row.tag: {k.value: n for k, n in row.kinds.items()} for row in found.tags}


def test_the_board_counts_living_notes_by_tag_and_kind(library: Library) -> None:
    keep(library, "1", "a b", kind=Kind.PITFALL)
    keep(library, "2", "a", kind=Kind.PITFALL)
    keep(library, "3", "c a", kind=Kind.DECISION)
    forget(library, keep(library, "4", "gone").memory.id)
    keep(library, "5")
    keep(library, "6", "decision")
    build(library, "native: fact")
    assert board(library) == {
        "a": {"pitfall": 2, "decision": 1},
        "b": {"pitfall": 1},
        "c": {"decision": 1},
        "native": {"fact": 1},
    }
    found = library.notes.board(ROBIN)
    assert [row.total for row in found.tags] == [3, 1, 1, 1]
    assert (found.entries, found.untagged) == (6, 1)


def test_an_entity_named_like_a_kind_is_a_tag_all_the_same(library: Library) -> None:
    build(library, "history: x")
    keep(library, "y", "history")
    assert board(library) == {"history": {"fact": 1}}


def test_the_board_is_counted_anew_after_every_change(library: Library) -> None:
    id_ = keep(library, "1", "a").memory.id
    assert board(library) == {"a": {"unsorted": 1}}
    assert library.notes.board(ROBIN) is library.notes.board(ROBIN)
    library.notes.classify([id_], Kind.PITFALL, same=frozenset(), **DOING)
    assert board(library) == {"a": {"pitfall": 1}}
    library.memories.delete(id_, **WINDOW)
    assert board(library) == {}


def test_titles_are_the_newest_first_and_paged(library: Library) -> None:
    ids = [keep(library, f"{n}", "a" if n % 2 else "b a").memory.id for n in range(7)]
    build(library, "a: native")
    forget(library, ids[3])
    found = library.notes.titles("a", ROBIN, 3)
    assert found.tag.total == 7
    assert [m.content for m in found.page] == ["native", "6", "5"]
    assert [m.content for m in library.notes.titles("a", ROBIN, 3, 3).page] == ["4", "2", "1"]
    assert [m.content for m in library.notes.titles("a", ROBIN, None, 6).page] == ["0"]
    assert library.notes.titles("A", ROBIN, 3).tag.total == 0


def test_a_directory_forgets_dead_tags(library: Library) -> None:
    id_ = keep(library, "x", "lighthouse").memory.id
    assert library.notes.alike("light", ROBIN) == ["lighthouse"]
    forget(library, id_)
    assert library.notes.alike("light", ROBIN) == []


# --- policy


def test_a_reader_changes_nothing(library: Library) -> None:
    id_ = keep(library, "x", "a").memory.id
    head = library.journal.head()
    doing: Doing = {"author": READER, "origin": "memo"}
    with pytest.raises(Refused, match="only read"):
        keep(library, "y", "a", doing=doing)
    with pytest.raises(Refused, match="only read"):
        forget(library, id_, doing=doing)
    with pytest.raises(Refused, match="only read"):
        library.notes.classify([id_], Kind.PITFALL, same=frozenset(), **doing)
    assert library.journal.head() == head


@pytest.fixture
def shared(library: Library) -> Library:
    """A library of two entities and an unfiled note: ids 1 (mine), 2 (theirs), 3 (unfiled)."""
    keep(library, "my own", "mine lamp", doing=DOING)
    keep(library, "not mine", "theirs lamp secretive")
    keep(library, "nobody's")
    return library


def test_under_a_lock_only_its_own_is_there(shared: Library) -> None:
    assert [m.id for m in shared.notes.fetch([3, 2, 1], LOCKED)] == [1]
    assert board(shared, LOCKED) == {"mine": {"unsorted": 1}, "lamp": {"unsorted": 1}}
    assert shared.notes.board(LOCKED).entries == 1
    assert shared.notes.board(LOCKED).untagged == 0
    assert [m.id for m in shared.notes.titles("lamp", LOCKED, 9).page] == [1]
    assert shared.notes.titles("theirs", LOCKED, 9).tag.total == 0
    assert shared.notes.alike("their", LOCKED) == []
    assert shared.notes.of_kinds(frozenset({Kind.UNSORTED}), LOCKED) == 1
    assert len(board(shared)) == 4


def test_under_a_lock_nothing_else_can_be_reached(shared: Library) -> None:
    assert forget(shared, 1, 2, 3, doing=INSIDE) == ((1,), (2, 3))
    done = shared.notes.classify([1, 2], Kind.PITFALL, same=frozenset(), **INSIDE)
    assert (done.done, done.unknown) == ((1,), (2,))
    kept = keep(shared, "new", "mine", instead=(2, 1), doing=INSIDE)
    assert (kept.superseded, kept.unknown) == ((1,), (2,))
    assert shared.memories.get(2).status is Status.ACTIVE
    with pytest.raises(Refused, match="locked"):
        keep(shared, "new", "theirs", doing=INSIDE)


def test_under_a_lock_a_note_without_a_project_is_filed_there(shared: Library) -> None:
    assert keep(shared, "new", doing=INSIDE).memory.entity == "mine"
    assert keep(shared, "newer", "decision", doing=INSIDE).memory.entity == "mine"


def test_under_a_lock_the_guard_knows_no_other_tag(shared: Library) -> None:
    advice = keep(shared, "new", "mine secretiv", doing=INSIDE).advice
    assert [(each.tag, each.concern) for each in advice] == [("secretiv", Concern.NEW)]


def test_a_lock_to_an_entity_that_is_not_there_yet_sees_nothing(library: Library) -> None:
    library.memories.remember(Draft("x"), **WINDOW)
    assert board(library, LOCKED) == {}
    assert library.notes.board(LOCKED).entries == 0
    keep(library, "first", doing=INSIDE)
    assert board(library, LOCKED) == {"mine": {"unsorted": 1}}


def test_what_was_served_leaves_a_receipt(library: Library) -> None:
    memory = keep(library, "four", "a").memory
    library.notes.served([memory], ROBIN)
    library.notes.served([], ROBIN)
    keep(library, "x", "a")  # the writer has come to it by now
    [(agent, times, characters, _)] = library.memories.receipts(memory.id)
    assert (agent, times, characters) == ("robin", 1, 4)


# --- the board follows the journal


def counted(library: Library) -> object:
    """The board as it is counted from the rows."""
    return NotesDesk(library.notes._ground).board(ROBIN)


WHATS = ["keep", "keep", "forget", "classify", "delete", "move", "tag", "rename", "bury"]
STEPS = st.lists(st.tuples(st.sampled_from(WHATS), st.integers(0, 30)), min_size=1, max_size=12)


def step(library: Library, what: str, n: int) -> None:
    """One change of somebody, as far as it is possible."""
    names = ("a", "b", "c", "decision", "a b", "")
    id_ = n % 9 + 1
    try:
        if what == "keep":
            note = NewNote(f"{n}", tuple(names[n % 6].split()), list(Kind)[n % 5], (n % 4,))
            library.notes.remember(note, reason="", **DOING)
        elif what == "forget":
            forget(library, id_)
        elif what == "classify":
            library.notes.classify([id_], Kind.PITFALL, same=frozenset(), **DOING)
        elif what == "delete":
            library.memories.delete(id_, **WINDOW)
        elif what == "move":
            library.memories.revise(id_, {"entity": names[n % 3]}, entity_type="x", **WINDOW)
        elif what == "tag":
            library.memories.revise(id_, {"tags": (names[n % 3], names[n % 4])}, **WINDOW)
        elif what == "rename":
            library.graph.change(names[n % 3], new_name=names[(n + 1) % 4], **WINDOW)
        else:
            library.graph.delete([names[n % 3]], **WINDOW)
    except RemembrancerError:
        pass


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=80, deadline=None
)
@given(steps=STEPS)
def test_whatever_happens_the_board_is_what_counting_gives(
    library: Library, steps: list[tuple[str, int]]
) -> None:
    for what, n in steps:
        step(library, what, n)
        assert library.notes.board(ROBIN) == counted(library)


def test_the_board_follows_other_processes_undo_and_purge(library: Library) -> None:
    with Library.open(library.path) as other:
        keep(library, "1", "a b")
        assert set(board(other)) == {"a", "b"}
        batch = library.journal.head()
        library.memories.archive(1, **WINDOW)
        assert board(other) == board(library) == {}
        library.journal.undo(batch + 1, **WINDOW)
        assert board(other) == board(library) == {"a": {"unsorted": 1}, "b": {"unsorted": 1}}
        library.memories.purge(1, **WINDOW)
        assert board(other) == board(library) == {}


def test_a_locked_board_follows_what_moves_in_and_out(shared: Library) -> None:
    assert set(board(shared, LOCKED)) == {"mine", "lamp"}
    shared.memories.revise(2, {"entity": "mine"}, **WINDOW)
    assert set(board(shared, LOCKED)) == {"mine", "lamp", "theirs", "secretive"}
    shared.memories.revise(1, {"entity": None}, **WINDOW)
    assert board(shared, LOCKED)["mine"] == {"unsorted": 1}


def test_many_changes_at_once_are_counted_anew(library: Library) -> None:
    keep(library, "0", "a")
    assert board(library) == {"a": {"unsorted": 1}}
    wanted = NewEntity("b", "project", tuple(f"{n}" for n in range(600)))
    library.graph.create([wanted], **WINDOW)
    assert board(library) == {"a": {"unsorted": 1}, "b": {"fact": 600}}
