"""What is akin to a word: misspellings of unknown ones, longer and shorter words of all."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.core.kin import OwnWords, inside, kin
from remembrancer.core.ranking import WEIGHTS, Weights

WORDS = st.text("abcde1é路", min_size=1, max_size=12)


def drawn(known: str, vocabulary: str, weights: Weights = WEIGHTS) -> str:
    """What is akin to each stem, `?` marks the unknown: "misspelt jenkin .8"."""
    asked = {stem.rstrip("?"): not stem.endswith("?") for stem in known.split()}
    found = kin(asked, OwnWords(vocabulary.split()), weights)
    assert list(found) == list(asked)
    return ", ".join(
        f"{form.signal} {form.text} {form.share:.2g}" for forms in found.values() for form in forms
    )


@pytest.mark.parametrize(
    ("known", "vocabulary", "picture"),
    [
        ("jenkn?", "jenkin pump", "misspelt jenkin 0.8"),
        ("jenkn", "jenkin pump", ""),
        ("jekin?", "jenkin", "misspelt jenkin 0.8"),
        ("jnekin?", "jenkin", "misspelt jenkin 0.8"),
        ("jnkns?", "jenkin", ""),
        ("katalisatorr?", "katalysator", "misspelt katalysator 0.4"),
        ("pmp?", "pump", ""),
        ("8081? ab12?", "8080 ab13", ""),
        ("port?", "8080 por7", ""),
        ("pump", "pumphaus hauspump apumpb pump", "akin hauspump 0.3, akin pumphaus 0.3"),
        ("water", "waterfall awaterb underwater",
         "akin awaterb 0.3, akin waterfall 0.3, akin underwater 0.3"),
        ("pump?", "pumphaus", "akin pumphaus 0.5"),
        ("waterfal", "water fal", "akin water 0.3"),
        ("waterfalls?", "water falls", "akin falls 0.5, akin water 0.5"),
        ("hochwasser", "wasser", ""),
        ("hochwasser?", "wasser", "akin wasser 0.5"),
        ("cat", "catalog", ""),
        ("", "pump", ""),
        ("路由", "路由器", ""),
    ],
)  # fmt: skip
def test_akin_are(known: str, vocabulary: str, picture: str):
    assert drawn(known, vocabulary) == picture


def test_a_word_that_is_both_is_taken_for_the_nearer():
    assert drawn("pumpx?", "pump") == "misspelt pump 0.8"
    assert drawn("pumpx?", "pump", replace(WEIGHTS, misspelt=0)) == ""
    assert drawn("pumpe?", "pumpen", replace(WEIGHTS, misspelt=0)) == "akin pumpen 0.5"


def test_what_weighs_nothing_is_not_looked_for():
    assert drawn("jenkn?", "jenkin", replace(WEIGHTS, misspelt=0)) == ""
    assert drawn("water", "waterfall", replace(WEIGHTS, akin=0)) == ""


def test_only_so_many_are_akin():
    longer = " ".join(f"water{'abcdefghijklmnop'[n]}" for n in range(16))
    assert drawn("water", longer).count("akin") == 8
    assert drawn("watex?", longer).count("misspelt") == 0
    near = " ".join(f"wat{letter}r" for letter in "abcdfghijklmnop")
    assert drawn("water?", near).count("misspelt") == 6


@given(WORDS, st.lists(WORDS, max_size=20), st.booleans())
def test_whatever_is_akin_is_another_word_of_letters(word: str, others: list[str], known: bool):
    [forms] = kin({word: known}, OwnWords(others), WEIGHTS).values()
    assert all(form.text in others and form.text.isalpha() for form in forms)
    assert all(0 < form.share <= 1 and form.text != word for form in forms)
    assert len({form.text for form in forms}) == len(forms)
    assert forms == [] or word.isalpha()


def test_inside_are_the_longest_first():
    assert inside("waterfall", ["fall", "water", "wat", "all", "waterfall"], 4) == ["water", "fall"]
