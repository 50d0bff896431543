"""Words as beginnings of words: what a query asks for, and the snippet that shows the match."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.core.prefixes import all_of, any_of, asked, holds, snippet

LONG = " ".join(f"w{n}" for n in range(100))


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("", ()),
        ("Two  WORDS", ("two", "words")),
        ("two two", ("two",)),
        ("Größe", ("grosse",)),
        ("solar-panels", ("solar", "panels")),
        ('say "yes"', ("say", "yes")),
        ("* ( ) & --", ()),
        ("東京", ("東京",)),
    ],
)
def test_a_query_is_its_words(query: str, words: tuple[str, ...]):
    assert asked(query) == words


def test_no_more_than_64_words_count():
    assert asked(LONG) == tuple(f"w{n}" for n in range(64))


def test_words_become_prefixes():
    assert all_of(["a", "b"]) == 'words : ("a"* AND "b"*)'
    assert any_of(["a", "b"]) == 'words : ("a"* OR "b"*)'


def test_a_text_holds_words_by_their_beginnings():
    assert holds("The boiler heats", ["boil", "heats"])
    assert not holds("The boiler heats", ["boil", "oiler"])


@pytest.mark.parametrize(
    ("content", "words", "shown"),
    [
        ("one two three", ["tw"], "one [two] three"),
        ("One, two; ONE!", ["one"], "[One], two; [ONE]!"),
        ("one two three", ["four"], "one two three"),
        ("", ["one"], ""),
        ("... ---", ["one"], "... ---"),
        (LONG, ["none"], "w0 w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11..."),
        (LONG, ["w0"], "[w0] w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11..."),
        (LONG, ["w8"], "w0 w1 w2 w3 w4 w5 w6 w7 [w8] w9 w10 w11..."),
        (LONG, ["w50"], "...w47 w48 w49 [w50] w51 w52 w53 w54 w55 w56 w57 w58..."),
        (LONG, ["w98"], "...w88 w89 w90 w91 w92 w93 w94 w95 w96 w97 [w98] w99"),
        ("Häuser in Cafe\u0301s", ["haus", "cafe"], "[Häuser] in [Cafe\u0301s]"),
        ("私は東京都に住む", ["東京"], "[私は東京都に住む]"),
    ],
)
def test_a_snippet_shows_the_first_match(content: str, words: list[str], shown: str):
    assert snippet(content, words) == shown


@given(st.text(max_size=300), st.lists(st.text(min_size=1, max_size=5), max_size=3))
def test_a_snippet_of_any_text_is_a_part_of_it(content: str, words: list[str]):
    bare = snippet(content, words)
    for sign in "[].":
        bare, content = bare.replace(sign, ""), content.replace(sign, "")
    assert bare in content
