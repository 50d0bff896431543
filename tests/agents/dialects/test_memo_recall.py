"""Recalling: the header, the lines of hits, what is said about how they were found."""

from __future__ import annotations

import re

import pytest

from agents.dialects.memo_speech import LANGUAGES, Notes, lines, notes
from conftest import Hand
from notation import WINDOW
from remembrancer.agents.dialects.memo_questions import OpenQuestions
from remembrancer.core.memory import Draft
from remembrancer.service.library import Library

AT = "2026-01-01 00:00:00"


@pytest.fixture(params=LANGUAGES)
def memo(library: Library, request: pytest.FixtureRequest) -> Notes:
    return notes(library, request.param)


@pytest.fixture
def tower(memo: Notes) -> Notes:
    """Three entries about a tower: ids 1 and 2 of the tower, 3 of the harbour."""
    memo.keep("**The tower blinks every 5 seconds** in red", "tower lamp", kind="measurement")
    memo.keep("Paint the tower white", "tower", kind="decision")
    memo.keep("The harbour sees the tower", "harbour", kind="decision")
    return memo


def ids(memo: Notes, query: str, **more: object) -> list[int]:
    return [hit["id"] for hit in memo.facts("recall", query=query, **more)["hits"]]


# --- shapes


def test_a_preview_has_a_header_and_a_line_a_hit(tower: Notes) -> None:
    head, *hits = lines(tower("recall", query="tower", tag="tower"))
    best = ids(tower, "tower", tag="tower")
    assert head == tower.say(
        f"2 Treffer fuer 'tower' in tower - Vorschau, Volltext per zeige(\"{best[0]},{best[1]}\"):",
        f"2 hits for 'tower' in tower - preview, full text with show(\"{best[0]},{best[1]}\"):",
    )
    assert sorted(hits) == [
        f"#1 [{tower.kind('measurement')}] 2026-01-01 The tower blinks every 5 seconds"
        " (tower, lamp)",
        f"#2 [{tower.kind('decision')}] 2026-01-01 Paint the tower white (tower)",
    ]


def test_the_header_names_the_two_best_of_many(tower: Notes) -> None:
    named = re.search(r'\("(.*)"\)', lines(tower("recall", query="tower"))[0])
    assert named is not None
    assert named[1] == ",".join(map(str, ids(tower, "tower")[:2]))


def test_full_shows_the_texts(tower: Notes) -> None:
    assert tower("recall", query="paint", full=True) == tower.say(
        f"1 Treffer fuer 'paint':\n\n#2 [{AT}] (entscheidung, tower)\nPaint the tower white",
        f"1 hit for 'paint':\n\n#2 [{AT}] (decision, tower)\nPaint the tower white",
    )
    [hit] = tower.facts("recall", query="paint", full=True)["hits"]
    assert hit["text"] == "Paint the tower white"


def test_the_structured_answer_holds_the_same(tower: Notes) -> None:
    assert tower.facts("recall", query="paint") == {
        "hits": [
            {
                "id": 2, "kind": tower.kind("decision"), "created": AT, "tags": ["tower"],
                "title": "Paint the tower white",
            }
        ],
        "notes": [], "hiddenChronicle": 0, "outside": None, "left": [],
    }  # fmt: skip


# --- kinds, tags, what is hidden


def test_the_chronicle_is_hidden_but_reported(tower: Notes) -> None:
    tower.keep("The tower was painted", "tower", kind="history")
    told = lines(tower("recall", query="tower"))[0]
    assert (
        tower.say(
            ', 1 in der Chronik ausgeblendet (art="verlauf")',
            ', 1 hidden in the chronicle (kind="history")',
        )
        in told
    )
    assert 4 not in ids(tower, "tower")
    assert ids(tower, "tower", kind="history") == [4]
    assert set(ids(tower, "tower", kind="all")) == {1, 2, 3, 4}


def test_kinds_narrow_in_either_language(tower: Notes) -> None:
    assert ids(tower, "tower", kind="measurement") == [1]
    assert set(ids(tower, "tower", kind="messwert,decision")) == {1, 2, 3}
    assert tower.refused("recall", query="tower", kind="idea").startswith(
        tower.say("unbekannte Art 'idea'", "unknown kind 'idea'")
    )


def test_tags_narrow_and_a_better_hit_outside_is_named(tower: Notes) -> None:
    assert set(ids(tower, "tower", tag="lamp harbour")) == {1, 3}
    told = lines(tower("recall", query="paint white seconds", tag="harbour lamp"))
    assert told[-1] == tower.say(
        "Ausserhalb von harbour, lamp passt besser: #2 [entscheidung] 2026-01-01 Paint the tower"
        " white (tower) - ohne marke= noch einmal probieren.",
        "Outside harbour, lamp this fits better: #2 [decision] 2026-01-01 Paint the tower white"
        " (tower) - try once more without tag=.",
    )


def test_superseded_entries_come_on_request_with_their_mark(tower: Notes) -> None:
    tower("forget", ids="2", reason="rebuilt")
    assert ids(tower, "paint") == []
    told = tower("recall", query="paint", include_superseded=True)
    assert told.endswith(tower.say(" [VERALTET: rebuilt]", " [SUPERSEDED: rebuilt]"))


def test_expired_entries_are_found_and_marked(memo: Notes, library: Library, clock: Hand) -> None:
    library.memories.remember(Draft("the tower", expires_at=clock.at + 1_000_000), **WINDOW)
    clock.advance(days=1)
    told = memo("recall", query="tower")
    assert told.endswith(memo.say(" [ABGELAUFEN 2026-01-01]", " [EXPIRED 2026-01-01]"))


# --- what is said about the search


def test_when_no_entry_has_all_the_words_any_will_do_and_that_is_said(tower: Notes) -> None:
    told = lines(tower("recall", query="paint seconds"))[0]
    assert (
        tower.say(
            " (ODER - kein Eintrag enthaelt alle Begriffe)", " (OR - no entry holds all the terms)"
        )
        in told
    )
    assert set(ids(tower, "paint seconds")) == {1, 2}


def test_signs_are_ignored_and_that_is_said(tower: Notes) -> None:
    told = lines(tower("recall", query='"paint (white'))[0]
    assert tower.say("(Sonderzeichen ignoriert", "(special characters ignored") in told


@pytest.mark.parametrize("query", ["!!!", "", "   ", "((("])
def test_a_question_without_a_word_is_told_a_tip(tower: Notes, query: str) -> None:
    told = tower("recall", query=query)
    assert told.startswith(tower.say("Fehler: in der Frage steht kein Wort", "Error: the question"))
    assert tower.facts("recall", query=query)["hits"] == []


def test_nothing_found_comes_with_hints(tower: Notes) -> None:
    tower.keep("zebra crossing", "tower", kind="history")
    told = tower("recall", query="zebra", tag="tower")
    assert told == tower.say(
        'Keine Treffer fuer: zebra in tower. 1 in der Chronik ausgeblendet - mit art="verlauf"'
        " suchen. Ohne marke= noch einmal probieren. Veraltetes findet mit_veraltet=True. Was es"
        " gibt, zeigt themen().",
        'No hits for: zebra in tower. 1 hidden in the chronicle - search with kind="history". Try'
        " once more without tag=. Superseded entries are found with include_superseded=True."
        " topics() shows what there is.",
    )
    told = tower("recall", query="qqq", kind="decision", include_superseded=True)
    assert told == tower.say(
        "Keine Treffer fuer: qqq. Ohne art= noch einmal probieren. Was es gibt, zeigt themen().",
        "No hits for: qqq. Try once more without kind=. topics() shows what there is.",
    )


@pytest.mark.parametrize(("limit", "count"), [(8, 8), (0, 1), (-1, 1), (50, 50), (10**9, 50)])
def test_the_limit_is_kept_within_its_bounds(memo: Notes, limit: int, count: int) -> None:
    for n in range(55):
        memo.keep(f"tower number {n}", "tower", kind="pitfall")
    assert len(ids(memo, "tower", limit=limit)) == count


# --- asked before


def test_what_was_read_after_the_same_question_comes_first(tower: Notes) -> None:
    *_, last = ids(tower, "the tower")
    tower("show", ids=str(last))
    told = lines(tower("recall", query="tower the"))[0]
    assert tower.say(" (+ schon einmal so gesucht)", " (+ searched like this before)") in told
    assert ids(tower, "TOWER the")[0] == last
    assert tower.facts("recall", query="tower white")["notes"] == []


def test_every_session_has_its_own_questions(tower: Notes) -> None:
    last = ids(tower, "the tower")[-1]
    tower.session("other")("show", ids=str(last))
    assert tower.facts("recall", query="the tower")["notes"] == []
    tower("show", ids=str(last))
    assert tower.facts("recall", query="the tower")["notes"] == ["asked_before"]
    assert tower.session("other").facts("recall", query="the tower")["notes"] == []


def test_the_longest_unused_session_gives_way() -> None:
    opened = OpenQuestions()
    first, second = opened.of("first"), opened.of("second")
    for n in range(254):
        opened.of(f"{n}")
    assert opened.of("first") is first
    opened.of("one more")
    assert opened.of("first") is first
    assert opened.of("second") is not second


# --- the budget


@pytest.mark.parametrize("full", [False, True])
def test_hits_beyond_the_budget_are_a_call_away(memo: Notes, full: bool) -> None:
    for n in range(40):
        memo.keep(f"tower {n} " + "lorem ipsum " * 10, "tower", kind="pitfall")
    brief = memo.as_(budget=3_000)
    told = brief("recall", query="tower", limit=40, full=full)
    facts = brief.facts("recall", query="tower", limit=40, full=full)
    assert len(told) <= 3_000
    assert 3 < len(facts["hits"]) < 40
    assert len(facts["hits"]) + len(facts["left"]) == 40
    named = ",".join(map(str, facts["left"]))
    assert lines(told)[-1] == memo.say(
        f'... {len(facts["left"])} weitere passen nicht in eine Antwort - zeige("{named}")',
        f'... {len(facts["left"])} more do not fit in one answer - show("{named}")',
    )


def test_a_long_question_is_not_repeated_whole(memo: Notes) -> None:
    assert len(memo("recall", query="zebra " * 50_000)) < 1_000
