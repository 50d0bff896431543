"""One measured figure of trust: what was tried, what must hold, and what was seen."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table: `bound` and `seen` in words, `held` whether the figure keeps it."""

    what: str
    bound: str
    seen: str
    held: bool
