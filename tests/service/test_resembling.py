"""What an earlier memory has in common with a new text, and which memories belong together."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from notation import WINDOW
from remembrancer.core.author import PERSON, Access, Author, AuthorKind
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Draft
from remembrancer.service.library import Library
from remembrancer.service.resembling import Groups, Resembling

LOCKED = Author("robin", AuthorKind.AGENT, Access.WRITE, entity="mine")
ANY_SIGNS = st.text(st.characters(exclude_categories=()))
PORT = "The staging gateway listens on port 8080 since March"


def note(library: Library, text: str, *tags: str, kind: Kind = Kind.UNSORTED) -> int:
    draft = Draft(text, tags[0] if tags else None, tags=tags, kind=kind)
    return library.memories.remember(draft, entity_type="project", **WINDOW).id


def like(
    library: Library, text: str, author: Author = PERSON, besides: int | None = None
) -> list[Resembling]:
    return library.resembling.like(text, besides=besides, author=author)


def groups(
    library: Library, tag: str = "", kinds: frozenset[Kind] | None = None, author: Author = PERSON
) -> Groups:
    return library.resembling.groups(tag=tag, kinds=kinds, threshold=0.5, most=5, author=author)


def ids(found: Groups) -> list[tuple[int, ...]]:
    return [tuple(memory.id for memory in group.memories) for group in found.groups]


def test_a_changed_number_is_named_and_never_called_the_same(library: Library) -> None:
    old = note(library, PORT)
    note(library, "The kitchen lamp is red")
    [found] = like(library, PORT.replace("8080", "9090"))
    assert (found.memory.id, found.numbers) == (old, (("8080",), ("9090",)))
    assert 0.55 <= found.share <= 0.99


def test_only_what_both_sides_lack_is_a_difference(library: Library) -> None:
    note(library, PORT)
    [found] = like(library, PORT + " and on port 9090")
    assert found.numbers is None
    [same] = like(library, PORT)
    assert (same.share, same.numbers) == (1.0, None)


@pytest.mark.parametrize(
    ("text", "called"),
    [
        (PORT.upper(), "same"),
        (f"please: {PORT}", "duplicate"),
        (f"{PORT} upstairs", "resembling"),
        (PORT.replace("staging", "billing"), "may contradict"),
        (PORT.replace("listens", "never listens"), "may contradict"),
    ],
)
def test_what_is_found_is_called_by_what_sets_it_apart(
    library: Library, text: str, called: str
) -> None:
    note(library, PORT)
    note(library, "The kitchen lamp is red")
    [found] = like(library, text)
    assert found.verdict == called
    assert found.difference.contradicts == (called == "may contradict")


def test_of_many_with_the_same_frequent_words_the_edited_one_is_found(library: Library) -> None:
    rng = random.Random(5)
    words = [f"{a}{b}{c}" for a in "kltvrn" for b in "aeiou" for c in ("mer", "gul", "dis", "bor")]
    texts = [rng.sample(words, 24) for _ in range(300)]
    ids = [note(library, " ".join(text)) for text in texts]
    for text, each in zip(texts[::10], ids[::10], strict=True):
        edited = [*text[:20], *rng.sample(words, 4)]
        assert each in {found.memory.id for found in like(library, " ".join(edited))}


def test_the_share_is_of_the_new_text_and_forms_of_words_count_as_one(library: Library) -> None:
    note(library, "Die Häuser am See haben rote Lampen, blaue Türen und einen langen Steg")
    [found] = like(library, "Das Haus am See hat eine rote Lampe")
    assert found.share >= 0.55
    assert like(library, "Das Boot im Hafen hat eine grüne Laterne") == []


def test_the_best_three_come_back_without_itself_and_what_is_put_away(library: Library) -> None:
    noted = [note(library, f"{PORT} {word}") for word in ("one", "two", "six", "ten", "red")]
    library.memories.archive(noted[0], **WINDOW)
    library.memories.delete(noted[1], **WINDOW)
    assert {r.memory.id for r in like(library, PORT, besides=noted[2])} == set(noted[3:])
    note(library, f"{PORT} blue")
    note(library, f"{PORT} green")
    found = like(library, PORT)
    assert len(found) == 3
    assert [r.share for r in found] == sorted((r.share for r in found), reverse=True)


def test_under_a_lock_only_its_own_memories_count(library: Library) -> None:
    mine = note(library, f"{PORT} mine", "mine")
    before = like(library, PORT, LOCKED)
    note(library, PORT, "theirs")
    note(library, f"{PORT} of theirs", "theirs")
    after = like(library, PORT, LOCKED)
    assert [r.memory.id for r in after] == [mine]
    assert [r.share for r in after] == [r.share for r in before]
    assert groups(library, author=LOCKED).entries == 1


def test_groups_are_the_largest_first_and_members_by_id(library: Library) -> None:
    pumps = [
        note(library, f"the blue pump of the north wing leaks oil {w}") for w in ("now", "daily")
    ]
    lamps = [
        note(library, f"the red lamp at the gate blinks twice {w}") for w in ("up", "off", "in")
    ]
    note(library, "nothing of the kind")
    found = groups(library)
    assert ids(found) == [tuple(lamps), tuple(pumps)]
    assert (found.entries, found.found) == (6, 2)
    assert all(0.5 <= group.best <= 1 for group in found.groups)
    cut = library.resembling.groups(tag="", kinds=None, threshold=0.5, most=1, author=PERSON)
    assert (len(cut.groups), cut.found) == (1, 2)


def test_groups_keep_to_a_tag_and_to_kinds_and_leave_out_what_is_put_away(
    library: Library,
) -> None:
    text = "the blue pump of the north wing leaks oil"
    one = note(library, f"{text} now", "cellar-east", kind=Kind.PITFALL)
    two = note(library, f"{text} daily", "cellar", kind=Kind.PITFALL)
    note(library, f"{text} again", "roof", kind=Kind.DECISION)
    gone = note(library, f"{text} often", "cellar", kind=Kind.PITFALL)
    library.memories.archive(gone, **WINDOW)
    assert ids(groups(library, tag="Cellar")) == [(one, two)]
    assert groups(library, tag="cellar-east").entries == 1
    assert ids(groups(library, kinds=frozenset({Kind.PITFALL}))) == [(one, two)]
    assert groups(library, tag="attic") == Groups(0, 0, (), 0)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(ANY_SIGNS, st.floats(), st.integers(-3, 3))
def test_no_text_whatever_raises(library: Library, text: str, threshold: float, most: int) -> None:
    note(library, PORT, "mine")
    for author in (PERSON, LOCKED):
        like(library, text, author)
        library.resembling.groups(
            tag=text, kinds=None, threshold=threshold, most=most, author=author
        )


@pytest.mark.parametrize("words", [20_000])
def test_a_very_long_text_is_compared_by_its_beginning(library: Library, words: int) -> None:
    text = " ".join(f"word{n}" for n in range(words))
    note(library, text)
    assert like(library, text)[0].share == 1.0
