"""Stems of English and German words, and the language that a text is taken to be in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.core.morphology import LONGEST, both, forms, likeness, part_stems, stems, voted


@pytest.mark.parametrize(
    ("text", "languages"),
    [
        ("the pump is red", "english"),
        ("die Pumpe ist rot", "german"),
        ("Kühlschrank", "german"),
        ("Ku\u0308hlschrank", "german"),
        ("pump 5", "english german"),
        ("the Tür", "english german"),
        ("", "english german"),
    ],
)
def test_a_text_is_taken_to_be_in(text: str, languages: str):
    assert " ".join(voted(text, text)) == languages


@pytest.mark.parametrize(
    ("words", "english", "german"),
    [
        ("runs running run", "run run run", "run running run"),
        ("policies policy", "polici polici", "polici policy"),
        ("hauser haus hauses", "hauser haus haus", "haus haus haus"),
        ("kuhlschranke kuehlschrank", "kuhlschrank kuehlschrank", "kuhlschrank kuhlschrank"),
    ],
)
def test_inflected_words_have_these_stems(words: str, english: str, german: str):
    def stemmed(language: str) -> str:
        return " ".join(stem for word in words.split() for stem in stems(word, (language,)))

    assert (stemmed("english"), stemmed("german")) == (english, german)


@pytest.mark.parametrize("word", ["erdwarmepumpe", "erdwaermepumpe", "erdwarmepumpen"])
def test_a_compound_has_the_same_parts_however_it_is_spelled(word: str):
    assert part_stems(word) == ("erdwarm", "pump")


@pytest.mark.parametrize("pair", ["houses house", "hauser haus", "running runs", "pumpen pumpe"])
def test_forms_of_a_word_are_alike_in_either_language(pair: str):
    one, other = pair.split()
    assert likeness(one) == likeness(other)


@given(st.text(st.characters(exclude_categories=("Cs",)), min_size=1))
def test_every_word_has_a_stem_and_long_ones_are_their_own(word: str):
    long = word.ljust(LONGEST + 1, "x")
    assert stems(long, ("english",)) == (long,)
    assert set(both(word)) == {*stems(word, ("english",)), *stems(word, ("german",))}
    assert forms(word, ("english", "german"))[0] == word.casefold()
    assert both(word)
