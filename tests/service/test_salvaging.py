"""A damaged store is mended: nothing deleted, everything told, interrupted without harm."""

from __future__ import annotations

import json
import os
import shutil
from contextlib import closing
from pathlib import Path

import pytest

# The library's own: two SQLites in one process would take each other's locks away.
from peewee import sqlite3  # pyright: ignore[reportAttributeAccessIssue]

from notation import WINDOW, build, sketch
from remembrancer.core.errors import NotAStore, NotFound, StoreBusy, StoreDamaged
from remembrancer.service import salvaging
from remembrancer.service.library import Library
from remembrancer.store import looking

PAGE = 4096
TEXT = "; ".join(f"nas/k{n}: has {n} disks of {n * 7} GB" for n in range(40)) + "; nas -holds-> ann"


@pytest.fixture
def filled(store_path: Path) -> Path:
    with Library.open(store_path) as library:
        build(library, TEXT)
    return store_path


def wipe(path: Path, *tables: str) -> None:
    """Let the first page of tables, or indexes, be nothing but zeros."""
    with closing(sqlite3.connect(path)) as conn:
        text = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        roots = [conn.execute(text, (table,)).fetchone()[0] for table in tables]
    with path.open("r+b") as file:
        for root in roots:
            file.seek((root - 1) * PAGE)
            file.write(bytes(PAGE))


def shown(path: Path) -> str:
    with Library.open(path) as library:
        assert library.upkeep.problems() == []
        return sketch(library)


def test_a_sound_store_is_left_as_it_is(filled: Path) -> None:
    before = filled.read_bytes()
    report = salvaging.mend(filled)
    assert (report.how, report.kept, report.damage) == ("sound", None, [])
    assert filled.read_bytes() == before
    assert [p.name for p in filled.parent.iterdir()] == ["memories.db"]


def test_everything_of_a_damaged_store_is_kept_together_and_told(filled: Path) -> None:
    whole = shown(filled)
    wipe(filled, "memory_due")
    Path(f"{filled}-wal").write_bytes(b"a log that SQLite does not take")
    damaged = {end: Path(f"{filled}{end}").read_bytes() for end in ("", "-wal")}
    report = salvaging.mend(filled)
    assert report.damage != []
    kept = Path(str(report.kept))
    assert kept.name.startswith("memories-damaged-")
    assert {end: (kept / f"memories.db{end}").read_bytes() for end in damaged} == damaged
    told = json.loads((kept / salvaging.REPORT).read_text(encoding="utf-8"))
    assert told["how"] == report.how
    assert {p.name for p in filled.parent.iterdir()} == {"memories.db", kept.name}
    assert shown(filled) == whole


def test_rows_of_a_lost_table_come_back_from_the_journal(filled: Path) -> None:
    whole = shown(filled)
    wipe(filled, "entity", "relation")
    report = salvaging.mend(filled)
    assert report.how == "rows"
    assert report.from_journal == 3
    assert report.stand_ins == 0
    assert shown(filled) == whole


def test_without_its_lines_an_entity_has_a_name_that_says_so(filled: Path) -> None:
    with closing(sqlite3.connect(filled, isolation_level=None)) as conn:
        conn.execute("DELETE FROM journal WHERE subject = 'entity'")
    wipe(filled, "entity")
    report = salvaging.mend(filled)
    assert report.stand_ins == 2
    assert "recovered 1" in shown(filled)


def test_two_rows_of_one_place_are_kept_both_and_told(filled: Path) -> None:
    with closing(sqlite3.connect(filled, isolation_level=None)) as conn:
        conn.execute("DROP INDEX memory_key")
        conn.execute("UPDATE memory SET key = 'k1' WHERE id = 3")
    wipe(filled, "tag_name")
    wipe(filled, "memory_due")
    report = salvaging.mend(filled)
    assert report.put_aside + report.from_journal >= 1
    if report.put_aside:
        aside = Path(str(report.kept)) / salvaging.ASIDE
        lines = [json.loads(line) for line in aside.read_text(encoding="utf-8").splitlines()]
        assert len(lines) == report.put_aside
        assert {line["table"] for line in lines} == {"memory"}
    shown(filled)


def test_a_content_that_is_not_what_was_written_is_taken_from_the_journal(filled: Path) -> None:
    whole = shown(filled)
    with closing(sqlite3.connect(filled, isolation_level=None)) as conn:
        conn.execute("UPDATE memory SET content = 'has 9 disks' WHERE id = 3")
    wipe(filled, "memory_due")
    report = salvaging.mend(filled)
    if report.how == "rows":
        assert report.from_journal == 1
        assert shown(filled) == whole


def test_a_store_that_somebody_has_open_is_refused(filled: Path) -> None:
    wipe(filled, "memory_due")
    before = filled.read_bytes()
    library = Library.open(filled)
    with pytest.raises(StoreBusy, match="open"):
        salvaging.mend(filled)
    library.close()
    assert filled.read_bytes() == before


def test_what_is_no_store_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("not a store\n" * 1_000)
    for path in (tmp_path / "notes.txt", tmp_path / "not there"):
        with pytest.raises(NotAStore):
            salvaging.mend(path)
    assert [p.name for p in tmp_path.iterdir()] == ["notes.txt"]


def test_a_link_stays_a_link_and_its_file_is_mended(filled: Path, tmp_path: Path) -> None:
    whole = shown(filled)
    link = tmp_path / "link.db"
    link.symlink_to(filled)
    wipe(filled, "memory_due")
    salvaging.mend(link)
    assert link.is_symlink()
    assert shown(link) == whole


def test_without_its_shared_memory_a_store_is_sound(filled: Path) -> None:
    Path(f"{filled}-shm").write_bytes(b"\0" * 100)
    assert salvaging.mend(filled).how == "sound"


@pytest.mark.parametrize("after", range(1, 7))
def test_broken_off_anywhere_it_is_finished_the_next_time(
    filled: Path, after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = shown(filled)
    wipe(filled, "memory_due")
    damaged = filled.read_bytes()
    moves, replace = [0], os.replace

    def breaks(source: object, target: object) -> None:
        moves[0] += 1
        if moves[0] == after:
            raise KeyboardInterrupt
        replace(source, target)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr(os, "replace", breaks)
    try:
        salvaging.mend(filled)
        broken = False
    except KeyboardInterrupt:
        broken = True
    monkeypatch.setattr(os, "replace", replace)
    if broken and looking.unfinished(filled).exists():
        with pytest.raises(StoreDamaged, match="once more"):
            Library.open(filled)
    salvaging.mend(filled)
    assert shown(filled) == whole
    (kept,) = filled.parent.glob("memories-damaged-*")
    assert (kept / "memories.db").read_bytes() == damaged
    assert {p.name for p in filled.parent.iterdir()} == {"memories.db", kept.name}


# --- the newest sound backup


def test_what_only_the_newest_sound_backup_has_is_told_and_taken_in_when_asked(
    filled: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "backups"
    with Library.open(filled, backups=folder) as library:
        library.backups.make()
        build(library, "nas: after the backup")
        whole = sketch(library)
    shutil.copy(next(folder.iterdir()), folder / "memories-20990101-000000.db")
    wipe(folder / "memories-20990101-000000.db", "memory")  # a newer one that is not sound
    wipe(filled, "memory", "journal")
    report = salvaging.mend(filled, folder)
    assert report.backup is not None
    assert report.missing == {}  # leaves of a table come back without its first page
    assert shown(filled) == whole


def test_lost_rows_come_back_from_the_backup_but_not_what_was_forgotten(
    filled: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "backups"
    with Library.open(filled, backups=folder) as library:
        library.backups.make()
        whole = sketch(library)
        library.memories.purge(5, **WINDOW)
    with closing(sqlite3.connect(filled, isolation_level=None)) as conn:
        conn.execute("DELETE FROM tag WHERE memory_id IN (1, 2)")
        conn.execute("DELETE FROM memory WHERE id IN (1, 2)")
        conn.execute("DELETE FROM journal WHERE subject = 'memory' AND subject_id IN (1, 2)")
    wipe(filled, "memory_due")
    first = salvaging.mend(filled, folder)
    assert first.missing["memory"] == 2
    assert first.taken == {}
    second = salvaging.mend(filled, folder, take_missing=True)
    assert second.how == "sound"
    assert second.taken["memory"] == 2
    with Library.open(filled) as library:
        library.indexing.bring_up()
        assert [library.memories.get(n).id for n in (1, 2)] == [1, 2]
        with pytest.raises(NotFound):
            library.memories.get(5)
    forgotten = next(line for line in whole.splitlines() if "k4: " in line or "/k4: " in line)
    assert set(whole.splitlines()) - set(shown(filled).splitlines()) == {forgotten}
