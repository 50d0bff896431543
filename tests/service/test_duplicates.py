"""Memories all over the store that are nearly the same, and entities whose names look alike."""

from __future__ import annotations

import contextlib
import threading

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from notation import WINDOW
from remembrancer.core.author import Access, Author, AuthorKind
from remembrancer.core.errors import BadValue
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Draft
from remembrancer.core.unlike import Verdict
from remembrancer.service.duplicates import Duplicates
from remembrancer.service.library import Library

LOCKED = Author("robin", AuthorKind.AGENT, Access.WRITE, entity="mine")
ANY_SIGNS = st.text(st.characters(exclude_categories=()))
PUMP = "the blue pump of the north wing leaks oil since the last flood"
LAMP = "the red lamp at the gate blinks twice when somebody rings the bell"


def note(library: Library, text: str, entity: str = "mine", kind: Kind = Kind.FACT) -> int:
    draft = Draft(text, entity, kind=kind)
    return library.memories.remember(draft, entity_type="project", **WINDOW).id


def drawn(found: Duplicates | None) -> str:
    """Every group in a line: the representative, then each member and what it is called."""
    assert found is not None
    return "\n".join(
        f"{group.representative.id}: "
        + ", ".join(f"{member.memory.id} {member.verdict}" for member in group.members)
        for group in found.groups
    )


def test_groups_are_told_with_what_sets_each_member_apart(library: Library) -> None:
    note(library, PUMP)
    note(library, LAMP, "gate")
    note(library, "nothing of the kind")
    note(library, f"Please: {PUMP}", "cellar")
    note(library, LAMP.replace("red", "green"), "gate")
    note(library, f"{LAMP} outside", "gate")
    found = library.duplicates.groups()
    assert drawn(found) == "6: 2 resembling, 5 may contradict\n4: 1 duplicate"
    assert found is not None
    assert (found.entries, found.found) == (6, 2)
    assert found.groups[0].members[1].difference.swapped == (("green", "red"),)
    assert found.groups[0].size == 3


def test_what_differs_in_a_digit_is_never_quite_alike(library: Library) -> None:
    for number in (12, 13):
        note(library, f"{PUMP} and so does number {number}")
    note(library, "12 13 " + LAMP)
    note(library, "13 12 " + LAMP)
    found = library.duplicates.groups()
    assert found is not None
    assert len(found.groups) == 2
    for group in found.groups:
        assert group.best < 1
        assert {m.verdict for m in group.members} <= {Verdict.MAY_CONTRADICT, Verdict.RESEMBLING}


def test_the_same_text_in_two_places_is_the_same(library: Library) -> None:
    one, other = note(library, PUMP), note(library, PUMP.upper(), "cellar")
    found = library.duplicates.groups()
    assert drawn(found) == f"{other}: {one} same"
    assert found is not None
    assert found.groups[0].best == 1


def test_an_entity_or_kinds_may_be_asked_for_alone(library: Library) -> None:
    note(library, PUMP)
    note(library, f"{PUMP} again")
    note(library, f"{PUMP} today", "cellar", Kind.LESSON)
    note(library, f"{PUMP} now today", "cellar", Kind.LESSON)
    duplicates = library.duplicates
    assert drawn(duplicates.groups(entity="mine")) == "2: 1 resembling"
    assert drawn(duplicates.groups(kinds=frozenset({Kind.LESSON}))) == "4: 3 duplicate"
    assert duplicates.groups(entity="nobody") == Duplicates(0, (), 0)
    assert duplicates.groups(kinds=frozenset()) == Duplicates(0, (), 0)


def test_only_the_closest_groups_are_given_and_all_are_counted(library: Library) -> None:
    for text in (PUMP, PUMP + " again today", LAMP, LAMP + " again"):
        note(library, text)
    found = library.duplicates.groups(most=1)
    assert drawn(found) == "4: 3 resembling"
    assert found is not None
    assert found.found == 2


def test_what_was_put_away_is_left_out(library: Library) -> None:
    first, *others = (note(library, f"{PUMP} {word}") for word in ("now", "then", "soon"))
    library.memories.archive(others[0], **WINDOW)
    library.memories.delete(others[1], **WINDOW)
    assert drawn(library.duplicates.groups()) == ""
    library.memories.revive(others[0], **WINDOW)
    assert drawn(library.duplicates.groups()).startswith(f"{others[0]}: {first} ")


def test_under_a_lock_only_its_own_memories_are_compared(library: Library) -> None:
    note(library, PUMP)
    note(library, f"{PUMP} again", "theirs")
    note(library, f"{PUMP} again", "Mine")
    found = library.duplicates.groups(author=LOCKED)
    assert found == Duplicates(1, (), 0)
    assert library.duplicates.groups(entity="theirs", author=LOCKED) == Duplicates(0, (), 0)
    assert library.duplicates.look_alike_names(author=LOCKED) == ()


def test_progress_is_told_to_the_end_and_may_stop_it(library: Library) -> None:
    for word in ("now", "then", "soon"):
        note(library, f"{PUMP} {word}")
    told: list[tuple[int, int]] = []
    assert library.duplicates.groups(progress=lambda d, t: told.append((d, t)) is None)
    assert told == sorted(told)
    assert told[-1] == (6, 6)
    assert library.duplicates.groups(progress=lambda done, total: False) is None
    assert library.duplicates.groups(progress=lambda done, total: done < 4) is None


def test_memories_may_come_and_go_while_another_thread_compares(library: Library) -> None:
    ids = [note(library, f"{PUMP} {word}") for word in ("daily", "weekly", "hourly")]
    found: list[Duplicates | None] = []

    def meanwhile(done: int, total: int) -> bool:
        if done == 3:
            library.memories.delete(ids[0], **WINDOW)
            note(library, f"{PUMP} yearly")
        return True

    def compare() -> None:
        found.append(library.duplicates.groups(progress=meanwhile))

    thread = threading.Thread(target=compare)
    thread.start()
    thread.join()
    assert drawn(found[0]) == "4: 2 may contradict, 3 may contradict"


def test_entities_with_names_that_look_alike_are_offered(library: Library) -> None:
    for name in ("Jenkins", "postgres", "server-12", "jenkins ", "Postgress", "server-13"):
        note(library, "one fact", name)
    pairs = library.duplicates.look_alike_names()
    assert [(p.one.name, p.other.name, p.distance) for p in pairs] == [
        ("Jenkins", "jenkins ", 0),
        ("postgres", "Postgress", 1),
    ]
    assert len(library.duplicates.look_alike_names(most=1)) == 1


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(ANY_SIGNS, st.floats(), st.integers(-3, 3))
def test_whatever_is_asked_only_a_bad_name_is_refused(
    library: Library, entity: str, threshold: float, most: int
) -> None:
    note(library, PUMP)
    note(library, f"{PUMP} now")
    for name in (None, entity):
        with contextlib.suppress(BadValue):
            library.duplicates.groups(entity=name, threshold=threshold, most=most)
    library.duplicates.look_alike_names(most)


@pytest.mark.parametrize("count", [4_500])
def test_more_memories_than_a_page_holds_are_compared_across_pages(
    library: Library, count: int
) -> None:
    note(library, PUMP)
    entries = [f"entry {chr(97 + n % 26) * 3} {n} of {n * 7919}" for n in range(count)]
    library.graph.observe([("mine", entries)], **WINDOW)
    last = note(library, f"{PUMP} now", "cellar")
    assert drawn(library.duplicates.groups(threshold=0.9)) == f"{last}: 1 duplicate"
