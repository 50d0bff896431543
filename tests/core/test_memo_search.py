"""What a memo question means, with FTS5 itself as the judge of its own syntax."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from remembrancer.core import analyser, memo_syntax
from remembrancer.core.memo_search import View, landmark, phrase, tagged, terms

ANY_SIGNS = st.text(st.characters(exclude_categories=()))
PIECES = st.one_of(
    st.sampled_from('abcä()*+^:,-{}3"'),
    st.sampled_from(["AND", "OR", "NOT", "NEAR", "NEAR(", "content", "tags", "stems"]),
    st.sampled_from(['"a b"', '"c"', "AND a", "content : a", "{content tags} : b", "- tags : a"]),
    st.sampled_from(["NEAR(a b, 1)", '"a b"*', "(a OR b)", "NOT c"]),
)
TEXTS = st.lists(st.sampled_from("abcd"), max_size=6).map(" ".join)


class Judge:
    """A real full-text table with one memory in it."""

    def __init__(self, *columns: str) -> None:
        self._table = sqlite3.connect(":memory:")
        self._table.execute(f"CREATE VIRTUAL TABLE notes USING fts5({', '.join(columns)})")

    def __call__(self, query: str, content: str, tags: str) -> bool | None:
        """Whether the query finds the memory; None when it is no query."""
        self._table.execute("DELETE FROM notes")
        self._table.execute("INSERT INTO notes VALUES (?, ?)", (content, tags))
        try:
            found = self._table.execute("SELECT 1 FROM notes WHERE notes MATCH ?", (query,))
            return found.fetchone() is not None
        except sqlite3.OperationalError:
            return None

    def close(self) -> None:
        self._table.close()


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    judge = Judge("content", "tags")
    yield judge
    judge.close()


@pytest.fixture(scope="module")
def index() -> Iterator[Judge]:
    index = Judge("words", "stems")
    yield index
    index.close()


def view(content: str, tags: str = "") -> View:
    return View(f" {analyser.spoken(content)} ", f" {analyser.spoken(tags)} ")


def finds(query: str, content: str, tags: str = "") -> bool | None:
    wanted = memo_syntax.parsed(query)
    return None if wanted is None else memo_syntax.wants(wanted, view(content, tags))


def words(query: str) -> list[str]:
    return [term.spoken for term in terms(query)]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("Wie hoch ist der Wert?", ["wie", "hoch", "ist", "der", "wert"]),
        ("plan a 7 b 7", ["plan", "7"]),
        ("Häuser HÄUSER häuser", ["hauser"]),
        ("snake_case_8", ["snake", "case", "8"]),
        ("東京都 駅", ["東 京", "京 都", "駅"]),
        ("?! -- 'x'", []),
        ("", []),
    ],
)
def test_words_are_folded_and_lone_letters_dropped_but_not_digits(
    query: str, found: list[str]
) -> None:
    assert words(query) == found


@pytest.mark.parametrize(
    ("query", "content", "tags", "expected"),
    [
        ('"rote lampe"', "Die rote Lampe", "", True),
        ('"rote lampe"', "Die Lampe, rote", "", False),
        ('"rote lampe"', "rote", "lampe", False),
        ("lampe NOT rote", "Lampe", "", True),
        ("lampe NOT rote", "Lampe", "rote", False),
        ("rote OR grün", "GRUN", "", True),
        ("lamp*", "Lampenschirm", "", True),
        ("^lampe", "Die Lampe", "", False),
        ("tags : haus", "haus", "see", False),
        ("- content : see", "haus", "see", True),
        ("NEAR(rote see, 2)", "rote Lampe am See", "", True),
        ("NEAR(rote see, 1)", "rote Lampe am See", "", False),
        ("(rote AND lampe) NOT (see OR haus)", "rote lampe", "", True),
        ("rote (lampe)", "rote lampe", "", None),
        ("12:30 Uhr", "12:30 Uhr", "", None),
        ("(open", "open", "", None),
        ('"..."', "open", "", None),
        ("plain words", "plain words", "", None),
        ("do and not or", "do and not or", "", None),
        ("(" * 40 + "a" + ")" * 40, "a", "", None),
        (" OR ".join(["a"] * 100), "a", "", None),
    ],
)
def test_explicit_syntax_means_what_it_says_or_is_none(
    query: str, content: str, tags: str, expected: bool | None
) -> None:
    assert finds(query, content, tags) is expected


@given(st.lists(PIECES, max_size=8).map(" ".join), TEXTS, TEXTS)
@example("a NOT b NOT c AND a OR b", "a", "b")
@example("{content} : (a OR tags : b)", "c", "b")
@example("^ a + b *", "a bc", "")
@example("NEAR(a b a, 0)", "a b a", "")
def test_full_text_tables_agree_about_every_expression(
    judge: Judge, query: str, content: str, tags: str
) -> None:
    # A phrase without words is passed over here, and a word within a phrase has no open end.
    differs = re.search(r'"\W*"|\* *\+', query)
    if differs or not memo_syntax.has_syntax(query) or not any(map(str.isalnum, query)):
        return
    verdict = judge(query, content, tags)
    assert finds(query, content, tags) is verdict


@given(ANY_SIGNS, ANY_SIGNS)
def test_whatever_is_asked_is_read_without_an_error(query: str, text: str) -> None:
    terms(query)
    tagged((query,), (text,))
    landmark(query).encode()
    finds(query, text, query)


@given(
    st.lists(PIECES | st.sampled_from(["fooBar", "a_b", '"b fooBar c"', '"東京"']), max_size=8),
    st.lists(st.sampled_from(["a", "b", "c", "fooBar", "a_b", "東京都"]), max_size=6),
)
@example(["fooBar", "AND", '"b fooBar c"'], ["b", "fooBar", "c"])
def test_where_to_look_holds_everything_that_is_wanted(
    index: Judge, query: list[str], content: list[str]
) -> None:
    wanted = memo_syntax.parsed(" ".join(query))
    text = " ".join(content)
    if wanted is not None and memo_syntax.wants(wanted, view(text)):
        *_, widest = memo_syntax.candidates(wanted)
        assert index(widest, analyser.indexed(text).words, "")


@given(st.lists(st.sampled_from(["a", "b", "fooBar", "HTTPServer", "a_b", "東京"]), min_size=2))
def test_a_question_is_found_as_a_phrase_where_it_stands(index: Judge, question: list[str]) -> None:
    text = " ".join(["x", *question, "y"])
    assert index(phrase("; ".join(question)), analyser.indexed(text).words, "")


def test_phrases_are_asked_for_as_they_stand_and_then_by_their_words() -> None:
    wanted = memo_syntax.parsed('"rote lampe" NOT see')
    assert wanted is not None
    assert memo_syntax.candidates(wanted) == (
        'words : ("rote lampe")',
        'words : ("rote" AND "lampe")',
    )


@pytest.mark.parametrize(
    ("wanted", "tag", "expected"),
    [
        ("leuchtturm", "leuchtturm-project", True),
        ("leuchtturm", "Leuchtturm Nachtfrost", True),
        ("leuchtturm-project", "leuchtturm", False),
        ("nachtfrost leuchtturm", "leuchtturm nachtfrost", False),
        ("turm", "leuchtturm", False),
        ("Müller", "muller", True),
        ("++", "++", True),
        ("++", "c++", False),
    ],
)
def test_a_tag_is_found_as_a_phrase_within_tags(wanted: str, tag: str, expected: bool) -> None:
    assert tagged((wanted,), (tag,)) is expected
