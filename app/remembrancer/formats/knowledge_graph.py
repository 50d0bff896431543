"""The file of the reference knowledge graph server, and every shape of it that is in use."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, BinaryIO, cast

from remembrancer.core import edge, secrets
from remembrancer.core.errors import BadFile
from remembrancer.core.travel import (
    Anomaly,
    EntityRecord,
    MemoryRecord,
    Record,
    RelationRecord,
)
from remembrancer.formats.documents import Reading
from remembrancer.formats.moments import moment
from remembrancer.formats.tally import Tally

_NAMES = ("name", "entityName", "entity_name")
_TYPES = ("entityType", "entity_type")
_SOURCES = ("from", "from_entity", "from_id", "fromEntity", "source")
_TARGETS = ("to", "to_entity", "to_id", "toEntity", "target")
_LINKS = ("relationType", "relation_type", "relation")
_CREATED = ("createdAt", "created_at", "timestamp", "date")
_UPDATED = ("updatedAt", "updated_at", "lastModified")
_AUTHORS = ("createdBy", "created_by", "author")
_CONTENTS = ("content", "text", "observation", "value")
_MARKS = frozenset({"type", "id", *_CREATED, *_UPDATED, *_AUTHORS})
_ENTITY_FIELDS = _MARKS.union(_NAMES, _TYPES, {"observations"})
_RELATION_FIELDS = _MARKS.union(_SOURCES, _TARGETS, _LINKS)
_OBSERVATION_FIELDS = _MARKS.union(_CONTENTS)
_SHOWN = 12

Fields = dict[str, Any]
Item = Record | Anomaly


def read(stream: BinaryIO) -> Iterator[Item]:
    """Entities with their observations as they come, then the relations, and every oddity.

    Raises BadFile, after the oddities, when nothing in the file is an entity or a relation.
    """
    return _Graph().items(stream)


def write(records: Iterable[Record], stream: BinaryIO) -> None:
    """Write entities, each followed by its memories, then relations, as that server does."""
    waiting: Fields | None = None
    for record in records:
        if isinstance(record, MemoryRecord) and waiting is not None:
            waiting["observations"].append(record.content)
            continue
        if waiting is not None:
            _put(stream, waiting)
        waiting = _started(record)
        if isinstance(record, RelationRecord):
            ends = {"from": record.source, "to": record.target}
            _put(stream, {"type": "relation", **ends, "relationType": record.type})
    if waiting is not None:
        _put(stream, waiting)


def _started(record: Record) -> Fields | None:
    if not isinstance(record, EntityRecord):
        return None
    named = {"type": "entity", "name": record.name, "entityType": record.type}
    return {**named, "observations": []}


def _put(stream: BinaryIO, fields: Fields) -> None:
    text = json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
    stream.write(text.encode("utf-8") + b"\n")


class _Graph:
    """One reading: what is known of names and ids so far, and the relations that wait for them."""

    def __init__(self) -> None:
        self._tally = Tally()
        self._names: set[str] = set()
        self._ids: dict[str, str] = {}
        self._relations: list[RelationRecord] = []
        self._fields: dict[str, None] = {}
        self._known = 0
        self._values = 0
        self._oddities = 0

    def items(self, stream: BinaryIO) -> Iterator[Item]:
        for found in Reading().values(stream):
            if isinstance(found, Anomaly):
                self._oddities += 1
                yield found
                continue
            self._values += 1
            yield from self._value(*found)
        yield from (self._resolved(relation) for relation in self._relations)
        yield from self._tally.anomalies()
        yield from self._verdict()

    def _value(self, line: int, value: Any) -> Iterator[Item]:
        if not isinstance(value, dict):
            yield Anomaly(line, f"Here stands {_sort(value)} instead of an object; passed over.")
            return
        fields = cast(Fields, value)
        type_ = fields.get("type")
        if type_ == "typeDefinition":
            self._pass_over(line, "The line describes a type; types are plain words here.")
        elif isinstance(type_, str) and type_.startswith("_"):
            self._pass_over(
                line, f"The line is a mark of the program that wrote it ({edge.shown(type_)})."
            )
        elif _is_entity(fields):
            yield from self._entity(line, fields)
        elif _is_relation(fields):
            yield from self._relation(line, fields)
        else:
            yield self._unknown(line, fields)

    def _pass_over(self, line: int, sentence: str) -> None:
        self._known += 1
        self._tally.note(line, f"{sentence[:-1]}; it was passed over.")

    def _unknown(self, line: int, fields: Fields) -> Anomaly:
        self._fields.update(dict.fromkeys(fields))
        shown = _listed(fields)
        return Anomaly(line, f"This is neither an entity nor a relation; it has {shown}.")

    def _entity(self, line: int, fields: Fields) -> Iterator[Item]:
        self._known += 1
        name = self._word(line, fields, _NAMES, "name")
        if name is None or not name.strip():
            yield Anomaly(line, "The entity has no name; it was passed over.")
            return
        self._note_shape(line, fields, "an entity", _ENTITY_FIELDS)
        self._names.add(_nfc(name))
        if isinstance(fields.get("id"), str | int):
            self._ids[str(fields["id"])] = name
        created, updated = self._times(line, fields)
        record = EntityRecord(
            name, self._entity_type(line, fields), created_at=created, updated_at=updated, line=line
        )
        yield record
        author = _first(fields, _AUTHORS)
        like = MemoryRecord(
            "", name, created_at=created, updated_at=updated, line=line,
            author=author if isinstance(author, str) else "",
        )  # fmt: skip
        yield from self._observations(fields, like)

    def _entity_type(self, line: int, fields: Fields) -> str:
        given = self._word(line, fields, _TYPES, "type")
        if given is not None:
            return given
        other = fields.get("type")
        if isinstance(other, str) and other != "entity":
            return other
        self._tally.note(line, "The entity names no type of its own; the type is left empty.")
        return ""

    def _observations(self, fields: Fields, like: MemoryRecord) -> Iterator[Item]:
        given = fields.get("observations")
        if given is None:
            self._tally.note(like.line, "The entity has no list of observations.")
            return
        if not isinstance(given, list):
            self._tally.note(like.line, "The observations are no list; it was read as one.")
            given = [given]
        for each in cast(list[Any], given):
            yield self._observation(each, like)

    def _observation(self, given: Any, like: MemoryRecord) -> Item:
        if isinstance(given, dict):
            return self._told(cast(Fields, given), like)
        if isinstance(given, int | float) and not isinstance(given, bool):
            self._tally.note(like.line, "An observation is a number; it was read as text.")
            given = json.dumps(given)
        if not isinstance(given, str):
            return Anomaly(like.line, f"An observation is {_sort(given)}; it was passed over.")
        if not given:
            return Anomaly(like.line, "An observation is empty; it was passed over.")
        return replace(like, content=given)

    def _told(self, fields: Fields, like: MemoryRecord) -> Item:
        """An observation that is an object: its text, and its own time and author."""
        content = _first(fields, _CONTENTS)
        if not isinstance(content, str) or not content:
            held = _listed(fields)
            return Anomaly(like.line, f"An observation has no text, but {held}; passed over.")
        self._tally.note(like.line, "An observation is an object; its text and time were read.")
        self._leftover(like.line, fields, _OBSERVATION_FIELDS)
        created, updated = self._times(like.line, fields)
        author = _first(fields, _AUTHORS)
        return replace(
            like, content=content, created_at=created or like.created_at,
            updated_at=updated or created or like.updated_at,
            author=author if isinstance(author, str) else like.author,
        )  # fmt: skip

    def _relation(self, line: int, fields: Fields) -> Iterator[Item]:
        self._known += 1
        source = self._word(line, fields, _SOURCES, "start")
        target = self._word(line, fields, _TARGETS, "end")
        if source is None or target is None or not source.strip() or not target.strip():
            yield Anomaly(line, "The relation lacks one of its ends; it was passed over.")
            return
        self._note_shape(line, fields, "a relation", _RELATION_FIELDS)
        type_ = self._word(line, fields, _LINKS, "type")
        if type_ is None and fields.get("type") not in (None, "relation"):
            type_ = str(fields["type"])
        if not type_:
            self._tally.note(line, "The relation names no type; the type is left empty.")
        created, _ = self._times(line, fields)
        record = RelationRecord(source, target, type_ or "", created_at=created, line=line)
        self._relations.append(record)

    def _resolved(self, relation: RelationRecord) -> RelationRecord:
        source, target = self._end(relation.source), self._end(relation.target)
        if (source, target) == (relation.source, relation.target):
            return relation
        self._tally.note(relation.line, "The relation names its ends by id; they were resolved.")
        return replace(relation, source=source, target=target)

    def _end(self, given: str) -> str:
        return given if _nfc(given) in self._names else self._ids.get(given, given)

    def _word(self, line: int, fields: Fields, keys: tuple[str, ...], what: str) -> str | None:
        key = next((k for k in keys if fields.get(k) is not None), None)
        if key is None:
            return None
        if key != keys[0]:
            self._tally.note(line, f"The {what} stands under {key!r} instead of {keys[0]!r}.")
        value = fields[key]
        if isinstance(value, int | float) and not isinstance(value, bool):
            if not key.endswith("id") and what == "name":
                self._tally.note(line, f"The {what} is a number; it was read as text.")
            return json.dumps(value)
        return value if isinstance(value, str) else None

    def _times(self, line: int, fields: Fields) -> tuple[int | None, int | None]:
        found: list[int | None] = []
        for keys in (_CREATED, _UPDATED):
            given = _first(fields, keys)
            found.append(moment(given))
            if given is not None and found[-1] is None:
                self._tally.note(line, "A time cannot be read as one; the present stands for it.")
        return found[0], found[1] or found[0]

    def _note_shape(self, line: int, fields: Fields, what: str, known: frozenset[str]) -> None:
        if "type" not in fields:
            self._tally.note(line, f"The line does not say that it is {what}; its fields do.")
        self._leftover(line, fields, known)

    def _leftover(self, line: int, fields: Fields, known: frozenset[str]) -> None:
        for name in fields.keys() - known:
            sentence = f"The field {edge.shown(name)} has no place in the store and was left out."
            self._tally.note(line, sentence)

    def _verdict(self) -> Iterator[Anomaly]:
        if self._known:
            return
        if self._fields:
            raise BadFile(
                f"This is no file of memories that is known here: it has {_listed(self._fields)}.",
                code="foreign",
                fields=list(self._fields),
            )
        if self._values or self._oddities:
            raise BadFile("This is no file of memories: nothing in it is a JSON object.")
        yield Anomaly(0, "The file is empty.")


def _is_entity(fields: Fields) -> bool:
    if fields.get("type") == "entity":
        return True
    described = any(key in fields for key in (*_TYPES, "observations"))
    return fields.get("type") != "relation" and described and any(k in fields for k in _NAMES)


def _is_relation(fields: Fields) -> bool:
    if fields.get("type") == "relation":
        return True
    return any(k in fields for k in _SOURCES) and any(k in fields for k in _TARGETS)


def _nfc(name: str) -> str:
    return unicodedata.normalize("NFC", name)


def _first(fields: Fields, keys: tuple[str, ...]) -> Any:
    return next((fields[key] for key in keys if fields.get(key) is not None), None)


def _listed(fields: Iterable[str]) -> str:
    names = sorted(secrets.mask(str(name))[0][:60] for name in fields)
    shown = ", ".join(repr(name) for name in names[:_SHOWN])
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    if not names:
        return "no fields"
    return f"the field{'s' if len(names) > 1 else ''} {shown}{more}"


def _sort(value: Any) -> str:
    if value is None:
        return "nothing (null)"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int | float):
        return "a number"
    return "a list" if isinstance(value, list) else "a text"
