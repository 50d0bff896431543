"""A memory's text inside its entry: no line of it can pass for a line of memo's own."""

from __future__ import annotations

import json
import re

_INDENT = "    "
# What JSON leaves as it is although readers take it for the end of a line.
_BREAKS = {ord(sign): f"\\u{ord(sign):04x}" for sign in "\x85\u2028\u2029"}
_UNSEEN = "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u00ad \t"
# How the lines begin that memo itself writes around entries: a head, and what is missing.
_OURS = re.compile(
    r"#\d|\[(?:gekuerzt|cut): |(?:Nicht vorhanden|Not there): "
    r"|[\d,.]+ (?:weitere verlangt|more asked for)"
)


def inside(text: str) -> str:
    """The text as it stands below its head: indented, should a line of it look like one of ours."""
    lines = text.splitlines()
    if not any(_OURS.match(line.lstrip(_UNSEEN)) for line in lines):
        return text
    return "\n".join(_INDENT + line for line in lines)


def quoted(text: str) -> str:
    """A text in quotes, as another call takes it, on one line for whoever reads it."""
    return json.dumps(text, ensure_ascii=False).translate(_BREAKS)


def one_line(text: str) -> str:
    """A text that stands within a line of ours."""
    return " ".join(text.split())
