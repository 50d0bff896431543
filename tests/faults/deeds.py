"""Deeds that are acknowledged one by one, and the proof that a store still has each of them."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import NamedTuple

# The library's own: two SQLites in one process would take each other's locks away.
from peewee import sqlite3  # pyright: ignore[reportAttributeAccessIssue]

from remembrancer.core.author import PERSON, Author, AuthorKind
from remembrancer.core.errors import Conflict, NotFound, StoreProblem
from remembrancer.core.filters import Filter
from remembrancer.core.memory import Draft, Edit
from remembrancer.service.desk import Doing
from remembrancer.service.graph import NewEntity, Triple
from remembrancer.service.library import Library

AGENT: Doing = {"author": Author("agent", AuthorKind.AGENT), "origin": "native"}
ENTITIES = tuple(f"entity {n}" for n in range(8))
_WORDS = ("quay", "harbour", "pump", "valve", "mooring", "crane", "ledger", "tide", "signal")


class Ack(NamedTuple):
    """What a caller was told: the verb, the id of its subject, the revision, the words."""

    verb: str
    id: int
    revision: int | None
    text: str


@dataclass(frozen=True)
class Found:
    """What a store was found to be after a fault."""

    lost: int = 0  # acknowledged deeds that are not there
    problems: tuple[str, ...] = ()


def found_in(many: Iterable[Found]) -> Found:
    """Several findings as one."""
    each = [astuple(found) for found in many]
    return Found(sum(lost for lost, _ in each), tuple(p for _, found in each for p in found))


def make_store(path: Path) -> Path:
    """A store with the entities and a few memories that the deeds are about."""
    with Library.open(path) as library:
        doing: Doing = {"author": PERSON, "origin": "window"}
        first = [NewEntity(name, "thing", (f"{name} stands.",)) for name in ENTITIES]
        library.graph.create(first, **doing)
    return path


class Doer:
    """One caller, which does something to a library and tells what it was answered."""

    def __init__(self, library: Library, seed: int) -> None:
        self._library = library
        self._random = random.Random(seed)
        self._seed = seed
        self._count = 0
        self._known = list(library.memories.ids(Filter()))

    def one(self) -> Ack | None:
        """One deed; None when somebody else was first. Raises what the verb raises."""
        self._count += 1
        deeds = (self._remember, self._revise, self._delete, self._relate)
        deed: Callable[[], Ack] = self._random.choices(deeds, (4, 4, 1, 1))[0]
        with suppress(Conflict, NotFound):
            return deed()
        return None

    def _remember(self) -> Ack:
        key = f"k{self._seed}.{self._count}" if self._count % 3 == 0 else None
        draft = Draft(self._text(), self._random.choice(ENTITIES), key=key, tags=("tide", "log"))
        made = self._library.memories.remember(draft, **AGENT)
        self._known.append(made.id)
        return Ack("remember", made.id, made.revision, made.content)

    def _revise(self) -> Ack:
        seen = self._library.memories.get(self._random.choice(self._known), AGENT["author"])
        edit = Edit(content=self._text())
        after = self._library.memories.revise(seen.id, edit, expected=seen.revision, **AGENT)
        return Ack("revise", after.id, after.revision, after.content)

    def _delete(self) -> Ack:
        seen = self._library.memories.get(self._random.choice(self._known), AGENT["author"])
        after = self._library.memories.delete(seen.id, expected=seen.revision, **AGENT)
        return Ack("delete", after.id, after.revision, seen.content)

    def _relate(self) -> Ack:
        source, target = self._random.sample(ENTITIES, 2)
        triple = Triple(source, target, f"r{self._seed}.{self._count}")
        made = self._library.graph.relate([triple], **AGENT)[0]
        return Ack("relate", made.id, None, made.type)

    def _text(self) -> str:
        words = self._random.choices(_WORDS, k=self._random.randint(3, 40))
        return f"{self._seed}.{self._count} {' '.join(words)}"


def acknowledge(file: int, ack: Ack) -> None:
    """Write down that a caller was told; whole or, when the writer is killed, not at all."""
    os.write(file, json.dumps(ack).encode() + b"\n")


def acknowledged(file: Path) -> list[Ack]:
    """What was written down."""
    lines = file.read_bytes().split(b"\n")[:-1] if file.exists() else []
    return [Ack(*json.loads(line)) for line in lines]


# --- the proof


def examined(path: Path, acks: Iterable[Ack]) -> Found:
    """Whether a store has all that was acknowledged, and whether all of it fits together."""
    try:
        with Library.open(path) as library:
            problems = library.upkeep.problems()
        with closing(sqlite3.connect(str(path))) as file:
            problems += _misfits(file)
            lines, relations = _lines(file), _relations(file)
    except (StoreProblem, sqlite3.Error) as unreadable:
        return Found(0, (str(unreadable),))
    return Found(sum(not _is_there(ack, lines, relations) for ack in acks), tuple(problems))


_Lines = dict[tuple[int, int], tuple[str, str | None]]


def _lines(file: sqlite3.Connection) -> _Lines:
    """(memory id, revision) -> (deed, content)."""
    text = (
        "SELECT subject_id, revision, deed, json_extract(snapshot, '$.content') FROM journal"
        " WHERE subject = 'memory' AND deed <> 'attempt'"
    )
    return {(row[0], row[1]): (row[2], row[3]) for row in file.execute(text)}


def _relations(file: sqlite3.Connection) -> dict[int, str]:
    text = (
        "SELECT r.id, r.type FROM relation r JOIN journal j ON j.subject = 'relation'"
        " AND j.subject_id = r.id AND j.deed = 'relate' WHERE r.deleted_at IS NULL"
    )
    return dict(file.execute(text).fetchall())


def _is_there(ack: Ack, lines: _Lines, relations: dict[int, str]) -> bool:
    if ack.verb == "relate":
        return relations.get(ack.id) == ack.text
    return lines.get((ack.id, ack.revision or 0)) == (ack.verb, ack.text)


# What must give no row, and what it means when it does.
_NEVER = {
    "a journal with a gap": (
        "SELECT max(sequence) FROM journal HAVING max(sequence) <> count(*) OR min(sequence) <> 1"
    ),
    "revisions with a gap": (
        "SELECT m.id FROM memory m LEFT JOIN journal j ON j.subject = 'memory' AND j.subject_id ="
        " m.id AND j.deed <> 'attempt' GROUP BY m.id"
        " HAVING count(DISTINCT j.revision) <> m.revision OR count(j.revision) <> m.revision"
        " OR max(j.revision) <> m.revision"
    ),
    "a revision without its snapshot": (
        "SELECT sequence FROM journal WHERE subject = 'memory' AND deed NOT IN ('attempt', 'purge')"
        " AND (snapshot IS NULL OR json_extract(snapshot, '$.content') IS NULL)"
    ),
    "a memory other than its newest revision": (
        "SELECT m.id FROM memory m JOIN journal j ON j.subject = 'memory' AND j.subject_id = m.id"
        " AND j.revision = m.revision AND j.deed <> 'attempt'"
        " WHERE json_extract(j.snapshot, '$.content') <> m.content"
        " OR (j.deed = 'delete') <> (m.status = 'deleted')"
    ),
    "lines of a memory that is not there": (
        "SELECT sequence FROM journal j WHERE subject = 'memory' AND deed <> 'purge' AND NOT EXISTS"
        " (SELECT 1 FROM memory m WHERE m.id = j.subject_id)"
    ),
    "a memory without its tags": (
        "SELECT j.subject_id FROM journal j JOIN memory m ON m.id = j.subject_id AND m.revision ="
        " j.revision WHERE j.subject = 'memory' AND j.deed NOT IN ('attempt', 'delete') AND"
        " json_array_length(j.snapshot, '$.tags') <>"
        " (SELECT count(*) FROM tag t WHERE t.memory_id = m.id)"
    ),
    "a relation without its line": (
        "SELECT id FROM relation r WHERE NOT EXISTS (SELECT 1 FROM journal j WHERE j.subject ="
        " 'relation' AND j.subject_id = r.id)"
    ),
    "two entities of one name": (
        "SELECT name FROM entity WHERE deleted_at IS NULL GROUP BY name HAVING count(*) > 1"
    ),
    "one key twice": (
        "SELECT key FROM memory WHERE status <> 'deleted' AND key IS NOT NULL AND entity_id IS NOT"
        " NULL GROUP BY entity_id, key HAVING count(*) > 1"
    ),
    "one content twice": (
        "SELECT digest FROM memory WHERE status <> 'deleted' AND entity_id IS NOT NULL"
        " GROUP BY entity_id, digest HAVING count(*) > 1"
    ),
    "one relation twice": (
        "SELECT type FROM relation WHERE deleted_at IS NULL"
        " GROUP BY source_id, target_id, type HAVING count(*) > 1"
    ),
}


def _misfits(file: sqlite3.Connection) -> list[str]:
    found = ((what, file.execute(text).fetchone()) for what, text in _NEVER.items())
    return [f"{what}: {row[0]}" for what, row in found if row is not None]
