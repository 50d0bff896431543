"""The formula: what words, parts, phrases and neighbours add, and the factor of standing."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remembrancer.core import ranking
from remembrancer.core.clock import DAY
from remembrancer.core.looking import by_words
from remembrancer.core.ranking import (
    WEIGHTS,
    Candidate,
    Evidence,
    Form,
    Rated,
    Signal,
    Sought,
    Standing,
    kindred,
    rarity,
    standing,
    together,
)

BLANK = Candidate(1, 1, "robin", 0, 0, False, "fact", 0.5, False, "", "", "")


def text(words: str, parts: str = "", number: int = 1, entity: int | None = 1) -> Candidate:
    return BLANK._replace(id=number, entity_id=entity, words=words, stems=words, parts=parts)


def word(asked: str, *forms: str, rare: float = 1.0, weight: float = 1.0) -> Sought:
    """A word asked for; its forms in notation: "words pump 1", "akin pumphaus .3"."""
    made = (each.rsplit(" ", 1) for each in forms or (f"words {asked} 1",))
    parted = [(*each[0].split(" ", 1), float(each[1])) for each in made]
    return Sought(asked, tuple(Form(t, Signal(s), n) for s, t, n in parted), rare, weight)


def seen(candidate: Candidate, *sought: Sought, **weights: float) -> str:
    chosen = replace(WEIGHTS, **weights)
    found = by_words([candidate], sought, 0, chosen).get(candidate.id)
    told = found.evidence if found else ()
    return ", ".join(f"{e.signal} {e.asked}: {e.seen} {e.amount:.2f}" for e in told)


@pytest.mark.parametrize(
    ("found", "sought", "picture"),
    [
        (text("pump leak"), [word("pump")], "words pump: pump 1.00"),
        (text("pump pump"), [word("pump")], "words pump: pump 1.38"),
        (text("pump"), [word("pump", rare=2)], "words pump: pump 2.00"),
        (text("pump"), [word("pump", weight=0.5)], "words pump: pump 0.50"),
        (text("leak"), [word("pump")], ""),
        (text("pumphaus"), [word("pump", "words pump 1", "akin pumphaus .3")],
         "akin pump: pumphaus 0.44"),
        (text("pump pumphaus"), [word("pump", "words pump 1", "akin pumphaus .3")],
         "words pump: pump 1.00"),
        (text("pumphaus", "pump haus"), [word("pump")], "parts pump: pump 0.65"),
        (text("pumphaus", "pump haus"), [word("pump", "akin pump .6")], "akin pump: pump 0.44"),
        (text("pump", "pump haus"), [word("pump")], "words pump: pump 1.00"),
        (text("10 gb s"), [word("gb s", "phrase gb s 1")], "phrase gb s: gb s 1.00"),
        (text("10 gb so"), [word("gb s", "phrase gb s 1")], ""),
        (text("wat waterfall"), [word("wate", "akin wate* .3")], "akin wate: waterfall 0.44"),
        (text("underwater"), [word("wate", "akin wate* .3")], ""),
        (text("leak pump"), [word("pump"), word("leak")],
         "words pump: pump 1.00, words leak: leak 1.00"),
    ],
)  # fmt: skip
def test_words_are_seen_and_weighed(found: Candidate, sought: list[Sought], picture: str):
    assert seen(found, *sought) == picture


def test_parts_that_weigh_nothing_are_not_seen():
    assert seen(text("pumphaus", "pump haus"), word("pump"), parts=0) == ""


def test_a_short_text_says_more_than_a_long_one():
    short, long = text("pump leak"), text("pump leak " + "and more " * 20, number=2)
    found = by_words([short, long], [word("pump")], 0, WEIGHTS)
    assert found[1].relevance > 1 > found[2].relevance > 0


def test_who_has_the_whole_of_a_question_has_more_than_its_pieces():
    asked = [word("pump"), word("leak")]
    whole, piece = text("pump leak"), text("pump lamp", number=2)
    possible = ranking.possible(["pump", "leak"], asked, 100)
    found = by_words([whole, piece], asked, possible, WEIGHTS)
    assert found[1].relevance == pytest.approx(possible) == 2
    assert found[2].relevance == pytest.approx(0.5**WEIGHTS.whole)
    plain = by_words([whole, piece], asked, possible, replace(WEIGHTS, whole=0))
    assert plain[2].relevance == pytest.approx(1)


def test_what_nobody_has_could_have_said_most():
    asked = [word("pump", rare=2), word("pump", weight=0.5), word("leak")]
    assert ranking.possible(["pump", "leak"], asked, 100) == 3
    assert ranking.possible(["pump", "x"], asked, 100) == 2 + rarity(100, 0)
    assert ranking.possible([], [], 0) == 0


@given(st.integers(0, 10**6), st.floats(0, 2e6))
def test_what_fewer_have_is_rarer(total: int, having: float):
    assert rarity(total, having) > 0
    assert rarity(total, having) >= rarity(total, having + 1)


def stands(points: float = 0, age: int = 0, asked: bool = False, **memory: Any) -> float:
    given_ = {"pinned": False, "kind": "fact", "confidence": 0.0, **memory}
    return standing(
        cast(Standing, SimpleNamespace(**given_)), points, age, WEIGHTS, asked=asked
    )  # fmt: skip


def test_standing_is_a_factor_around_one():
    assert stands() == 1
    assert stands(pinned=True) == pytest.approx(1.12)
    assert stands(kind="constraint") == pytest.approx(1.09)
    assert stands(confidence=1.0) == pytest.approx(1.03)
    assert stands(asked=True) == pytest.approx(1.05)
    assert stands(asked=True, age=90 * DAY) == pytest.approx(1.025)
    assert stands(asked=True, age=-DAY) == pytest.approx(1.05)
    assert stands(points=1_000) == 1.25
    assert stands(points=-1_000) == 0.75


def rated(relevance: float, number: int, entity: int | None = 1) -> Rated:
    return Rated(text("", number=number, entity=entity), relevance, ())


def amounts(found: dict[int, list[Evidence]]) -> dict[int, str]:
    return {n: ", ".join(f"{e.signal} {e.amount:.2f}" for e in each) for n, each in found.items()}


def test_neighbours_gain_their_share():
    found = together({1: 2.0, 2: 0.0}, {2: {1: 0.5}, 1: {2: 0.3}, 3: {1: 0.2}}, WEIGHTS)
    assert amounts(found) == {2: "together 1.00", 3: "together 0.40"}
    assert found[2][0].seen == "1"
    assert together({1: 2.0}, {2: {1: 0.5}}, replace(WEIGHTS, together=0)) == {}


def test_hits_gain_from_the_best_other_of_their_own_and_linked_entities():
    hits = [rated(9, 4, None), rated(4, 1), rated(2, 2), rated(1, 3, 7)]
    found = kindred(hits, {1: {7}, 7: {1}}, WEIGHTS)
    assert amounts(found) == {
        1: "entity 0.10, linked 0.05", 2: "entity 0.20, linked 0.05", 3: "linked 0.20",
    }  # fmt: skip
    nothing = replace(WEIGHTS, entity=0, linked=0)
    assert kindred(hits, {1: {7}}, nothing) == {}


def test_a_word_says_nothing_when_every_text_has_it_often():
    assert rarity(1_000_000, 1_000_000) < 1e-6
    assert rarity(0, 0) == pytest.approx(math.log(2))
    assert ranking.TOGETHER[1] == max(ranking.TOGETHER.values())
