"""Which format a file has, told from how it begins."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any, cast

from remembrancer.core.errors import BadFile
from remembrancer.core.travel import Anomaly
from remembrancer.formats import jsonl, openmemory
from remembrancer.formats.text import lines

HEAD = 65_536  # bytes that are looked at
_DATABASE = b"SQLite format 3\0"


def sniff(head: bytes) -> str:
    """The name of the format of a file that begins with `head`; BadFile for a database.

    What is nothing in particular counts as a knowledge graph, whose reader says what is wrong.
    """
    if head.startswith(_DATABASE):
        raise BadFile(
            "This is a database, not a file to import; `remembrancer restore` puts a backup back.",
            code="database",
        )
    text = _text(head)
    if is_ours(text):
        return "jsonl"
    if all(f'"{mark}"' in text for mark in openmemory.MARKS) and '"observations"' not in text:
        return "openmemory"
    return "knowledge-graph"


def is_ours(text: str) -> bool:
    """Whether a text begins with the header of our own format."""
    try:
        header, _ = json.JSONDecoder().raw_decode(text.lstrip())
    except (ValueError, RecursionError):
        return False
    named = cast(dict[str, Any], header) if isinstance(header, dict) else {}
    return named.get("format") == jsonl.FORMAT


def _text(head: bytes) -> str:
    found = [row[1] for row in lines(BytesIO(head)) if not isinstance(row, Anomaly)]
    return "\n".join(found)
