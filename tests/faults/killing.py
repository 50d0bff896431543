"""Writing processes are killed in the middle of anything: what they acknowledged must be there.

A nursery, a process that imports the application once and starts no thread, forks the writers.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import traceback
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from faults.deeds import Ack, Doer, Found, acknowledge, acknowledged, examined, found_in, make_store
from faults.row import Row
from faults.shim import own_paths
from remembrancer.core.errors import StoreBusy
from remembrancer.core.filters import Filter
from remembrancer.service.library import Library

REOPENING = 100.0  # milliseconds
LIFE = 20  # rounds that one store goes through
_EXAMINED = 5  # rounds between two examinations
_PATIENCE, _LONG = 20.0, 2.0  # seconds for the writers to come, and to be told something


class Nursery:
    """Forks writers and kills them."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "faults.killing"], stdin=-1, stdout=-1, text=True,
            env=own_paths(),
        )  # fmt: skip

    def start(self, store: Path, acks: list[Path], seed: int) -> None:
        """Let one writer for each file of acknowledgements begin."""
        self._tell({"store": str(store), "acks": [str(each) for each in acks], "seed": seed})

    def kill(self) -> int:
        """Kill all that write, and come back when they are gone; how many had ended before."""
        return self._tell({})

    def __enter__(self) -> Nursery:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(_PATIENCE)
        self._process.stdout.close()

    def _tell(self, order: dict[str, object]) -> int:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())


def measure(
    folder: Path, rounds: int = 200, writers: int = 4, seed: int = 1, reopening: float = REOPENING
) -> list[Row]:
    """Kill `writers` processes in each round; `reopening` bounds the slowest opening after that."""
    chance = random.Random(seed)
    found: list[Found] = []
    times: list[float] = []
    count = 0
    with Nursery() as nursery:
        for life, first in enumerate(range(0, rounds, LIFE)):
            acks: list[Ack] = []
            store = make_store(folder / f"{life}" / "memories.db")
            for number in range(first, min(first + LIFE, rounds)):
                acks += _round(nursery, store, number, writers, chance)
                times.append(_reopened(store))
                if number % _EXAMINED == _EXAMINED - 1 or number == rounds - 1:
                    found.append(examined(store, acks))
            count += len(acks)
            shutil.rmtree(store.parent)
    return _rows(
        f"{rounds * writers:,} kills, {count:,} deeds acknowledged", found, times, reopening
    )


def _rows(told: str, found: list[Found], times: list[float], reopening: float) -> list[Row]:
    all_of_it = found_in(found)
    faults = all_of_it.problems
    slowest = max(times)
    return [
        Row(f"kill -9: lost ({told})", "0", f"{all_of_it.lost}", all_of_it.lost == 0),
        Row("kill -9: what does not fit together", "0", "; ".join(faults) or "0", not faults),
        Row(
            "kill -9: slowest opening afterwards, to the first answer", f"< {reopening:.0f} ms",
            f"{slowest:.1f} ms", slowest < reopening,
        ),
    ]  # fmt: skip


def _round(
    nursery: Nursery, store: Path, number: int, writers: int, chance: random.Random
) -> list[Ack]:
    files = [store.with_name(f"{number}-{each}.acks") for each in range(writers)]
    nursery.start(store, files, 1_000 * (number + 1))
    _begun(files)
    time.sleep(chance.uniform(0, 0.15))
    if nursery.kill():
        raise RuntimeError("a writer failed by itself")
    return list(itertools.chain.from_iterable(map(acknowledged, files)))


def _begun(files: list[Path]) -> None:
    """Wait until every writer was told something; one may find the others quicker for long."""
    began = time.monotonic()
    while not all(file.exists() and file.stat().st_size for file in files):
        waited = time.monotonic() - began
        if waited > _PATIENCE:
            raise RuntimeError("a writer did not begin")
        if waited > _LONG and all(map(Path.exists, files)):
            return
        time.sleep(0.002)


def _reopened(store: Path) -> float:
    """Milliseconds from opening a store to its first answer."""
    began = time.perf_counter()
    with Library.open(store) as library:
        library.memories.browse(Filter(), limit=10)
        return (time.perf_counter() - began) * 1_000


# --- in the nursery


def _nurse() -> None:
    born: list[int] = []
    for line in sys.stdin:
        order, ended = json.loads(line), 0
        for number, acks in enumerate(order.get("acks", ())):
            pid = os.fork()
            if pid == 0:
                _write(Path(order["store"]), Path(acks), order["seed"] + number)
            born.append(pid)
        if not order:
            ended = _killed(born)
        print(ended, flush=True)
    _killed(born)


def _killed(born: list[int]) -> int:
    """Kill these processes and wait for them; how many had ended by themselves."""
    for pid in born:
        os.kill(pid, signal.SIGKILL)
    ended = sum(not os.WIFSIGNALED(os.waitpid(pid, 0)[1]) for pid in born)
    born.clear()
    return ended


def _write(store: Path, acks: Path, seed: int) -> NoReturn:
    """Do one thing after the other until killed."""
    try:
        doer = Doer(Library.open(store), seed)
        file = os.open(acks, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        while True:
            with suppress(StoreBusy):  # the others were quicker for too long; to be tried again
                ack = doer.one()
                if ack is not None:
                    acknowledge(file, ack)
    except BaseException:
        traceback.print_exc()
        os._exit(1)


if __name__ == "__main__":
    _nurse()
