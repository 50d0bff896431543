"""What only the brain vocabulary asks of the store: memories by the words for where they belong."""

# Peewee carries no types: what comes out of it is unknown until it is a core value.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from peewee import SQL

from remembrancer.core.crossing import GLOBAL, BrainFilter, brain_entity
from remembrancer.core.ranking import Form
from remembrancer.store import asking
from remembrancer.store.choosing import conditions
from remembrancer.store.connections import Connections
from remembrancer.store.note_search import Reach
from remembrancer.store.tables import EntityRow, MemoryRow

# As `crossing.brain_scope` parts a name: at its first slash, unless nothing follows.
_PARTED = "instr(name, '/') BETWEEN 1 AND length(name) - 1"
_MODUL = f"CASE WHEN {_PARTED} THEN substr(name, 1, instr(name, '/') - 1) ELSE name END = ?"
_ID = f"{_PARTED} AND substr(name, instr(name, '/') + 1) = ?"

# What an agent wrote last: its lines about memories that no later one follows.
_LATER = (
    "SELECT 1 FROM journal l WHERE l.subject = 'memory' AND l.subject_id = j.subject_id"
    " AND l.sequence > j.sequence AND l.deed <> 'attempt'"
)
_WRITTEN_BY = (
    "SELECT j.subject_id FROM journal j WHERE j.agent_id = ? AND j.subject = 'memory'"
    f" AND j.deed <> 'attempt' AND NOT EXISTS ({_LATER})"
)


class Scoped:
    """The memories of one store, as brain's filters choose them."""

    def __init__(self, connections: Connections) -> None:
        self._db = connections

    def ids(self, wanted: BrainFilter, now: int, limit: int) -> list[int]:
        """The ids of what `wanted` lets through, the newest first."""
        order = (MemoryRow.updated_at.desc(), MemoryRow.id.desc())
        return [
            row[0] for row in self._db.rows(self._query(wanted, now).order_by(*order).limit(limit))
        ]

    def reach(self, wanted: BrainFilter, now: int) -> Reach:
        """What `wanted` lets through, whatever words it asks for."""
        unasked = replace(wanted, chosen=replace(wanted.chosen, words=""))
        text, values = self._query(unasked, now).where(MemoryRow.id == SQL("m.id")).sql()
        return Reach(f"EXISTS ({text})", tuple(values))

    @staticmethod
    def only(ids: Sequence[int]) -> Reach:
        """These memories."""
        given = json.dumps(ids)
        return Reach("m.id IN (SELECT value FROM json_each(?))", (given,), given)

    def forms(self, words: str) -> list[Form]:
        """The forms in which memories have what is searched for."""
        return asking.forms(self._db, words)

    def agents_of(self, ids: Sequence[int]) -> dict[int, int]:
        """memory id -> the agent that wrote it last, of a few thousand; without other authors."""
        text = (
            "SELECT j.subject_id, j.agent_id FROM journal j WHERE j.subject = 'memory'"
            f" AND j.subject_id IN ({','.join(map(str, ids))}) AND j.agent_id IS NOT NULL"
            f" AND j.deed <> 'attempt' AND NOT EXISTS ({_LATER})"
        )
        return dict(self._db.sql(text))

    def has_type(self, type_: str) -> bool:
        """Whether a created entity has that type."""
        text = "SELECT 1 FROM entity WHERE type = ? AND deleted_at IS NULL AND ghost = 0 LIMIT 1"
        return bool(self._db.sql(text, [type_]))

    def _query(self, wanted: BrainFilter, now: int) -> Any:
        where = conditions(self._db, wanted.chosen, now)
        if wanted.id is not None:
            where.append(MemoryRow.id == wanted.id)
        if wanted.agent_id is not None:
            where.append(MemoryRow.id.in_(SQL(f"({_WRITTEN_BY})", [wanted.agent_id])))
        return MemoryRow.select(MemoryRow.id).where(*where, *_scope(wanted))


def _scope(wanted: BrainFilter) -> list[Any]:
    where: list[Any] = []
    if wanted.typ is not None:
        where.append(EntityRow.type == wanted.typ)
    if wanted.modul is not None:
        # The bounds let the index of names do the work; "0" is the sign after the slash.
        where += [EntityRow.name >= wanted.modul, EntityRow.name < wanted.modul + "0"]
        where.append(SQL(_MODUL, [wanted.modul]))
    if wanted.scope_id is not None:
        where.append(SQL(_ID, [wanted.scope_id]))
    if wanted.modul is not None and wanted.scope_id is not None:
        where.append(EntityRow.name == brain_entity(wanted.modul, wanted.scope_id))
    if not where:
        return []
    living = EntityRow.select(EntityRow.id).where(EntityRow.deleted_at.is_null(), *where)
    inside = MemoryRow.entity_id.in_(living)
    unfiled = wanted.typ == GLOBAL and wanted.modul is None and wanted.scope_id is None
    return [inside | MemoryRow.entity_id.is_null()] if unfiled else [inside]
