"""The figures that secrets are promised by hold; the time does not count, for machines differ."""

from __future__ import annotations

import pytest

from faults.row import Row
from faults.secret_figures import measure


def _broken(rows: list[Row]) -> list[Row]:
    return [row for row in rows if not row.held and "processor" not in row.what]


def test_secrets_are_found_and_ordinary_texts_are_not():
    assert _broken(measure(timed=1)) == []


@pytest.mark.long
def test_secrets_of_other_values_are_found_and_far_more_text_is_not():
    assert _broken(measure(seeds=range(20), pages=2_000, timed=1)) == []
