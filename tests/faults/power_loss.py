"""The power is cut at any moment: every disk that this may leave must hold what was acknowledged.

A process does deeds while all that it hands to the disk is written down. From that record the disk
is rebuilt as a cut would leave it: what was synced is there; of what came after the last sync of a
file there is the beginning, or any part of it with pages torn into sectors, or nothing. Entries of
folders are taken for durable, and the store's file is the same file as before.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from faults import shim
from faults.deeds import Ack, Doer, Found, acknowledge, acknowledged, examined, found_in, make_store
from faults.row import Row
from faults.shim import Event
from remembrancer.service.library import Library

SECTOR = 512  # bytes that a disk writes whole
_NAME, _ACKS = "memories.db", "memories.db.acks"
_SPELLS = 3  # times that the store is closed and opened while it is recorded


class Survives(StrEnum):
    """What of the writes after a file's last sync is there when the power comes back."""

    BEGINNING = "the beginning"
    SOME = "any part, torn"
    NOTHING = "nothing"


def measure(folder: Path, images: int = 150, deeds: int = 240, seed: int = 1) -> list[Row]:
    """Rebuild so many images, a third for each of what may survive, and open each."""
    events = _recorded(folder, deeds)
    acks = [(at, len(e.data)) for at, e in enumerate(events) if e.path.endswith(_ACKS)]
    told = acknowledged(folder / "record" / _ACKS)
    chance = random.Random(seed)
    rows: list[Row] = []
    for what in Survives:
        cuts = sorted(chance.choices(range(acks[0][0] + 1, len(events) + 1), k=images // 3))
        found = list(_found(folder / "record", events, cuts, what, told, chance))
        rows.append(_row(what, found))
    return rows


def _row(what: Survives, found: list[Found]) -> Row:
    everything = found_in(found)
    seen = f"{everything.lost} lost, {len(everything.problems)} problems"
    if everything.problems:
        seen += f", such as: {everything.problems[0]}"
    sound = not everything.lost and not everything.problems
    told = f"power lost, of what was not synced there is {what} ({len(found)} disks)"
    return Row(told, "0 lost, 0 problems", seen, sound)


def _recorded(folder: Path, deeds: int) -> list[Event]:
    """Let a process do the deeds, and what it handed to the disk."""
    place, log = folder / "record", folder / "record.log"
    place.mkdir()
    env = shim.environment(shim.build(folder), f"{place}/", log)
    command = [sys.executable, "-m", "faults.power_loss", str(place), str(deeds)]
    subprocess.run(command, env=env, check=True)
    return list(shim.recorded(log))


def _found(
    folder: Path,
    events: list[Event],
    cuts: list[int],
    what: Survives,
    acks: list[Ack],
    chance: random.Random,
) -> Iterator[Found]:
    disk, at, known = Disk(), 0, 0
    for cut in cuts:
        for event in events[at:cut]:
            known += event.path.endswith(_ACKS)
            disk.take(event)
        at = cut
        disk.survives(folder, what, chance)
        yield examined(folder / _NAME, acks[:known])


@dataclass
class _File:
    """What of a file is on the disk for sure, and what was handed over since."""

    durable: bytearray = field(default_factory=bytearray)
    loose: list[Event] = field(default_factory=list[Event])


class Disk:
    """The files as far as the record was read."""

    def __init__(self) -> None:
        self._files: dict[str, _File] = {}

    def take(self, event: Event) -> None:
        """The next thing that reached the system."""
        if event.path.endswith(("-shm", _ACKS)):  # the one is made anew, the other is the caller's
            return
        if event.letter == "U":
            self._files.pop(event.path, None)
        elif event.letter == "N":
            self._files[event.data.decode()] = self._files.pop(event.path, _File())
        elif event.letter == "S":
            file = self._files.setdefault(event.path, _File())
            for each in file.loose:
                _apply(file.durable, each.letter, each.offset, each.data)
            file.loose.clear()
        else:
            self._files.setdefault(event.path, _File()).loose.append(event)

    def survives(self, folder: Path, what: Survives, chance: random.Random) -> None:
        """Put the files into a folder as they are when the power comes back."""
        for each in folder.iterdir():
            if each.is_file() and str(each) not in self._files:
                each.unlink()
        for path, file in self._files.items():
            content = bytearray(file.durable)
            for letter, offset, data in _surviving(file.loose, what, chance):
                _apply(content, letter, offset, data)
            Path(path).write_bytes(content)


def _surviving(
    loose: list[Event], what: Survives, chance: random.Random
) -> Iterator[tuple[str, int, bytes]]:
    if what is Survives.NOTHING:
        return
    if what is Survives.BEGINNING:
        loose = loose[: chance.randint(0, len(loose))]
    for event in loose:
        size = len(event.data) if what is Survives.BEGINNING else SECTOR
        for start in range(0, max(len(event.data), 1), max(size, 1)):
            if what is Survives.BEGINNING or chance.random() < 0.5:
                yield event.letter, event.offset + start, event.data[start : start + size]


def _apply(content: bytearray, letter: str, offset: int, data: bytes) -> None:
    if letter == "T":
        del content[offset:]
    content.extend(bytes(max(0, offset + len(data) - len(content))))
    content[offset : offset + len(data)] = data


# --- in the process that is recorded


def _be_recorded(folder: Path, deeds: int) -> None:
    store = make_store(folder / _NAME)
    file = os.open(folder / _ACKS, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for spell in range(_SPELLS):
        with Library.open(store) as library:
            doer = Doer(library, spell)
            for _ in range(deeds // _SPELLS):
                ack = doer.one()
                if ack is not None:
                    acknowledge(file, ack)


if __name__ == "__main__":
    _be_recorded(Path(sys.argv[1]), int(sys.argv[2]))
