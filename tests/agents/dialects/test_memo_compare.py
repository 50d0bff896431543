"""Consolidating and checking: groups of similar entries, and what the judge says of pairs."""

from __future__ import annotations

import pytest

from agents.dialects.memo_speech import LANGUAGES, Notes, lines, notes
from judge_server import JudgeServer, set_up
from remembrancer.service.library import Library


@pytest.fixture(params=LANGUAGES)
def memo(library: Library, request: pytest.FixtureRequest) -> Notes:
    return notes(library, request.param)


@pytest.fixture
def lamps(memo: Notes) -> Notes:
    """Two entries about a lamp (1 and 2), two about paint (3 and 4), one of its own (5)."""
    memo.keep("The lamp of the tower blinks red every 5 seconds", "tower", kind="measurement")
    memo.keep("The lamp of the tower blinks red every 7 seconds", "tower", kind="measurement")
    memo.keep("White paint for the wall comes from Hamburg", "tower x", kind="history")
    memo.keep("White paint for the wall comes from Bremen", "harbour", kind="decision")
    memo.keep("Zebras graze elsewhere", "zoo", kind="decision")
    return memo


# --- consolidate


def test_groups_are_shown_with_their_entries_and_advice(lamps: Notes) -> None:
    facts = lamps.facts("consolidate")
    assert [group["ids"] for group in facts["groups"]] == [[1, 2], [3, 4]]
    best = [round(group["best"] * 100) for group in facts["groups"]]
    parts = lamps("consolidate").split("\n\n")
    assert parts[0] == lamps.say(
        f"5 Eintraege verglichen, {facts['pairs']} Paare betrachtet, 2 Gruppen ab 0.5"
        " Aehnlichkeit.",
        f"5 entries compared, {facts['pairs']} pairs looked at, 2 groups from 0.5 similarity on.",
    )
    first = lines(parts[1])
    assert first[0].startswith(
        lamps.say("Gruppe 1: 2 Eintraege, bis ", "Group 1: 2 entries, up to ")
    )
    assert lines(parts[2])[0] == lamps.say(
        f"Gruppe 2: 2 Eintraege, bis {best[1]}% gleich",
        f"Group 2: 2 entries, up to {best[1]}% the same",
    )
    assert [line[:5] for line in first[1:]] == ["  #1 ", "  #2 "]
    advice = lamps.say('remember("...", ersetzt="1,2")', 'remember("...", supersedes="1,2")')
    assert advice in parts[3]


def test_it_is_narrowed_by_tag_and_kind(lamps: Notes) -> None:
    assert lamps.facts("consolidate", tag="tower")["entries"] == 3
    assert lamps.facts("consolidate", kind="decision")["entries"] == 2
    assert lamps.facts("consolidate", kind="messwert, verlauf")["entries"] == 3
    assert lamps.facts("consolidate", kind="")["entries"] == 5
    assert lamps.refused("consolidate", kind="idea").startswith(lamps.say("unbekannte", "unknown"))


def test_superseded_entries_are_not_compared(lamps: Notes) -> None:
    lamps("forget", ids="1")
    assert [group["ids"] for group in lamps.facts("consolidate")["groups"]] == [[3, 4]]


def test_too_few_entries_are_said_to_be(lamps: Notes) -> None:
    assert lamps("consolidate", tag="zoo") == lamps.say(
        "Zu wenige Eintraege zum Verdichten: 1 in zoo.",
        "Too few entries to consolidate: 1 in zoo.",
    )


@pytest.mark.parametrize("groups", [1, 0, -3])
def test_more_groups_than_are_shown_are_counted(lamps: Notes, groups: int) -> None:
    facts = lamps.facts("consolidate", groups=groups)
    assert (len(facts["groups"]), facts["found"]) == (max(groups, 0), 2)
    left = 2 - max(groups, 0)
    assert lamps.say(
        f"{left} weitere nicht gezeigt - gruppen=2 zeigt alle.",
        f"{left} more not shown - groups=2 shows all.",
    ) in lamps("consolidate", groups=groups)


def test_a_threshold_beyond_all_finds_nothing(lamps: Notes) -> None:
    facts = lamps.facts("consolidate", threshold=2.5)
    assert facts["groups"] == []
    assert facts["entries"] == 5


def test_groups_beyond_the_budget_are_counted(memo: Notes) -> None:
    for n in range(30):
        for end in ("today", "tomorrow"):
            memo.keep(f"alpha{n} beta{n} gamma{n} delta{n} epsilon{n} {end}", "tower")
    brief = memo.as_(budget=2_000)
    facts = brief.facts("consolidate", groups=30)
    assert 0 < len(facts["groups"]) < 30
    told = brief("consolidate", groups=30)
    assert len(told) <= 2_000
    assert memo.say("passen nicht in eine Antwort", "do not fit in one answer") in told


def test_a_large_group_lists_its_first_members_and_the_ids_of_the_others(memo: Notes) -> None:
    for n in range(30):
        memo.keep(f"north{n} south{n} north{n + 1} south{n + 1}", "tower")
    told = memo("consolidate", threshold=0.2)
    rest = ", ".join(f"#{n}" for n in range(21, 31))
    line = memo.say(f"  ... und 10 weitere: {rest}", f"  ... and 10 more: {rest}")
    assert line in told


# --- check


def test_verdicts_stand_pair_by_pair(lamps: Notes, monkeypatch: pytest.MonkeyPatch) -> None:
    script = ["FORTSCHRITT", "FORTSCHRITT", "WIDERSPRUCH", "FORTSCHRITT", "Hm.", "UNABHAENGIG"]
    with JudgeServer(script) as server:
        set_up(monkeypatch, server.address)
        told = lines(lamps("check", ids="1,2,pi#3 1 99"))
    assert told[:4] == lamps.say(
        "#1 <-> #2: FORTSCHRITT\n"
        "#1 <-> #3: uneinig - WIDERSPRUCH in der einen, FORTSCHRITT in der anderen Richtung\n"
        "#2 <-> #3: UNABHAENGIG, aber nur eine Richtung geprueft - unbestaetigt\n"
        "Nicht vorhanden: #99",
        "#1 <-> #2: PROGRESS\n"
        "#1 <-> #3: undecided - CONTRADICTION in one direction, PROGRESS in the other\n"
        "#2 <-> #3: INDEPENDENT, but only one direction was checked - unconfirmed\n"
        "Not there: #99",
    ).split("\n")
    assert lamps.say("kleines Sprachmodell", "small language model") in told[4]


def test_verdicts_are_structured_too(lamps: Notes, monkeypatch: pytest.MonkeyPatch) -> None:
    with JudgeServer(["FORTSCHRITT", "WIDERSPRUCH"]) as server:
        set_up(monkeypatch, server.address)
        facts = lamps.facts("check", ids="1,2,99")
    words = lamps.say("FORTSCHRITT WIDERSPRUCH", "PROGRESS CONTRADICTION").split()
    assert facts["pairs"] == [{"a": 1, "b": 2, "outcome": "disagreed", "words": words}]
    assert facts["unknown"] == [99]


def test_the_same_note_and_pairs_beyond_the_cap_are_named(
    lamps: Notes, monkeypatch: pytest.MonkeyPatch
) -> None:
    lamps.keep("Zebras graze elsewhere", "harbour")
    with JudgeServer() as server:
        set_up(monkeypatch, server.address)
        told = lamps("check", ids="5,6,1,2,3")
    assert lines(told)[0] == lamps.say(
        "#5 <-> #6: fuer das Modell derselbe Text - nicht gefragt",
        "#5 <-> #6: the same text to the model - not asked",
    )
    capped = lamps.say(
        "nicht gefragt (Deckel bei 5 Paaren je Aufruf)", "not asked (cap of 5 pairs a call)"
    )
    assert told.count(capped) == 4


def test_some_pairs_may_have_no_verdict(lamps: Notes, monkeypatch: pytest.MonkeyPatch) -> None:
    script = ["FORTSCHRITT", "FORTSCHRITT", "Hm.", "Hm.", "FORTSCHRITT", "FORTSCHRITT"]
    with JudgeServer(script) as server:
        set_up(monkeypatch, server.address)
        told = lines(lamps("check", ids="1,2,3"))
    assert told[1] == lamps.say("#1 <-> #3: kein Urteil", "#1 <-> #3: no verdict")


def test_without_a_judge_the_answer_says_what_is_missing(lamps: Notes) -> None:
    assert lamps("check", ids="1,2") == lamps.say(
        "Kein Urteil - keines der Paare wurde beantwortet"
        " (nicht eingerichtet, ohne MEMORY_FC_URL und MEMORY_FC_MODELL)",
        "No verdict - none of the pairs was answered"
        " (not set up, without MEMORY_FC_URL and MEMORY_FC_MODELL)",
    )


@pytest.mark.parametrize("ids", ["1", "1,1", "1,99"])
def test_two_entries_are_needed(lamps: Notes, ids: str) -> None:
    missing = lamps.say(" (nicht gefunden: #99)", " (not found: #99)") if "99" in ids else ""
    assert lamps.refused("check", ids=ids) == lamps.say(
        f"zum Vergleichen braucht es mindestens zwei vorhandene Eintraege{missing} - nichts getan.",
        f"comparing takes at least two entries that are there{missing} - nothing done.",
    )


def test_a_call_takes_a_bounded_number_of_entries(lamps: Notes) -> None:
    ids = ",".join(map(str, range(1, 27)))
    assert lamps.refused("check", ids=ids) == lamps.say(
        "hoechstens 25 Eintraege je Aufruf - nichts getan.",
        "at most 25 entries a call - nothing done.",
    )


def test_many_pairs_keep_to_the_budget(memo: Notes, monkeypatch: pytest.MonkeyPatch) -> None:
    for n in range(25):
        memo.keep(f"entry number {n}")
    with JudgeServer() as server:
        set_up(monkeypatch, server.address)
        told = memo.as_(budget=2_000)("check", ids=",".join(map(str, range(1, 26))))
    assert len(told) <= 2_000
    assert memo.say("weitere nicht gezeigt", "more not shown") in told
