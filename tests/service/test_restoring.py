"""A backup put back: checked before, and the present store kept with all that belongs to it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from remembrancer.core.author import PERSON
from remembrancer.core.errors import BadFile, Refused, StoreBusy, StoreDamaged, StoreTooNew
from remembrancer.core.filters import Filter
from remembrancer.core.memory import Draft
from remembrancer.core.thinning import Why
from remembrancer.service.desk import Doing
from remembrancer.service.library import Library
from remembrancer.service.restoring import put_back

ME: Doing = {"author": PERSON, "origin": "test"}
APP = Path(__file__).parents[2] / "app"


def contents(path: Path) -> list[str]:
    with Library.open(path) as library:
        assert library.upkeep.problems() == []
        return sorted(memory.content for memory in library.memories.browse(Filter()))


def remember(path: Path, *texts: str) -> None:
    with Library.open(path) as library:
        for text in texts:
            library.memories.remember(Draft(text), **ME)


@pytest.fixture
def backup(store_path: Path, tmp_path: Path) -> Path:
    """A backup of the store with one memory; the store itself has two since."""
    remember(store_path, "old")
    with Library.open(store_path, backups=tmp_path / "kept") as library:
        made = library.backups.make().path
    remember(store_path, "new")
    return made


def test_the_store_is_what_the_backup_holds_and_the_former_one_is_kept(
    store_path: Path, backup: Path, tmp_path: Path
) -> None:
    before = backup.read_bytes()
    kept = put_back(backup, store_path, tmp_path / "kept")
    assert contents(store_path) == ["old"]
    assert kept is not None
    assert contents(kept) == ["new", "old"]
    assert backup.read_bytes() == before
    with Library.open(store_path, backups=tmp_path / "kept") as library:
        assert library.upkeep.facts()["journalMode"] == "wal"
        assert library.upkeep.facts()["mode"] == "0o600"
        newest = library.backups.all()[0]
        assert newest.why is Why.RESTORE
        # What was there before can be put back from the list, too.
        assert library.backups.is_mine(newest.look) if newest.look else False
    put_back(newest.path, store_path)
    assert contents(store_path) == ["new", "old"]


def test_a_store_that_was_not_closed_is_kept_with_its_log(store_path: Path, backup: Path) -> None:
    left_open = (
        "import os, sys; from remembrancer.service.library import Library;"
        "from remembrancer.core.author import PERSON; from remembrancer.core.memory import Draft;"
        "l = Library.open(sys.argv[1]);"
        "l.memories.remember(Draft('in the log'), author=PERSON, origin='t'); os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", left_open, store_path], cwd=APP, check=True)
    assert Path(f"{store_path}-wal").stat().st_size > 0
    kept = put_back(backup, store_path)
    assert kept is not None
    assert not Path(f"{store_path}-wal").exists()
    assert contents(store_path) == ["old"]
    assert contents(kept) == ["in the log", "new", "old"]


def test_a_damaged_store_is_kept_together_with_its_log(store_path: Path, backup: Path) -> None:
    store_path.write_bytes(b"not a database " * 1_000)
    Path(f"{store_path}-wal").write_bytes(b"what was not taken in")
    kept = put_back(backup, store_path)
    assert kept is not None
    assert kept.read_bytes() == b"not a database " * 1_000
    assert Path(f"{kept}-wal").read_bytes() == b"what was not taken in"
    assert contents(store_path) == ["old"]


def test_an_old_log_beside_a_missing_store_is_not_played_into_the_backup(
    store_path: Path, backup: Path
) -> None:
    with Library.open(store_path) as library:
        library.memories.remember(Draft("stale"), **ME)
        shutil.copyfile(f"{store_path}-wal", f"{store_path}-stale")
    store_path.unlink()
    Path(f"{store_path}-stale").rename(f"{store_path}-wal")
    assert put_back(backup, store_path) is None
    assert contents(store_path) == ["old"]


def test_a_store_that_is_open_elsewhere_stays(store_path: Path, backup: Path) -> None:
    with Library.open(store_path), pytest.raises(StoreBusy, match="Another program"):
        put_back(backup, store_path)
    assert contents(store_path) == ["new", "old"]


def test_a_backup_that_does_not_pass_its_checks_is_not_put_back(
    store_path: Path, backup: Path, tmp_path: Path
) -> None:
    cut = tmp_path / "cut.db"
    cut.write_bytes(backup.read_bytes()[:40_960])
    with pytest.raises(StoreDamaged, match="was not put back"):
        put_back(cut, store_path)
    altered = tmp_path / "altered.db"
    altered.write_bytes(backup.read_bytes().replace(b"old", b"odd"))
    with pytest.raises(StoreDamaged, match="was not put back"):
        put_back(altered, store_path)
    with pytest.raises(BadFile):
        put_back(tmp_path / "missing.db", store_path)
    with pytest.raises(Refused):
        put_back(store_path, store_path)
    assert contents(store_path) == ["new", "old"]
    assert not [p for p in store_path.parent.iterdir() if "restoring" in p.name]


def test_a_backup_of_a_later_version_is_not_put_back(store_path: Path, backup: Path) -> None:
    later = bytearray(backup.read_bytes())
    later[60:64] = (999).to_bytes(4, "big")  # where SQLite keeps the file's version
    backup.write_bytes(later)
    with pytest.raises(StoreTooNew, match="newer version"):
        put_back(backup, store_path)
    assert contents(store_path) == ["new", "old"]
