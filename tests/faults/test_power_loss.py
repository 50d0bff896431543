"""Whatever a power cut leaves on the disk is opened, sound, with all that was acknowledged."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

import pytest

# The library's own: two SQLites in one process would take each other's locks away.
from peewee import sqlite3  # pyright: ignore[reportAttributeAccessIssue]

from faults import power_loss, shim
from faults.deeds import Ack, Doer, examined, make_store
from faults.length import at_length, broken
from remembrancer.service.library import Library

PAGE = 4096

needs_shim = pytest.mark.skipif(shim.missing() is not None, reason=str(shim.missing()))


@needs_shim
def test_no_disk_that_a_power_cut_leaves_lacks_an_acknowledged_deed(tmp_path: Path) -> None:
    assert broken(power_loss.measure(tmp_path, images=18, deeds=150)) == []


@needs_shim
@at_length
def test_no_disk_of_many_lacks_an_acknowledged_deed(tmp_path: Path) -> None:
    assert broken(power_loss.measure(tmp_path, images=450)) == []


@pytest.mark.parametrize("size", [512, PAGE, 2 * PAGE, 10 * PAGE])
def test_a_cut_while_the_log_is_taken_into_the_file_leaves_a_sound_store(
    tmp_path: Path, size: int
) -> None:
    """The beginning was written, the file has not its new length yet, the log is whole."""
    store, cut, whole = (make_folder(tmp_path / name) for name in ("store", "cut", "whole"))
    make_store(store)
    with Library.open(store) as library:
        doer = Doer(library, 1)
        acks = [ack for ack in (doer.one() for _ in range(20)) if ack is not None]
        for copy in (cut, whole):
            for end in ("", "-wal"):
                shutil.copy(f"{store}{end}", f"{copy}{end}")
    with closing(sqlite3.connect(str(whole))) as file:
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert whole.stat().st_size > cut.stat().st_size
    with cut.open("r+b") as file:
        file.write(whole.read_bytes()[:size])
    assert_there(cut, acks)


def make_folder(folder: Path) -> Path:
    folder.mkdir()
    return folder / "memories.db"


def assert_there(store: Path, acks: list[Ack]) -> None:
    found = examined(store, acks)
    assert (found.lost, found.problems) == (0, ())
