"""Our own file: a header, then one record a line, so that nothing of a store is lost.

The header names the format and its version; every further line names its `record`: entity,
relation, memory, agent or deed, with the fields of that record as they are inside (times in
microseconds UTC), those that are empty left out. The last line says how many lines there are.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, fields
from typing import Any, BinaryIO, cast

from remembrancer.core import edge
from remembrancer.core.author import Access, Agent
from remembrancer.core.entity import Scope
from remembrancer.core.errors import BadFile, RemembrancerError
from remembrancer.core.journal import Deed, JournalLine, Subject, snapshot_memory
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Status
from remembrancer.core.travel import (
    Anomaly,
    EntityRecord,
    Header,
    MemoryRecord,
    Place,
    Record,
    RelationRecord,
)
from remembrancer.formats.documents import Reading
from remembrancer.formats.tally import Tally

FORMAT = "remembrancer"
VERSION = 1

_NAMES: dict[type[Record], str] = {
    EntityRecord: "entity",
    RelationRecord: "relation",
    MemoryRecord: "memory",
    Agent: "agent",
    JournalLine: "deed",
}
_TYPES = {name: type_ for type_, name in _NAMES.items()}
_OF_THE_FILE = "line"  # a record's place in the file is no part of what it says


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    """Write records, the header first, one a line, and the line that ends the file."""
    count = 1
    for record in records:
        _put(stream, _fields(record))
        count += 1
    _put(stream, {"record": "end", "lines": count})


def _fields(record: Record) -> dict[str, Any]:
    values = ((name, getattr(record, name)) for name in record.__slots__ if name != _OF_THE_FILE)
    kept = {name: value for name, value in values if value is not None}
    if isinstance(record, EntityRecord) and record.place is not None:
        kept["place"] = asdict(record.place)
    if isinstance(record, Header):
        return {"format": FORMAT, **kept}
    return {"record": _NAMES[type(record)], **kept}


def _put(stream: BinaryIO, values: dict[str, Any]) -> None:
    text = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
    stream.write(text.encode("utf-8") + b"\n")


def read(stream: BinaryIO) -> Iterator[Record | Anomaly]:
    """The header, then every record; a line that is none is an anomaly.

    Raises BadFile when the first line is no header of ours, or one of a later version.
    """
    reading, tally = Reading().values(stream), Tally()
    ended: int | None = None
    count = 1
    yield from _begin(reading)
    for found in reading:
        if isinstance(found, Anomaly):
            yield found
            continue
        line, value = found
        count += 1
        if isinstance(value, dict) and cast(dict[str, Any], value).get("record") == "end":
            lines = cast(dict[str, Any], value).get("lines")
            ended = lines if isinstance(lines, int) else None
            continue
        yield _record(line, value, tally)
    yield from tally.anomalies()
    if ended != count:
        yield Anomaly(0, _incomplete(ended, count))


def _begin(reading: Iterator[tuple[int, Any] | Anomaly]) -> Iterator[Record | Anomaly]:
    for found in reading:
        if isinstance(found, Anomaly):
            yield found
            continue
        yield _header(found[1])
        return
    raise BadFile("This is no file of Remembrancer: it holds no line that can be read.")


def _header(value: Any) -> Header:
    given = cast(dict[str, Any], value) if isinstance(value, dict) else {}
    version = given.get("version")
    if given.get("format") != FORMAT or not isinstance(version, int):
        raise BadFile(
            "This is no file of Remembrancer: its first line is not the header.", code="foreign"
        )
    if version > VERSION:
        raise BadFile(
            f"The file is of a later version of the format ({version}; this program knows "
            f"{VERSION}). Update the program.",
            code="too_new",
        )
    try:
        return _built(Header, given)
    except ValueError as error:
        raise BadFile(f"The header of the file is damaged: {error}.") from None


def _record(line: int, value: Any, tally: Tally) -> Record | Anomaly:
    given = cast(dict[str, Any], value) if isinstance(value, dict) else {}
    type_ = _TYPES.get(str(given.get("record")))
    if type_ is None:
        return Anomaly(line, "The line is no record that is known here; it was passed over.")
    try:
        known = {f.name for f in fields(type_)} | {"record"}
        for name in given.keys() - known:
            tally.note(line, f"The field {edge.shown(name)} is not known here and was left out.")
        own = {} if type_ in (Agent, JournalLine) else {_OF_THE_FILE: line}
        return _sound(_built(type_, {**given, **own}))
    except (ValueError, RemembrancerError) as error:
        return Anomaly(line, f"The {given['record']} cannot be read: {error}; it was passed over.")


def _sound(record: Record) -> Record:
    """The record, once it is sure that a history can show what its snapshot holds."""
    if not isinstance(record, JournalLine) or not record.snapshot:
        return record
    texts = (each for each, _ in edge.walk(record.snapshot) if isinstance(each, str))
    if any(map(edge.text_fault, texts)):
        raise ValueError("its snapshot holds a text that cannot be kept")
    if record.subject is Subject.MEMORY:
        try:
            snapshot_memory(record.snapshot)
        except (KeyError, TypeError):
            raise ValueError("its snapshot is no memory") from None
    return record


def _incomplete(ended: int | None, count: int) -> str:
    if ended is None:
        return f"The file stops before its last line; lines that could be read: {count}."
    return f"The file says that it has {ended} lines; {count} could be read."


def _built(type_: type[Any], given: dict[str, Any]) -> Any:
    """A record of that type; ValueError names the field that is missing or of another type."""
    values: dict[str, Any] = {}
    for field in fields(type_):
        if field.name not in given:
            continue
        try:
            values[field.name] = _CHECKS[str(field.type)](given[field.name])
        except (ValueError, TypeError, OverflowError):
            raise ValueError(f"its field {field.name!r} is none") from None
    for field in fields(type_):
        if field.name not in values and str(field.type).endswith(" | None"):
            values[field.name] = None
    try:
        return type_(**values)
    except TypeError:
        missing = [f.name for f in fields(type_) if f.name not in values]
        raise ValueError(f"it lacks {', '.join(missing)}") from None


def _exactly(type_: type[Any]) -> Callable[[Any], Any]:
    def check(value: Any) -> Any:
        if type(value) is not type_:
            raise ValueError
        return value

    return check


def _number(value: Any) -> int:
    if type(value) is not int or not -(2**63) <= value < 2**63:
        raise ValueError
    return value


def _real(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError
    return float(value)


def _words(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise ValueError
    return tuple(_text(each) for each in cast(list[Any], value))


def _place(value: Any) -> Place:
    if not isinstance(value, dict):
        raise ValueError
    return _built(Place, cast(dict[str, Any], value))


def _or_none(check: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None else check(value)


def _text(value: Any) -> str:
    if type(value) is not str or edge.text_fault(value) is not None:
        raise ValueError
    return value


# How a field of a record is checked, by the annotation it has in its class.
_CHECKS: dict[str, Callable[[Any], Any]] = {
    "str": _text,
    "str | None": _or_none(_text),
    "int": _number,
    "int | None": _or_none(_number),
    "bool": _exactly(bool),
    "float": _real,
    "tuple[str, ...]": _words,
    "dict[str, Any] | None": _or_none(_exactly(dict)),
    "Place | None": _or_none(_place),
    "Kind": Kind,
    "Status": Status,
    "Scope": Scope,
    "Access": Access,
    "Deed": Deed,
    "Subject": Subject,
}
