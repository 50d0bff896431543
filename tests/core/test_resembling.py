"""How alike texts are, in which numbers they differ, and which belong together."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.core import analyser
from remembrancer.core.resembling import clusters, differing, numbers, rarity, share

ANY_SIGNS = st.text(st.characters(exclude_categories=()))


def grouped(*texts: str, threshold: float = 0.5) -> list[tuple[int, ...]]:
    return [places for places, _ in clusters(texts, threshold).groups]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Am 2024-03-01 um 10:30 Uhr", ("2024-03-01", "10:30")),
        ("01.03.2024: 3,5 % statt 85%", ("01.03.2024", "3,5%", "85%")),
        ("bei -5 Grad, v1.2.3, ether1", ("-5", "1.2.3", "1")),
        ("8080, 9090 und 8080.", ("8080", "9090")),
        ("keine", ()),
    ],
)
def test_numbers_are_kept_whole(text: str, found: tuple[str, ...]) -> None:
    assert numbers(text) == found


def test_numbers_that_only_one_side_has_are_told_apart() -> None:
    assert differing("Port 8080 seit 2024-01-01", "Port 9090 seit 2024-01-01") == (
        ("8080",),
        ("9090",),
    )


def test_rare_words_weigh_more_and_the_old_text_may_be_longer() -> None:
    weights = {"rare": rarity(1_000, 1), "common": rarity(1_000, 900)}
    assert share(weights, {"rare", "more", "and more"}) > 0.8
    assert share(weights, {"common"}) < 0.2
    assert share(weights, {"rare", "common"}) == 1.0
    assert share({}, {"x"}) == 0.0


def test_inflected_forms_are_the_same_in_both_languages() -> None:
    assert list(analyser.likenesses("Häuser Haus houses house")) == ["haus", "hous"]
    assert list(analyser.likenesses("Ranglisten Rangliste routers router")) == ["ranglist", "rout"]
    assert list(analyser.likenesses("東京都 v2 7 am")) == ["東京", "京都", "v2", "7"]


def test_similar_texts_are_grouped_through_one_another_the_largest_group_first() -> None:
    found = grouped(
        "the blue pump of the north wing leaks oil",
        "the red lamp blinks twice",
        "the blue pump of the north wing leaks oil again",
        "the red lamp blinks twice at night",
        "the blue pump of the north wing leaks oil again today",
        "nothing of the kind",
    )
    assert found == [(0, 2, 4), (1, 3)]


def test_texts_that_differ_in_a_digit_are_alike_but_never_the_same() -> None:
    text = "the valve of the second boiler opens at %d degrees " + "and closes on its own " * 20
    [(places, best)] = clusters([text % 7, text % 8], 0.5).groups
    assert places == (0, 1)
    assert best <= 0.99
    [(_, same)] = clusters([text % 7, (text % 7).upper()], 0.5).groups
    assert same == 1.0


def test_what_everybody_has_makes_no_pair() -> None:
    texts = [f"daily report {number}" for number in range(30)]
    assert clusters(texts, 0.1).pairs == 0


@pytest.mark.parametrize("threshold", [float("nan"), float("inf"), float("-inf"), -1, 0, 1, 7])
def test_any_threshold_is_answered(threshold: float) -> None:
    found = grouped("one same text", "one same text", "other", threshold=threshold)
    assert found == ([(0, 1)] if threshold <= 1 else [])


def test_planted_copies_are_found_among_many() -> None:
    rng = random.Random(5)
    vocabulary = [f"{a}{b}{c}" for a in "klmnpr" for b in "aeiou" for c in ("ton", "fer", "gul")]
    vocabulary += [
        word + end for word in vocabulary for end in ("ba", "do", "gi", "ku", "me", "zu")
    ]
    texts = [" ".join(rng.sample(vocabulary, 20)) for _ in range(3_000)]
    copies = [text.rsplit(" ", 2)[0] + " zzz" for text in texts[:100]]
    found = {places for places, _ in clusters(texts + copies, 0.6).groups}
    assert sum((n, 3_000 + n) in found for n in range(100)) >= 95


@given(st.lists(ANY_SIGNS, max_size=6), st.floats(0, 1))
def test_whatever_the_texts_hold_groups_are_disjoint(texts: list[str], threshold: float) -> None:
    found = clusters(texts, threshold)
    members = [each for places, _ in found.groups for each in places]
    assert len(members) == len(set(members))
    assert all(list(places) == sorted(places) and len(places) > 1 for places, _ in found.groups)
    for text in texts:
        numbers(text)
