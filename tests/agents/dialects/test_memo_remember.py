"""Remembering: what is answered, what is said about texts, tags and entries that resemble it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents.dialects.memo_speech import LANGUAGES, Notes, lines, notes
from judge_server import JudgeServer, set_up
from notation import WINDOW, build, sketch
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Status
from remembrancer.service.library import Library

AT = "2026-01-01 00:00:00"
KINDS_DE = "schnittstelle, fallstrick, entscheidung, messwert, arbeitsweise, verlauf"
KINDS_EN = "interface, pitfall, decision, measurement, workflow, history"


@pytest.fixture(params=LANGUAGES)
def memo(library: Library, request: pytest.FixtureRequest) -> Notes:
    return notes(library, request.param)


def known(memo: Notes, *tags: str) -> None:
    """Make tags that need no advice."""
    for tag in tags:
        for n in range(3):
            memo.keep(f"{tag} {n}", tag, kind="decision")


# --- the first line


def test_the_first_line_says_id_time_kind_and_tags(memo: Notes) -> None:
    known(memo, "tower")
    told = memo("remember", text="It blinks", tags="tower, lamp", kind="pitfall")
    assert lines(told)[0] == memo.say(
        f"Gespeichert #4 [{AT}] als fallstrick (Tags: tower, lamp)",
        f"Stored #4 [{AT}] as pitfall (tags: tower, lamp)",
    )
    facts = memo.facts("remember", text="It still blinks", tags="tower", kind="pitfall")
    assert facts == {
        "id": 5, "created": AT, "kind": memo.kind("pitfall"), "tags": ["tower"], "status": "new",
        "notices": [], "superseded": [], "unknown": [], "similar": facts["similar"],
    }  # fmt: skip


def test_without_tags_there_is_a_dash(memo: Notes) -> None:
    told = memo("remember", text="It blinks", kind="pitfall")
    assert told == memo.say(
        f"Gespeichert #1 [{AT}] als fallstrick (Tags: -)",
        f"Stored #1 [{AT}] as pitfall (tags: -)",
    )


@pytest.mark.parametrize("word", ["messwert", "measurement", " MESSWERT ", "Measurement,"])
def test_kind_words_of_either_language_are_taken(memo: Notes, library: Library, word: str) -> None:
    id_ = memo.keep("It blinks", kind=word)
    assert library.memories.get(id_).kind is Kind.MEASUREMENT


@pytest.mark.parametrize("word", ["", "alle", "all", "gemischt", "unsorted"])
def test_no_kind_and_all_kinds_are_unsorted(memo: Notes, library: Library, word: str) -> None:
    told = memo("remember", text="It blinks", kind=word)
    assert library.memories.get(1).kind is Kind.UNSORTED
    assert lines(told)[1] == memo.say(
        f'Ohne Art. Nachholen mit einordnen("1", "..."): {KINDS_DE}.',
        f'Without a kind. Add one with classify("1", "..."): {KINDS_EN}.',
    )


# --- what is refused


@pytest.mark.parametrize(
    ("arguments", "german", "english"),
    [
        ({"text": " \n"}, "der Text ist leer", "the text is empty"),
        (
            {"text": "x" * 200_001},
            "der Text hat 200001 Zeichen, erlaubt sind 200000",
            "the text has 200001 characters, allowed are 200000",
        ),
        (
            {"text": "x", "kind": "idea"},
            f"unbekannte Art 'idea'; moeglich sind {KINDS_DE}, gemischt",
            f"unknown kind 'idea'; possible are {KINDS_EN}, unsorted",
        ),
        (
            {"text": "x", "kind": "pitfall,messwert"},
            "genau eine Art, nicht pitfall, messwert",
            "exactly one kind, not pitfall, messwert",
        ),
        (
            {"text": "x", "supersedes": "1 harbour#2"},
            "#2 gehoert zum Gedaechtnis harbour, dieses hier heisst pi",
            "#2 belongs to the memory harbour, this one is called pi",
        ),
        (
            {"text": "x", "tags": "t" * 201},
            "hoechstens 64 Tags mit je 200 Zeichen",
            "at most 64 tags of 200 characters each",
        ),
    ],
    ids=["empty", "long", "unknown kind", "two kinds", "foreign", "long tag"],
)
def test_what_cannot_be_stored_is_refused_whole(
    memo: Notes, library: Library, arguments: dict[str, Any], german: str, english: str
) -> None:
    memo.keep("old")
    head = library.journal.head()
    told = memo.refused("remember", **arguments)
    assert told == memo.say(f"{german} - nichts gespeichert.", f"{english} - nothing stored.")
    assert library.journal.head() == head
    assert library.memories.get(1).status is Status.ACTIVE


def test_two_words_for_one_kind_are_two_words_too_many(memo: Notes) -> None:
    memo.refused("remember", text="x", kind="pitfall fallstrick")
    assert memo.keep("x", kind="pitfall pitfall") == 1


def test_200_000_characters_are_kept(memo: Notes, library: Library) -> None:
    text = "wort " * 40_000
    assert library.memories.get(memo.keep(text)).content == text


# --- notices


def test_a_long_text_is_mentioned(memo: Notes) -> None:
    assert memo.facts("remember", text="x" * 900, kind="pitfall")["notices"] == []
    told = memo("remember", text="y" * 901, kind="pitfall")
    assert memo.say("Langer Eintrag (901 Zeichen)", "Long entry (901 characters)") in told


@pytest.mark.parametrize("start", ["2026-01-31", "**2026-01-31", "* 31.01.2026", "3.4.", "1/31/26"])
def test_a_longer_text_that_starts_with_a_date_is_mentioned(memo: Notes, start: str) -> None:
    def notices(length: int) -> list[str]:
        return memo.facts("remember", text=start.ljust(length, "x"), kind="pitfall")["notices"]

    assert notices(400) == []
    assert notices(401) == ["dated"]
    assert notices(901) == ["long", "dated"]


def test_a_date_further_on_is_not(memo: Notes) -> None:
    text = "On 2026-01-31 ".ljust(500, "x")
    assert memo.facts("remember", text=text, kind="pitfall")["notices"] == []


def test_tags_are_advised_on(memo: Notes) -> None:
    known(memo, "tower")
    told = memo("remember", text="x", tags="tower,Tower pitfall harbour", kind="decision")
    assert lines(told)[1:] == memo.say(
        "Tag Tower: gemeint vielleicht tower (3)?\n"
        "Tag pitfall: das ist eine Art und kein Projekt; sie gehoert in art=.\n"
        "Tag harbour: neu.",
        "Tag Tower: did you mean tower (3)?\n"
        "Tag pitfall: that is a kind and no project; it belongs in kind=.\n"
        "Tag harbour: new.",
    ).split("\n")


def test_the_first_and_second_use_are_advised_on_the_fourth_is_not(memo: Notes) -> None:
    known(memo, "tower")
    memo.keep("more about it", "tower", kind="decision")

    def advice(text: str) -> list[str]:
        return memo.facts("remember", text=text, tags="towers", kind="decision")["notices"]

    assert [advice(f"{n}") for n in range(4)] == [["tag_neighbours"]] * 3 + [[]]


def test_notices_come_in_their_order(memo: Notes) -> None:
    memo.keep("alpha beta gamma delta", "tower")
    text = "**2026-01-31 alpha beta gamma delta " + "password: hunter2-tango-9 ".ljust(900, "x")
    facts = memo.facts("remember", text=text, tags="harbour", supersedes="#1 pi#77")
    assert facts["notices"] == ["masked", "unsorted", "long", "dated", "tag_new", "superseded"]
    assert (facts["superseded"], facts["unknown"]) == ([1], [77])


def test_credentials_are_masked_and_the_answer_says_so(memo: Notes, library: Library) -> None:
    told = memo("remember", text="password: hunter2-tango-9", kind="decision")
    assert memo.say("Zugangsdaten wurden unkenntlich", "Credentials were masked") in lines(told)[1]
    assert "hunter2" not in told
    assert "hunter2" not in library.memories.get(1).content


# --- what it supersedes


def test_what_it_supersedes_is_marked(memo: Notes, library: Library) -> None:
    memo.keep("one")
    memo.keep("two")
    told = memo("remember", text="both", kind="decision", supersedes="#2, pi#1 99")
    assert lines(told)[1] == memo.say(
        "Als veraltet markiert: #2, #1 (nicht gefunden: #99)",
        "Marked as superseded: #2, #1 (not found: #99)",
    )
    old = library.memories.get(1)
    assert (old.archived_reason, old.superseded_by) == (memo.say("ersetzt", "superseded"), 3)


def test_nothing_to_supersede_is_said_too(memo: Notes) -> None:
    told = memo("remember", text="x", kind="decision", supersedes="98,99")
    assert lines(told)[1] == memo.say(
        "Nichts als veraltet markiert (nicht gefunden: #98, #99)",
        "Nothing marked as superseded (not found: #98, #99)",
    )


def test_the_same_text_again_is_said_to_be_there(memo: Notes, library: Library) -> None:
    memo.keep("old", "tower")
    memo.keep("x", "tower", kind="decision")
    told = memo("remember", text="x", tags="tower", kind="pitfall", supersedes="1,2")
    assert lines(told) == memo.say(
        f"Schon vorhanden: #2 [{AT}] als entscheidung (Tags: tower) - derselbe Text, nicht noch"
        " einmal gespeichert.\nAls veraltet markiert: #1",
        f"Already there: #2 [{AT}] as decision (tags: tower) - the same text, not stored again."
        "\nMarked as superseded: #1",
    ).split("\n")
    assert library.memories.get(1).superseded_by == 2
    assert memo.facts("remember", text="x", tags="tower")["status"] == "there"


def test_the_same_text_as_an_archived_one_brings_it_back(memo: Notes, library: Library) -> None:
    memo.keep("x", "tower")
    memo("forget", ids="1")
    told = memo("remember", text="x", tags="tower")
    assert told.startswith(memo.say("Schon vorhanden: #1", "Already there: #1"))
    assert told.endswith(memo.say("gilt jetzt wieder.", "holds again now."))
    assert library.memories.get(1).status is Status.ACTIVE


# --- what it resembles


@pytest.fixture
def lamps(memo: Notes) -> Notes:
    memo.keep("The lamp of the tower blinks red every 5 seconds", "tower", kind="measurement")
    return memo


NEW = "The lamp of the tower blinks red every 7 seconds"


def test_similar_entries_are_shown_with_share_and_numbers(lamps: Notes) -> None:
    facts = lamps.facts("remember", text=NEW, tags="tower", kind="measurement")
    [similar] = facts["similar"]
    share = round(similar["overlap"] * 100)
    assert share >= 55
    assert (similar["id"], similar["onlyOld"], similar["onlyNew"]) == (1, ["5"], ["7"])
    told = lamps("remember", text=f"{NEW} or so", tags="tower", kind="measurement")
    head, first, *_ = lines(told)[1:]
    assert head == lamps.say(
        "Aehnliche Eintraege - pruefen, ob einer davon ersetzt gehoert:",
        "Similar entries - see whether one of them should be superseded:",
    )
    assert lamps.say("% Ueberschneidung", "% overlap") in first
    assert len(lines(told)) <= 5


def test_what_was_just_superseded_is_not_similar_any_more(lamps: Notes) -> None:
    facts = lamps.facts("remember", text=NEW, tags="tower", supersedes="1")
    assert facts["similar"] == []


def test_a_failing_comparison_never_fails_the_call(
    lamps: Notes, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object, **__: object) -> Any:
        raise RuntimeError("broken")

    monkeypatch.setattr(library.resembling, "like", failing)
    assert lamps.facts("remember", text=NEW, tags="tower")["similar"] == []
    assert library.memories.get(2).content == NEW


def test_the_judge_adds_a_word_and_a_disclaimer(
    lamps: Notes, monkeypatch: pytest.MonkeyPatch
) -> None:
    with JudgeServer(["FORTSCHRITT"]) as server:
        set_up(monkeypatch, server.address)
        told = lamps("remember", text=NEW, tags="tower", kind="measurement")
    *_, similar, disclaimer = lines(told)
    share = similar.split("(")[1].split("%")[0]
    assert (
        similar
        == lamps.say(
            f"  #1 ({share}% Ueberschneidung, Zahlen 5 -> 7, Fortschritt?)",
            f"  #1 ({share}% overlap, numbers 5 -> 7, progress?)",
        )
        + " The lamp of the tower blinks red every 5 seconds"
    )
    assert lamps.say("ein kleines Sprachmodell", "a small language model") in disclaimer


def test_a_judge_that_fails_is_not_heard_of(lamps: Notes, monkeypatch: pytest.MonkeyPatch) -> None:
    set_up(monkeypatch, "http://127.0.0.1:9")
    told = lamps("remember", text=NEW, tags="tower", kind="measurement")
    assert "?" not in told


# --- reading back


def test_a_title_of_other_vocabularies_leads_the_text(memo: Notes, library: Library) -> None:
    build(library, "tower: it blinks")
    library.memories.revise(1, {"title": "The lamp of the tower"}, **WINDOW)
    assert "**The lamp of the tower** it blinks" in memo("show", ids="1")


_TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=200)
_WORD = st.text("abcdefäöü-._/#éß日本語", min_size=1, max_size=12)


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None
)
@given(
    text=_TEXT.filter(lambda text: bool(text.strip())),
    tags=st.lists(_WORD, max_size=4),
    kind=st.sampled_from([k for _, k in zip(range(7), KINDS_EN.split(", "), strict=False)]),
    language=st.sampled_from(LANGUAGES),
)
def test_whatever_was_written_is_read_back(
    library: Library, text: str, tags: list[str], kind: str, language: str
) -> None:
    memo = notes(library, language)
    kept = memo.facts("remember", text=text, tags=", ".join(tags), kind=kind)
    [entry] = memo.facts("show", ids=f"#{kept['id']}", full=True)["entries"]
    if kept["status"] == "new":
        assert entry["kind"] == memo.kind(kind)
        assert set(entry["tags"]) >= set(tags) or "masked" in kept["notices"]
    if "masked" not in kept["notices"]:
        assert entry["text"] == text
    assert f"#{kept['id']} [" in memo("show", ids=str(kept["id"]))
    assert sketch(library)
