"""The `memories.json` of an OpenMemory export: memories with app, state and categories."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO, cast

from remembrancer.core import edge, secrets
from remembrancer.core.errors import BadFile
from remembrancer.core.memory import Status
from remembrancer.core.travel import Anomaly, MemoryRecord, Record
from remembrancer.formats.documents import Reading
from remembrancer.formats.moments import moment
from remembrancer.formats.tally import Tally

MARKS = ("content", "state", "created_at")
SOURCE = "openmemory"
_KNOWN = frozenset({*MARKS, "id", "app", "categories", "updated_at", "archived_at", "deleted_at"})


def read(stream: BinaryIO) -> Iterator[Record | Anomaly]:
    """One unfiled memory an entry: the app is its author, categories are tags.

    What was archived, paused or deleted there arrives archived. Raises BadFile when no entry is
    a memory of this sort.
    """
    tally = Tally()
    read_any = False
    for found in Reading().values(stream):
        if isinstance(found, Anomaly):
            yield found
            continue
        item = _memory(*found, tally)
        read_any = read_any or isinstance(item, MemoryRecord)
        yield item
    yield from tally.anomalies()
    if not read_any:
        raise BadFile("This is no export of OpenMemory: no entry has content, state and dates.")


def _memory(line: int, value: Any, tally: Tally) -> MemoryRecord | Anomaly:
    fields = cast(dict[str, Any], value) if isinstance(value, dict) else {}
    content = fields.get("content")
    if not isinstance(content, str) or not content or "created_at" not in fields:
        return Anomaly(line, "The entry has no content or no date; it was passed over.")
    for name in fields.keys() - _KNOWN:
        tally.note(
            line, f"The field {edge.shown(name)} has no place in the store and was left out."
        )
    state = secrets.mask(str(fields.get("state") or "active"))[0]
    active = state == "active"
    created = moment(fields.get("created_at"))
    updated = moment(fields.get("updated_at")) or created
    if not active:
        tally.note(line, f"The memory is {edge.shown(state)} there; it was brought in as archived.")
    return MemoryRecord(
        content, author=str(fields.get("app") or ""), source=SOURCE, tags=_tags(fields),
        status=Status.ACTIVE if active else Status.ARCHIVED,
        archived_at=None if active else updated,
        archived_reason=None if active else f"{state[:60]} in OpenMemory",
        created_at=created, updated_at=updated, line=line,
    )  # fmt: skip


def _tags(fields: dict[str, Any]) -> tuple[str, ...]:
    given = fields.get("categories")
    entries = cast(list[Any], given) if isinstance(given, list) else []
    return tuple(tag for tag in entries if isinstance(tag, str))
