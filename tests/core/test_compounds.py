"""The parts of German compounds: by a few known words, and by the lexicon of our own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.core.compounds import lexicon, parts, split

KNOWN = "haus schuh arbeit zimmer schule buch ei auge arzt kind rat rathaus bau"
FEW = frozenset(KNOWN.split())
LETTERS = st.text("abcdehilnorstuz", min_size=1, max_size=70)


@pytest.mark.parametrize(
    ("word", "picture"),
    [
        ("hausschuhe", "haus schuhe"),
        ("arbeitszimmer", "arbeit zimmer"),
        ("arbeitszimmern", "arbeit zimmern"),
        ("augenarzt", "auge arzt"),
        ("kinderbuch", "kind buch"),
        ("schulhaus", "schul haus"),
        ("kinderarbeitszimmer", "kind arbeit zimmer"),
        ("rathausbau", "rathaus bau"),
        ("haus", ""),
        ("rathaus", ""),
        ("hausx", ""),
        ("xhaus", ""),
        ("eihaus", ""),
        ("hausei", ""),
        ("haus2buch", ""),
        ("buchhaus" * 2, "buch haus buch haus"),
        ("buchhaus" * 3, ""),
        ("buch" * 15 + "a", ""),
        ("", ""),
    ],
)
def test_a_word_is_parted_by_what_is_known(word: str, picture: str):
    assert " ".join(split(word, FEW)) == picture


@pytest.mark.parametrize(
    ("word", "picture"),
    [
        ("fusionskatalysatoren", "fusion katalysatoren"),
        ("datenbankmigrationen", "datenbank migrationen"),
        ("kellertreppe", "keller treppe"),
        ("waldweg", "wald weg"),
        ("betriebsstunden", "betrieb stunden"),
        ("arbeitszimmerfenster", "arbeit zimmer fenster"),
        ("sonnensturm", "sonne sturm"),
        ("sonnensturme", "sonne sturme"),
        ("augenarzt", "auge arzt"),
        ("sprachschule", "sprach schule"),
        ("verbindungen", ""),
        ("kaffee", ""),
        ("hauser", ""),
        ("freundin", ""),
        ("understanding", ""),
        ("information", ""),
        ("routers", ""),
    ],
)
def test_the_lexicon_of_our_own_knows_the_parts(word: str, picture: str):
    assert " ".join(parts(word)) == picture


def test_words_of_the_lexicon_are_folded_as_the_analyser_folds():
    assert len(lexicon()) > 5_000
    assert all(word.isalpha() and word == word.casefold() for word in lexicon())
    assert {"tur", "strasse", "schlussel"} <= lexicon()


@given(LETTERS, st.frozensets(st.text("abcdehilnorstuz", min_size=1, max_size=6), max_size=30))
def test_parts_stand_in_the_word_in_their_order(word: str, known: frozenset[str]):
    found = split(word, known)
    assert len(found) in (0, 2, 3, 4, 5)
    at = 0
    for part in found:
        assert len(part) >= 3
        at = word.index(part, at) + len(part)
    assert split(word, known) == found


@given(st.lists(st.sampled_from(sorted(FEW - {"ei"})), min_size=2, max_size=5))
def test_words_that_are_put_together_are_parted_again(words: list[str]):
    assert "".join(split("".join(words), FEW)) == "".join(words) or "".join(words) in FEW


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_may_be_asked_for(text: str):
    assert all(part in text for part in parts(text))
