"""Backups of a real store: made, checked, listed, thinned, and when."""

from __future__ import annotations

import errno
import gzip
import os
import sqlite3
import stat
import sys
import threading
from pathlib import Path

import pytest

from conftest import Hand
from remembrancer.core.author import PERSON, Author, AuthorKind
from remembrancer.core.clock import DAY, MINUTE
from remembrancer.core.errors import (
    BadFile,
    NotAStore,
    StoreDamaged,
    StoreFull,
    StoreProblem,
    StoreReadOnly,
)
from remembrancer.core.filters import Filter
from remembrancer.core.memory import Draft, Memory
from remembrancer.core.thinning import Why
from remembrancer.service import backups_watch
from remembrancer.service.backups import BULK, before_migration
from remembrancer.service.backups_folder import carried_by
from remembrancer.service.desk import Doing
from remembrancer.service.graph import NewEntity
from remembrancer.service.library import Library
from remembrancer.service.transfer import IMPORTER
from remembrancer.store.upkeep import Since

ME: Doing = {"author": PERSON, "origin": "test"}
ROBOT: Doing = {"author": Author("robin", AuthorKind.AGENT, agent_id=7), "origin": "native"}


def fill(library: Library, number: int, name: str = "nas") -> None:
    texts = tuple(f"{name} holds disk {n}" for n in range(number))
    library.graph.create([NewEntity(name, "device", texts)], **ME)


def browsed(library: Library) -> list[Memory]:
    return library.memories.browse(Filter())


def reasons(library: Library) -> list[Why]:
    return [backup.why for backup in library.backups.all()]


def names(library: Library) -> list[str]:
    return sorted(p.name for p in library.backups.folder.iterdir())


# --- one backup


def test_a_backup_is_one_private_file_that_holds_what_was_there(library: Library) -> None:
    fill(library, 3)
    made = library.backups.make()
    assert made.path.parent == library.path.parent / "backups"
    assert [p.name for p in made.path.parent.iterdir()] == [made.path.name]
    assert stat.S_IMODE(made.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(made.path.parent.stat().st_mode) == 0o700
    assert (made.at % 1_000_000, made.why, made.size) == (0, Why.HAND, made.path.stat().st_size)
    with Library.open(made.path) as copy:
        assert browsed(copy) == browsed(library)
        assert copy.upkeep.problems() == []


def test_what_is_written_meanwhile_is_in_it_whole_or_not_at_all(library: Library) -> None:
    fill(library, 2)
    made = library.backups.make()
    library.memories.remember(Draft("later", "nas"), **ME)
    assert made.look is not None
    assert (made.look.memories, library.backups.all()[0].look) == (2, made.look)
    assert library.backups.since(made) == Since(added=1, changed=0, removed=0)


def test_two_backups_of_one_second_have_names_of_their_own_in_order(library: Library) -> None:
    fill(library, 1)
    first, second = library.backups.make(), library.backups.make(Why.IMPORT)
    assert (first.number, second.number) == (1, 2)
    assert second.path.name == first.path.name.replace(".db", "-2-import.db")
    assert [b.path for b in library.backups.all()] == [second.path, first.path]


@pytest.mark.parametrize(
    ("number", "kind", "told"),
    [
        (errno.ENOSPC, StoreFull, "is full"),
        (errno.EACCES, StoreReadOnly, "may not be written to"),
        (errno.EIO, StoreProblem, "input/output error"),
    ],
)
@pytest.mark.parametrize("step", ["fsync", "link", "open"])
def test_a_disk_that_fails_leaves_no_half_file_and_a_sentence(
    library: Library, monkeypatch: pytest.MonkeyPatch, step: str, number: int,
    kind: type[StoreProblem], told: str,
) -> None:  # fmt: skip
    fill(library, 1)
    sound = library.backups.make()

    def fail(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, step, fail)
    if step == "link":  # a file system without links falls back on this
        monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(kind) as caught:
        library.backups.make()
    monkeypatch.undo()
    assert told in str(caught.value)
    assert names(library) == [sound.path.name]
    assert library.backups.state.failure == str(caught.value)
    library.backups.make()
    assert library.backups.state.failure == ""


def test_a_folder_that_is_a_file_is_said(store_path: Path, tmp_path: Path, clock: Hand) -> None:
    (tmp_path / "taken").write_text("mine")
    with Library.open(store_path, clock, backups=tmp_path / "taken") as library:
        fill(library, 1)
        with pytest.raises(StoreProblem, match=r"No backup could be made in .*taken"):
            library.backups.make()
        assert library.backups.all() == []
    assert (tmp_path / "taken").read_text() == "mine"


def test_a_content_that_is_not_what_was_written_makes_no_backup(
    library: Library, store_path: Path
) -> None:
    fill(library, 1)
    library.upkeep.tidy()
    raw = store_path.read_bytes()
    assert b"nas holds disk 0" in raw
    damaged = store_path.with_name("damaged.db")
    conn = sqlite3.connect(damaged)
    conn.deserialize(raw.replace(b"nas holds disk 0", b"nas holds dusk 0"))
    damaged.write_bytes(conn.serialize())
    conn.close()
    with pytest.raises(StoreDamaged):
        before_migration(damaged, damaged.parent / "backups")
    assert list((damaged.parent / "backups").iterdir()) == []


def test_a_folder_that_is_carried_elsewhere_is_noticed(tmp_path: Path) -> None:
    assert carried_by(tmp_path) == ""
    assert carried_by(tmp_path / "Dropbox" / "x") == "Dropbox"
    assert carried_by(tmp_path / "OneDrive - Work") == "OneDrive"


def test_an_unfinished_file_of_an_interrupted_backup_goes_in_time(library: Library) -> None:
    fill(library, 1)
    library.backups.make()
    old, new = (library.backups.folder / f".memories-{n}.part" for n in ("old", "new"))
    for path in (old, new):
        path.write_text("half")
    os.utime(old, (0, 0))
    library.backups.make()
    assert (old.exists(), new.exists()) == (False, True)


# --- before what


def test_a_closed_file_is_backed_up_before_it_is_changed(
    library: Library, store_path: Path
) -> None:
    fill(library, 2)
    library.close()
    before_migration(store_path, store_path.parent / "elsewhere")
    (made,) = (store_path.parent / "elsewhere").iterdir()
    assert made.name.endswith("-migration.db")
    with Library.open(made) as copy:
        assert len(browsed(copy)) == 2


def test_what_is_no_store_is_not_backed_up(tmp_path: Path) -> None:
    sqlite3.connect(tmp_path / "other.db").execute("CREATE TABLE t (x)").connection.close()
    with pytest.raises(NotAStore):
        before_migration(tmp_path / "other.db", tmp_path / "backups")


def test_an_import_into_a_store_that_is_not_empty_waits_for_a_backup(
    library: Library, tmp_path: Path
) -> None:
    file = tmp_path / "in.jsonl"
    file.write_text('{"type":"entity","name":"a","entityType":"t","observations":["x"]}\n')
    library.transfer.bring_in(file, dry_run=True)
    library.transfer.bring_in(file)
    assert not library.backups.folder.exists()
    fill(library, 1)
    library.transfer.bring_in(file, dry_run=True)
    assert not library.backups.folder.exists()
    library.transfer.bring_in(file, author=IMPORTER)
    assert reasons(library) == [Why.IMPORT]
    library.backups.make()
    library.transfer.bring_in(file)
    assert reasons(library) == [Why.HAND, Why.IMPORT]


def test_a_great_deletion_of_the_person_waits_for_a_backup(library: Library) -> None:
    fill(library, BULK)
    library.graph.delete(["nas"], **ME)
    assert not library.backups.folder.exists()
    fill(library, BULK + 1, "big")
    head = library.journal.head()
    assert library.graph.delete(["big"], **ME) == ["big"]
    (before,) = library.backups.all()
    assert before.why is Why.DELETION
    assert before.look is not None
    assert (before.look.head, before.look.memories) == (head, BULK + 1)
    assert library.journal.head() == head + BULK + 2


def test_a_great_deletion_goes_on_where_no_backup_can_be_made_since_it_can_be_undone(
    library: Library,
) -> None:
    library.backups.folder.write_text("in the way")
    fill(library, BULK + 1)
    assert library.graph.delete(["nas"], **ME) == ["nas"]
    assert "No backup could be made" in library.backups.state.failure


def test_an_agent_is_not_made_to_wait_and_a_younger_backup_follows(library: Library) -> None:
    fill(library, BULK + 1)
    library.backups.make()
    library.graph.delete(["nas"], **ROBOT)
    assert reasons(library) == [Why.HAND]
    library.backup_watch.look()
    assert reasons(library) == [Why.DELETION, Why.HAND]
    library.backup_watch.look()
    assert len(reasons(library)) == 2
    newest = library.backups.newest()
    assert newest is not None
    with Library.open(newest.path) as copy:
        batch = next(x.batch for x in copy.journal.newest(1))
        copy.journal.undo(batch, **ME)
        assert len(browsed(copy)) == BULK + 1


def test_forgetting_waits_for_a_backup_once_an_hour(library: Library, clock: Hand) -> None:
    fill(library, 4)
    ids = [m.id for m in browsed(library)]
    library.memories.purge(ids[0], **ME)
    library.memories.purge(ids[1], **ME)
    assert reasons(library) == [Why.PURGE]
    clock.advance(1 / 24)
    library.memories.purge(ids[2], **ME)
    assert reasons(library) == [Why.PURGE, Why.PURGE]


def test_nothing_is_forgotten_for_good_where_no_backup_can_be_made(library: Library) -> None:
    library.backups.folder.write_text("in the way")
    memory = library.memories.remember(Draft("stays"), **ME)
    with pytest.raises(StoreProblem, match="No backup could be made"):
        library.memories.purge(memory.id, **ME)
    assert library.memories.get(memory.id).content == "stays"


# --- in time


def test_a_changed_store_has_a_backup_that_is_no_older_than_a_day(
    library: Library, clock: Hand
) -> None:
    library.backup_watch.look()
    assert not library.backups.folder.exists()
    fill(library, 1)
    library.backup_watch.look()
    assert reasons(library) == [Why.TIME]
    clock.advance(3)
    library.backup_watch.look()
    assert len(reasons(library)) == 1
    library.memories.remember(Draft("one more"), **ME)
    state = library.backups.state
    assert (state.changes, state.next_at) == (1, library.backups.all()[0].at + DAY)
    library.backup_watch.look()
    assert len(reasons(library)) == 2


def test_two_hundred_changes_are_enough_for_another(library: Library, clock: Hand) -> None:
    fill(library, 1)
    library.backup_watch.look()
    fill(library, 200, "big")
    library.backup_watch.look()
    assert reasons(library) == [Why.TIME]
    clock.at += 5 * MINUTE
    library.backup_watch.look()
    assert reasons(library) == [Why.CHANGES, Why.TIME]


def test_a_clock_that_was_put_back_does_not_keep_backups_away(
    library: Library, clock: Hand
) -> None:
    clock.advance(400)
    fill(library, 1)
    library.backup_watch.look()
    clock.advance(-400)
    library.memories.remember(Draft("now"), **ME)
    library.backup_watch.look()
    library.backup_watch.look()
    assert len(library.backups.all()) == 2


def test_what_failed_is_shown_and_tried_again_after_a_while(library: Library, clock: Hand) -> None:
    library.backups.folder.write_text("in the way")
    fill(library, 1)
    library.backup_watch.look()
    assert "No backup could be made" in library.backups.state.failure
    library.backups.folder.unlink()
    library.backup_watch.look()
    assert library.backups.all() == []
    clock.at += 10 * MINUTE
    library.backup_watch.look()
    assert (len(library.backups.all()), library.backups.state.failure) == (1, "")


def test_a_backup_of_another_history_is_neither_counted_nor_thinned(
    library: Library, tmp_path: Path, clock: Hand
) -> None:
    clock.advance(-30)
    with Library.open(
        tmp_path / "other" / "memories.db", clock, backups=library.backups.folder
    ) as o:
        fill(o, 1, "other")
        for _ in range(9):
            o.backups.make()
            clock.at += MINUTE
    foreign = set(names(library))
    clock.advance(30)
    fill(library, 1)
    library.backup_watch.look()
    assert set(names(library)) > foreign
    assert library.backups.since(library.backups.all()[-1]) is None
    assert library.backups.state.changes == 0


def test_files_that_are_not_ours_are_never_touched(library: Library, clock: Hand) -> None:
    fill(library, 1)
    library.backups.make()
    kept = [
        "memories.db", "memories-20200101-000000-mine.db", "memories-20209901-000000.db",
        "memories-20200101-000000.db.bak", "other-20200101-000000.db", "notes.txt",
        "memories-20200101-000000.db",  # of the right name, and no store
    ]  # fmt: skip
    for name in kept:
        (library.backups.folder / name).write_text("mine")
    for _ in range(12):
        clock.at += MINUTE
        library.backups.make()
    assert set(kept) < set(names(library))
    assert len(names(library)) == len(kept) + 5


def test_every_week_there_is_a_text_that_brings_everything_back(
    library: Library, clock: Hand, tmp_path: Path
) -> None:
    fill(library, 2)
    for day in range(9):
        library.memories.remember(Draft(f"day {day}"), **ME)
        library.backup_watch.look()
        clock.advance(1)
    texts = library.backups.texts()
    assert len(texts) == 2
    assert stat.S_IMODE(texts[0].path.stat().st_mode) == 0o600
    plain = tmp_path / "plain.jsonl"
    plain.write_bytes(gzip.decompress(texts[0].path.read_bytes()))
    with Library.open(tmp_path / "again.db") as again:
        report = again.transfer.bring_in(plain)
        assert (report.whole, report.anomalies, report.memories) == (True, (), 10)


# --- forgetting in the backups


def test_a_memory_is_forgotten_in_the_backups_too(library: Library, clock: Hand) -> None:
    fill(library, 3)
    memory = library.memories.remember(Draft("the xylophonix code", "nas"), **ME)
    library.memories.verify(memory.id, **ME)
    library.backups.make()
    library.backups.write_text()
    clock.advance(1)
    library.memories.remember(Draft("unfiled"), **ME)
    library.memories.purge(memory.id, **ME)
    (library.backups.folder / "memories-20200101-000000.db").write_text("no store")
    cleaned = library.backups.forget(memory.id, PERSON)
    assert (cleaned.rewritten, cleaned.texts) == (2, 1)
    assert [path.name for path in cleaned.left] == ["memories-20200101-000000.db"]
    for path in library.backups.folder.iterdir():
        content = path.read_bytes()
        content = gzip.decompress(content) if path.suffix == ".gz" else content
        assert b"xyl" not in content, path.name
    assert len(library.backups.texts()) == 1
    for backup, number in zip(library.backups.all()[:-1], (4, 3), strict=True):
        assert backup.look is not None
        assert backup.look.memories == number
        with Library.open(backup.path) as copy:
            assert copy.upkeep.problems() == []
            assert len(browsed(copy)) == number
    assert library.backups.forget(memory.id, PERSON).rewritten == 0


def test_only_the_person_forgets_in_the_backups(library: Library) -> None:
    with pytest.raises(Exception, match="person"):
        library.backups.forget(1, ROBOT["author"])


def test_the_thread_that_looks_makes_the_first_backup_and_ends_with_the_library(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backups_watch, "FIRST", 0.0)
    fill(library, 1)
    library.backup_watch.start()
    deadline = threading.Event()
    while not library.backups.all() and not deadline.wait(0.01):
        assert "backups" in {thread.name for thread in threading.enumerate()}
    library.close()
    assert "backups" not in {thread.name for thread in threading.enumerate()}


def test_a_text_export_comes_in_as_it_is(library: Library, tmp_path: Path) -> None:
    fill(library, 2)
    text = library.backups.write_text()
    with Library.open(tmp_path / "again.db") as again:
        assert again.transfer.bring_in(text).memories == 2
        text.write_bytes(text.read_bytes()[:-20])
        with pytest.raises(BadFile, match="cannot be read"):
            again.transfer.bring_in(text)


@pytest.mark.skipif(sys.platform == "win32", reason="the system has no bound on a file's size")
def test_a_disk_without_room_for_the_copy_is_told_and_leaves_nothing(library: Library) -> None:
    import resource

    fill(library, 200)
    size = library.upkeep.facts()["bytes"]
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size // 2, before[1]))
    try:
        with pytest.raises(StoreProblem) as caught:
            library.backups.make()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert str(library.backups.folder) in str(caught.value)
    assert names(library) == []
    library.backups.make()
    assert len(names(library)) == 1
