"""How texts are shown and edited: every part bounded, and what is stored comes back exactly."""

from __future__ import annotations

import random

import pytest

from remembrancer.core.display import (
    FORMATTED_CHARACTERS,
    PARAGRAPH_CHARACTERS,
    SHOWN_CHARACTERS,
    UNBROKEN_CHARACTERS,
    breakable,
    editable,
    ends,
    formatted_parts,
    longest_run,
    one_line,
    parts,
    plain_parts,
    reveal,
)

LONG = {
    "a run": "x" * 200_000,
    "words": "word " * 40_000,
    "lines": "l\n" * 100_000,
    "tabs": "\t" * 200_000,
    "hidden": "\u200b" * 200_000,
    "stars": "*a" * 100_000,
    "table": "|a|b|\n" * 33_000,
    "mixed": "a\rb\n" * 50_000,
}
ENDS = ("\n", "\r\n", "\r", "\u2028", "\u2029", "\ufdd0", "\ufdd1", "\x0b", "\x85", "\ufdd2")


@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize("cut", [parts, plain_parts, formatted_parts])
def test_the_parts_of_a_text_are_the_text_and_each_is_bounded(name: str, cut: object) -> None:
    text = LONG[name]
    found = cut(text)  # type: ignore[operator]
    assert "".join(text[start:end] for start, end in found) == text
    assert all(0 < len(reveal(text[start:end])) <= SHOWN_CHARACTERS for start, end in found)


def test_a_part_ends_with_a_line_where_it_can() -> None:
    text = ("word " * 100 + "\n") * 100
    assert all(text[end - 1] == "\n" for _, end in parts(text))


def test_a_short_text_is_one_part() -> None:
    for cut in (parts, plain_parts, formatted_parts):
        assert cut("") == [(0, 0)]
        assert cut("word") == [(0, 4)]


def test_parts_of_markdown_are_smaller_where_it_is_thick_with_signs() -> None:
    start, end = formatted_parts("word " * 40_000)[0]
    assert end - start > FORMATTED_CHARACTERS * 0.7
    start, end = formatted_parts("*a" * 100_000)[0]
    assert end - start <= 2_500


@pytest.mark.parametrize("name", LONG)
def test_no_line_in_an_editor_is_longer_than_can_be_laid_out(name: str) -> None:
    shown = ends(LONG[name]).shown(LONG[name])
    pieces = list(editable(shown))
    assert "".join(piece for piece, _ in pieces) == shown
    assert max(len(piece) for piece, _ in pieces) <= SHOWN_CHARACTERS
    lines = "".join(piece + "\n" * broken for piece, broken in pieces).split("\n")
    assert max(map(len, lines)) <= PARAGRAPH_CHARACTERS
    assert longest_run(max(lines, key=longest_run)) <= PARAGRAPH_CHARACTERS


def test_whatever_ends_the_lines_of_a_text_it_comes_back_as_it_was() -> None:
    chance = random.Random(7)
    for _ in range(2_000):
        signs = chance.choices((*ENDS, "a", " ", "\U0001f600"), k=chance.randrange(12))
        text = "".join(signs)
        kept = ends(text)
        shown = kept.shown(text)
        assert not {"\r", "\u2029", "\ufdd0", "\ufdd1"} & set(shown)
        assert kept.stored(shown) == text


def test_the_usual_line_end_of_a_text_is_what_a_new_line_gets() -> None:
    kept = ends("one\r\ntwo\r\nthree\n")
    shown = kept.shown("one\r\ntwo\r\nthree\n")
    assert kept.stored(f"zero\n{shown}") == "zero\r\none\r\ntwo\r\nthree\n"


def test_an_odd_end_that_was_taken_out_is_gone() -> None:
    kept = ends("one\ntwo\rthree\n")
    shown = kept.shown("one\ntwo\rthree\n")
    sign = kept.odd[0][1]
    assert kept.stored(shown.replace(f"{sign}\n", sign)) == "one\ntwothree\n"
    assert kept.stored(shown.replace(f"{sign}\n", "\n")) == "one\ntwo\nthree\n"


def test_a_run_is_broken_and_a_line_is_cut_before_anybody_lays_it_out() -> None:
    assert longest_run(breakable("x" * 100_000)) == UNBROKEN_CHARACTERS
    assert len(one_line("x" * 100_000)) == 400
    told = one_line("\u200b" * 100)
    assert len(told) <= 400
    assert "\u200b" not in told
