"""How a file becomes an open store: looked at first, refused, made, converted or brought up.

Nothing is written before it is known that the file is ours, and who else has it open.
"""

# Peewee's driver carries no types.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from peewee import sqlite3  # pyright: ignore[reportAttributeAccessIssue]

from remembrancer.core.caution import Caution
from remembrancer.core.errors import StoreBusy, StoreProblem, StoreReadOnly, StoreTooNew
from remembrancer.store import folders, looking, migrations
from remembrancer.store.connections import (
    APPLICATION_ID,
    BUSY_MILLISECONDS,
    Mode,
    address,
    wal_is_safe,
)
from remembrancer.store.folders import Folder
from remembrancer.store.holding import STATE, UNCHECKED, Hold

Before = Callable[[Path], None]
MAKING = ".making"


@dataclass
class Opened:
    """How a store was opened: in which mode, why only for reading, and what to be careful about.

    `unclean` says that whoever had it last ended in the middle, so that it is to be examined
    before the first write.
    """

    mode: Mode = Mode.WRITE
    problem: StoreProblem | None = None
    unclean: bool = False
    cautions: list[Caution] = field(default_factory=list[Caution])


def prepare(path: Path, before_change: Before = lambda path: None) -> tuple[Opened, Hold]:
    """Make the store at `path`, or see that it is ours and bring it to our version.

    `before_change` is called with the path just before a store of an earlier version is changed.
    Raises NotAStore for a file of something else, StoreDamaged for one that cannot be read, and
    StoreBusy while another process makes, mends or converts it. What is returned is held open.
    """
    looking.look(path)
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    hold = Hold(path)
    try:
        opened = _prepared(path, hold, before_change)
    except BaseException:
        hold.release()
        raise
    hold.share()
    return opened, hold


def _prepared(path: Path, hold: Hold, before_change: Before) -> Opened:
    if not path.exists():
        make(path)
        hold.write(state="")
    looking.judge_note(path, hold)
    folder = folders.looked_at(path)
    opened = Opened(cautions=cautions(path, folder))
    if not looking.may_write(path):
        return _only_read(path, opened)
    log_left = hold.alone and looking.log_size(path) > 0
    opened.unclean = log_left or hold.note.get(STATE) == UNCHECKED
    looking.judge_log(path, hold)
    settled = hold.alone and looking.is_settled(path, len(migrations.STEPS), _wants_log(folder))
    if not settled and not _settle(path, opened, hold, folder, before_change):
        return opened
    if not folder.network:  # there a file's number may change
        looking.remember_file(path, hold)
    if opened.unclean:
        hold.write(state=UNCHECKED)
    return opened


def _settle(
    path: Path, opened: Opened, hold: Hold, folder: Folder, before_change: Before
) -> bool:  # fmt: skip
    """Bring the file to our version, its log as it should be; False where it is a newer one."""
    version = version_of(path)
    if version > len(migrations.STEPS):
        opened.mode, opened.problem, opened.unclean = Mode.READ, _newer(path, version), False
        return False
    if version == len(migrations.STEPS) and _wants_log(folder) and looking.log_size(path) > 0:
        return True  # it has a log, as it should; taking it in now would only cost time
    with closing(_connected(path)) as conn:
        pending = _pragma(conn, "user_version") < len(migrations.STEPS)
        if pending:
            before_change(path)
        _settle_log(conn, path, hold, folder)
        if pending:
            _migrate(conn.execute, lambda: _pragma(conn, "user_version"))
    return True


def cautions(path: Path, folder: Folder | None = None) -> list[Caution]:
    """What the person should know about where a store rests, and about this SQLite."""
    found = (folder or folders.looked_at(path)).cautions(path)
    if not wal_is_safe():
        version = sqlite3.sqlite_version
        sentence = (
            f"SQLite {version} has a fault in its write-ahead log; update it to 3.51.3 or newer. "
            "Until then the store works without that log, and more slowly."
        )
        found.append(Caution("sqlite", sentence, {"version": version}))
    return found


def _only_read(path: Path, opened: Opened) -> Opened:
    what = path.parent if os.access(path, os.W_OK) else path
    opened.problem = StoreReadOnly(
        f"{what} may not be written to, so the store can only be read; change its permissions.",
        code="readonly", path=str(what),
    )  # fmt: skip
    opened.mode = Mode.READ if looking.log_size(path) >= 0 else Mode.FROZEN
    with closing(_connected(path, opened.mode)) as conn:
        version = _pragma(conn, "user_version")
    if version > len(migrations.STEPS):
        opened.problem = _newer(path, version)
    elif version < len(migrations.STEPS):
        # It cannot be brought to the version whose tables are read here.
        raise StoreReadOnly(
            f"{what} may not be written to, and the store was written by an earlier version, so it "
            "cannot be opened; change its permissions.", code="readonly", path=str(what),
        )  # fmt: skip
    return opened


def version_of(path: Path) -> int:
    """Which version of the tables a file has; nothing is changed."""
    with closing(_connected(path, Mode.READ)) as conn:
        return _pragma(conn, "user_version")


def _newer(path: Path, version: int) -> StoreTooNew:
    return StoreTooNew(
        f"{path} was written by a newer version of Remembrancer (format {version}; this one "
        f"knows {len(migrations.STEPS)}), so it can only be read. Update the program.",
        code="newer", path=str(path), version=version,
    )  # fmt: skip


def make(path: Path) -> None:
    """Make a new store under another name and let it appear when it is whole."""
    draft = path.with_name(f".{path.name}{MAKING}")
    for end in ("", *looking.SIDES):
        Path(f"{draft}{end}").unlink(missing_ok=True)
    os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    with closing(_connected(draft)) as conn:
        # What makes the file ours stands in the file itself, not only in a log beside it.
        conn.execute("PRAGMA journal_mode = delete")
        _migrate(conn.execute, lambda: _pragma(conn, "user_version"))
        if _wants_log(folders.looked_at(path)):
            conn.execute("PRAGMA journal_mode = wal")
    os.replace(draft, path)


def _wants_log(folder: Folder) -> bool:
    return wal_is_safe() and not folder.network


def _settle_log(conn: Any, path: Path, hold: Hold, folder: Folder) -> None:
    """See that the file keeps its log as it should here; alone it is converted."""
    wanted = _wants_log(folder)
    has = conn.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    if has == wanted or (wanted and not hold.alone):
        return  # without a write-ahead log it works too, until somebody is alone with it
    with suppress(sqlite3.OperationalError):
        conn.execute(f"PRAGMA journal_mode = {'wal' if wanted else 'delete'}")
    if not wanted and conn.execute("PRAGMA journal_mode").fetchone()[0] == "wal":
        raise StoreBusy(
            f"{path} is open elsewhere with a write-ahead log, which is not safe here (SQLite "
            f"{sqlite3.sqlite_version}, or a network drive); close the other program, or update "
            "SQLite to 3.51.3.", code="log", path=str(path),
        )  # fmt: skip


def _migrate(execute: Callable[[str], object], version: Callable[[], int]) -> None:
    execute("BEGIN IMMEDIATE")
    try:
        for step in migrations.pending(version()):
            step(execute)
        execute(f"PRAGMA application_id = {APPLICATION_ID}")
        execute(f"PRAGMA user_version = {len(migrations.STEPS)}")
        execute("COMMIT")
    except BaseException:
        execute("ROLLBACK")
        raise


def _connected(path: Path, mode: Mode = Mode.WRITE) -> Any:
    return sqlite3.connect(
        address(path, mode), uri=True, isolation_level=None, timeout=BUSY_MILLISECONDS / 1000
    )


def _pragma(conn: Any, name: str) -> int:
    return int(conn.execute(f"PRAGMA {name}").fetchone()[0])
