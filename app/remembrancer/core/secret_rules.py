"""All rules by which credentials are found, in the order in which they name what several find."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, partial
from pkgutil import get_data

from remembrancer.core import secret_judges as judges
from remembrancer.core import secret_labels, secret_tables
from remembrancer.core.secret_judges import Judge
from remembrancer.core.secret_spans import Rule, Span, Window, trimmed

_JUDGES: dict[str, Judge] = {
    "any": judges.anything,
    "odd": judges.odd,
    "mixed": judges.mixed,
    "solid": judges.solid,
    "random": judges.random,
    "keyed": judges.keyed,
    "bare": judges.bare,
    "sown": judges.sown,
    "plain": judges.plain,
}


@cache
def rules() -> tuple[Rule, ...]:
    """The shapes, then pairs and tables, then what needs a label of its own."""
    return (*_shapes(), *secret_tables.RULES, *secret_labels.RULES)


def _shapes() -> Iterator[Rule]:
    """The table of shapes: kind, judge, hints and pattern; an indented line goes on with the last.

    The credential is the named group that matched, or the whole match.
    """
    text = (get_data("remembrancer.core", "secret_shapes.txt") or b"").decode()
    for entry in re.split(r"\n(?=\S)", text.strip()):
        line = "".join(_pieces(entry))
        kind, judge, hints, pattern = line.split(" ", 3)
        search = partial(_matches, pattern, _JUDGES[judge])
        yield Rule(kind, tuple(hints.split(",")), search)


def _pieces(entry: str) -> Iterator[str]:
    """The lines of an entry; a pattern that stands wholly in the lines below is set apart."""
    first, *rest = map(str.strip, entry.splitlines())
    yield first + " " if first.count(" ") == 2 else first
    yield from rest


def _matches(pattern: str, judge: Judge, window: Window) -> Iterator[Span]:
    for match in _compiled(pattern).finditer(window.text, window.start, window.end):
        if match.start() >= window.until:
            return
        if judge(match[match.lastgroup or 0]):
            yield trimmed(match)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compiled when a text first needs it: most texts hold the hints of few rules."""
    return re.compile(pattern)
