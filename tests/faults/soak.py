"""Agents work for a long time over HTTP and over pipes: the server must not grow meanwhile."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from faults.deeds import ENTITIES, examined, make_store
from faults.row import Row
from faults.wire import Failed, Holdings, Piped, Served, Session, holdings, serving
from remembrancer.core.author import PERSON
from remembrancer.service.desk import Doing
from remembrancer.service.library import Library

GROWTH = 0.05  # of the memory after the warm-up
LARGEST_LOG = 16 << 20  # bytes
_WARM = 0.3  # the share of the calls, or of the time, that counts as warm-up
_LOOK = 0.25  # seconds between two looks at the log
_WORDS = ("quay", "harbour", "pump", "valve", "mooring", "crane", "ledger", "tide", "signal")
_ME: Doing = {"author": PERSON, "origin": "window"}


@dataclass
class Course:
    """How far everything is, and what was seen on the way."""

    calls: int
    seconds: float
    began: float = 0.0
    done: int = 0
    conflicts: int = 0
    largest_log: int = 0
    held: list[Holdings] = field(default_factory=list[Holdings])  # once warm, until it was over

    def over(self) -> bool:
        """Whether calls and time are used up."""
        return self.share() >= 1

    def share(self) -> float:
        """How much of what was asked for is done, from 0 on."""
        by_time = (time.monotonic() - self.began) / self.seconds if self.seconds else 1.0
        return min(self.done / self.calls, by_time)


def measure(
    folder: Path, agents: int = 20, calls: int = 2_000, seconds: float = 1_800,
    growth: float = GROWTH,
) -> list[Row]:  # fmt: skip
    """Half of the agents over HTTP, half over pipes, until both calls and seconds are reached.

    `growth` bounds the share by which the server's memory may grow after the warm-up.
    """
    store = make_store(folder / "memories.db")
    with Library.open(store) as library:
        token = library.agents.add("soak", **_ME)[1]
    course = Course(calls, seconds)
    with serving(store) as served:
        _work(store, token, served, agents, course)
    return _rows(course, examined(store, ()).problems, growth)


def _rows(course: Course, problems: tuple[str, ...], growth: float) -> list[Row]:
    minutes = (time.monotonic() - course.began) / 60
    warm, after = course.held[0], course.held[-1]
    grown = after.memory / warm.memory - 1
    log = course.largest_log / (1 << 20)
    told = f"{course.done:,} calls in {minutes:.1f} minutes, {course.conflicts} conflicts"
    return [
        Row(
            f"soak: growth of memory ({told})", f"≤ {growth:.0%}",
            f"{grown:+.1%}, {warm.memory // 1024} to {after.memory // 1024} MB", grown <= growth,
        ),
        Row("soak: open files", f"≤ {warm.files}", f"{after.files}", after.files <= warm.files),
        Row(
            "soak: threads", f"≤ {warm.threads}", f"{after.threads}", after.threads <= warm.threads,
        ),
        Row(
            "soak: largest log", f"≤ {LARGEST_LOG >> 20} MB", f"{log:.1f} MB",
            course.largest_log <= LARGEST_LOG,
        ),
        Row("soak: what does not fit together", "0", "; ".join(problems) or "0", not problems),
    ]  # fmt: skip


def _work(store: Path, token: str, served: Served, agents: int, course: Course) -> None:
    over_http, over_pipes = agents - agents // 2, agents // 2
    pipes = [Piped(store, f"piped {n}") for n in range(over_pipes)]
    stop = threading.Event()
    watch = threading.Thread(target=_watch, args=(store, served, course, stop))
    course.began = time.monotonic()
    watch.start()
    try:
        with ThreadPoolExecutor(over_pipes + 1) as pool:
            jobs = [pool.submit(_pipe, pipe, n, course) for n, pipe in enumerate(pipes)]
            jobs.append(pool.submit(asyncio.run, _http(served.port, token, over_http, course)))
            for job in jobs:
                job.result()
    finally:
        stop.set()
        watch.join()
        for pipe in pipes:
            pipe.close()


def _watch(store: Path, served: Served, course: Course, stop: threading.Event) -> None:
    """See how large the log gets, and what the server holds once it is warm."""
    log = Path(f"{store}-wal")
    while not stop.wait(_LOOK):
        with suppress(FileNotFoundError):
            course.largest_log = max(course.largest_log, log.stat().st_size)
        seen = holdings(served.pid)
        if _WARM <= course.share() < 1:
            course.held.append(seen)


def _pipe(pipe: Piped, number: int, course: Course) -> None:
    chance = random.Random(f"pipe {number}")
    while not course.over():
        tool, arguments = _next(chance)
        found = _heard(lambda: pipe.call(tool, **arguments), course)  # noqa: B023
        if found and tool == "memory_review" and found["items"]:
            _heard(lambda: pipe.call("memory_revise", **_revision(found, chance)), course)  # noqa: B023


async def _http(port: int, token: str, sessions: int, course: Course) -> None:
    await asyncio.gather(*(_session(port, token, n, course) for n in range(sessions)))


async def _session(port: int, token: str, number: int, course: Course) -> None:
    chance = random.Random(f"http {number}")
    session = Session(port, token, f"client {number}")
    await session.open()
    while not course.over():
        tool, arguments = _next(chance)
        found = await session.call(tool, **arguments)
        course.done += 1
        if tool == "memory_review" and found["items"]:
            try:
                await session.call("memory_revise", **_revision(found, chance))
            except Failed as failed:
                _conflict(failed, course)
    await session.close()


def _heard(call: Callable[[], Any], course: Course) -> Any:
    try:
        return call()
    except Failed as failed:
        return _conflict(failed, course)
    finally:
        course.done += 1


def _conflict(failed: Failed, course: Course) -> None:
    if "changed since" not in str(failed) and "already exists" not in str(failed):
        raise failed
    course.conflicts += 1


def _next(chance: random.Random) -> tuple[str, dict[str, Any]]:
    """A call: more reading than writing; what is written goes to a bounded number of keys."""
    entity = chance.choice(ENTITIES)
    calls: tuple[tuple[str, dict[str, Any]], ...] = (
        ("memory_recall", {"query": " ".join(chance.sample(_WORDS, 2)), "entityName": entity}),
        ("memory_review", {"entityName": entity, "limit": 5}),
        ("memory_search_nodes", {"query": chance.choice(_WORDS)}),
        ("memory_get_scope", {"entityName": entity}),
        ("memory_remember", {
            "entityName": entity, "content": _text(chance), "key": f"k{chance.randrange(40)}",
        }),
    )  # fmt: skip
    return chance.choices(calls, (3, 3, 1, 1, 2))[0]


def _revision(found: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    seen = chance.choice(found["items"])
    return {"id": seen["id"], "expectedRevision": seen["revision"], "content": _text(chance)}


def _text(chance: random.Random) -> str:
    return f"{chance.randrange(10**9)} {' '.join(chance.choices(_WORDS, k=12))}"
