"""Which tests run with the counts of a release: only when they are asked for with `-m long`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from faults.row import Row


def at_length(test: Callable[..., Any]) -> Any:
    """Mark a test as one with full counts."""
    return pytest.mark.long(test)


def broken(rows: list[Row], *, but: tuple[str, ...] = ()) -> list[Row]:
    """The rows that are not held, but for those that begin so: times depend on the machine."""
    return [row for row in rows if not row.held and not row.what.startswith(but)]
