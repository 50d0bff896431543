"""Names and texts that can be stored, and what counts as the same."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.core import names
from remembrancer.core.errors import BadValue

COMPOSED, DECOMPOSED = "Z\u00fcrich", "Zu\u0308rich"


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("", "empty"),
        ("  \u2003\t", "blank"),
        ("x" * 1_001, "1,001 characters; at most 1,000"),
        ("a\0b", "NUL"),
        ("a\ud800", "half of a character pair"),
    ],
)
def test_a_name_that_cannot_be_says_why(name: str, part: str) -> None:
    with pytest.raises(BadValue, match=part):
        names.entity_name(name)


def test_composed_and_decomposed_spellings_are_one_name() -> None:
    assert names.entity_name(DECOMPOSED) == names.entity_name(COMPOSED) == COMPOSED


def test_case_and_blanks_make_different_names() -> None:
    assert len({names.entity_name(n) for n in ("edge", "Edge", " edge", "edge ")}) == 4


@given(st.text(min_size=1, max_size=30))
def test_a_names_identity_is_its_own_identity(name: str) -> None:
    if "\0" not in name and name.strip():
        identity = names.entity_name(name)
        assert names.entity_name(identity) == identity
        assert unicodedata.is_normalized("NFC", identity)


@pytest.mark.parametrize(
    "other", ["EDGE 1", "edge  1", " Edge\u20001 ", "ｅｄｇｅ １", "ed\u200bge 1", "ed\u00adge 1"]
)
def test_look_alikes_share_their_key(other: str) -> None:
    assert names.lookup_key(other) == names.lookup_key("edge 1") == "edge 1"


def test_a_text_is_kept_to_the_letter() -> None:
    text = "  two\nlines\t\U0001f600 "
    assert names.text(text, "content", 100) is text


def test_tags_lose_blanks_and_repetitions_but_not_their_order() -> None:
    assert names.tags([" b ", "a", "", "b", "  "]) == ("b", "a")
    with pytest.raises(BadValue, match="64 tags"):
        names.tags([str(n) for n in range(65)])
