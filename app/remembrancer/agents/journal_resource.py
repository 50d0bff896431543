"""The journal as a resource that an agent can read and subscribe to."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from mcp.types import Resource

from remembrancer.core.journal import JournalLine

if TYPE_CHECKING:
    from remembrancer.service.library import Library

NEWEST = 50
JOURNAL = Resource(
    name="journal",
    title="Journal",
    uri="memory://journal",
    description=f"The {NEWEST} newest changes of the memory, the newest first.",
    mime_type="application/json",
)

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def journal_text(library: Library) -> str:
    """The newest lines as a JSON list, without what the memories say."""
    lines = [_shown(line) for line in library.journal.newest(NEWEST)]
    return json.dumps(lines, ensure_ascii=False)


def _shown(line: JournalLine) -> dict[str, object]:
    at = _EPOCH + timedelta(microseconds=line.at)
    return {
        "sequence": line.sequence,
        "at": at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "author": line.author,
        "origin": line.origin,
        "deed": line.deed,
        "subject": line.subject,
        "subjectId": line.subject_id,
        "revision": line.revision,
    }
