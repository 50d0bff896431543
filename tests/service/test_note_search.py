"""Memo's search: all the words, the phrase in front, any of them, their kin; within its filters."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from notation import WINDOW
from remembrancer.core.author import PERSON, Access, Author, AuthorKind
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Draft
from remembrancer.service.library import Library
from remembrancer.service.note_search import Note, NoteAnswer, NoteQuestion

LOCKED = Author("robin", AuthorKind.AGENT, Access.WRITE, entity="see")
ANY_SIGNS = st.text(st.characters(exclude_categories=()))
SYNTAX = st.lists(
    st.sampled_from(["lampe", "rot*", '"rote lampe"', "AND", "OR", "NOT", "NEAR(", "tags", "3"])
    | st.sampled_from('()^:,{"')
)
QUESTION = NoteQuestion("", 8, None, False, (), False)


def note(
    library: Library, text: str, *tags: str, kind: Kind = Kind.UNSORTED, expires: int | None = None
) -> int:
    entity = tags[0] if tags else None
    draft = Draft(text, entity, tags=tags, kind=kind, expires_at=expires)
    return library.memories.remember(draft, entity_type="project", **WINDOW).id


def ask(library: Library, query: str, author: Author = PERSON, **how: Any) -> NoteAnswer:
    question = dataclasses.replace(QUESTION, query=query, **how)
    return library.note_search.ask(question, author)


def hits(library: Library, query: str, author: Author = PERSON, **how: Any) -> list[str]:
    return [memory.content for memory in ask(library, query, author, **how).hits]


def test_all_the_words_are_asked_for_and_the_phrase_comes_first(library: Library) -> None:
    for text in ("Lampe rote Lampe Lampe", "Lampe, dann rote", "rote Rosen"):
        note(library, text)
    note(library, "Heute wurde nach langem Warten im Flur endlich die rote Lampe eingeschaltet")
    found = ask(library, "Rote Lampe")
    assert [m.content.split()[0] for m in found.hits[:2]] == ["Lampe", "Heute"]
    assert [m.content for m in found.hits[2:]] == ["Lampe, dann rote"]
    assert found.notes == ()


def test_a_phrase_is_found_among_many_more_frequent_uses_of_its_words(library: Library) -> None:
    drafts = [Draft(f"rote Lampe? Lampe rote, Lampe rote {n}", "x") for n in range(3)]
    for draft in drafts:
        library.memories.remember(draft, entity_type="project", **WINDOW)
    note(library, "lang " * 60 + "am Abend brennt die rote Lampe noch")
    assert "am Abend" in hits(library, "am Abend brennt die rote Lampe", limit=1)[0]


def test_where_no_memory_has_all_the_words_any_will_do(library: Library) -> None:
    note(library, "Die Pumpe im Keller")
    note(library, "Der Kessel im Dach")
    found = ask(library, "Pumpe Zebra")
    assert [m.content for m in found.hits] == ["Die Pumpe im Keller"]
    assert found.notes == (Note.ANY_WORD,)
    assert ask(library, "Zebra").notes == ()


def test_of_any_words_those_with_kin_of_all_come_first(library: Library) -> None:
    note(library, "Wartung Wartung Wartung")
    note(library, "Die Fusionskatalysatoren stehen zur Wartung an, seit langem und im ganzen Haus")
    note(library, "Abgaskatalysatoren")
    found = ask(library, "Katalysator Wartung")
    assert [m.content.split()[0] for m in found.hits] == ["Die", "Wartung", "Abgaskatalysatoren"]
    assert found.notes == (Note.ANY_WORD, Note.PARTS)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("Katalysator", "Der Fusionskatalysator läuft"),
        ("Katalysatoren", "Der Fusionskatalysator läuft"),
        ("Rangliste", "Die Ranglisten sind sortiert"),
        ("Ranglisten", "Die Rangliste ist sortiert"),
        ("Häuser", "Das Haus am See"),
        ("Haus", "Zwei Häuser am See"),
        ("Haeuser", "Zwei Häuser am See"),
        ("Wärmepumpe", "Die Erdwärmepumpe läuft"),
        ("warmepumpe", "Die Erdwärmepumpe läuft"),
        ("Haus", "Im Rathaus"),
        ("restart", "The router restarted"),
        ("reply", "see getHTTPReply of it"),
        ("wifi", "the Wi-Fi of the house"),
    ],
)
def test_inflected_words_and_parts_of_words_fill_what_is_left(
    library: Library, query: str, text: str
) -> None:
    note(library, text)
    found = ask(library, query)
    assert [m.content for m in found.hits] == [text]
    assert found.notes == (Note.PARTS,)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("Fusionskatalysator", "Der Katalysator läuft"),
        ("Katalysatr", "Der Katalysator läuft"),
        ("Katalysator Wartnug", "Die Wartung der Abgaskatalysatoren"),
        ("Muehle", "Die Mühlen am Bach"),
        ("restarteed", "The router restarted"),
        ("snmpTrap", "it sends a trap"),
    ],
)
def test_what_is_loosely_akin_fills_the_places_that_are_left(
    library: Library, query: str, text: str
) -> None:
    note(library, text)
    note(library, "Etwas ganz anderes")
    found = ask(library, query)
    assert [m.content for m in found.hits] == [text]
    assert found.notes == (Note.PARTS,)


def test_beside_memories_with_all_the_words_those_with_fewer_are_left_out(
    library: Library,
) -> None:
    note(library, "Die Pumpe im Keller ist neu")
    note(library, "Die Pumpe im Hof")
    note(library, "Die Pumpe im Dach")
    found = ask(library, "Pumpe Keller")
    assert [m.content[-5:] for m in found.hits] == ["t neu"]
    found = ask(library, "Pumpe Dahc")
    assert found.hits[0].content == "Die Pumpe im Dach"
    assert found.notes == (Note.ANY_WORD,)


def test_a_memory_is_no_hit_for_what_stands_beside_it(library: Library) -> None:
    note(library, "the telnet service is off")
    note(library, "the lamp")
    assert hits(library, "the telnt") == ["the telnet service is off"]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ('"getHTTPReply first"', "calls getHTTPReply first"),
        ('"calls gethttpreply first"', "calls getHTTPReply first"),
        ('"snake_case name"', "a snake_case name"),
        ('"東京都 駅"', "東京都 駅へ"),
        ('"rote lam"*', "die rote Lampe"),
        ("NEAR(calls first, 3)", "calls getHTTPReply first"),
    ],
)
def test_phrases_in_the_syntax_reach_across_the_parts_of_identifiers(
    library: Library, query: str, text: str
) -> None:
    note(library, text)
    assert hits(library, query) == [text]


def test_exact_hits_are_never_displaced(library: Library) -> None:
    for number in range(4):
        note(library, f"Zwei Häuser Haus, Häuser und Rathaus {number}")
        note(library, f"Häuser Häuser Rathaus Nummer {number}")
    exact = ask(library, "Haus", limit=4)
    assert all("Haus," in m.content for m in exact.hits)
    assert exact.notes == ()
    filled = ask(library, "Haus", limit=6)
    assert [("Haus," in m.content) for m in filled.hits] == [True] * 4 + [False] * 2
    assert filled.notes == (Note.PARTS,)


def test_new_words_are_known_at_once_as_wholes_of_their_parts(library: Library) -> None:
    note(library, "Der Fusionskatalysator")
    assert hits(library, "Katalysator") == ["Der Fusionskatalysator"]
    note(library, "Ein Abgaskatalysator")
    assert set(hits(library, "Katalysator")) == {"Der Fusionskatalysator", "Ein Abgaskatalysator"}


def test_lone_letters_are_dropped_and_lone_digits_kept(library: Library) -> None:
    note(library, "Stufe 7 von x")
    note(library, "Stufe 8 von x")
    assert hits(library, "Stufe 7 q") == ["Stufe 7 von x"]
    assert not ask(library, "x").words


@pytest.mark.parametrize("query", ["", "???", "(*)", '"', "::", "q"])
def test_mere_signs_ask_for_nothing(library: Library, query: str) -> None:
    note(library, "something")
    found = ask(library, query)
    assert (found.words, found.hits) == (False, ())


def test_valid_syntax_gives_its_own_result_and_no_more(library: Library) -> None:
    note(library, "rote Lampe", "flur")
    note(library, "Lampe, rote", "dach")
    assert hits(library, '"rote Lampe"') == ["rote Lampe"]
    assert hits(library, "Lampe NOT flur") == ["Lampe, rote"]
    assert hits(library, "tags: flur") == ["rote Lampe"]
    assert hits(library, "Lamp* AND dach") == ["Lampe, rote"]
    assert hits(library, "zebra OR giraffe") == []
    assert ask(library, "Lampen*").notes == ()


def test_broken_syntax_is_taken_as_words_and_said(library: Library) -> None:
    note(library, "rote Lampe um 12:30")
    found = ask(library, "(Lampe 12:30")
    assert [m.content for m in found.hits] == ["rote Lampe um 12:30"]
    assert found.notes == (Note.SIGNS_IGNORED,)
    assert ask(library, "Lampe, rote?").notes == ()


def test_the_chronicle_is_hidden_but_counted(library: Library) -> None:
    note(library, "Lampe rot")
    note(library, "Lampe getauscht", kind=Kind.CHRONICLE)
    note(library, "Lampen im Angebot", kind=Kind.CHRONICLE)
    for query in ("Lampe", '"Lampe"'):
        found = ask(library, query)
        assert ([m.content for m in found.hits], found.hidden_chronicle) == (["Lampe rot"], 1)
    assert ask(library, "Lampe", chronicle=True).hidden_chronicle == 0
    assert "Lampe getauscht" in hits(library, "Lampe", chronicle=True)
    only = frozenset({Kind.CHRONICLE})
    assert hits(library, "Lampe", kinds=only)[0] == "Lampe getauscht"
    assert "Lampe rot" not in hits(library, "Lampe", kinds=only)


def test_archived_memories_need_their_switch_expired_ones_do_not(library: Library) -> None:
    old = note(library, "old lamp")
    gone = note(library, "lost lamp")
    note(library, "late lamp", expires=1)
    library.memories.archive(old, **WINDOW)
    library.memories.delete(gone, **WINDOW)
    assert hits(library, "lamp") == ["late lamp"]
    assert set(hits(library, "lamp", superseded=True)) == {"late lamp", "old lamp"}
    assert hits(library, "lamp", first=(old, gone)) == ["late lamp"]


def test_tags_are_phrases_any_of_which_will_do_and_hold_for_every_stage(library: Library) -> None:
    note(library, "lamp one", "leuchtturm-project")
    note(library, "lamp two", "Leuchtturm Nachtfrost")
    note(library, "lamp three", "leuchtturm")
    note(library, "lamps four", "nachtfrost", "café")
    note(library, "lamp five")
    assert set(hits(library, "lamp", tags=("leuchtturm",))) == {
        "lamp one",
        "lamp two",
        "lamp three",
    }
    assert hits(library, "lamp", tags=("leuchtturm-project",)) == ["lamp one"]
    assert set(hits(library, "lamp", tags=("leuchtturm-project", "Cafe"))) == {
        "lamp one",
        "lamps four",
    }
    assert hits(library, "lamp OR lamps", tags=("cafe",)) == ["lamps four"]
    assert hits(library, "lamp", tags=("unknown",)) == []


def test_an_entity_counts_as_a_tag(library: Library) -> None:
    note(library, "uplink on port 1", "core switch")
    library.memories.remember(Draft("uplink on port 2", "core switch"), **WINDOW)
    assert len(hits(library, "uplink", tags=("switch",))) == 2


def test_a_better_hit_outside_the_tags_is_named(library: Library) -> None:
    note(library, "the pump is green", "cellar")
    note(library, "the pump leaks oil", "roof")
    found = ask(library, "pump leaks", tags=("cellar",))
    assert [m.content for m in found.hits] == ["the pump is green"]
    assert found.outside is not None
    assert found.outside.content == "the pump leaks oil"
    assert ask(library, "leaks", tags=("cellar",)).outside == found.outside


def test_no_hit_outside_is_named_without_need(library: Library) -> None:
    note(library, "the pump is green", "cellar")
    note(library, "a pump, a blue one", "roof")
    assert ask(library, "pump green", tags=("cellar",)).outside is None
    assert ask(library, "pump zebra", tags=("cellar",)).outside is None
    assert ask(library, "zebra giraffe", tags=("cellar",)).outside is None
    assert ask(library, "pump leaks").outside is None


def test_under_a_lock_nothing_else_exists(library: Library) -> None:
    note(library, "the pump is green", "see")
    other = note(library, "the pump leaks oil", "roof")
    note(library, "the pump log", "roof", kind=Kind.CHRONICLE)
    found = ask(library, "pump leaks", LOCKED, tags=("see",), first=(other,))
    assert [m.content for m in found.hits] == ["the pump is green"]
    assert (found.outside, found.hidden_chronicle) == (None, 0)
    assert ask(library, "pump", LOCKED).hidden_chronicle == 0
    assert hits(library, "pump OR oil", LOCKED) == ["the pump is green"]
    assert hits(library, "pump", LOCKED, tags=("roof",)) == []


def test_what_was_fetched_before_comes_first_if_it_passes(library: Library) -> None:
    note(library, "pump pump pump")
    second = note(library, "a pump at the far end of the long corridor")
    other = note(library, "no such word", "roof")
    found = ask(library, "pump", first=(second,))
    assert found.hits[0].id == second
    assert found.notes == (Note.ASKED_BEFORE,)
    assert other in [m.id for m in ask(library, "pump", first=(other,)).hits]
    assert other not in [m.id for m in ask(library, "pump", first=(other,), tags=("x",)).hits]
    assert ask(library, '"pump"', first=(other,)).notes == ()


@pytest.mark.parametrize(("limit", "count"), [(-3, 1), (0, 1), (5, 5), (999, 50)])
def test_the_limit_is_kept_between_one_and_fifty(library: Library, limit: int, count: int) -> None:
    for number in range(60):
        note(library, f"lamp {number}")
    assert len(hits(library, "lamp", limit=limit)) == count
    assert len(hits(library, "lamp*", limit=limit)) == count


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(ANY_SIGNS | SYNTAX.map(" ".join), st.lists(ANY_SIGNS, max_size=2).map(tuple), st.booleans())
def test_no_question_whatever_raises(
    library: Library, query: str, tags: tuple[str, ...], superseded: bool
) -> None:
    note(library, "rote Lampe im Flur", "flur")
    for author in (PERSON, LOCKED):
        found = ask(library, query, author, tags=tags, superseded=superseded, first=(1, -1, 99))
        assert len(found.hits) <= 8
