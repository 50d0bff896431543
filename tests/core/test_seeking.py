"""A question as ranking looks for it: every word with its forms, how rare, and what it weighs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.core.analyser import asked
from remembrancer.core.kin import OwnWords
from remembrancer.core.ranking import WEIGHTS, Sought, Weights, rarity
from remembrancer.core.seeking import phrases, sought

TOTAL = 100


class Texts:
    """How many of a hundred memories have each stem: "pump 3, leak 5"."""

    def __init__(self, text: str) -> None:
        pairs = (each.split() for each in text.split(",") if each.strip())
        self.counts = {stem: int(count) for stem, count in pairs}

    def count(self, forms: Iterable[str]) -> dict[str, int]:
        return {form: self._times(form) for form in forms}

    def _times(self, form: str) -> int:
        if not form.endswith("*"):
            return self.counts.get(form, 0)
        return sum(n for stem, n in self.counts.items() if stem.startswith(form[:-1]))

    def sought(self, query: str, weights: Weights = WEIGHTS) -> list[Sought]:
        return sought(asked(query), self.count, OwnWords(self.counts), TOTAL, weights)


def drawn(found: list[Sought]) -> str:
    """ "pump 3: words pump; pumps 2 x0.5: parts pump": asked, in how many, weight, its forms."""
    return "; ".join(
        f"{each.asked} {_having(each)}{'' if each.weight == 1 else f' x{each.weight:.2g}'}: "
        + ", ".join(f"{form.signal} {form.text}" for form in each.forms)
        for each in found
    )


def _having(each: Sought) -> int:
    return min(range(1, TOTAL + 1), key=lambda n: abs(rarity(TOTAL, n) - each.rarity))


@pytest.mark.parametrize(
    ("texts", "query", "picture"),
    [
        ("pump 3, leak 5", "pump leaks", "pump 3: words pump; leaks 5: words leak"),
        ("pump 3", "pump unheard", "pump 3: words pump"),
        ("pump 3", "unheard", ""),
        ("pump 3", "of the", ""),
        ("of 90", "of the", "of 90: words of"),
        ("of 90, pump 3", "of the pump", "pump 3: words pump"),
        ("run 3, running 2", "running", "running 3: words run, words running"),
        ("jenkin 4", "jenkns", "jenkns 4: misspelt jenkin"),
        ("jenkin 4, jenkn 1", "jenkns", "jenkns 1: words jenkn"),
        ("water 9, waterfall 2", "water", "water 9: words water, akin waterfall"),
        ("waterfall 2", "wat", "wat 2: akin wat*"),
        ("port 9, 8080 3", "port 8081", "port 9: words port"),
        ("getnam 3, get 9, nam 7, name 8", "getName",
         "getname 3: words getnam; getname 9 x0.5: parts get;"
         " getname 8 x0.5: parts name, parts nam"),
        ("get 9, nam 7, name 8", "getName",
         "getname 9: parts get; getname 8: parts name, parts nam"),
        ("katalysator 4, wartung 2", "Katalysatorwartung",
         "katalysatorwartung 6: akin katalysator, akin wartung; katalysatorwartung 4: parts"
         " katalysator; katalysatorwartung 2: parts wartung"),
    ],
)  # fmt: skip
def test_a_question_is_sought_as(texts: str, query: str, picture: str):
    assert drawn(Texts(texts).sought(query)) == picture


def test_what_weighs_nothing_is_not_sought():
    texts = Texts("pump 3, pumphaus 2, get 9, name 8, jenkin 4")
    assert drawn(texts.sought("pump", replace(WEIGHTS, akin=0))) == "pump 3: words pump"
    assert drawn(texts.sought("getName", replace(WEIGHTS, parts=0, akin=0, misspelt=0))) == ""
    assert drawn(texts.sought("jenkns", replace(WEIGHTS, misspelt=0))) == ""
    assert "words" not in drawn(texts.sought("pump", replace(WEIGHTS, words=0)))


def test_only_the_first_words_have_kin():
    texts = Texts("waterfall 2, " + ", ".join(f"w{n}x 1" for n in range(9)))
    first = " ".join(f"w{n}x" for n in range(7))
    assert "akin waterfall" in drawn(texts.sought(f"{first} water"))
    assert "akin waterfall" not in drawn(texts.sought(f"{first} w8x water"))


def test_phrases_are_those_that_stand_somewhere():
    found = phrases({"gb s": 2, "1 2 3": 0}, TOTAL, WEIGHTS)
    assert drawn(found) == "gb s 2: phrase gb s"
    assert phrases({"gb s": 2}, TOTAL, replace(WEIGHTS, phrases=0)) == []


@given(
    st.text(st.characters(exclude_categories=())),
    st.dictionaries(st.text("abcde", min_size=1, max_size=6), st.integers(1, TOTAL), max_size=9),
)
def test_whatever_is_asked_every_word_sought_is_somewhere(query: str, counts: dict[str, int]):
    texts = Texts("")
    texts.counts = {**counts, **dict.fromkeys(query.casefold().split(), 1)}
    for each in texts.sought(query):
        assert each.forms
        assert each.rarity > 0
        assert all(f.share > 0 and texts.count([f.text])[f.text] for f in each.forms)
