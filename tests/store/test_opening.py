"""How a store is opened: what is refused and left alone, what is only read, what is settled."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

# The library's own: two SQLites in one process would take each other's locks away.
from peewee import sqlite3  # pyright: ignore[reportAttributeAccessIssue]

from notation import WINDOW, build, sketch
from remembrancer.core.author import PERSON
from remembrancer.core.errors import (
    NotAStore,
    StoreBusy,
    StoreDamaged,
    StoreProblem,
    StoreReadOnly,
    StoreTooNew,
)
from remembrancer.core.memory import Draft
from remembrancer.service.library import Library
from remembrancer.store import connections, holding, migrations, opening
from remembrancer.store.store import Store

HERE = [str(Path(__file__).parents[2] / "app"), str(Path(__file__).parents[1])]


def run(code: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Another process with the library at hand; `code` sees its arguments from sys.argv[1] on."""
    begin = f"import sys; sys.path[:0] = {HERE!r}\n"
    return subprocess.run(
        [sys.executable, "-c", begin + code, *map(str, arguments)],
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip


KILLED = """
import os
from remembrancer.service.library import Library
from notation import build
library = Library.open(sys.argv[1])
build(library, sys.argv[2])
os.kill(os.getpid(), 9)
"""


def files(folder: Path) -> dict[str, bytes]:
    """Every file's bytes, but for the note of who has a store open."""
    found = (p for p in folder.iterdir() if p.is_file() and not p.name.endswith("-open"))
    return {p.name: p.read_bytes() for p in found}


# --- what is refused, and stays what it was


def text_file(path: Path) -> None:
    path.write_text("not a database at all\n" * 500)


def no_bytes(path: Path) -> None:
    path.touch()


def empty_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("CREATE TABLE t (a)")
        conn.execute("DROP TABLE t")


def of_another_program(path: Path) -> None:
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("PRAGMA application_id = 42")
        conn.execute("PRAGMA user_version = 6")
        conn.execute("CREATE TABLE memory (id INTEGER)")


def in_use_by_another_program(path: Path) -> None:
    """With a log that whoever opens the file to write would play into it."""
    code = (
        "from peewee import sqlite3; import os; c = sqlite3.connect(sys.argv[1]);"
        "c.execute('PRAGMA journal_mode = wal'); c.execute('CREATE TABLE memory (id)');"
        "c.commit(); os._exit(0)"
    )
    run(code, path)
    assert path.with_name(f"{path.name}-wal").stat().st_size > 0


@pytest.mark.parametrize(
    "make",
    [text_file, no_bytes, empty_database, of_another_program, in_use_by_another_program],
)
def test_what_is_no_store_is_refused_and_left_as_it_is(
    make: Callable[[Path], None], tmp_path: Path
) -> None:
    path = tmp_path / "something.db"
    make(path)
    before = files(tmp_path)
    with pytest.raises(NotAStore) as told:
        Library.open(path)
    assert str(path) in str(told.value)
    assert files(tmp_path) == before


def test_a_folder_in_the_place_of_a_store_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotAStore, match="no file"):
        Library.open(tmp_path)
    assert files(tmp_path) == {}


def test_a_log_without_its_store_is_not_played_into_a_new_one(tmp_path: Path) -> None:
    path = tmp_path / "memories.db"
    run(KILLED, path, "nas: 4 GB")
    path.rename(tmp_path / "elsewhere.db")
    before = files(tmp_path)
    with pytest.raises(StoreDamaged, match="its log"):
        Library.open(path)
    assert files(tmp_path) == before


def test_a_log_is_not_played_into_a_file_that_took_the_place_of_its_own(
    empty_store: Path, tmp_path: Path
) -> None:
    path = tmp_path / "memories.db"
    run(KILLED, path, "nas: 4 GB")
    os.replace(shutil.copy(empty_store, tmp_path / "other.db"), path)
    before = files(tmp_path)
    with pytest.raises(StoreDamaged, match="was replaced"):
        Library.open(path)
    with pytest.raises(StoreDamaged, match="was replaced"):  # the second time, too
        Library.open(path)
    assert files(tmp_path) == before
    for end in ("-wal", "-shm"):
        Path(f"{path}{end}").rename(tmp_path / f"former{end}")
    with Library.open(path) as library:
        assert sketch(library) == ""


# --- how it is opened


def test_every_connection_has_the_settings(library: Library) -> None:
    wanted = {
        "journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 5_000,
        "trusted_schema": 0, "secure_delete": 1, "mmap_size": 0, "journal_size_limit": 16 << 20,
        "application_id": connections.APPLICATION_ID, "user_version": len(migrations.STEPS),
    }  # fmt: skip
    store: Store = library._store

    def settings() -> dict[str, Any]:
        return {name: store.connections.sql(f"PRAGMA {name}")[0][0] for name in wanted}

    assert settings() == wanted
    assert store.connections.sql("PRAGMA query_only") == [(1,)]
    assert store.write(settings) == wanted
    assert store.write(lambda: store.connections.sql("PRAGMA query_only")) == [(0,)]


def test_on_a_mac_a_write_reaches_the_disk_itself() -> None:
    assert dict(connections.pragmas("darwin"))["fullfsync"] == 1
    assert "fullfsync" not in dict(connections.pragmas("linux"))


def test_every_file_is_the_persons_own(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "memories.db"
    before = os.umask(0o022)
    try:
        with Library.open(path) as library:
            build(library, "nas: 4 GB")
            found = {p.name: stat.S_IMODE(p.stat().st_mode) for p in path.parent.iterdir()}
    finally:
        os.umask(before)
    assert set(found) == {"memories.db", "memories.db-wal", "memories.db-shm", "memories.db-open"}
    assert set(found.values()) == {0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert [p.name for p in path.parent.iterdir()] == ["memories.db"]


def test_a_link_is_followed_once_and_everything_lies_beside_the_file(
    store_path: Path, tmp_path: Path
) -> None:
    (tmp_path / "links").mkdir()
    link = tmp_path / "links" / "link.db"
    link.symlink_to(store_path)
    with Library.open(link) as library:
        build(library, "nas: 4 GB")
        assert library.path == store_path.resolve()
        assert [p.name for p in link.parent.iterdir()] == ["link.db"]
    with Library.open(store_path) as library:
        assert "nas: 4 GB" in sketch(library)


def test_what_was_broken_off_while_it_was_made_is_made_again(tmp_path: Path) -> None:
    path = tmp_path / "memories.db"
    (tmp_path / f".memories.db{opening.MAKING}").write_bytes(b"half")
    with Library.open(path) as library:
        build(library, "nas: 4 GB")
    assert [p.name for p in tmp_path.iterdir()] == ["memories.db"]


def test_before_a_store_is_brought_up_its_path_is_told_and_else_never(
    store_path: Path, tmp_path: Path
) -> None:
    told: list[Path] = []
    Store(store_path, told.append).close()
    Store(tmp_path / "new.db", told.append).close()
    assert told == []
    older = older_store(tmp_path / "older.db")
    before = older.read_bytes()

    def refuse(path: Path) -> None:
        raise StoreProblem("no room for a backup")

    with pytest.raises(StoreProblem, match="no room"):
        Store(older, refuse)
    assert older.read_bytes() == before
    Store(older, told.append).close()
    assert told == [older.resolve()]


def older_store(path: Path) -> Path:
    """A store of the version before this one."""
    with closing(sqlite3.connect(path, isolation_level=None)) as conn:
        for step in migrations.STEPS[:-1]:
            step(conn.execute)
        conn.execute(f"PRAGMA application_id = {connections.APPLICATION_ID}")
        conn.execute(f"PRAGMA user_version = {len(migrations.STEPS) - 1}")
    return path


def test_a_checked_backup_is_made_before_a_store_is_brought_up(tmp_path: Path) -> None:
    older = older_store(tmp_path / "older.db")
    with Library.open(older, backups=tmp_path / "kept") as library:
        assert library.upkeep.facts()["version"] == len(migrations.STEPS)
    (backup,) = (tmp_path / "kept").iterdir()
    with closing(sqlite3.connect(backup)) as conn:
        assert conn.execute("PRAGMA user_version").fetchone()[0] == len(migrations.STEPS) - 1


# --- what can only be read


def write_everything(library: Library, kind: type[StoreProblem]) -> None:
    """Try what writes; each is refused with the same sentence."""
    sentences: set[str] = set()
    deeds: list[Callable[[], object]] = [
        lambda: library.memories.remember(Draft("new"), **WINDOW),
        lambda: library.agents.add("robin", **WINDOW),
        lambda: library.agents.seen(1, "client", "1"),
        lambda: library.map.keep([], PERSON),
        library.upkeep.tidy,
    ]
    for deed in deeds:
        try:
            deed()
        except kind as told:
            sentences.add(str(told))
    assert sentences == {library.read_only}


def test_a_store_of_a_newer_version_can_be_read_and_is_not_changed(
    store_path: Path, tmp_path: Path
) -> None:
    with Library.open(store_path) as library:
        build(library, "nas: 4 GB")
        whole = sketch(library)
    with closing(sqlite3.connect(store_path)) as conn:
        conn.execute("PRAGMA user_version = 999")
    before = files(tmp_path)
    with Library.open(store_path) as library:
        assert sketch(library) == whole
        assert library.read_only is not None
        assert "newer version" in library.read_only
        assert "Update the program" in library.read_only
        write_everything(library, StoreTooNew)
        library._store.post(lambda: library._store.extras.set_setting("a", "b"))
        assert library.indexing._thread is None
    assert files(tmp_path) == before


LOCKED = """
import os
import tempfile
from pathlib import Path
from remembrancer.core.errors import StoreReadOnly
from remembrancer.core.author import PERSON
from remembrancer.core.memory import Draft
from remembrancer.service.library import Library
from notation import sketch
# What is loaded late is out of reach for another user.
with tempfile.TemporaryDirectory() as name, Library.open(Path(name, "first.db")) as first:
    first.memories.remember(Draft("new"), author=PERSON, origin="window")
    sketch(first)
if os.getuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
with Library.open(Path(sys.argv[1])) as library:
    print(sketch(library))
    print(library.read_only)
    try:
        library.memories.remember(Draft("new"), author=PERSON, origin="window")
    except StoreReadOnly as told:
        print(told)
"""


@pytest.mark.skipif(os.name == "nt", reason="folders have other permissions there")
@pytest.mark.parametrize("locked", ["file", "folder"])
def test_a_store_that_may_not_be_written_can_be_read_and_says_which_path_to_change(
    empty_store: Path, locked: str
) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as name:  # where another user can look
        folder = Path(name).resolve()
        path = Path(shutil.copy(empty_store, folder / "memories.db"))
        with Library.open(path) as library:
            build(library, "nas: 4 GB")
        folder.chmod(0o555 if locked == "folder" else 0o777)
        path.chmod(0o666 if locked == "folder" else 0o444)
        before = path.read_bytes()
        done = run(LOCKED, path)
        lines = done.stdout.splitlines()
        named = folder if locked == "folder" else path
        assert "nas: 4 GB" in lines, done.stderr
        assert [line for line in lines if line.startswith(f"{named} may not be")] == lines[-2:]
        assert path.read_bytes() == before
        folder.chmod(0o700)


# --- an unsafe SQLite

UNSAFE = """
sys.modules["pysqlite3"] = None  # the interpreter's own SQLite, which is older
from remembrancer.service.library import Library
from remembrancer.store import connections
from notation import build
import peewee
connections.wal_is_safe.__defaults__ = ((3, 51, 2),)
with Library.open(sys.argv[1]) as library:
    print(library._store.connections.sql("PRAGMA journal_mode")[0][0])
    print([caution.code for caution in library.cautions])
    build(library, "here: it works")
"""


def journal_mode(path: Path) -> str:
    with closing(sqlite3.connect(path)) as conn:
        return conn.execute("PRAGMA journal_mode").fetchone()[0]


def test_an_unsafe_sqlite_keeps_no_write_ahead_log(store_path: Path, tmp_path: Path) -> None:
    assert journal_mode(store_path) == "wal"
    for path in (store_path, tmp_path / "new.db"):
        done = run(UNSAFE, path)
        assert done.stdout.splitlines() == ["delete", "['sqlite']"], done.stderr
        assert journal_mode(path) == "delete"
        with Library.open(path) as library:  # a safe one that is alone goes back to it
            assert library._store.connections.sql("PRAGMA journal_mode") == [("wal",)]
            assert library.cautions == ()


def test_an_unsafe_sqlite_does_not_join_others_at_their_log(library: Library) -> None:
    build(library, "nas: 4 GB")
    done = run(UNSAFE, library.path)
    assert done.stdout == ""
    assert "StoreBusy" in done.stderr
    assert "update SQLite to 3.51.3" in done.stderr
    assert library.upkeep.problems() == []


@pytest.mark.parametrize(
    ("version", "safe"),
    [((3, 40, 1), False), ((3, 44, 5), False), ((3, 44, 6), True), ((3, 45, 0), False),
     ((3, 50, 7), True), ((3, 51, 2), False), ((3, 51, 3), True), ((4, 0, 0), True)],
)  # fmt: skip
def test_the_versions_that_are_safe(version: tuple[int, ...], safe: bool) -> None:
    assert connections.wal_is_safe(version) is safe


# --- after an end in the middle


def test_a_store_that_was_not_closed_is_examined_before_the_first_write(store_path: Path) -> None:
    assert run(KILLED, store_path, "nas: 4 GB").returncode == -9
    assert holding.left_behind(store_path)
    with Library.open(store_path) as library:
        assert library._store._examination is not None
        assert "nas: 4 GB" in sketch(library)  # reading does not wait
        build(library, "nas: two disks")
        assert library.read_only is None
    assert [p.name for p in store_path.parent.iterdir()] == ["memories.db"]
    with Library.open(store_path) as library:
        assert library._store._examination is None
        assert "two disks" in sketch(library)


def test_who_joins_others_does_not_examine(library: Library) -> None:
    with Library.open(library.path) as other:
        assert other._store._examination is None
    assert library._store._examination is None


def wiped(path: Path, table: str) -> None:
    """A store whose table has lost its first page, and that nobody closed."""
    with closing(sqlite3.connect(path)) as conn:
        text = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        root = conn.execute(text, (table,)).fetchone()[0]
        size = conn.execute("PRAGMA page_size").fetchone()[0]
    with path.open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(bytes(size))


def test_damage_that_the_examination_finds_is_told_and_nothing_is_written(
    store_path: Path,
) -> None:
    with Library.open(store_path) as library:
        build(library, "nas: 4 GB")
    wiped(store_path, "memory_due")
    holding.file_beside(store_path).touch()  # as a process that was killed leaves it
    before = store_path.read_bytes()
    with Library.open(store_path) as library:
        assert library.memories.get(1) is not None
        with pytest.raises(StoreDamaged, match="doctor --mend"):
            build(library, "nas: two disks")
        assert library.read_only is not None
    assert store_path.read_bytes() == before
    with pytest.raises(StoreDamaged, match="Nothing was changed"):  # the next one is told at once
        Library.open(store_path)
    assert store_path.read_bytes() == before


def test_what_cannot_be_read_is_named_by_every_reader(store_path: Path) -> None:
    with Library.open(store_path) as library:
        build(library, "nas: 4 GB")
    wiped(store_path, "memory")
    library = Library.open(store_path)
    with pytest.raises(StoreDamaged):
        library.memories.get(1)
    reads: list[Callable[[], object]] = [
        lambda: library.review.count(),
        lambda: library.graph.open(["nas"]),
        lambda: sketch(library),
        lambda: library.upkeep.facts(),
    ]
    for read in reads:
        with suppress(StoreDamaged):  # or it could do without what is damaged
            read()
    library.close()


def test_a_lock_is_not_taken_for_damage(store_path: Path) -> None:
    conn = sqlite3.connect(store_path, isolation_level=None)
    conn.execute("BEGIN EXCLUSIVE")
    before = store_path.read_bytes()
    try:
        with pytest.raises(StoreBusy):
            Library.open(store_path).memories.remember(Draft("x"), author=PERSON, origin="window")
    except StoreBusy:
        pass
    finally:
        conn.close()
    assert store_path.read_bytes() == before
    with Library.open(store_path) as library:
        assert library.read_only is None


def test_reading_only_is_a_sort_of_problem_of_its_own() -> None:
    assert issubclass(StoreReadOnly, StoreProblem)
