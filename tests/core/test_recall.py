"""How hits are ranked and explained, and how the context keeps to its budget."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.test_memory import SEEN
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Memory
from remembrancer.core.ranking import Candidate, Evidence, Rated, Signal
from remembrancer.core.recall import (
    HEADING,
    Gathered,
    Hit,
    Question,
    Why,
    answer,
    context_line,
    hit,
    query_words,
    ranked,
)

SURE = replace(SEEN, verified_at=900, confidence=0.6, entity="edge", key="wan", content="on ether1")


def found(
    memory: Memory,
    why: Why = Why.SHARED,
    evidence: str = "",
    mandatory: bool = False,
    query: str = "",
) -> Hit:
    """A hit; `evidence` in notation: "words edge 2.5; misspelt jenkns jenkins 1"."""
    seen = [each.split() for each in evidence.split(";") if each]
    parts = tuple(Evidence(Signal(s[0]), float(s[-1]), s[1], s[-2]) for s in seen)
    rated = Rated(CANDIDATE, sum(e.amount for e in parts), parts) if parts else None
    return hit(memory, why, rated, query_words(query), 1_000, mandatory=mandatory)


CANDIDATE = Candidate(1, 1, "robin", 0, 0, False, "fact", 0.5, False, "", "", "")


def gathered(hits: list[Hit], **more: Any) -> Gathered:
    binding = sum(h.mandatory for h in hits)
    given: dict[str, Any] = {
        "hits": tuple(hits), "mandatory": binding, "overflow": False, "scopes": (),
        "conflicts": (), "selected": True, **more,
    }  # fmt: skip
    return Gathered(**given)


@pytest.mark.parametrize(
    ("change", "why", "evidence", "score"),
    [
        ({}, Why.SHARED, "", 1.018),
        ({}, Why.SELECTED, "", 1.078),
        ({}, Why.SHARED, "words edge 2; words wan 1", 4 * 1.018),
        ({"pinned": True}, Why.SHARED, "", 1.138),
        ({"kind": Kind.CONSTRAINT}, Why.SHARED, "", 1.108),
        ({"pinned": True, "kind": Kind.CONSTRAINT}, Why.SELECTED, "", 1.25),
        ({"verified_at": None}, Why.SHARED, "", 1.0),
        ({"verified_at": None, "confidence": 0.4, "expires_at": 999}, Why.SHARED, "", 0.958),
    ],
)
def test_the_score_is_what_was_found_times_the_standing(
    change: dict[str, Any], why: Why, evidence: str, score: float
) -> None:
    assert found(replace(SURE, **change), why, evidence).score == pytest.approx(score)


def test_reasons_come_in_order() -> None:
    memory = replace(SURE, pinned=True, kind=Kind.CONSTRAINT, verified_at=None)
    seen = "words wan 2; misspelt ethre1 ether1 1; words wan 1; together x 7 1"
    assert found(memory, Why.SELECTED, seen, query="ETHER1 wan sun").reasons == (
        "Selected entity", "2 matching terms", "Similar spelling: ether1 for ethre1", "Pinned",
        "Constraint", "Not verified",
    )  # fmt: skip


def test_what_is_mandatory_leads_then_score_then_newest_then_id() -> None:
    hits = [
        found(replace(SURE, id=1)),
        found(replace(SURE, id=2)),
        found(replace(SURE, id=3, updated_at=800)),
        found(replace(SURE, id=4), Why.SELECTED),
        found(replace(SURE, id=5, confidence=0), mandatory=True),
    ]
    assert [h.memory.id for h in ranked(hits)] == [5, 4, 3, 2, 1]


def test_a_query_has_at_most_sixteen_words() -> None:
    assert query_words("Ａ b_c d-e " + "x " * 20) == ("a", "b_c", "d", "e", *["x"] * 12)


@given(st.lists(st.text(max_size=300), max_size=12), st.integers(1, 12), st.integers(500, 3_000))
def test_the_context_keeps_to_its_budget_and_none_can_forge_a_line(
    texts: list[str], limit: int, characters: int
) -> None:
    hits = [found(replace(SURE, id=n, content=t)) for n, t in enumerate(texts, 1)]
    recall = answer(gathered(hits), Question(limit=limit, max_characters=characters))
    assert len(recall.context) <= characters
    assert len(recall.items) <= limit
    assert len(recall.items) + len(recall.left) == len(texts)
    heading, *lines, footer = recall.context.splitlines()
    assert heading == HEADING
    assert footer.startswith("Safety:")
    assert [json.loads(line)["id"] for line in lines] == [h.memory.id for h in recall.items]
    assert recall.truncated == bool(recall.left)


def test_a_hit_is_one_line_whatever_it_holds() -> None:
    content = "a\nb\r\u2028c\u2029d\x85e\x0bf\x1cg"
    line = context_line(found(replace(SURE, content=content)))
    assert line.splitlines() == [line]
    assert json.loads(line)["content"] == content


def test_what_is_left_out_of_the_mandatory_is_counted() -> None:
    hits = [found(replace(SURE, id=n), mandatory=n < 4) for n in range(1, 6)]
    recall = answer(gathered(hits), Question(limit=2))
    assert recall.constraints_omitted == 1
    assert recall.truncated
    assert [w.split()[0] for w in recall.warnings] == ["1", "The"]


def test_nothing_found_is_no_failure() -> None:
    recall = answer(gathered([], selected=False), Question())
    assert (recall.items, recall.truncated, recall.constraints_omitted) == ((), False, 0)
    assert len(recall.warnings) == 1
