"""How deciding about a memory moves the day on which it is asked about again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.test_memory import SEEN
from remembrancer.core.author import PERSON, Author, AuthorKind
from remembrancer.core.clock import DAY
from remembrancer.core.errors import BadValue
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Memory
from remembrancer.core.scheduling import (
    STEPS,
    check_steps,
    paced,
    read_steps,
    shorter,
    steps_of,
    write_steps,
)

AGENT = Author("cursor", AuthorKind.AGENT)
PLAIN = replace(
    SEEN, kind=Kind.FACT, pinned=False, confidence=0.9, expires_at=None, postponed_until=None,
    verified_at=None, verified_by=None, review_days=None, updated_at=1_000,
)  # fmt: skip


def confirmed(memory: Memory, at: int, author: Author = PERSON) -> Memory:
    after = replace(memory, verified_at=at, verified_by=author.name, postponed_until=None)
    return paced(memory, after, author, STEPS, 90)


def test_confirming_lengthens_the_interval_step_by_step_up_to_the_last() -> None:
    memory, at, seen = PLAIN, DAY, list[int]()
    for _ in range(5):
        memory = confirmed(memory, at)
        seen.append(memory.review_days or 90)
        at += seen[-1] * DAY
    assert seen == [90, 180, 365, 365, 365]


def test_confirming_twice_in_a_row_lengthens_nothing() -> None:
    once = confirmed(PLAIN, DAY)
    assert confirmed(once, 2 * DAY).review_days == once.review_days


@pytest.mark.parametrize("change", [{"pinned": True}, {"kind": Kind.CONSTRAINT}])
def test_what_agents_have_to_follow_comes_in_half_the_time(change: dict[str, object]) -> None:
    first = confirmed(replace(PLAIN, **change), DAY)  # type: ignore[arg-type]
    second = confirmed(first, DAY + 45 * DAY)
    assert (first.review_days, second.review_days) == (45, 90)


def test_new_words_shorten_the_interval() -> None:
    memory = replace(PLAIN, review_days=365)
    changed = replace(memory, content="otherwise")
    assert paced(memory, changed, PERSON, STEPS, 90).review_days == 180
    assert paced(memory, changed, AGENT, STEPS, 90).review_days == 180
    assert shorter(replace(PLAIN, review_days=7), STEPS, 90) == 7


def test_an_agents_word_never_lengthens_the_interval() -> None:
    mine = confirmed(PLAIN, DAY)
    theirs = confirmed(mine, 200 * DAY, AGENT)
    assert (theirs.review_days, theirs.verified_by) == (mine.review_days, "cursor")


def test_an_interval_that_is_chosen_by_hand_stays() -> None:
    after = replace(PLAIN, review_days=10, verified_at=DAY, verified_by="you")
    assert paced(PLAIN, after, PERSON, STEPS, 90) == after


def test_what_stays_due_is_put_off_once_it_is_confirmed() -> None:
    doubted = confirmed(replace(PLAIN, confidence=0.2), DAY)
    assert doubted.postponed_until == DAY + 90 * DAY


def test_each_kind_may_have_steps_of_its_own() -> None:
    kept = read_steps(write_steps({"every": (10, 20), "fact": (5,)}))
    assert steps_of(PLAIN, kept) == (5,)
    assert steps_of(replace(PLAIN, kind=Kind.LESSON), kept) == (10, 20)
    assert steps_of(PLAIN, read_steps("nonsense")) == STEPS


@pytest.mark.parametrize("steps", [(), (0, 5), (5, 5), (9, 5), (5, 40_000)])
def test_steps_that_do_not_rise_are_refused(steps: tuple[int, ...]) -> None:
    with pytest.raises(BadValue):
        check_steps(steps)
