"""A damaged store gives back what can be read, and nothing of it is deleted."""

from __future__ import annotations

import pytest

from faults.damage import DAMAGE, measure, mended


def test_one_wiped_page_costs_next_to_nothing() -> None:
    rows = measure(places=4, memories=250)
    assert [row for row in rows if not row.held] == []


@pytest.mark.parametrize("sort", [sort for sort in DAMAGE if sort != "file halved"])
def test_other_damage_costs_nothing(sort: str) -> None:
    before, after = mended(DAMAGE[sort], 60)
    assert after == before


def test_half_a_file_gives_back_what_is_in_it() -> None:
    before, after = mended(DAMAGE["file halved"], 120)
    assert after["memory"] >= before["memory"] // 3
    # Among the settings stands how far the index is being renewed, which it is afterwards.
    assert all(after[table] <= before[table] for table in before if table != "setting")


@pytest.mark.long
def test_one_wiped_page_at_many_places_of_a_larger_store() -> None:
    assert [row for row in measure() if not row.held] == []
