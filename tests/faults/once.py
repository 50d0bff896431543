"""A caller whose commit was reported as failed sends its call again with the same key.

It does so in the same process, after that was killed, from two processes at the same moment, or
because it never heard that all was well. What it asks would have another effect each time.
"""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

# The library's own: two SQLites in one process would take each other's locks away.
from peewee import sqlite3  # pyright: ignore[reportAttributeAccessIssue]

from faults import shim
from faults.deeds import AGENT, examined, make_store
from faults.row import Row
from faults.shim import Disk, Fault
from remembrancer.core.errors import StoreProblem
from remembrancer.core.memory import Draft
from remembrancer.service.library import Library

AGENT_ID = 7
WAYS = ("in the same process", "after kill -9", "from two processes at once", "after an answer")
_FAILS = Fault("sync", errno.EIO)
_LATER = Fault("sync", errno.EIO, lasting=True)


@dataclass(frozen=True)
class Told:
    """What one attempt was told: whether it failed, the memory's id, if it was there before."""

    number: int
    failed: bool
    id: int | None
    there: bool


def measure(folder: Path, commits: int = 100) -> list[Row]:
    """So many commits, a fourth of them in each of the ways."""
    store = make_store(folder / "memories.db")
    env = shim.environment(shim.build(folder), str(store))
    command = [sys.executable, "-m", "faults.once", str(store), str(commits)]
    subprocess.run(command, env=env, check=True)
    lines = _answers(store).read_text().splitlines()
    told = [Told(**json.loads(line)) for line in lines]
    return [*_rows(store, commits, told), _sound(store)]


def _rows(store: Path, commits: int, told: list[Told]) -> list[Row]:
    effects = [_effects(store, number) for number in range(commits)]
    rows: list[Row] = []
    for way, name in enumerate(WAYS):
        numbers = range(way, commits, len(WAYS))
        once = sum(len(effects[n]) == 1 for n in numbers)
        answers = [each for each in told if each.number in numbers]
        failed = sum(each.failed for each in answers)
        there = sum(each.there for each in answers)
        same = all(each.failed or [each.id] == effects[each.number] for each in answers)
        what = f"the same key again {name} ({failed} reported failed, {there} of them there)"
        seen = f"{once} once, {'the same answer' if same else 'another answer'}"
        bound = f"{len(numbers)} once, the same answer"
        rows.append(Row(what, bound, seen, seen == bound))
    return rows


def _sound(store: Path) -> Row:
    problems = examined(store, ()).problems
    told = "; ".join(problems) or "0"
    return Row("the same key again: what does not fit together", "0", told, not problems)


def _effects(store: Path, number: int) -> list[int]:
    """The ids of the memories that a call made, one for each of its lines in the journal."""
    text = (
        "SELECT m.id FROM memory m JOIN journal j ON j.subject = 'memory' AND j.subject_id = m.id"
        " WHERE m.content = ?"
    )
    with closing(sqlite3.connect(str(store))) as file:
        return [row[0] for row in file.execute(text, (_text(number),))]


def _answers(store: Path) -> Path:
    return store.with_name("answers")


def _text(number: int) -> str:
    return f"The tide table of pier {number} is out."


# --- in the process that forks the callers


class _Callers:
    """Forks one caller after the other; none of them outlives its attempt."""

    def __init__(self, store: Path) -> None:
        self._store = store
        self._disk = Disk()

    def once(self, number: int) -> None:
        """One call until it is answered, in the way that its number says."""
        way = number % len(WAYS)
        if way == 0:
            self._forked(lambda: self._patient(number))
        elif way == 3:
            self._forked(lambda: self._deaf(number))
        else:
            self._forked(lambda: self._killed(number))
            self._forked(*[lambda: self._again(number)] * way)

    def _forked(self, *works: Callable[[], None]) -> None:
        born: list[int] = []
        for work in works:
            pid = os.fork()
            if pid == 0:
                _alone(work)
            born.append(pid)
        ended = [os.waitpid(pid, 0)[1] for pid in born]
        if any(os.WIFEXITED(status) and os.WEXITSTATUS(status) for status in ended):
            raise RuntimeError("a caller failed")

    def _patient(self, number: int) -> None:
        with self._opened() as library:
            self._attempt(library, number, _FAILS)
            self._attempt(library, number)

    def _killed(self, number: int) -> None:
        self._attempt(self._opened(), number, _LATER if number % 8 == 1 else _FAILS)
        os.kill(os.getpid(), signal.SIGKILL)

    def _again(self, number: int) -> None:
        with self._opened() as library:
            self._attempt(library, number)

    def _deaf(self, number: int) -> None:
        with self._opened() as library:
            self._attempt(library, number)
            self._attempt(library, number)

    def _opened(self) -> Library:
        library = Library.open(self._store)
        # What follows an opening that was no clean one comes before the first write.
        library.memories.remember(Draft(f"{os.getpid()} is here."), **AGENT)
        return library

    def _attempt(self, library: Library, number: int, fault: Fault | None = None) -> None:
        key, there = f"key-{number}", fault is None and library.was_done(AGENT_ID, f"key-{number}")
        memory_id: int | None = None
        if fault is not None:
            self._disk.breaks(fault)
        try:
            with library.once(AGENT_ID, key, key.encode()):
                memory_id = library.memories.remember(Draft(_text(number)), **AGENT).id
        except StoreProblem:
            if fault is None:
                raise
        told = Told(number, memory_id is None, memory_id, there)
        with _answers(self._store).open("a") as file:
            file.write(json.dumps(told.__dict__) + "\n")
        self._disk.heals()


def _alone(work: Callable[[], None]) -> None:
    try:
        work()
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def _main(store: Path, commits: int) -> None:
    callers = _Callers(store)
    for number in range(commits):
        callers.once(number)


if __name__ == "__main__":
    _main(Path(sys.argv[1]), int(sys.argv[2]))
