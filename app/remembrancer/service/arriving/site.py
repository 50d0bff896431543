"""Where a load arrives: the transaction, what is known of the store, and what was counted."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from remembrancer.core import review
from remembrancer.core.entity import Entity, Relation, Scope
from remembrancer.core.journal import Deed, JournalLine, Subject
from remembrancer.core.memory import Memory
from remembrancer.core.travel import MemoryRecord
from remembrancer.service.one_path import Ledger
from remembrancer.service.unpacking import Load
from remembrancer.store.whole import Whole


@dataclass
class Counts:
    """What was brought in; `known` was there already."""

    entities: int = 0
    relations: int = 0
    memories: int = 0
    ghosts: int = 0
    known: int = 0


@dataclass
class Gathering(Ledger):
    """A ledger whose lines are kept and written in bulk at the end."""

    kept: list[JournalLine] = field(default_factory=list[JournalLine])

    def keep(self, line: JournalLine) -> None:
        """Gather one line."""
        self.kept.append(line)


class Site:
    """What one arrival knows, and what several of its steps share."""

    def __init__(self, ledger: Ledger, whole: Whole, load: Load, days: int) -> None:
        self.ledger = Gathering(
            ledger.store, ledger.author, ledger.origin, ledger.now, ledger.reason
        )
        self.whole = whole
        self.load = load
        self.days = days
        self.now = ledger.now
        self.counts = Counts()
        self.entities = {e.name: e for e in ledger.store.entities.all(ghosts=True)}
        self.made: set[str] = set()
        self._next_entity = whole.next_entity()
        self._outer = ledger

    def found(self, name: str, type_: str, created: int, updated: int, ghost: bool) -> Entity:
        """A new entity under the next id, with its line; its row is the caller's to write."""
        entity = Entity(
            self._next_entity, name, type_, Scope.DEVICE, 0, ghost, created, updated
        )  # fmt: skip
        self._next_entity += 1
        self.enter(entity)
        kept: dict[str, Any] = {**snapshot(entity), "members": []}
        self.ledger.line(Deed.CREATE_ENTITY, Subject.ENTITY, entity.id, kept, entity_id=entity.id)
        return entity

    def enter(self, entity: Entity) -> None:
        """Know an entity from now on as one that this arrival made."""
        self.entities[entity.name] = entity
        self.made.add(entity.name)

    def finish(self) -> None:
        """Write the lines, so that the caller's ledger stands behind them."""
        self.whole.put_lines(self.ledger.kept)
        self._outer.first, self._outer.next = self.ledger.first, self.ledger.next

    def finish_whole(self) -> None:
        """Let the caller's ledger stand behind a history that was put in as it was."""
        self._outer.next = self.ledger.store.journal.head() + 1


def as_memory(record: MemoryRecord, number: int, entity: Entity | None, days: int) -> Memory:
    """The memory that a record becomes under that number; its times must be there."""
    values = {
        name: getattr(record, name)
        for name in Memory.__slots__
        if name not in ("id", "entity", "entity_id", "scope", "due_at")
    }
    memory = Memory(
        id=number,
        entity_id=None if entity is None else entity.id,
        entity=None if entity is None else entity.name,
        scope=Scope.DEVICE if entity is None else entity.scope,
        due_at=0,
        **values,
    )
    return replace(memory, due_at=review.due_at(memory, days))


def snapshot(value: Memory | Entity | Relation) -> dict[str, Any]:
    """A value as plain values for its line; many times faster than a deep copy, and as good."""
    return {name: getattr(value, name) for name in value.__slots__}


def quoted(name: str) -> str:
    """A name as a sentence holds it: in quotes, and not endlessly long."""
    return repr(name if len(name) <= 120 else name[:120] + "…")
