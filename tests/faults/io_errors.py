"""A write, sync, cut or read of the disk fails, once or for good, while three callers write."""

from __future__ import annotations

import errno
import json
import os
import random
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from faults import shim
from faults.deeds import Ack, Doer, Found, examined, found_in, make_store
from faults.row import Row
from faults.shim import Disk, Fault
from remembrancer.core.errors import StoreProblem
from remembrancer.core.filters import Filter
from remembrancer.service.library import Library

CALLERS = 3
DEEDS = 12  # that each caller tries
_PATIENCE = 30.0  # seconds after which a caller that was told nothing will be told nothing
_NAMED = "is full", "I/O error"  # what a sentence must say about the disk
_DAMAGED = "is damaged"  # what it may say when reading fails: SQLite cannot tell the two apart

# What fails, with which error, and up to which call of its sort.
_SORTS = (
    ("write", errno.ENOSPC, 1_200),
    ("write", errno.EIO, 1_200),
    ("write", 0, 1_200),
    ("sync", errno.EIO, 24),
    ("sync", errno.ENOSPC, 24),
    ("cut", errno.EIO, 3),
    ("read", errno.EIO, 30),
)


@dataclass
class Run:
    """What became of one run: the answers of the callers, and whether it went on afterwards."""

    reading: bool
    failed: int = 0
    acks: list[Ack] = field(default_factory=list[Ack])
    told: list[str] = field(default_factory=list[str])  # what was refused, in sentences
    strange: list[str] = field(default_factory=list[str])  # answers that no caller understands
    went_on: bool = False


def measure(folder: Path, runs: int = 84, seed: int = 1) -> list[Row]:
    """So many faults, spread over all that can fail."""
    faults = list(_faults(runs, random.Random(seed)))
    make_store(folder / "first.db")
    env = shim.environment(shim.build(folder), str(folder / "run"))
    command = [sys.executable, "-m", "faults.io_errors", str(folder)]
    given = "".join(json.dumps(asdict(fault)) + "\n" for fault in faults)
    ended = subprocess.run(command, env=env, input=given, stdout=-1, text=True, check=True)
    found = [_run(json.loads(line)) for line in ended.stdout.splitlines()]
    stores = [examined(_store(folder, n), run.acks) for n, run in enumerate(found)]
    return _rows(faults, found, stores)


def _faults(runs: int, chance: random.Random) -> Iterator[Fault]:
    for number in range(runs):
        sort, error, most = _SORTS[number % len(_SORTS)]
        lasting = number // len(_SORTS) % 2 == 1
        # Few runs have many calls, so the first ones are tried more often.
        yield Fault(sort, error, int(most ** chance.random()), lasting)


def _run(told: dict[str, Any]) -> Run:
    run = Run(**told)
    run.acks = [Ack(*ack) for ack in run.acks]
    return run


def _store(folder: Path, number: int) -> Path:
    return folder / f"run {number}" / "memories.db"


def _rows(faults: list[Fault], runs: list[Run], stores: list[Found]) -> list[Row]:
    everything = found_in(stores)
    hit = sum(run.failed > 0 for run in runs)
    told = f"{len(runs)} runs, {hit} of them hit, {sum(len(r.acks) for r in runs):,} acknowledged"
    strange = [
        f"{fault}: {text}" for fault, run in zip(faults, runs, strict=True) for text in run.strange
    ]
    stuck = [str(f) for f, run in zip(faults, runs, strict=True) if not run.went_on]
    counts: list[tuple[str, int, list[str]]] = [
        (f"disk faults: acknowledged and lost ({told})", everything.lost, []),
        (
            "disk faults: what does not fit together",
            len(everything.problems),
            [*everything.problems],
        ),
        ("disk faults: answers that do not name the cause", len(strange), strange),
        ("disk faults: stores that need a restart to go on", len(stuck), stuck),
    ]
    return [
        Row(what, "0", f"{count}" + (f": {examples[0]}" if examples else ""), count == 0)
        for what, count, examples in counts
    ]


# --- in the process whose disk fails


def _try(disk: Disk, store: Path, fault: Fault) -> Run:
    run = Run(fault.sort == "read")
    disk.breaks(fault)
    library = _opened(store, disk, run)
    callers = [
        threading.Thread(target=_call, args=(library, number, run), daemon=True)
        for number in range(CALLERS)
    ]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join(_PATIENCE)
        if caller.is_alive():
            run.strange.append("nothing was told")
    run.failed += disk.heals()
    run.went_on = _goes_on(library, run)
    library.close()
    return run


def _opened(store: Path, disk: Disk, run: Run) -> Library:
    """The library; where the fault hits before it is open, after the disk was made whole."""
    try:
        return Library.open(store)
    except Exception as error:
        _hear(error, run)
        run.failed += disk.heals()
        return Library.open(store)


def _call(library: Library, number: int, run: Run) -> None:
    try:
        doer = Doer(library, number)
        for _ in range(DEEDS):
            try:
                ack = doer.one()
            except Exception as error:
                _hear(error, run)
            else:
                run.acks += [ack] if ack is not None else []
    except Exception as error:  # of the first look at what is there
        _hear(error, run)


def _hear(error: Exception, run: Run) -> None:
    text = str(error)
    wanted = (*_NAMED, _DAMAGED) if run.reading else _NAMED
    clear = isinstance(error, StoreProblem) and any(named in text for named in wanted)
    (run.told if clear else run.strange).append(f"{type(error).__name__}: {text}")


def _goes_on(library: Library, run: Run) -> bool:
    """Whether the same open library writes and reads again."""
    doer, before = Doer(library, CALLERS), len(run.acks)
    try:
        for _ in range(3):
            ack = doer.one()
            run.acks += [ack] if ack is not None else []
        return len(library.memories.browse(Filter(), limit=5)) > 0 and len(run.acks) > before
    except Exception as error:
        run.strange.append(f"afterwards {type(error).__name__}: {error}")
        return False


def _all(folder: Path) -> None:
    disk = Disk()
    for number, line in enumerate(sys.stdin.read().splitlines()):
        store = _store(folder, number)
        store.parent.mkdir()
        shutil.copy(folder / "first.db", store)
        run = _try(disk, store, Fault(**json.loads(line)))
        print(json.dumps(asdict(run)), flush=True)
    os._exit(0)  # a caller that was told nothing would wait for ever


if __name__ == "__main__":
    _all(Path(sys.argv[1]))
