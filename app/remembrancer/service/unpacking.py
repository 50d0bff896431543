"""What a file holds, made ready to be brought in: checked, screened, its index texts made."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from typing import Any, TypeVar, cast

from remembrancer.core import secrets as credentials
from remembrancer.core.analyser import Indexed
from remembrancer.core.author import Agent
from remembrancer.core.errors import BadFile, BadValue
from remembrancer.core.journal import JournalLine
from remembrancer.core.travel import (
    Anomaly,
    EntityRecord,
    Header,
    MemoryRecord,
    Record,
    RelationRecord,
    checked_entity,
    checked_memory,
    checked_relation,
)
from remembrancer.service.one_path import Secrets, screen
from remembrancer.service.writing import index_text

_Travelling = TypeVar("_Travelling", EntityRecord, RelationRecord, MemoryRecord)

# Zero-width signs, changes of direction, tag letters: a reader sees none of them, a model does.
# Joiners are left out, because emoji and several scripts need them.
_HIDDEN = re.compile(
    "[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)


@dataclass
class Load:
    """The records of one file, ready to be written, and everything odd about them so far."""

    header: Header | None = None
    entities: list[EntityRecord] = field(default_factory=list[EntityRecord])
    relations: list[RelationRecord] = field(default_factory=list[RelationRecord])
    memories: list[tuple[MemoryRecord, Indexed]] = field(
        default_factory=list[tuple[MemoryRecord, Indexed]]
    )
    agents: list[Agent] = field(default_factory=list[Agent])
    lines: list[JournalLine] = field(default_factory=list[JournalLine])
    anomalies: list[Anomaly] = field(default_factory=list[Anomaly])

    def note(self, line: int, sentence: str) -> None:
        """Say something odd of a line."""
        self.anomalies.append(Anomaly(line, _discreet(sentence)))


@lru_cache(maxsize=1_024)  # most sentences of a file are the same few
def _discreet(sentence: str) -> str:
    return credentials.mask(sentence)[0]


def unpack(items: Iterable[Record | Anomaly], secrets: Secrets) -> Load:
    """Take in what a reader yields; records that cannot be kept become anomalies."""
    unpacking = _Unpacking(secrets)
    for item in items:
        unpacking.take(item)
    return unpacking.load


class _Unpacking:
    """One file under one policy for secrets."""

    def __init__(self, secrets: Secrets) -> None:
        self.load = Load()
        self._secrets = secrets
        self._masked: dict[str, str] = {}

    def take(self, item: Record | Anomaly) -> None:
        match item:
            case Anomaly():
                self.load.note(item.line, item.text)
            case EntityRecord():
                self._keep(item, checked_entity, self.load.entities.append)
            case RelationRecord():
                self._keep(item, checked_relation, self.load.relations.append)
            case MemoryRecord():
                self._keep(item, checked_memory, self._keep_memory)
            case JournalLine():
                self.load.lines.append(self._line(item))
            case Agent():
                self.load.agents.append(self._agent(item))
            case Header():
                self.load.header = item

    def _keep(
        self,
        record: _Travelling,
        check: Callable[[_Travelling], _Travelling],
        keep: Callable[[_Travelling], None],
    ) -> None:
        try:
            keep(check(self._screened(record)))
        except BadValue as error:
            self.load.note(record.line, f"{error} It was not brought in.")

    def _keep_memory(self, record: MemoryRecord) -> None:
        text = index_text(record.entity, record.key, record.title, record.content, record.tags)
        self.load.memories.append((record, text))

    def _screened(self, record: _Travelling) -> _Travelling:
        changed: dict[str, Any] = {}
        for each in fields(record):
            value = getattr(record, each.name)
            if isinstance(value, str) and value:
                changed[each.name] = self._text(record.line, value)
            elif isinstance(value, tuple):
                texts = cast(tuple[str, ...], value)
                changed[each.name] = tuple(self._text(record.line, t) for t in texts)
        kept = {name: value for name, value in changed.items() if value != getattr(record, name)}
        return replace(record, **kept) if kept else record

    def _text(self, line: int, text: str) -> str:
        safe = self._safe(text)
        if safe != text:
            self.load.note(line, "The text holds a credential, which was masked.")
        signs = _HIDDEN.findall(safe)
        if signs:
            self.load.note(line, _hidden(signs))
        return safe

    def _safe(self, text: str) -> str:
        """The text as the policy lets it be kept; Refused where it lets it not."""
        screen([text], self._secrets)
        if self._secrets is not Secrets.MASK:
            return text
        if text not in self._masked:
            self._masked[text] = credentials.mask(text)[0]
        return self._masked[text]

    def _line(self, line: JournalLine) -> JournalLine:
        reason = None if line.reason is None else self._safe(line.reason)
        snapshot, author = self._plain(line.snapshot), self._safe(line.author)
        return replace(line, snapshot=snapshot, reason=reason, author=author)

    def _agent(self, agent: Agent) -> Agent:
        texts = {name: getattr(agent, name) for name in ("name", "client_name", "client_version")}
        entity = None if agent.entity is None else self._safe(agent.entity)
        return replace(agent, **{n: self._safe(t) for n, t in texts.items()}, entity=entity)

    def _plain(self, value: Any) -> Any:
        """Plain values with every text in them as the policy lets it be kept."""
        if isinstance(value, str):
            return self._safe(value)
        if isinstance(value, list):
            return [self._plain(each) for each in cast(list[Any], value)]
        if isinstance(value, dict):
            held = cast(dict[str, Any], value)
            return {name: self._plain(each) for name, each in held.items()}
        return value


def check_whole(load: Load) -> None:
    """Raise BadFile, saying why, unless the load can be put into an empty store as it is."""
    if load.header is None:
        raise BadFile("the file has no history")
    living = [e.name for e in load.entities if e.deleted_at is None]
    _once("number of an entity", [e.id for e in load.entities])
    _once("name of an entity", living)
    _once("number of a relation", [r.id for r in load.relations])
    _once("number of a memory", [m.id for m, _ in load.memories])
    _once("number of a deed", [line.sequence for line in load.lines])
    _once("number of an agent", [agent.id for agent in load.agents])
    kept = [m for m, _ in load.memories if m.status != "deleted" and m.entity_id is not None]
    _once("content of a memory", [(m.entity_id, m.content) for m in kept])
    _once("key of a memory", [(m.entity_id, m.key) for m in kept if m.key is not None])
    linked = [r for r in load.relations if r.deleted_at is None]
    _once("relation", [(r.source_id, r.target_id, r.type) for r in linked])
    _refer(load)


def _refer(load: Load) -> None:
    known = {e.id for e in load.entities}
    ends = {end for r in load.relations for end in (r.source_id, r.target_id)}
    of = {m.entity_id for m, _ in load.memories if m.entity_id is not None}
    if (ends | of) - known:
        raise BadFile("an entity is missing that others refer to")


def _once(what: str, values: list[Any]) -> None:
    if None in values:
        raise BadFile(f"a {what} is missing")
    if len(set(values)) < len(values):
        raise BadFile(f"a {what} stands in it twice")


def _hidden(signs: list[str]) -> str:
    shown = ", ".join(dict.fromkeys(f"U+{ord(sign):04X}" for sign in signs[:4]))
    more = " …" if len(set(signs)) > 4 else ""
    count = "a sign" if len(signs) == 1 else f"{len(signs)} signs"
    return f"The text holds {count} that no reader sees ({shown}{more}); they were kept."
