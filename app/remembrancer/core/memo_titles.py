"""The one line that stands for a memory in memo's lists, and where a long text may be cut."""

from __future__ import annotations

import re

from remembrancer.core import crossing
from remembrancer.core.memory import Memory

TITLE, INDEX_TITLE = 120, 76  # characters of a title in a list of hits, and in a tag's index

_LEADING = 2_000  # characters that a title is looked for in: blanks may stand in front of it
_BOLD = re.compile(r"\*\*(?!\*)([^*]{20,120})\*\*")


def title(memory: Memory, limit: int = TITLE) -> str:
    """The bold words that a memory's text opens with, or its first words; one line."""
    text = " ".join(crossing.memo_text(memory).lstrip()[:_LEADING].split())
    bold = _BOLD.match(text)
    return cut(bold[1].strip() if bold else text, limit)


def cut(text: str, limit: int) -> str:
    """`text`, or what of its first `limit` characters ends with a word, and an ellipsis."""
    if len(text) <= limit:
        return text
    head = text[: limit + 1].rstrip()
    words = head.rsplit(" ", 1)[0] if " " in head and len(head) > limit else head
    return (words or head)[:limit].rstrip() + "…"


def opening(text: str, limit: int) -> str:
    """At most `limit` characters of `text`, up to a line break where there is a late enough one."""
    if len(text) <= limit:
        return text
    head = text[: max(limit, 0)]
    line = head.rfind("\n")
    return head[:line] if line > len(head) // 2 else head
