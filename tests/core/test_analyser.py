"""The analyser, tried against a real full-text table."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.core.analyser import Indexed, asked, indexed, searched, terms

KNOWN_LETTERS = st.sampled_from(
    "abcxyzABCXYZäöüÄÖÜßéèñçŁłøİıſ0123456789_-. '\u0301"
    "αβγΣςжщЖйשלוםسلامप्रदर路由器東京ひらがなガギカッ한국어ไทย"
)
ANY_SIGNS = st.text(st.characters(exclude_categories=()))


class Index:
    """A full-text table of single texts."""

    def __init__(self) -> None:
        self.connection = sqlite3.connect(":memory:")
        self.connection.execute("CREATE VIRTUAL TABLE texts USING fts5(words, stems, parts)")

    def finds(self, query: str, text: str) -> bool:
        expression = expression_of(query)
        return expression is not None and bool(self.matches(expression, indexed(text)))

    def matches(self, expression: str, text: Indexed) -> int:
        self.connection.execute("DELETE FROM texts")
        self.connection.execute("INSERT INTO texts VALUES (?, ?, ?)", text)
        search = "SELECT count(*) FROM texts WHERE texts MATCH ?"
        return self.connection.execute(search, (expression,)).fetchone()[0]


def expression_of(query: str) -> str | None:
    """An expression that finds any word of a question in any of its forms, or as a beginning."""
    words = asked(query).words
    forms = {stem for w in words for stem in (*w.stems, *chain.from_iterable(w.parts))}
    spellings = searched(query, 16)
    forms.update(form for w in words for form in spellings.get(w.folded, ()))
    whole = [f'"{form}"' for form in sorted(forms)]
    begun = [f'"{word.folded}"*' for word in words]
    found = f"{{stems parts}} : ({' OR '.join(whole)}) OR words : ({' OR '.join(begun)})"
    return found if words else None


@pytest.fixture(scope="module")
def index() -> Iterator[Index]:
    index = Index()
    yield index
    index.connection.close()


@pytest.mark.parametrize(
    ("text", "picture"),
    [
        ("", ""),
        ("... !? —", ""),
        ("The routers were restarted", "the routers were restarted / the router were restart"),
        ("Die Häuser sind groß", "die hauser sind gross / die haus sind gross"),
        ("Routers", "routers / router rout"),
        ("CAFÉ Cafe\u0301 café", "cafe cafe cafe / cafe caf cafe caf cafe caf"),
        ("ﬁle №５ soft\u00adware", "file no5 software / file fil no5 softwar"),
        ("the getHTTPReply of it", "the gethttpreply get http reply of it"
         " / the gethttprepli get http repli of it"),
        ("the snake_case_7 of it", "the snake_case_7 snake case of it"
         " / the snake_case_7 snake case of it"),
        ("the Wi-Fi is on", "the wi fi is on wifi / the wi fi is on wifi"),
        ("路由器 5", "路 由 器 路由 由器 5 / 路 由 器 路由 由器 5"),
        ("the Łódź Øresund", "the lodz oresund / the lodz oresund"),
        ("ガス", "ガ ス ガス / ガ ス ガス"),
        ("__ _a_", "_a_ / _a_"),
        ("it is C++ and not C# or c", "it is c and not c or c cplusplus csharp"
         " / it is c and not c or c cplusplus csharp"),
        ("die Fusionskatalysatoren", "die fusionskatalysatoren / die fusionskatalysator"
         " / fusion katalysator"),
        ("für Erdwaermepumpen", "fur erdwaermepumpen / fur erdwarmepump / erdwarm pump"),
        ("the Erdwärmepumpe is on", "the erdwarmepumpe is on / the erdwarmepump is on"),
    ],
)  # fmt: skip
def test_a_text_is_indexed_as(text: str, picture: str):
    assert " / ".join(filter(None, indexed(text))) == picture


@pytest.mark.parametrize(
    ("query", "picture"),
    [
        ("", ""),
        ("the routers", "routers:router+rout"),
        ("the of and", "the: of: and:"),
        ("getUserName", "getusername:getusernam(get user name+nam)"),
        (
            "Datenbankmigrationen",
            "datenbankmigrationen:datenbankmigrationen+datenbankmigration(datenbank migration)",
        ),
        ("Aepfel", "aepfel:aepfel+apfel"),
        ("wi-fi", "wi: fi: wifi: [wi fi]"),
        ("GB/s", "gb: [gb s]"),
        ("10.0.0.1 up", "10: 0: 1: [10 0 0 1]"),
        ("aa:bb:cc", "aa: bb: cc: [aa bb cc]"),
        ("C++", "cplusplus: c:"),
        ("-y:*", "y:"),
        ("AND", "and:"),
        ('"', ""),
        ("深色", "深色:"),
    ],
)
def test_a_question_is_taken_apart(query: str, picture: str):
    found = asked(query)
    words = [_drawn(w.folded, w.stems, w.parts) for w in found.words]
    assert " ".join([*words, *(f"[{phrase}]" for phrase in found.phrases)]) == picture


def _drawn(word: str, stems: tuple[str, ...], parts: tuple[tuple[str, ...], ...]) -> str:
    others = "" if stems == (word,) else "+".join(stems)
    inner = " ".join("+".join(part) for part in parts)
    return f"{word}:{others}" + (f"({inner})" if inner else "")


@pytest.mark.parametrize(
    ("query", "asked"),
    [
        ("", ()),
        ("?! %", ()),
        ("Müller's  VPN vpn", ("muller", "s", "vpn")),
        ('a "quoted" OR NEAR(b*)', ("a", "quoted", "or", "near", "b")),
        ("路由器", ("路由", "由器")),
        ("水", ("水",)),
        (" ".join(f"w{i}" for i in range(40)), tuple(f"w{i}" for i in range(16))),
    ],
)
def test_a_query_asks_for_these_words(query: str, asked: tuple[str, ...]):
    assert terms(query) == asked


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("policy", "Security policies are strict"),
        ("policies", "The policy of the house"),
        ("batteries low", "Battery replaced"),
        ("Haus", "Die Häuser am See"),
        ("haeuser", "Das Haus am See"),
        ("Aepfel", "Er kauft Äpfel"),
        ("Müller", "Mr Mueller is the one who has it"),
        ("mueller", "Mr Müller is the one who has it"),
        ("strasse", "Die Straße nach Köln"),
        ("STRAẞE", "Die Strasse nach Köln"),
        ("rout", "the router"),
        ("reply", "calls getHTTPReply first"),
        ("case", "a snake_case name"),
        ("getHTTPReply", "it gets a reply"),
        ("wifi", "The Wi-Fi is down"),
        ("wi-fi", "The wifi is down"),
        ("路", "三楼的路由器"),
        ("由器", "三楼的路由器"),
        ("한국", "한국어를"),
        ("alpha beta gamma", "only gamma"),
        ("ＶＰＮ", "the vpn tunnel"),
        ("don't", "the dons"),
        ("x" * 5_000, "x" * 5_000),
    ],
)
def test_a_query_finds(index: Index, query: str, text: str):
    assert index.finds(query, text)


@pytest.mark.parametrize(
    ("query", "text"),
    [("router", "the switch"), ("the router", "the switch"), ("由路", "路由器"), ("100%", "1 %")],
)
def test_a_query_does_not_find(index: Index, query: str, text: str):
    assert not index.finds(query, text)


@pytest.mark.parametrize(
    "query",
    [
        "AND OR NOT NEAR(",
        "nope:x ^a + - {b}",
        "(" * 500,
        "'" * 3 + '"' * 3,
        " ".join(f"aB{i}_cD_eF_gH_iJ_kL" for i in range(500)),
        "ab_" * 5_000,
    ],
)
def test_no_query_disturbs_the_index(index: Index, query: str):
    expression = expression_of(query)
    assert expression is None or index.matches(expression, indexed("text")) == 0


@given(st.one_of(st.text(), ANY_SIGNS))
def test_any_text_can_be_searched_for(index: Index, text: str):
    expression = expression_of(text)
    assert (expression is None) == (terms(text) == ())
    if expression is not None:
        index.matches(expression, indexed("text"))


@given(ANY_SIGNS)
def test_what_is_indexed_can_be_stored_and_indexing_it_again_adds_no_new_word(text: str):
    found = indexed(text)
    found.everything().encode("utf-8")
    assert set(terms(found.words)) <= set(found.words.split())


@given(st.text(KNOWN_LETTERS))
def test_every_word_of_a_text_finds_the_text(index: Index, text: str):
    for word in terms(text):
        assert index.finds(word, text)


@given(st.text(KNOWN_LETTERS))
def test_a_text_finds_itself_however_it_is_written(index: Index, text: str):
    if terms(text):
        assert index.finds(text, text.upper())
        assert index.finds(text.upper(), text)


def test_threads_do_not_disturb_each_other():
    texts = ["The routers were restarted nightly", "Die Häuser wurden am Abend verkauft"] * 200
    alone = [indexed(text) for text in texts]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(indexed, texts)) == alone


def test_the_stemming_library_is_loaded_only_with_the_first_word():
    script = "import sys, remembrancer.core.analyser; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert "Stemmer" not in done.stdout.split()
