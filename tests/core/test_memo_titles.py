"""The one line that stands for a memory, and where a long text may be cut."""

from __future__ import annotations

import pytest

from remembrancer.core import memo_titles
from remembrancer.core.memory import Draft, Memory
from remembrancer.service import writing


def memory(text: str, title: str = "") -> Memory:
    return writing.blank(Draft(text, title=title), None, 1, "robin")


def test_a_bold_beginning_is_the_title() -> None:
    text = "**The gateway reboots at night** because the timer is wrong."
    assert memo_titles.title(memory(text)) == "The gateway reboots at night"


@pytest.mark.parametrize("bold", ["x" * 19, "x" * 121])
def test_a_bold_beginning_that_is_too_short_or_long_is_no_title(bold: str) -> None:
    text = f"**{bold}** and so on"
    assert memo_titles.title(memory(text), 400) == text


@pytest.mark.parametrize("bold", ["x" * 20, "x" * 120])
def test_from_20_to_120_characters_it_is_one(bold: str) -> None:
    assert memo_titles.title(memory(f"  **{bold}** and so on")) == bold


def test_a_text_of_several_lines_becomes_one_line() -> None:
    assert memo_titles.title(memory("one\n\n  two\tthree")) == "one two three"


def test_a_long_text_is_cut_at_a_word() -> None:
    title = memo_titles.title(memory("word " * 60))
    assert title == " ".join(["word"] * 24) + "…"
    assert len(memo_titles.title(memory("word " * 60), memo_titles.INDEX_TITLE)) <= 77


def test_a_title_of_its_own_leads_the_text() -> None:
    shown = memo_titles.title(memory("because the timer is wrong", "The gateway reboots at night"))
    assert shown == "The gateway reboots at night"


@pytest.mark.parametrize(
    ("text", "limit", "cut"),
    [
        ("one two", 7, "one two"),
        ("one two", 6, "one…"),
        ("one two", 3, "one…"),
        ("one two three", 7, "one two…"),
        ("onetwothree", 5, "onetw…"),
        ("", 5, ""),
    ],
)
def test_cutting_keeps_whole_words_where_there_are_some(text: str, limit: int, cut: str) -> None:
    assert memo_titles.cut(text, limit) == cut


@pytest.mark.parametrize(
    ("text", "limit", "opening"),
    [
        ("a\nb", 9, "a\nb"),
        ("aaaa\nbbbb\ncccc", 12, "aaaa\nbbbb"),
        ("a\n" + "b" * 20, 12, "a\n" + "b" * 10),
        ("aaaa", 0, ""),
    ],
)
def test_an_opening_ends_with_a_line_unless_that_loses_too_much(
    text: str, limit: int, opening: str
) -> None:
    assert memo_titles.opening(text, limit) == opening
