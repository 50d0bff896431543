"""The disk is full: by the file's own bound on pages, and by the system's bound on its size."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from faults.deeds import Ack, Doer, examined, make_store
from faults.row import Row
from faults.shim import own_paths
from remembrancer.core.errors import StoreProblem
from remembrancer.core.filters import Filter
from remembrancer.service.library import Library

_ROOM = 400_000  # bytes that the file, or its log, may grow to
_DEEDS = 600  # which need more than that
_NAMED = "is full", "I/O error"  # the system calls a file that may not grow an error of the disk


@dataclass
class Run:
    """What became of one run."""

    acks: list[Ack]
    told: str  # what the caller was told when it was full
    read: bool  # whether reading went on meanwhile
    went_on: bool  # whether writing went on once there was room


def measure(folder: Path, deeds: int = _DEEDS) -> list[Row]:
    """Fill the disk in both ways, make room, go on."""
    rows: list[Row] = []
    for how, told in (("pages", "no more pages"), ("size", "no larger file")):
        if how == "size" and sys.platform == "win32":
            continue
        store = make_store(folder / how / "memories.db")
        run = _run(how, store, deeds)
        found = examined(store, run.acks)
        cause = any(named in run.told for named in _NAMED)
        good = cause and run.read and run.went_on and not found.lost and not found.problems
        seen = (
            f"{found.lost} lost of {len(run.acks)}, {len(found.problems)} problems, told: "
            f"{run.told or 'nothing'!r}, reading {'went on' if run.read else 'failed'}, writing "
            f"{'went on' if run.went_on else 'failed'} once there was room"
        )
        bound = "0 lost, the cause told, reading goes on, writing goes on without a restart"
        rows.append(Row(f"disk full: {told}", bound, seen.replace(str(store), "the store"), good))
    return rows


def _run(how: str, store: Path, deeds: int) -> Run:
    command = [sys.executable, "-m", "faults.full_disk", how, str(store), str(deeds)]
    ended = subprocess.run(command, env=own_paths(), stdout=-1, text=True, check=True)
    told: dict[str, Any] = json.loads(ended.stdout)
    told["acks"] = [Ack(*ack) for ack in told["acks"]]
    return Run(**told)


# --- in a process of its own, because a bound on the size of files is the whole process's


def _fill(how: str, store: Path, deeds: int) -> Run:
    with Library.open(store) as library:
        doer, acks, told = Doer(library, 1), list[Ack](), ""
        bound = _bound_pages if how == "pages" else _bound_size
        make_room = bound(library)
        try:
            for _ in range(deeds):
                _one(doer, acks)
        except StoreProblem as problem:
            told = str(problem)
        read = len(library.memories.browse(Filter(), limit=5)) > 0
        make_room()
        before = len(acks)
        while len(acks) < before + 3:
            _one(doer, acks)
    return Run(acks, told, read, True)


def _one(doer: Doer, acks: list[Ack]) -> None:
    ack = doer.one()
    acks += [ack] if ack is not None else []


def _bound_pages(library: Library) -> Callable[[], None]:
    def bound(pages: int) -> None:
        connections = library._store.connections
        library._store.write(lambda: connections.sql(f"PRAGMA max_page_count = {pages}"))

    bound(_ROOM // 4096)
    return lambda: bound(1 << 30)


def _bound_size(_library: Library) -> Callable[[], None]:
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (_ROOM, hard))
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))


def _main(how: str, store: Path, deeds: int) -> None:
    run = _fill(how, store, deeds)
    print(json.dumps(run.__dict__))


if __name__ == "__main__":
    _main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
