"""Credentials in a text: where they stand, and the text without them.

Every pattern has a bounded look-ahead, so the time grows with the length of a text and with nothing
else. Beside a label a false alarm is better than a stored password; without one it is worse.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from remembrancer.core.secret_judges import MARKER
from remembrancer.core.secret_rules import rules
from remembrancer.core.secret_spans import Rule, Span, Window

_WINDOW = 65_536  # characters that are searched at once
_OVERLAP = 16_384  # what two windows share: the longest look-ahead of any rule


@dataclass(frozen=True, slots=True)
class Secret:
    """A credential in a text, as a half-open range of characters, and its kind."""

    start: int
    end: int
    kind: str


def find(text: str) -> tuple[Secret, ...]:
    """The credentials in `text`, in order, none overlapping another; labels are not part of them.

    What `mask` left behind, or a bare `[REDACTED]`, is not found again.
    """
    found: list[tuple[int, int, int, str]] = []
    for window in _windows(text):
        found += ((*span, -1, "private_key") for span in _key_blocks(window))
        low = text[window.start : window.end].lower()
        for rank, rule in enumerate(rules()):
            if any(hint in low for hint in rule.hints):
                found += ((*span, rank, rule.kind) for span in _spans(rule, window))
    return _merged(sorted(found))


def mask(text: str) -> tuple[str, tuple[str, ...]]:
    """`text` with `[REDACTED:kind]` in place of each credential, and the kinds, each one once."""
    secrets = find(text)
    pieces: list[str] = []
    last = 0
    for secret in secrets:
        pieces += text[last : secret.start], f"[REDACTED:{secret.kind}]"
        last = secret.end
    return "".join([*pieces, text[last:]]), tuple(dict.fromkeys(s.kind for s in secrets))


def is_credential(text: str) -> bool:
    """Whether `text` is refused where credentials are not even kept masked.

    That is what `find` finds, and besides any value at all behind a label, in a later line too, any
    long word behind `Bearer` and the mere header of a private key. What `mask` left behind passes.
    """
    return bool(_refused().search(text)) or bool(find(text))


# Labels that native refuses whatever stands behind them.
_NATIVE = r"password|passwd|private[-_ ]?key|api[-_ ]?key|access[-_ ]?token|secret"


@cache
def _refused() -> re.Pattern[str]:
    no_marker = rf"(?!(?-i:{MARKER.pattern}))"
    return re.compile(
        rf"(?i)\b(?:{_NATIVE})\s*[:=]\s*{no_marker}[\"']?{no_marker}[^\s\"']"
        r"|\bbearer\s+[\w.~+/-]{12}|-----BEGIN[^\n]{0,200}?PRIVATE KEY-----"
    )


def _windows(text: str) -> Iterator[Window]:
    start = 0
    while start + _WINDOW < len(text):
        until = start + _WINDOW - _OVERLAP
        yield Window(text, start, start + _WINDOW, until)
        start = until
    yield Window(text, start, len(text), len(text))


_RUN = re.compile(r"\S*")


def _spans(rule: Rule, window: Window) -> Iterator[Span]:
    for start, end in rule.search(window):
        if end == window.end < len(window.text) and (rest := _RUN.match(window.text, end)):
            end = rest.end()  # the credential may go on behind the window
        yield start, end


_KEY_HEADER = re.compile(r"(?i)-----BEGIN[A-Z0-9 ]{0,80}?PRIVATE KEY(?: BLOCK)?-----(?![\"'`)])")
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")


def _key_blocks(window: Window) -> Iterator[Span]:
    """Private keys, header to last line; cut-off ones up to a blank line or the end."""
    text, at = window.text, window.start
    while header := _KEY_HEADER.search(text, at, window.end):
        if header.start() >= window.until:
            return
        at = _key_end(text, header.end())
        yield header.start(), at


def _key_end(text: str, body: int) -> int:
    limit = min(len(text), body + _OVERLAP)
    rule = text.find("-----", body, limit)
    if text.startswith("-----END", rule):
        close = text.find("-----", rule + 8, rule + 100)
        return close + 5 if close >= 0 else rule + 8
    blank = _BLANK_LINE.search(text, body, limit if rule < 0 else rule)
    return blank.start() if blank else limit if rule < 0 else rule


def _merged(found: list[tuple[int, int, int, str]]) -> tuple[Secret, ...]:
    """Overlapping finds made one, named by the first rule among them."""
    merged: list[tuple[int, int, int, str]] = []
    for start, end, rank, kind in found:
        if merged and start < merged[-1][1]:
            last = merged.pop()
            start, end = last[0], max(last[1], end)
            rank, kind = min((rank, kind), last[2:])
        merged.append((start, end, rank, kind))
    return tuple(Secret(start, end, kind) for start, end, _, kind in merged)
