"""Showing, forgetting and classifying: entries by their ids."""

from __future__ import annotations

import re
from typing import Any

import pytest

from agents.dialects.memo_speech import LANGUAGES, Notes, lines, notes
from conftest import Hand
from notation import WINDOW, build
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Draft, Status
from remembrancer.service.library import Library

AT = "2026-01-01 00:00:00"


@pytest.fixture(params=LANGUAGES)
def memo(library: Library, request: pytest.FixtureRequest) -> Notes:
    return notes(library, request.param)


def shown(told: str) -> list[int]:
    """The ids of the entries that are there in full."""
    return [int(found) for found in re.findall(rf"(?m)^#(\d+) \[{AT}\]", told)]


def filled(memo: Notes, *sizes: int) -> None:
    """Keep entries of so many characters, in lines of a hundred."""
    for number, size in enumerate(sizes, 1):
        line = f"entry {number} ".ljust(99, "x") + "\n"
        memo.keep((line * (size // 100 + 1))[:size], "tower")


# --- ids


@pytest.mark.parametrize(
    "ids", ["3,1", "#3 #1", "pi#3, PI#1", "[[3]] und [[1]]", "3/1/3", "#3#1", "3-1", "a3, b 1"]
)
def test_ids_are_found_whatever_stands_between_them(memo: Notes, ids: str) -> None:
    for n in range(3):
        memo.keep(f"note {n}")
    assert shown(memo("show", ids=ids)) == [3, 1]


@pytest.mark.parametrize("tool", ["show", "forget", "classify", "check"])
def test_a_foreign_id_refuses_the_whole_call(memo: Notes, library: Library, tool: str) -> None:
    memo.keep("x")
    head = library.journal.head()
    more = {"kind": "pitfall"} if tool == "classify" else {}
    told = memo.refused(tool, ids="1, my-host.local#2", **more)
    assert told == memo.say(
        "#2 gehoert zum Gedaechtnis my-host.local, dieses hier heisst pi - nichts getan.",
        "#2 belongs to the memory my-host.local, this one is called pi - nothing done.",
    )
    assert library.journal.head() == head


@pytest.mark.parametrize("tool", ["show", "forget", "classify", "check"])
def test_a_call_without_ids_is_refused(memo: Notes, tool: str) -> None:
    more = {"kind": "pitfall"} if tool == "classify" else {}
    assert memo.refused(tool, ids=" - ", **more) == memo.say(
        'keine Id erkannt; erwartet wird etwa "12,34" - nichts getan.',
        'no id recognised; expected is something like "12,34" - nothing done.',
    )


@pytest.mark.parametrize("ids", ["9" * 5_000, "1" * 100_000, "#" * 100_000 + "7", "a#" * 50_000])
def test_no_list_of_ids_whatever_is_too_much(memo: Notes, ids: str) -> None:
    result = memo.speaker.result(*memo._own("show"), {"ids": ids})
    assert len(str(result.content)) < 1_000


# --- show


def test_entries_are_shown_in_full_in_the_order_asked(memo: Notes) -> None:
    memo.keep("one\nand more", "tower lamp", kind="pitfall")
    memo.keep("two")
    assert memo("show", ids="2,1,9") == memo.say(
        f"#2 [{AT}] (gemischt)\ntwo\n\n#1 [{AT}] (fallstrick, tower, lamp)\none\nand more\n\n"
        "Nicht vorhanden: #9",
        f"#2 [{AT}] (unsorted)\ntwo\n\n#1 [{AT}] (pitfall, tower, lamp)\none\nand more\n\n"
        "Not there: #9",
    )
    facts = memo.facts("show", ids="1,9")
    assert facts == {
        "entries": [
            {
                "id": 1, "kind": memo.kind("pitfall"), "created": AT, "tags": ["tower", "lamp"],
                "text": "one\nand more",
            }
        ],
        "left": [],
        "unknown": [9],
    }  # fmt: skip


def test_what_one_language_wrote_the_other_shows_in_its_words(library: Library) -> None:
    german, english = notes(library, "de"), notes(library, "en")
    german.keep("blinkt", "turm", kind="measurement")
    english("forget", ids="1")
    assert german("show", ids="1") == f"#1 [{AT}] (messwert, turm) [VERALTET: outdated]\nblinkt"
    assert (
        english("show", ids="1") == f"#1 [{AT}] (measurement, turm) [SUPERSEDED: outdated]\nblinkt"
    )


def test_nothing_there_is_no_error(memo: Notes) -> None:
    assert memo("show", ids="8,9") == memo.say("Nicht vorhanden: #8, #9", "Not there: #8, #9")


def test_about_6000_characters_are_shown_and_the_rest_is_a_call_away(memo: Notes) -> None:
    filled(memo, 2_500, 2_500, 2_500, 100)
    told = memo("show", ids="1,2,3,4")
    assert shown(told) == [1, 2]
    rest = told[told.index(memo.say("2 weitere", "2 more")) :]
    assert lines(rest)[0] == memo.say(
        '2 weitere verlangt, nicht gezeigt (Deckel 6000 Zeichen) - weiter mit zeige("3,4"), alles'
        " auf einmal mit voll=True:",
        '2 more asked for, not shown (cap 6000 characters) - go on with show("3,4"), all at once'
        " with full=True:",
    )
    assert [line.split(" [")[0] for line in lines(rest)[1:]] == ["  #3", "  #4"]
    assert shown(memo("show", ids="1,2,3,4", full=True)) == [1, 2, 3, 4]


def test_following_the_calls_reaches_the_end(memo: Notes) -> None:
    filled(memo, *[1_700] * 11)
    ids, seen = ",".join(map(str, range(11, 0, -1))), list[int]()
    while ids:
        told = memo("show", ids=ids)
        seen += shown(told)
        following = re.search(r'(?:show|zeige)\("([\d,]+)"\)', told)
        ids = following[1] if following else ""
    assert seen == list(range(11, 0, -1))


def test_the_first_one_is_always_shown(memo: Notes) -> None:
    filled(memo, 5_990, 10)
    told = memo("show", ids="1,2")
    assert shown(told) == [1]
    assert memo.facts("show", ids="1,2")["left"] == [2]


def test_one_that_is_too_long_is_cut_at_a_line_with_both_lengths(memo: Notes) -> None:
    filled(memo, 9_950, 50)
    told = memo("show", ids="1,2")
    assert (
        memo.say(
            '\n[gekuerzt: 5999 von 9950 Zeichen - ganz mit zeige("1", voll=True)]\n',
            '\n[cut: 5999 of 9950 characters - whole with show("1", full=True)]\n',
        )
        in told
    )
    [entry] = memo.facts("show", ids="1,2")["entries"]
    assert (len(entry["text"]), entry["characters"]) == (5_999, 9_950)
    assert memo.facts("show", ids="1,2")["left"] == [2]
    [whole] = memo.facts("show", ids="1", full=True)["entries"]
    assert len(whole["text"]) == 9_950


def test_a_long_one_that_is_not_first_is_not_cut(memo: Notes) -> None:
    filled(memo, 100, 9_950)
    assert shown(memo("show", ids="1,2")) == [1]


def test_superseded_ones_are_shown_and_marked(memo: Notes) -> None:
    memo.keep("old", kind="pitfall")
    memo.keep("new", supersedes="1", kind="pitfall")
    assert lines(memo("show", ids="1"))[0] == memo.say(
        f"#1 [{AT}] (fallstrick) [VERALTET: ersetzt, ersetzt durch #2]",
        f"#1 [{AT}] (pitfall) [SUPERSEDED: superseded, replaced by #2]",
    )
    [entry] = memo.facts("show", ids="1")["entries"]
    assert entry["superseded"] == {"reason": memo.say("ersetzt", "superseded"), "by": 2}


def test_deleted_ones_are_unknown(memo: Notes, library: Library) -> None:
    library.memories.delete(memo.keep("x"), **WINDOW)
    assert memo("show", ids="1") == memo.say("Nicht vorhanden: #1", "Not there: #1")
    assert memo.facts("forget", ids="1")["unknown"] == [1]


def test_expired_ones_are_shown_and_marked(memo: Notes, library: Library, clock: Hand) -> None:
    library.memories.remember(Draft("x", expires_at=clock.at + 1_000_000), **WINDOW)
    clock.advance(days=1)
    assert memo.say(" [ABGELAUFEN 2026-01-01]", " [EXPIRED 2026-01-01]") in memo("show", ids="1")
    assert memo.facts("show", ids="1")["entries"][0]["expired"] is True


def test_who_reads_leaves_a_receipt(memo: Notes, library: Library) -> None:
    memo.keep("four")
    memo("show", ids="1,1")
    memo("show", ids="1")
    memo.keep("x")  # the writer has come to it by now
    [(agent, times, characters, _)] = library.memories.receipts(1)
    assert (agent, times, characters) == ("robin", 2, 8)


# --- forget


def test_forgetting_hides_and_gives_the_reason(memo: Notes, library: Library) -> None:
    memo.keep("tower one", kind="pitfall")
    memo.keep("tower two", kind="pitfall")
    assert memo("forget", ids="1, 2, 9", reason="  rebuilt ") == memo.say(
        "Als veraltet markiert: #1, #2 (nicht gefunden: #9)",
        "Marked as superseded: #1, #2 (not found: #9)",
    )
    assert library.memories.get(1).status is Status.ARCHIVED
    assert memo.say("[VERALTET: rebuilt]", "[SUPERSEDED: rebuilt]") in memo("show", ids="1")
    assert memo.facts("recall", query="tower")["hits"] == []
    hits = memo.facts("recall", query="tower", include_superseded=True)["hits"]
    assert {hit["id"] for hit in hits} == {1, 2}


def test_without_a_reason_it_is_outdated(memo: Notes) -> None:
    memo.keep("x")
    word = memo.say("veraltet", "outdated")
    assert memo.facts("forget", ids="1") == {"superseded": [1], "unknown": [], "reason": word}


def test_forgetting_again_shows_the_newest_reason(memo: Notes, library: Library) -> None:
    memo.keep("x")
    for reason in ("first", "second"):
        memo("forget", ids="1", reason=reason)
    assert ": second]" in memo("show", ids="1")
    assert len(library.memories.history(1)) == 3


def test_forgetting_nothing_is_said(memo: Notes) -> None:
    assert memo("forget", ids="9") == memo.say(
        "Nichts als veraltet markiert (nicht gefunden: #9)",
        "Nothing marked as superseded (not found: #9)",
    )


def test_a_secret_in_the_reason_is_masked_and_said(memo: Notes) -> None:
    memo.keep("x")
    told = memo("forget", ids="1", reason="password: hunter2-tango-9")
    assert memo.say("unkenntlich", "masked") in told
    assert "hunter2" not in told + memo("show", ids="1")


def test_a_long_reason_is_shown_whole_with_the_entry_and_cut_in_lists(memo: Notes) -> None:
    memo.keep("tower")
    reason = "because " * 200
    memo("forget", ids="1", reason=reason)
    assert reason.strip() in memo("show", ids="1")
    listed = memo("recall", query="tower", include_superseded=True)
    assert len(listed) < 400
    assert "because…" in listed


def test_a_reason_has_a_bound(memo: Notes) -> None:
    memo.keep("x")
    assert "2000" in memo.refused("forget", ids="1", reason="r" * 2_001)


# --- classify


def test_classifying_says_what_it_did_and_what_is_left(memo: Notes, library: Library) -> None:
    for n in range(3):
        memo.keep(f"{n}")
    memo("forget", ids="3")
    assert memo("classify", ids="1, 9", kind="fallstrick") == memo.say(
        "fallstrick: #1 (nicht gefunden: #9)\nNoch 1 Eintrag ohne Art.",
        "pitfall: #1 (not found: #9)\n1 entry without a kind left.",
    )
    assert library.memories.get(1).kind is Kind.PITFALL
    assert memo.facts("classify", ids="1", kind="unsorted") == {
        "kind": memo.kind("unsorted"), "classified": [1], "unknown": [], "unsorted": 2,
    }  # fmt: skip
    assert library.memories.get(1).kind is Kind.UNSORTED


@pytest.mark.parametrize("kind", ["", "all", "alle", "pitfall messwert", "idea"])
def test_exactly_one_kind_is_wanted(memo: Notes, library: Library, kind: str) -> None:
    memo.keep("x")
    head = library.journal.head()
    assert memo.refused("classify", ids="1", kind=kind).endswith(
        memo.say(" - nichts getan.", " - nothing done.")
    )
    assert library.journal.head() == head


def test_a_kind_that_already_reads_so_stays_as_it_is(memo: Notes, library: Library) -> None:
    build(library, "tower: it blinks")
    memo("classify", ids="1", kind="unsorted")
    assert library.memories.get(1).kind is Kind.FACT
    assert library.memories.get(1).revision == 1


# --- the budget


def brief(memo: Notes, budget: int = 3_000) -> Notes:
    return memo.as_(budget=budget)


def test_a_short_answer_shows_whole_entries_and_the_call_for_the_rest(memo: Notes) -> None:
    filled(memo, *[700] * 8)
    told = brief(memo)("show", ids="1,2,3,4,5,6,7,8", full=True)
    assert len(told) <= 3_000
    count = len(shown(told))
    assert 1 < count < 8
    rest = ",".join(str(each) for each in range(count + 1, 9))
    assert told.endswith(
        memo.say(
            f"{8 - count} weitere verlangt, die nicht in eine Antwort passen - weiter mit"
            f' zeige("{rest}", voll=True).',
            f"{8 - count} more asked for that do not fit in one answer - go on with"
            f' show("{rest}", full=True).',
        )
    )
    assert len(shown(memo("show", ids=rest, full=True))) == 8 - count


def test_an_entry_longer_than_any_answer_is_cut_and_said_to_be(memo: Notes) -> None:
    filled(memo, 20_000)
    for full in (False, True):
        told = brief(memo)("show", ids="1", full=full)
        assert len(told) <= 3_000
        note = memo.say("von 20000 Zeichen - laenger darf", "of 20000 characters - an answer may")
        assert note in told
    assert len(brief(memo, 30_000)("show", ids="1", full=True)) > 20_000
    assert len(memo.as_(budget=None)("show", ids="1", full=True)) > 20_000


def test_many_long_ids_still_fit(memo: Notes) -> None:
    filled(memo, *[700] * 3)
    ids = "1,2,3," + ",".join(str(10**15 + n) for n in range(2_000))
    facts: dict[str, Any] = brief(memo, 5_000).facts("show", ids=ids)
    assert [each["id"] for each in facts["entries"]][:1] == [1]
    assert len(brief(memo, 5_000)("show", ids=ids)) <= 5_000
