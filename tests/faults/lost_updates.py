"""Many sessions change the same few memories: each reads, adds its mark, and writes if it may."""

from __future__ import annotations

import asyncio
import random
import time
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

# The library's own: two SQLites in one process would take each other's locks away.
from peewee import sqlite3  # pyright: ignore[reportAttributeAccessIssue]

from faults.deeds import examined
from faults.row import Row
from faults.wire import Failed, Session, serving
from remembrancer.core.author import PERSON
from remembrancer.service.desk import Doing
from remembrancer.service.graph import NewEntity
from remembrancer.service.library import Library

SHARED = 5  # memories
SLOWEST = 1.0  # seconds for 99 of 100 calls
_AGENTS = 10
_TRIES = 200
_ME: Doing = {"author": PERSON, "origin": "window"}


@dataclass
class Told:
    """What the sessions were told."""

    marks: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])  # entity, mark
    conflicts: int = 0
    seconds: list[float] = field(default_factory=list[float])  # that calls took


def measure(folder: Path, sessions: int = 200, changes: int = 3) -> list[Row]:
    """Let every session make so many changes."""
    store = folder / "memories.db"
    tokens = _prepared(store)
    told = Told()
    with serving(store) as served:
        asyncio.run(_all(served.port, tokens, sessions, changes, told))
    lost = _lost(store, told)
    problems = examined(store, ()).problems
    expected, done = sessions * changes, len(told.marks)
    ninety_nine = sorted(told.seconds)[int(len(told.seconds) * 0.99)]
    what = f"{sessions} sessions on {SHARED} memories, {told.conflicts:,} conflicts"
    return [
        Row(
            f"lost updates ({what})", f"0 of {expected}", f"{lost} of {done}",
            lost == 0 and done == expected,
        ),
        Row(
            "many sessions: revisions with a gap, other misfits", "0",
            "; ".join(problems) or "0", not problems,
        ),
        Row(
            f"many sessions: slowest of 99 in 100 calls of {len(told.seconds):,}",
            f"< {SLOWEST:g} s", f"{ninety_nine * 1_000:.0f} ms", ninety_nine < SLOWEST,
        ),
    ]  # fmt: skip


def _prepared(store: Path) -> list[str]:
    """A store with the shared memories; returns the tokens of its agents."""
    with Library.open(store) as library:
        library.graph.create([NewEntity(f"e{n}", "t", ("0",)) for n in range(SHARED)], **_ME)
        return [library.agents.add(f"agent {n}", **_ME)[1] for n in range(_AGENTS)]


async def _all(port: int, tokens: list[str], sessions: int, changes: int, told: Told) -> None:
    ready = asyncio.Semaphore(20)  # that say hello at once
    opened: list[Session] = []

    async def enter(number: int) -> None:
        async with ready:
            session = Session(port, tokens[number % _AGENTS], f"client {number}")
            await session.open()
            opened.append(session)

    await asyncio.gather(*(enter(n) for n in range(sessions)))
    await asyncio.gather(*(_change(s, n, changes, told) for n, s in enumerate(opened)))
    await asyncio.gather(*(session.close() for session in opened))


async def _change(session: Session, number: int, changes: int, told: Told) -> None:
    chance = random.Random(number)
    for count in range(changes):
        entity, mark = f"e{chance.randrange(SHARED)}", f"[{number}.{count}]"
        for attempt in range(_TRIES):
            if await _once(session, entity, mark, told):
                told.marks.append((entity, mark))
                break
            told.conflicts += 1
            await asyncio.sleep(chance.uniform(0, 0.05 * 2 ** min(attempt, 5)))


async def _once(session: Session, entity: str, mark: str, told: Told) -> bool:
    """Read, add the mark, write; False if somebody else was first."""
    began = time.perf_counter()
    seen = (await session.call("memory_review", entityName=entity))["items"][0]
    read = time.perf_counter()
    try:
        await session.call(
            "memory_revise", id=seen["id"], expectedRevision=seen["revision"],
            content=seen["content"] + mark,
        )  # fmt: skip
    except Failed as failed:
        if "changed since" not in str(failed):
            raise
        return False
    finally:
        told.seconds += [read - began, time.perf_counter() - read]
    return True


def _lost(store: Path, told: Told) -> int:
    with closing(sqlite3.connect(str(store))) as file:
        text = "SELECT e.name, m.content FROM memory m JOIN entity e ON e.id = m.entity_id"
        contents = dict(file.execute(text).fetchall())
    return sum(mark not in contents[entity] for entity, mark in told.marks)
