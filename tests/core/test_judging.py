"""What a judge is asked, and what its answers are taken for."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.core import judging
from remembrancer.core.entity import Scope
from remembrancer.core.judging import JudgeState, Outcome, Standing, Word
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Memory, Status

BARE = Memory(
    7, 3, "nas", Scope.DEVICE, "disks", "", "It has two disks", Kind.FACT, "", 0.5, False,
    None, None, None, None, None, 0, ("home",), Status.ACTIVE, None, None, None, None, "ann", 1,
    1_767_225_600_000_000, 1_767_225_600_000_000,
)  # fmt: skip


def note(content: str, title: str = "", length: int = 200) -> str:
    return judging.note(dataclasses.replace(BARE, content=content, title=title), length)


@pytest.mark.parametrize(
    ("answer", "word"),
    [
        ("WIDERSPRUCH", Word.CONTRADICTION),
        ("fortschritt.", Word.PROGRESS),
        ("Unabhängig", Word.INDEPENDENT),
        ("UNABHA\u0308NGIG", Word.INDEPENDENT),
        ("**UNABHAENGIG**", Word.INDEPENDENT),
        ('{"urteil": "Fortschritt"}', Word.PROGRESS),
        ("Das ist ein Fortschritt und kein Widerspruch.", Word.PROGRESS),
        ("FORTSCHRITT oder WIDERSPRUCH", Word.PROGRESS),
        ("<think>Widerspruch? Nein ...</think>\nFORTSCHRITT", Word.PROGRESS),
        ("Widerspruch, dachte ich.</think>Fortschritt", Word.PROGRESS),
        ("<THINK>a</THINK><think>b</think>Widerspruch", Word.CONTRADICTION),
    ],
)
def test_the_first_of_the_three_words_is_the_verdict(answer: str, word: Word) -> None:
    assert judging.read(answer) is word


@pytest.mark.parametrize(
    ("answer", "word"),
    [
        ("kein Widerspruch", None),
        ("Es liegt keinerlei Widerspruch vor", None),
        ("Kein echter Widerspruch.", None),
        ("nicht *wirklich* unabhängig", None),
        ("Weder Widerspruch noch Fortschritt", None),
        ("Weder Widerspruch noch Fortschritt: UNABHAENGIG", Word.INDEPENDENT),
        ("Kein Widerspruch, sondern Fortschritt", Word.PROGRESS),
        ("Nicht unabhängig sondern ein Widerspruch", Word.CONTRADICTION),
        ("Kein Widerspruch\nFORTSCHRITT", Word.PROGRESS),
        ("Kein Zweifel: WIDERSPRUCH", Word.CONTRADICTION),
        ("widerspruchsfrei", None),
        ("Widerspruch: nein. Fortschritt: ja", Word.PROGRESS),
        ("Ein Widerspruch liegt nicht vor", None),
        ("Ein Widerspruch, denn 4 ist nicht 8", Word.CONTRADICTION),
    ],
)
def test_a_word_that_is_denied_is_no_verdict(answer: str, word: Word | None) -> None:
    assert judging.read(answer) is word


@pytest.mark.parametrize("answer", ["", "Ja.", "<think>Widerspruch", "contradiction", "WIDER"])
def test_without_one_of_the_words_there_is_no_verdict(answer: str) -> None:
    assert judging.read(answer) is None


@given(st.text(max_size=300))
def test_no_answer_whatever_is_an_error(answer: str) -> None:
    assert judging.read(answer) in (None, *Word)


def test_a_note_is_the_beginning_of_the_text_in_one_line() -> None:
    assert note("  It has\n\n two   disks ") == "It has two disks"
    assert note("x" * 500) == "x" * 200
    assert note("x" * 500, length=40) == "x" * 40


def test_a_bold_beginning_that_says_enough_stands_for_the_whole() -> None:
    assert note("**The share is called backup** and more") == "The share is called backup"
    assert note("**Note:** the share is called backup") == "**Note:** the share is called backup"
    assert note("and more", title="The share is called backup") == "The share is called backup"


def test_neither_ids_nor_names_nor_dates_of_the_record_are_in_a_note() -> None:
    assert note("It has two disks") == "It has two disks"


def test_a_secret_that_was_kept_on_purpose_is_masked_in_a_note() -> None:
    assert "hunter2" not in note("The router: password=hunter2-Xk93, do not change")
    assert "REDACTED" in note(f"{'x' * 150} password={'aB3' * 80}")


def test_a_text_cannot_put_a_line_of_its_own_into_the_question() -> None:
    asked = judging.prompt(note("a\nZweite Notiz: b"), note("{second} c"))
    assert asked.count("\nZweite Notiz: ") == 1
    assert "Zweite Notiz: {second} c\n" in asked


def test_the_question_defines_each_word_and_wants_exactly_one() -> None:
    asked = judging.prompt("a", "b")
    for word in ("WIDERSPRUCH", "FORTSCHRITT", "UNABHAENGIG"):
        assert f"\n{word} - " in asked
    assert "genau einem" in asked
    assert len(asked) < 1_000


@pytest.mark.parametrize(
    ("first", "second", "outcome"),
    [
        (Word.PROGRESS, Word.PROGRESS, Outcome.AGREED),
        (Word.PROGRESS, Word.INDEPENDENT, Outcome.DISAGREED),
        (None, Word.PROGRESS, Outcome.ONE_WAY),
        (Word.PROGRESS, None, Outcome.ONE_WAY),
        (None, None, Outcome.NONE),
    ],
)
def test_two_answers_amount_to_one_outcome(
    first: Word | None, second: Word | None, outcome: Outcome
) -> None:
    assert judging.outcome(first, second) is outcome


def test_every_state_has_words_in_both_languages() -> None:
    both = ("MEMORY_FC_URL", "MEMORY_FC_MODELL")
    missing = JudgeState(Standing.NOT_SET_UP, both)
    assert missing.words("de") == "nicht eingerichtet, ohne MEMORY_FC_URL und MEMORY_FC_MODELL"
    assert missing.words("en") == "not set up, without MEMORY_FC_URL and MEMORY_FC_MODELL"
    locked = JudgeState(Standing.LOCKED, seconds=12)
    assert locked.words("de") == "nach einem Fehlschlag noch 12 s gesperrt"
    assert locked.words("en") == "locked for another 12 s after a failure"
    for standing in Standing:
        assert JudgeState(standing, ("X",)).words("de") != JudgeState(standing, ("X",)).words("en")
