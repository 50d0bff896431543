"""Nobody comes in without a token that opens the place, and nobody does more than it allows."""

from __future__ import annotations

import pytest

from faults import access_matrix
from remembrancer.agents.dialects import DIALECTS
from remembrancer.core.author import Access

SOME = ("http 2026",)
ALL = tuple(DIALECTS)


def test_no_way_of_asking_is_answered_at_any_path_without_a_right_to() -> None:
    row = access_matrix.strangers()
    assert row.held, row.seen


@pytest.mark.parametrize("access", [Access.READ, Access.PROPOSE])
def test_no_tool_changes_anything_for_an_agent_that_may_not_write(access: Access) -> None:
    row = access_matrix.kept(access, SOME, ALL)
    assert row.held, row.seen


def test_no_tool_answers_to_a_token_that_opens_nothing() -> None:
    row = access_matrix.shut(("memo",))
    assert row.held, row.seen


def test_no_answer_to_a_locked_agent_holds_a_word_of_another_entity() -> None:
    row = access_matrix.locked(SOME, ALL)
    assert row.held, row.seen


@pytest.mark.long
def test_the_same_holds_through_every_door() -> None:
    assert [row for row in access_matrix.measure() if not row.held] == []
