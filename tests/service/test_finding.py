"""What is found: whatever is asked, in few memories and in many, in German and English."""

from __future__ import annotations

import math
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asking import LABELLED, ask, contents, crowd, seek
from conftest import Hand
from notation import WINDOW
from remembrancer.core.memory import Draft
from remembrancer.core.ranking import Signal
from remembrancer.service.gathering import FEW
from remembrancer.service.graph import NewEntity
from remembrancer.service.library import Library

FACTS = {
    "release": "The nightly release job passes -y to apt",
    "jenkins": "Jenkins builds and tests every branch",
    "run": "She runs a marathon in spring",
    "link": "The link to the cellar carries 10 GB/s",
    "cpp": "The parser was rewritten in C++",
    "cafe": "Meet at the cafe\u0301 by the river",
    "data": "数据库迁移",
    "dark": "深色",
    "c": "the driver is plain C",
    "snow": "Der Schneepflug fährt um sechs",
}
ANY_SIGNS = st.text(st.characters(exclude_categories=()))
SYNTAX = st.lists(
    st.sampled_from(
        [*'"*()^:-+{}', "AND", "OR", "NOT", "NEAR(", "a", "words", "stems :", "'", "--", ";",
         "\0", "\ud800", "apt", "路", "e\u0301", " ", "\n", "%", "_", "/", "."]
    ), max_size=12,
).map("".join)  # fmt: skip


@pytest.fixture(scope="module")
def many(empty_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """The facts under one entity, with more beside them than are looked at one by one."""
    path = Path(shutil.copy(empty_store, tmp_path_factory.mktemp("many") / "memories.db"))
    with Library.open(path, Hand()) as opened:
        facts = NewEntity("notebook", "thing", tuple(FACTS.values()))
        opened.graph.create([facts], **WINDOW)
        crowd(opened, FEW + 50)
        yield opened


# --- the battery of the field, everywhere and within the entity


@pytest.mark.parametrize("entity", [None, "notebook"])
@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("job release", "release"),
        ("release job nightly the", "release"),
        ("RELEASES jobs", "release"),
        ("running", "run"),
        ("run", "run"),
        ("jenkns", "jenkins"),
        ("jenkinss", "jenkins"),
        ("ejnkins", "jenkins"),
        ("cafe", "cafe"),
        ("caf\u00e9", "cafe"),
        ("CAFE\u0301", "cafe"),
        ("深色", "dark"),
        ("深", "dark"),
        ("数据库", "data"),
        ("库", "data"),
        ("迁移", "data"),
        ("GB/s", "link"),
        ("gb link", "link"),
        ("-y:*", "release"),
        ("C++", "cpp c"),
        ("c", "c cpp"),
        ("AND", "jenkins"),
        ('"release"', "release"),
        ('release"', "release"),
        ('"', ""),
        ("'", ""),
        ("*", ""),
        ("色深", ""),
        ("release OR", "release"),
        ("NEAR(release job)", "release"),
        ("content:release", "release"),
        ("schneepfluege", "snow"),
        ("Schnee", "snow"),
        ("unheard of", ""),
    ],
)
def test_the_field_finds(many: Library, query: str, names: str, entity: str | None) -> None:
    assert contents(ask(many, query, entity)) == [FACTS[name] for name in names.split()]


@pytest.mark.parametrize("query", ["release job", "jenkns", "GB/s", "AND", "C++", '"', "深"])
def test_the_finder_finds_the_same_as_recall(many: Library, query: str) -> None:
    notebook = many.graph.named("notebook").id
    for entity, ids in ((None, None), ("notebook", [notebook])):
        hits = {h.memory.id: sum(e.amount for e in h.evidence) for h in ask(many, query, entity)}
        found = {rated.candidate.id: rated.relevance for rated in seek(many, query, ids)}
        assert found == pytest.approx(hits)


@settings(max_examples=150, deadline=None)
@given(st.one_of(ANY_SIGNS, SYNTAX, st.text(st.sampled_from(" ".join(FACTS.values())))))
def test_no_query_of_any_kind_fails(many: Library, query: str) -> None:
    for entity in (None, "notebook"):
        for hit in ask(many, query, entity):
            assert math.isfinite(hit.score)
            assert not query.strip() or hit.evidence


@pytest.mark.parametrize(
    "query",
    [
        "a" * 10_000, "release " * 1_250, "(" * 10_000, '"' * 10_000, "\ud800" * 10_000,
        "路" * 10_000, "a_B" * 3_333, "1.2" * 3_333, "\ufdfa" * 10_000, "e\u0301" * 5_000,
        " ".join(f"word{n}" for n in range(1_200)), "release" + " " * 10_000, "a-b-" * 2_500,
    ],
)  # fmt: skip
def test_no_long_query_fails(many: Library, query: str) -> None:
    for entity in (None, "notebook"):
        found = contents(ask(many, query, entity))
        assert ("release" in query) == (FACTS["release"] in found)


# --- phenomena

PHENOMENA = """\
Häuser | Das Haus am See ist verkauft | words
hauses | Das Haus am See ist verkauft | words
policies | the policy of the company is strict | words
restarting | it was restarted by the guard | words
Katalysator | Die Fusionskatalysatoren sind an Bord | parts
Katalysatoren | Die Fusionskatalysatoren sind an Bord | parts
Fusion | Die Fusionskatalysatoren sind an Bord | parts
Datenbankmigration | Für die Migration der Datenbank gilt das nicht | parts
Zimmerschlüssel | Der Schlüssel liegt im Zimmer nebenan | parts
Kellerbeleuchtung | Im Keller fehlt es an Licht | parts
Aepfel | Er kauft die Äpfel auf dem Markt | words
mueller | Die Katze ist bei Frau Müller | words
Strasse | Die Straße nach Köln ist gesperrt | words
STRAẞE | Die Straße nach Köln ist gesperrt | words
Waermepumpe | Die Wärmepumpe brummt und rauscht | words
getHTTPReply | the client calls getHTTPReply first | words
HTTPReply | the client calls getHTTPReply first | parts
reply | the client calls getHTTPReply first | words
max_retry_count | set max_retry_count to seven | words
retry count | set max_retry_count to seven | words
maxRetryCount | set max_retry_count to seven | parts
core/seeking.py | the file core/seeking.py asks first | phrase
v7.12.1 | the firmware v7.12.1 is broken | phrase
00:1a:2b:3c:4d:5e | the switch has 00:1A:2B:3C:4D:5E on its label | phrase
192.168.10 | the gateway is 192.168.10.7 as ever | phrase
192.168.10.7 | the gateway is 192.168.10.7 as ever | phrase
2026-01-05 | the audit was on 2026-01-05 in Bonn | phrase
2026-01 | the audit was on 2026-01-05 in Bonn | phrase
wifi | the Wi-Fi of the guests is slow | words
Wi-Fi | the Wi-Fi of the guests is slow | words
Türen | the Tür of the shop is the one they painted | words akin
doors | Die doors von gestern sind nicht von heute | words
plumbr | the plumber comes at noon | misspelt
Katalisator | Die Fusionskatalysatoren sind an Bord | misspelt
elektriker | the elektricker was here | misspelt akin
waterfall | the underwaterfall is a place of the north | akin
mara | She runs a marathon of the north | akin"""
ROWS = [row.split(" | ") for row in PHENOMENA.splitlines()]


@pytest.fixture(scope="module")
def shelf(empty_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """The texts of the table, long apart from each other, and many others."""
    path = Path(shutil.copy(empty_store, tmp_path_factory.mktemp("shelf") / "memories.db"))
    clock = Hand()
    with Library.open(path, clock) as opened:
        for text in dict.fromkeys(row[1] for row in ROWS):
            clock.advance(1)
            opened.memories.remember(Draft(text, "shelf"), entity_type="thing", **WINDOW)
        crowd(opened, FEW + 50)
        yield opened


@pytest.mark.parametrize("entity", [None, "shelf"])
@pytest.mark.parametrize(("query", "text", "signals"), ROWS)
def test_a_query_finds_first(
    shelf: Library, query: str, text: str, signals: str, entity: str | None
) -> None:
    hits = ask(shelf, query, entity)
    assert contents(hits)[:1] == [text]
    assert {Signal(each) for each in signals.split()} & {e.signal for e in hits[0].evidence}


@pytest.mark.parametrize("entity", [None, "shelf"])
@pytest.mark.parametrize(
    "query", ["192.168.99", "8081", "v8", "2027-02", "1b", "guets 77", "00:1a:2c"]
)
def test_digits_are_never_corrected(shelf: Library, query: str, entity: str | None) -> None:
    for hit in ask(shelf, query, entity):
        for seen in hit.evidence:
            assert seen.signal is not Signal.MISSPELT or seen.asked.isalpha()
            assert seen.signal is not Signal.MISSPELT or seen.seen.isalpha()


@pytest.mark.parametrize("entity", [None, "yard"])
def test_only_words_that_no_memory_has_are_corrected(library: Library, entity: str | None) -> None:
    facts = ("the pump is red", "the pomp is over", "port 8080 is open")
    library.graph.create([NewEntity("yard", "thing", facts)], **WINDOW)
    assert contents(ask(library, "pomp", entity))[0] == "the pomp is over"
    misspelt = [
        e for h in ask(library, "pomp", entity) for e in h.evidence if e.signal == "misspelt"
    ]
    assert misspelt == []
    assert set(contents(ask(library, "pimp", entity))) == {"the pump is red", "the pomp is over"}
    assert contents(ask(library, "8081", entity)) == []


@pytest.mark.parametrize("entity", [None, "yard"])
def test_a_word_that_only_a_deleted_memory_has_is_corrected(
    library: Library, entity: str | None
) -> None:
    facts = ("Jenkins builds it every night", "jenkns is down")
    library.graph.create([NewEntity("yard", "thing", facts)], **WINDOW)
    library.memories.delete(2, **WINDOW)
    assert contents(ask(library, "jenkns", entity)) == [facts[0]]


def test_umlauts_in_two_letters_are_found_beside_umlauts(library: Library) -> None:
    facts = ("Mr Mueller is the one who has it", "Frau Müller ist nicht da und die Tür ist zu")
    library.graph.create([NewEntity("yard", "thing", facts)], **WINDOW)
    for query in ("Mueller", "Müller"):
        assert set(contents(ask(library, query))) == set(facts), query


@pytest.mark.parametrize("path", ["core/stop_words.py", "app/getName.ts", "a_b.c_d"])
def test_a_path_is_a_phrase_whatever_its_names_are(library: Library, path: str) -> None:
    library.graph.create([NewEntity("yard", "thing", (f"the file {path} is long",))], **WINDOW)
    for entity in (None, "yard"):
        [hit] = ask(library, path, entity)
        assert Signal.PHRASE in {e.signal for e in hit.evidence}


# --- labelled questions


@pytest.fixture(scope="module")
def labelled(empty_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    path = Path(shutil.copy(empty_store, tmp_path_factory.mktemp("labelled") / "memories.db"))
    clock = Hand()
    with Library.open(path, clock) as opened:
        for text in LABELLED["memories"]:
            clock.advance(1)
            opened.memories.remember(Draft(text), **WINDOW)
        yield opened


def test_each_labelled_phenomenon_holds(labelled: Library) -> None:
    asked, met = Counter[str](), Counter[str]()
    for each in LABELLED["queries"]:
        best = {hit.memory.id - 1 for hit in ask(labelled, each["q"], limit=5)}
        asked[each["cat"]] += len(each["rel"])
        met[each["cat"]] += len(best.intersection(each["rel"]))
    for phenomenon in ("infl", "cpart", "cwhole", "umlaut"):
        assert met[phenomenon] == asked[phenomenon]
    assert met["typo"] >= 0.98 * asked["typo"]
