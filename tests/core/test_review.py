"""When a memory is due, and that the one moment in the index agrees with the reasons."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.test_memory import SEEN
from remembrancer.core.clock import DAY
from remembrancer.core.memory import Memory
from remembrancer.core.review import Reason, due_at, reasons

SURE = replace(SEEN, verified_at=1_000, confidence=0.9, postponed_until=None, updated_at=1_000)
MOMENTS = st.integers(1, 400 * DAY)


@pytest.mark.parametrize(
    ("memory", "at", "expected"),
    [
        (SURE, 1_000 + 90 * DAY, ()),
        (SURE, 1_001 + 90 * DAY, (Reason.OVERDUE,)),
        (replace(SURE, review_days=5), 1_001 + 5 * DAY, (Reason.OVERDUE,)),
        (replace(SURE, confidence=0.5), 2_000, ()),
        (replace(SURE, confidence=0.49), 2_000, (Reason.LOW_CONFIDENCE,)),
        (replace(SURE, verified_at=None), 2_000, (Reason.NOT_VERIFIED,)),
        (
            replace(SURE, verified_at=None),
            1_001 + 90 * DAY,
            (Reason.NOT_VERIFIED, Reason.OVERDUE),
        ),
        (replace(SURE, expires_at=2_000), 1_999, ()),
        (replace(SURE, expires_at=2_000), 2_000, (Reason.EXPIRED,)),
    ],
)
def test_reasons(memory: Memory, at: int, expected: tuple[Reason, ...]) -> None:
    assert reasons(memory, at) == expected


@st.composite
def memories(draw: st.DrawFn) -> Memory:
    updated = draw(MOMENTS)
    return replace(
        SEEN,
        updated_at=updated,
        verified_at=draw(st.none() | st.integers(1, updated)),
        confidence=draw(st.sampled_from([0, 0.49, 0.5, 1])),
        expires_at=draw(st.none() | MOMENTS),
        review_days=draw(st.none() | st.integers(1, 200)),
        postponed_until=None,
    )


@given(memories(), MOMENTS, st.integers(1, 200))
def test_a_memory_is_due_exactly_when_there_are_reasons(memory: Memory, at: int, days: int) -> None:
    assert bool(reasons(memory, at, days)) == (due_at(memory, days) <= at)


@given(memories(), MOMENTS, MOMENTS)
def test_a_postponed_memory_is_due_no_earlier(memory: Memory, until: int, at: int) -> None:
    due = due_at(replace(memory, postponed_until=until))
    assert due == max(until, due_at(memory))
