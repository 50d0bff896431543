"""The library that stands between a store and its disk: built, preloaded, told what fails."""

from __future__ import annotations

import ctypes
import os
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).with_name("shim.c")
_HEAD = struct.Struct("<cHQq")
_LIBRARY = "FAULT_SHIM"  # the variable that tells a child where its shim is


def missing() -> str | None:
    """Why there can be no shim here, or None."""
    if sys.platform != "linux":
        return "faults of the disk are injected on Linux only"
    if shutil.which("gcc") is None:
        return "faults of the disk need gcc, which builds the library that injects them"
    return None


def build(folder: Path) -> Path:
    """Build it into a folder, if it is not there, and return its path."""
    made = folder / "shim.so"
    if not made.exists():
        command = ["gcc", "-O2", "-Wall", "-shared", "-fPIC", "-o", str(made), str(SOURCE)]
        subprocess.run([*command, "-lpthread"], check=True)
    return made


def environment(shim: Path, match: str, log: Path | None = None) -> dict[str, str]:
    """The environment of a process whose files with `match` in their path are looked at."""
    found = {**own_paths(), "LD_PRELOAD": str(shim), _LIBRARY: str(shim), "FAULT_MATCH": match}
    return found if log is None else {**found, "FAULT_LOG": str(log)}


def own_paths() -> dict[str, str]:
    """The environment of a process that imports what this one can."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(part for part in sys.path if part)}


@dataclass(frozen=True)
class Fault:
    """What fails: the nth call of a sort (`write`, `sync`, `cut`, `read`), once or from then on.

    `error` is an errno; 0 writes half of what was given.
    """

    sort: str
    error: int
    nth: int = 1
    lasting: bool = False

    def __str__(self) -> str:
        how = os.strerror(self.error) if self.error else "short"
        return f"{self.sort} {self.nth}{' and on' if self.lasting else ''}: {how}"


class Disk:
    """The disk as a process with the shim sees it, which can be broken and made whole again."""

    _SORTS = {"write": "W", "sync": "S", "cut": "T", "read": "R"}  # noqa: RUF012

    def __init__(self) -> None:
        self._shim = ctypes.CDLL(os.environ[_LIBRARY])
        self._shim.fault_arm.argtypes = [ctypes.c_int, ctypes.c_long, ctypes.c_int, ctypes.c_int]
        self._shim.fault_disarm.restype = ctypes.c_long

    def breaks(self, fault: Fault) -> None:
        """From now on this fails."""
        sort = ord(self._SORTS[fault.sort])
        self._shim.fault_arm(sort, fault.nth, fault.error, int(fault.lasting))

    def heals(self) -> int:
        """Nothing fails any more; returns how often something did."""
        return int(self._shim.fault_disarm())


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the record: `W`rite, `S`ync, cu`T`, `U`nlink or re`N`ame of a file.

    `offset` is where was written, or the length that was cut to; `data` what, or the new path.
    """

    letter: str
    path: str
    offset: int
    data: bytes


def recorded(log: Path) -> Iterator[Event]:
    """The record, in the order in which it reached the system."""
    raw = memoryview(log.read_bytes())
    at = 0
    while at < len(raw):
        letter, path_size, size, offset = _HEAD.unpack_from(raw, at)
        at += _HEAD.size
        path = str(raw[at : at + path_size], "utf-8")
        at += path_size
        yield Event(letter.decode(), path, offset, bytes(raw[at : at + size]))
        at += size
