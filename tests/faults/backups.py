"""Backups: made while agents write, put back after damage, broken off at every step, and timed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from faults.row import Row
from remembrancer.core.author import PERSON, Author, AuthorKind
from remembrancer.core.errors import RemembrancerError
from remembrancer.core.filters import Filter
from remembrancer.core.memory import Draft, Memory
from remembrancer.service.desk import Doing
from remembrancer.service.graph import NewEntity
from remembrancer.service.library import Library
from remembrancer.service.restoring import put_back

ME: Doing = {"author": PERSON, "origin": "test"}
ROBOT: Doing = {"author": Author("robin", AuthorKind.AGENT), "origin": "native"}
NAMES = ("link", "replace", "unlink", "open")  # calls that change what a name leads to
_LETTERS = 12_000  # of a large memory
_MEGABYTE = 1_000_000


def measure(folder: Path, backups: int = 100, megabytes: int = 100) -> list[Row]:
    """The rows of the table: `backups` made under writing, one of a store of so many megabytes.

    Without megabytes no time is measured.
    """
    rows = [under_writing(folder / "writing", backups), drill(folder / "drill")]
    if sys.platform != "win32":
        rows.append(broken_off(folder / "broken"))
    if megabytes:
        rows.append(speed(folder / "large", megabytes))
    return rows


def records(path: Path) -> tuple[list[Memory], int]:
    """Every memory of a store that was found sound, tombstones too, and its journal's last line."""
    with Library.open(path) as library:
        if library.upkeep.problems():
            raise RemembrancerError(f"{path} is not sound")
        head = library.journal.head()
        ids = range(1, head + 1)
        return [m for i in ids if (m := _memory(library, i)) is not None], head


# --- made while somebody writes


def under_writing(folder: Path, number: int) -> Row:
    """Backups while an agent writes: sound, and with everything acknowledged before they began."""
    bad = 0
    with Library.open(folder / "memories.db") as library:
        acknowledged: list[int] = []
        stop = threading.Event()
        writer = threading.Thread(target=_write, args=(library, acknowledged, stop))
        writer.start()
        for _ in range(number):
            before = len(acknowledged)
            bad += not _holds(library, folder / "one", acknowledged, before)
        stop.set()
        writer.join()
    seen = f"{bad} of {number} unsound or incomplete, {len(acknowledged)} memories written"
    return Row("R6 backups made while an agent writes", "0 unsound or incomplete", seen, not bad)


def _write(library: Library, acknowledged: list[int], stop: threading.Event) -> None:
    while not stop.is_set():
        text = f"memory {len(acknowledged)}"
        acknowledged.append(library.memories.remember(Draft(text), **ROBOT).id)


def _holds(library: Library, folder: Path, acknowledged: list[int], before: int) -> bool:
    made = library.backups.make(folder=folder)
    with Library.open(made.path) as copy:
        missing = [i for i in acknowledged[:before] if _memory(copy, i) is None]
        sound = not copy.upkeep.problems() and not missing
    shutil.rmtree(folder)
    return sound


# --- the drill


def drill(folder: Path) -> Row:
    """Back up, spoil the store, put the backup back by the command line, compare every record."""
    store = folder / "memories.db"
    _fill(store)
    backup = _command(folder, "backup")
    before = records(store)
    store.write_bytes(b"spoilt" * 9_000)
    _command(folder, "restore", backup)
    after = records(store)
    same = sum(a == b for a, b in zip(before[0], after[0], strict=False))
    seen = f"{same} of {len(before[0])} records, journal {after[1]} of {before[1]}"
    return Row("R6 drill: a spoilt store is put back", "every record equal", seen, before == after)


def _fill(store: Path) -> None:
    with Library.open(store) as library:
        texts = tuple(f"fact {n}: größer als 名前 {n}" for n in range(60))
        library.graph.create([NewEntity("nas", "device", texts)], **ROBOT)
        for memory in library.memories.browse(Filter(), limit=40)[::2]:
            library.memories.verify(memory.id, **ME)
        library.memories.delete(library.memories.browse(Filter())[0].id, **ME)


def _command(folder: Path, *words: str) -> str:
    """Run the command line on the store of a folder; returns the first line that it says."""
    home = {"REMEMBRANCER_HOME": str(folder), "REMEMBRANCER_STORE": str(folder / "memories.db")}
    command = [sys.executable, "-m", "remembrancer", *words]
    told = subprocess.run(
        command, env={**os.environ, **home}, capture_output=True, text=True, check=True
    )
    return told.stdout.splitlines()[0]


# --- broken off


def broken_off(folder: Path) -> Row:
    """Die before each call that changes a name; then the old or the new store is there, whole."""
    origin = folder / "origin" / "memories.db"
    with Library.open(origin) as library:
        library.memories.remember(Draft("old"), **ME)
        backup = library.backups.make().path
        library.memories.remember(Draft("new"), **ME)
    old, new = records(origin), records(backup)
    died, step, other = True, 0, 0
    store = folder / "1" / "memories.db"
    while died:
        step += 1
        store = folder / str(step) / "memories.db"
        store.parent.mkdir()
        shutil.copy(origin, store)
        died = _put_back_and_die(backup, store, step)
        other += records(store) not in (old, new) or (not died and records(store) != new)
        put_back(backup, store)  # what was left lying about is in nobody's way
    other += records(store) != new
    seen = f"{other} of {step}"
    what = "R6 putting back is broken off at every change of a name"
    return Row(what, "0 neither old nor new", seen, not other and step > len(NAMES))


def _put_back_and_die(backup: Path, store: Path, step: int) -> bool:
    """Put a backup back in a process of its own that dies before that call; whether it did."""
    child = os.fork()
    if child == 0:
        try:
            _die_before(step)
            put_back(backup, store, store.parent / "backups")
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9


def _die_before(step: int) -> None:
    left = step

    def deadly(true: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **how: Any) -> Any:
            nonlocal left
            left -= 1
            return true(*args, **how) if left else os._exit(9)

        return call

    for name in NAMES:
        setattr(os, name, deadly(getattr(os, name)))


# --- how fast


def speed(folder: Path, megabytes: int) -> Row:
    """One checked backup of a store of that size: processor time for 100 MB, checks and all."""
    with Library.open(folder / "memories.db") as library:
        number = 0
        while library.path.stat().st_size < megabytes * _MEGABYTE:
            number += 1
            texts = [f"{number} {n} {os.urandom(_LETTERS // 2).hex()}" for n in range(20)]
            library.graph.create([NewEntity(f"e{number}", "t", tuple(texts))], **ROBOT)
            library.upkeep.tidy()
        began = time.process_time()
        size = library.backups.make().size
        took = (time.process_time() - began) * 100 * _MEGABYTE / size
    seen = f"{took:.2f} s ({size // _MEGABYTE} MB)"
    return Row("R6 a backup of 100 MB, with its checks", "< 2 s of the processor", seen, took < 2)


def _memory(library: Library, memory_id: int) -> Memory | None:
    try:
        return library.memories.get(memory_id)
    except RemembrancerError:
        return None
