"""Bad input is answered in a sentence at every door, ends no server and changes no store."""

from __future__ import annotations

from faults.catalogue import at_doors, measure
from faults.length import at_length


def test_bad_input_at_any_door_is_answered_and_changes_nothing() -> None:
    found = at_doors(["native"], slice(3, None, 11))
    assert found.wrong == []
    assert found.examples > 90


@at_length
def test_all_of_it_is_for_every_dialect_and_ten_thousand_bent_calls() -> None:
    assert [row for row in measure() if not row.held] == []
