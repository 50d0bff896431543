"""A stretch of a text that is searched at once, and what a rule finds in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

Span: TypeAlias = tuple[int, int]
_CLOSERS = ".,;:)]}>\"'`*|"


class Window(NamedTuple):
    """A stretch of a text; what begins at `until` or later is the next window's."""

    text: str
    start: int
    end: int
    until: int


class Rule(NamedTuple):
    """A kind of credential; `hints` are lower-case pieces of which a text has to hold one."""

    kind: str
    hints: tuple[str, ...]
    search: Callable[[Window], Iterator[Span]]


def trimmed(match: re.Match[str]) -> Span:
    """The credential of a match: its last named group, or all of it, without what closes it."""
    group = match.lastgroup or 0
    start, end = match.span(group)
    if group == "v":
        end = start + len(match[group].rstrip(_CLOSERS) or match[group])
    return start, end
