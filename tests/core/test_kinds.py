"""Every kind has a word in every vocabulary, and a vocabulary's own words come back as written."""

from __future__ import annotations

import pytest

from remembrancer.core import kinds
from remembrancer.core.kinds import VOCABULARIES, Kind


@pytest.mark.parametrize("vocabulary", VOCABULARIES)
def test_every_kind_is_shown_by_one_of_the_words(vocabulary: str) -> None:
    own = set(kinds.words(vocabulary))
    assert {kinds.word(kind, vocabulary) for kind in Kind} == own


@pytest.mark.parametrize("vocabulary", VOCABULARIES)
def test_a_word_is_read_back_as_it_was_written(vocabulary: str) -> None:
    meant = [kinds.kind(word, vocabulary) for word in kinds.words(vocabulary)]
    assert len(set(meant)) == len(meant)
    assert [kinds.word(kind, vocabulary) for kind in meant] == list(kinds.words(vocabulary))


@pytest.mark.parametrize("vocabulary", VOCABULARIES)
def test_a_filter_by_word_finds_all_that_is_shown_by_it(vocabulary: str) -> None:
    groups = [kinds.shown_as(word, vocabulary) for word in kinds.words(vocabulary)]
    assert frozenset().union(*groups) == frozenset(Kind)
    assert sum(map(len, groups)) == len(Kind)


def test_only_a_constraint_is_shown_as_one() -> None:
    assert kinds.shown_as("constraint", kinds.NATIVE) == {Kind.CONSTRAINT}


def test_an_unknown_word_is_no_kind() -> None:
    with pytest.raises(KeyError):
        kinds.kind("fallstrick", kinds.NATIVE)
