"""Credentials taken out of a text without a trace of their kind, which is reported beside it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from remembrancer.core.secrets import Secret, find

MARKER = "[REDACTED]"

_LABELLED = "labelled_secret"
_TOLD = "Secrets masked: "
# A line that holds a label and its value and nothing else, seen from the value.
_LABEL_BEFORE = re.compile(
    r"[\s\"'`*_>-]*[^\s:=：]+(?:[ \t]+[^\s:=：]+){0,2}[\s\"'`*_]*[:=：]+[^\w\n]*"
)
_NOTHING_AFTER = re.compile(r"[^\w\n]*")


def redact(text: str) -> tuple[str, tuple[str, ...]]:
    """`text` with a bare `[REDACTED]` in place of each credential, and their codes, each one once.

    A code is the kind of the credential; a labelled one is `labelled_secret_line` where it has a
    line to itself and its label, else `labelled_secret_inline`.
    """
    found = find(text)
    pieces: list[str] = []
    last = 0
    for secret in found:
        pieces += text[last : secret.start], MARKER
        last = secret.end
    return "".join([*pieces, text[last:]]), tuple(dict.fromkeys(_code(text, s) for s in found))


def told(codes: Sequence[str]) -> str:
    """The sentence about codes that a line of the journal keeps."""
    return _TOLD + ", ".join(codes)


def codes_told(sentence: str | None) -> list[str]:
    """The codes that `told` made a sentence of; none in any other sentence."""
    kept = (sentence or "").partition(_TOLD)[2]
    return kept.split(", ") if kept else []


def _code(text: str, secret: Secret) -> str:
    if secret.kind != _LABELLED:
        return secret.kind
    start = text.rfind("\n", 0, secret.start) + 1
    end = text.find("\n", secret.end)
    after = text[secret.end : len(text) if end < 0 else end]
    before = text[start : secret.start]
    alone = len(before) <= 200 and _LABEL_BEFORE.fullmatch(before)
    return f"{_LABELLED}_{'line' if alone and _NOTHING_AFTER.fullmatch(after) else 'inline'}"
