"""Foreign text is shown whole, short enough, and with nothing hidden in it."""

from __future__ import annotations

import pytest

from remembrancer.desktop.look.plain import display_text, number, one_line, reveal, tooltip, units


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain words\nand\ttabs — “quotes”", "plain words\nand\ttabs — “quotes”"),
        ("invoice\u202efdp.exe", "invoice⟨RLO⟩fdp.exe"),
        ("pay\u200bpal", "pay⟨ZWSP⟩pal"),
        ("a\x00b\x1b[31mc", "a⟨NUL⟩b⟨ESC⟩[31mc"),
        ("half \ud83d pair", "half ⟨U+D83D⟩ pair"),
        ("tag \U000e0041", "tag ⟨TAG A⟩"),
        ("one\r\ntwo\rthree", "one\ntwo\nthree"),
        ("soft\u00adhyphen and \ufeffmark", "soft⟨SHY⟩hyphen and ⟨BOM⟩mark"),
        ("picture \ufffc and frame \ufdd0", "picture ⟨OBJ⟩ and frame ⟨U+FDD0⟩"),
    ],
)
def test_hidden_characters_are_spelled_out(text: str, shown: str) -> None:
    assert reveal(text) == shown


@pytest.mark.parametrize("emoji", ["👩\u200d💻", "❤\ufe0f", "1\ufe0f\u20e3", "❤\ufe0f\u200d🔥"])
def test_joined_emoji_stay_as_they_are(emoji: str) -> None:
    assert reveal(emoji) == emoji


@pytest.mark.parametrize("text", ["1\u200d2", "a\ufe0f", "❤\ufe0f\ufe0f", "👩\u200d a"])
def test_joiners_that_join_no_emoji_are_spelled_out(text: str) -> None:
    assert "⟨" in reveal(text)


def test_a_short_text_is_shown_whole() -> None:
    assert display_text("Grüße\n\n  aus  Köln") == "Grüße\n\n  aus  Köln"


def test_a_long_text_ends_with_a_sentence_that_says_so() -> None:
    shown = display_text("word " * 10_000)
    body, _, sentence = shown.rpartition("\n\n")
    assert len(body) == 20_000
    assert (
        sentence == f"Only the beginning is shown here: the text has {number(50_000)} characters."
    )


def test_a_text_of_hidden_characters_stays_bounded() -> None:
    assert len(display_text("\u200b" * 19_000)) < 20_200


def test_an_unbroken_run_gets_a_break_every_two_thousand_characters() -> None:
    lines = display_text("x" * 4_500 + " end").split("\n")
    assert [len(line) for line in lines] == [2_000, 2_000, 504]


def test_one_line_has_no_line_ends_and_a_bound() -> None:
    assert one_line("  a\n b\tc ") == "a b c"
    assert one_line("word " * 500, limit=10) == "word word…"


def test_markup_in_a_tooltip_is_shown_and_not_followed() -> None:
    shown = tooltip("<img src='file:///etc/passwd'>\u202e")
    assert "&lt;img" in shown
    assert "<img" not in shown
    assert "⟨RLO⟩" in shown


def test_no_text_makes_no_tooltip() -> None:
    assert tooltip("") == ""


def test_a_character_beyond_the_first_plane_counts_twice_for_qt() -> None:
    assert units("a👩b") == 4
