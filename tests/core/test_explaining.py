"""What a score is made of, and what those that were left out met."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.test_memory import SEEN
from remembrancer.core.clock import DAY
from remembrancer.core.explaining import breakdown, looked_for, rooms
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Memory
from remembrancer.core.ranking import Candidate, Evidence, Rated, Signal
from remembrancer.core.recall import Gathered, Hit, Question, Why, answer, hit, query_words

NOW = 200 * DAY
CANDIDATE = Candidate(1, 1, "robin", 0, 0, False, "fact", 0.5, False, "", "", "")
TEXT = "Die Fusionskatalysatoren am WAN-Port; copies for jenkins on 10.0.0.1"
SURE = replace(SEEN, content=TEXT, verified_at=NOW, confidence=0.6, updated_at=NOW - 90 * DAY)


def found(
    evidence: str = "",
    query: str = "wan",
    memory: Memory = SURE,
    why: Why = Why.SHARED,
    loss: float = 0,
    mandatory: bool = False,
) -> Hit:
    """A hit; `evidence` in notation: "words:wan:wan 2.5; together::12 1"."""
    seen = [each.rsplit(" ", 1) for each in evidence.split("; ") if each]
    parts = tuple(
        Evidence(Signal(signal), float(amount), asked, form)
        for (signal, asked, form), amount in ((e[0].split(":"), e[1]) for e in seen)
    )
    rated = Rated(CANDIDATE, sum(e.amount for e in parts) * (1 - loss), parts)
    return hit(memory, why, rated, query_words(query), NOW, mandatory=mandatory)


def lines(given: Hit, query: str = "wan") -> list[str]:
    return [line.text() for line in breakdown(given, query, NOW).lines]


@pytest.mark.parametrize(
    ("evidence", "query", "text"),
    [
        ("words:wan:wan 1", "wan", "wan: as a word"),
        ("words:copy:copi 1", "copy", "copy: as a word, copies"),
        (
            "parts:katalysator:katalysator 1",
            "katalysator",
            "katalysator: part of Fusionskatalysatoren",
        ),
        ("misspelt:jenkns:jenkin 1", "jenkns", "jenkns: similar spelling, jenkins"),
        ("akin:fusion:fusionskatalysator 1", "x", "fusion: akin word, Fusionskatalysatoren"),
        ("phrase:10 0 0 1:10 0 0 1 1", "is 10.0.0.1 up", "Exactly 10.0.0.1"),
        ("together::12 1", "wan", "Written together with memory 12"),
        ("entity:: 1", "wan", "Other hits of the same entity"),
        ("linked:: 1", "wan", "Its entity is linked with another hit's"),
        ("meaning::0.83 1", "wan", "Close in meaning 0.83"),
        ("words:zebra:zebra 1", "zebra", "zebra: as a word"),
    ],
)
def test_each_signal_is_told_in_words(evidence: str, query: str, text: str) -> None:
    assert lines(found(evidence, query), query) == [text]


@pytest.mark.parametrize(
    ("asked", "content", "text"),
    [
        ("fusionskatalysator", "der Katalysator", "its part Katalysator"),
        ("fusionskatalysator", "der Katalysatorpreis", "shares a part with Katalysatorpreis"),
    ],
)
def test_parts_say_which_word_is_the_whole(asked: str, content: str, text: str) -> None:
    given = found(f"parts:{asked}:katalysator 1", asked, replace(SURE, content=content))
    assert lines(given, asked) == [f"{asked}: {text}"]


def test_only_what_was_written_together_leads_to_another_memory() -> None:
    parts = breakdown(found("words:wan:wan 1; together::12 2"), "wan", NOW)
    assert [line.other for line in parts.lines] == [12, None]


def test_a_word_is_found_in_two_hundred_thousand_letters_and_a_blob_is_not_shown() -> None:
    long = replace(SURE, content=f"{'wan' * 30_000} {'word ' * 20_000} WAN")
    assert lines(found("words:wan:wan 1", memory=long)) == ["wan: as a word"]


def test_the_lines_and_the_shares_add_up_to_the_score() -> None:
    pinned = replace(SURE, pinned=True, confidence=1.0)
    parts = breakdown(found("words:wan:wan 2; entity:: 0.5", memory=pinned), "wan", NOW)
    assert sum(line.amount for line in parts.lines) == pytest.approx(parts.relevance)
    assert 1 + sum(share.amount for share in parts.shares) == pytest.approx(parts.standing)
    assert (1 + parts.relevance) * parts.standing == pytest.approx(parts.score)
    assert not parts.bounded


def test_a_question_among_the_memories_says_what_it_loses() -> None:
    parts = breakdown(found("words:wan:wan 2", loss=0.3), "wan", NOW)
    assert [(x.text(), round(x.amount, 3)) for x in parts.lines] == [
        ("wan: as a word", 2.0),
        ("A question itself, and so no answer", -0.6),
    ]
    assert sum(line.amount for line in parts.lines) == pytest.approx(parts.relevance)


def test_the_standing_says_what_it_is_made_of() -> None:
    doubtful = replace(SURE, pinned=True, kind=Kind.CONSTRAINT, verified_at=None, confidence=0.4)
    parts = breakdown(found(memory=doubtful, why=Why.SELECTED), "wan", NOW)
    told = [(str(s.part), round(s.amount, 3), s.about) for s in parts.shares]
    assert told == [
        ("of the selected entity", 0.06, ""),
        ("pinned", 0.12, ""),
        ("constraint", 0.09, ""),
        ("confidence", 0.012, ""),
        ("freshness", 0.025, ""),
        ("doubt", -0.018, "Not verified"),
        ("doubt", -0.018, "Low confidence"),
    ]
    assert parts.bounded
    assert parts.standing == 1.25


def test_nothing_is_fresh_when_nothing_was_asked() -> None:
    shares = breakdown(found(query=""), "", NOW).shares
    assert [str(s.part) for s in shares] == ["confidence"]


def test_what_was_left_out_says_what_it_needs_and_what_was_left() -> None:
    sizes = [10, 3_000, 20, 30]
    hits = [
        found(f"words:wan:wan {9 - n}", memory=replace(SURE, id=n, content="x" * size))
        for n, size in enumerate(sizes)
    ]
    gathered = Gathered(tuple(hits), 0, False, (), ())
    question = Question("wan", limit=2, max_characters=2_000)
    told = answer(gathered, question)
    assert [h.memory.id for h in told.items] == [0, 2]
    met = rooms(told, question)
    assert list(met) == [1, 3]
    assert not met[1].full
    assert met[1].needs > 3_000 > 2_000 > met[1].left > 1_000
    assert met[3].full
    just = replace(question, max_characters=2_000 + met[1].needs - met[1].left)
    assert [h.memory.id for h in answer(gathered, just).items] == [0, 1]
    less = replace(just, max_characters=just.max_characters - 1)
    assert [h.memory.id for h in answer(gathered, less).items] == [0, 2]


def test_a_question_says_which_forms_are_looked_for() -> None:
    found = {w.asked: w.forms for w in looked_for("The Fusionskatalysatoren of 10.0.0.1")}
    assert found["fusionskatalysatoren"] == ("fusionskatalysator", "fusion", "katalysator")
    assert found["10.0.0.1"] == ()
    assert "the" not in found
    assert looked_for("***") == ()
