"""Credentials that have no label of their own: cells of tables, and the other half of a login."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from remembrancer.core.secret_judges import mixed, random, solid
from remembrancer.core.secret_labels import LABEL
from remembrancer.core.secret_spans import Rule, Span, Window, trimmed

# What may stand between two cells, the surest first.
_BETWEEN = tuple(map(re.compile, (r"\|", r";", r"\t", r" {2,16}", r",")))
_DIVIDED = re.compile(r"[|;\t,]|\S  ")
_NO_HEADING = re.compile(r"[=:(){}<>\[]")
_LINE = re.compile(r"[^\n]*\n?")
_LONGEST = 2_000  # characters of a line that are taken for a row
_Cells = list[Span]


def _cells(window: Window) -> Iterator[Span]:
    """The cells of columns whose heading is a label, down to the first line of another form."""
    between, columns, count = None, list[int](), 0
    for line in _LINE.finditer(window.text, window.start, window.end):
        start, end = line.start(), min(line.end(), line.start() + _LONGEST)
        row = window.text[start:end]
        cells = _split(row, start, between) if between else []
        if len(cells) != count or not between:
            between, columns, count = _heading(row, start)
            continue
        for column in columns:
            at, to = cells[column]
            if mixed(window.text[at:to]):
                yield at, to


def _heading(row: str, start: int) -> tuple[re.Pattern[str] | None, list[int], int]:
    """How the cells of a heading are divided, those that are labels, and how many there are."""
    if (
        row[:2].isspace()
        or not _DIVIDED.search(row)
        or _NO_HEADING.search(row)
        or not LABEL.search(row)
    ):
        return None, [], 0
    for between in _BETWEEN:
        cells = _split(row, start, between)
        texts = [row[a - start : b - start] for a, b in cells]
        labels = [i for i, text in enumerate(texts) if len(text) < 40 and _is_label(text)]
        full = all(0 < len(text) < 60 for text in texts) or between is _BETWEEN[0]
        if len(cells) > 1 and labels and full:
            return between, labels, len(cells)
    return None, [], 0


def _is_label(text: str) -> bool:
    label = LABEL.search(text)
    return label is not None and text.count(" ") < 4


def _split(row: str, start: int, between: re.Pattern[str]) -> _Cells:
    """The cells of a row without the blanks and quotes around them, as places in the text."""
    edges = [0, *(place for match in between.finditer(row) for place in match.span()), len(row)]
    pairs: Sequence[Span] = list(zip(edges[::2], edges[1::2], strict=True))
    return [_stripped(row, start, *pair) for pair in pairs]


def _stripped(row: str, start: int, first: int, last: int) -> Span:
    cell = row[first:last]
    left = len(cell) - len(cell.lstrip(" \t\"'`*"))
    return start + first + left, start + first + max(left, len(cell.rstrip(" \t\r\n\"'`*")))


_USER = (
    r"(?=[lzacubkr])(?<!REDACTED:)\b(?:log-?in|zugang\w{0,6}|anmelde?\w{0,6}|credentials?|creds?|user(?:name)?|benutzer(?:name)?"
    r"|konto|account|root|admin(?:istrator)?)\b"
)
_PAIRED = r"[\"'`]?(?P<v>[^\s\"'`|()/@<>]{6,64})"
_NEAR = re.compile(
    rf"(?i){_USER}[^\n/]{{0,60}}?(?:[^\S\n]/|/[^\S\n]|[^\S\n][-–][^\S\n]|\bpass\w{{0,4}}\b|\bpw\b|\b(?:and|und|with|mit)\b)"
    rf"[\s:=/]{{0,4}}{_PAIRED}"
)
_JOINED = re.compile(rf"(?i)(?<![\w.:/-])(?:admin|root|user|administrator|pi)[/:]{_PAIRED}")
_TOLD = re.compile(
    rf"(?i)(?=[lzack])(?<!REDACTED:)\b(?:log-?in|zugang(?:sdaten)?|anmelde?(?:daten|ung)|credentials?|creds?|account|konto)\b"
    rf"(?:[^\S\n][\w.-]{{1,24}}){{0,4}}[^\S\n]?[:=-][^\S\n]*[\"'`]?[\w.@\\-]{{1,40}}[\"'`]?"
    rf"(?:[^\S\n]?[/:|,;+][^\S\n]?|[^\S\n](?:and|und|with|mit)[^\S\n]){_PAIRED}"
)


def _pairs(window: Window) -> Iterator[Span]:
    for pattern, judge in ((_NEAR, random), (_JOINED, random), (_TOLD, solid)):
        for match in pattern.finditer(window.text, window.start, window.end):
            if match.start() >= window.until:
                break
            if judge(match["v"]):
                yield trimmed(match)


_LABELS = ("pass", "pw", "kennw", "secret", "token", "psk", "schl", "key")
RULES = (
    Rule("login", ("/", "pass", "pw", ":", " und ", " and "), _pairs),
    Rule("labelled_secret", _LABELS, _cells),
)
