"""Conflicts: every sort is found, decided and taken back; what must not be offered is not."""

from __future__ import annotations

import pytest

from notation import WINDOW, build
from remembrancer.core.author import Access, Author, AuthorKind
from remembrancer.core.conflicts import Pair, Sort
from remembrancer.core.errors import NotFound, Refused
from remembrancer.core.journal import Deed
from remembrancer.core.memory import Edit, Status
from remembrancer.service.desk import Doing
from remembrancer.service.library import Library

AGENT: Doing = {"author": Author("robin", AuthorKind.AGENT, Access.WRITE), "origin": "native"}
PUMP = "the blue pump of the north wing leaks oil since the last flood"


def found(library: Library) -> dict[Sort, list[Pair]]:
    library.conflicts.begin()
    library.conflicts.wait()
    return {sort: pairs for sort, pairs in library.conflicts.open_pairs().items() if pairs}


def undo_last(library: Library) -> None:
    library.journal.undo(library.journal.newest(1)[0].batch, author=WINDOW["author"], origin="undo")


def test_a_key_with_two_values_is_asked_about_where_scopes_meet_alone(library: Library) -> None:
    build(library, "all = shared; all/os: linux; ann/os: plan9; bob/os: plan9")
    pairs = found(library)
    assert set(pairs) == {Sort.KEY}
    assert len(pairs[Sort.KEY]) == 2


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("the web server listens on port 8080", "the web server listens on port 8081"),
        ("the backup does run on the night shift", "the backup does not run on the night shift"),
        ("the router sends the mail to the printer", "the printer sends the mail to the router"),
    ],
)
def test_what_contradicts_is_never_called_repeated(library: Library, one: str, other: str) -> None:
    build(library, f"ann: {one}\nann: {other}")
    assert set(found(library)) == {Sort.CONTRADICTION}


def test_two_that_say_the_same_are_asked_about_as_repeated(library: Library) -> None:
    build(library, f"ann: {PUMP}\nann: {PUMP.capitalize()}.")
    assert set(found(library)) == {Sort.REPEATED}


def test_devices_may_say_different_things(library: Library) -> None:
    build(
        library, "ann: the web server listens on port 8080\nbob: the web server listens on port 81"
    )
    assert found(library) == {}


def test_look_alike_names_are_asked_about_unless_their_digits_differ(library: Library) -> None:
    build(library, "ASR1603; ASR 1603; ASR1605")
    [pair] = found(library)[Sort.NAMES]
    assert {e.name for e in library.conflicts.card(pair).entities} == {"ASR1603", "ASR 1603"}


def test_the_winner_supersedes_the_other_and_undo_asks_again(library: Library) -> None:
    build(library, f"ann: {PUMP} 80 times\nann: {PUMP} 90 times")
    [pair] = found(library)[Sort.CONTRADICTION]
    gone = library.conflicts.keep(pair, pair.other, **WINDOW)
    assert (gone.status, gone.superseded_by) == (Status.ARCHIVED, pair.other)
    assert library.journal.newest(1)[0].deed is Deed.SUPERSEDE
    assert not library.conflicts.open_pairs()[Sort.CONTRADICTION]
    with pytest.raises(NotFound):
        library.conflicts.card(pair)
    undo_last(library)
    assert library.conflicts.open_pairs()[Sort.CONTRADICTION] == [pair]


def test_both_that_are_kept_are_not_asked_about_until_one_changes(library: Library) -> None:
    build(library, f"ann: {PUMP} 80 times\nann: {PUMP} 90 times")
    [pair] = found(library)[Sort.CONTRADICTION]
    library.conflicts.keep_both(pair, **WINDOW)
    assert library.journal.newest(1)[0].deed is Deed.KEEP_BOTH
    assert found(library) == {}
    undo_last(library)
    assert found(library) == {Sort.CONTRADICTION: [pair]}
    undo_last(library)
    assert found(library) == {}
    library.memories.revise(pair.one, Edit(content=f"{PUMP} 70 times"), **WINDOW)
    assert set(found(library)) == {Sort.CONTRADICTION}


def test_one_that_is_kept_may_be_given_a_date(library: Library) -> None:
    build(library, f"ann: {PUMP} 80 times\nann: {PUMP} 90 times")
    [pair] = found(library)[Sort.CONTRADICTION]
    until = library.clock() + 10**9
    library.conflicts.keep_both(pair, until={pair.one: until}, **WINDOW)
    assert library.memories.get(pair.one).expires_at == until


def test_long_and_broken_chains_are_found_and_mended(library: Library) -> None:
    build(library, "ann: alpha\nann: beta\nann: gamma\nann: delta\nann: omega\nann: gone")
    for one in range(1, 4):
        edit = Edit(status=Status.ARCHIVED, superseded_by=one + 1)
        library.memories.revise(one, edit, **WINDOW)
    library.memories.revise(5, Edit(status=Status.ARCHIVED, superseded_by=6), **WINDOW)
    library.memories.delete(6, **WINDOW)
    pairs = found(library)[Sort.CHAIN]
    assert [(p.one, p.other) for p in pairs] == [(1, 4), (5, 0)]
    for pair in pairs:
        library.conflicts.mend(pair, **WINDOW)
    assert [library.memories.get(n).superseded_by for n in (1, 2, 3, 5)] == [4, 4, 4, None]
    assert found(library) == {}


def test_a_card_tells_both_sides_and_what_sets_them_apart(library: Library) -> None:
    build(library, f"ann: {PUMP} 80 times\nann: {PUMP} 90 times")
    [pair] = found(library)[Sort.CONTRADICTION]
    card = library.conflicts.card(pair)
    assert [side.served for side in card.sides] == [0, 0]
    assert card.difference is not None
    assert card.difference.numbers == (("80",), ("90",))


def test_an_agent_decides_nothing(library: Library) -> None:
    build(library, f"ann: {PUMP} 80 times\nann: {PUMP} 90 times")
    [pair] = found(library)[Sort.CONTRADICTION]
    with pytest.raises(Refused, match="Only the person"):
        library.conflicts.keep_both(pair, **AGENT)
