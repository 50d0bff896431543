"""What is seen of a file before it is opened: whether it is ours, whole, and in its place.

SQLite itself looks, without its log and without locks, so that nothing is written; a plain look
into an open file would take this process's locks away.
"""

# Peewee's driver carries no types.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownVariableType=false, reportUnknownParameterType=false

from __future__ import annotations

import os
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from peewee import sqlite3  # pyright: ignore[reportAttributeAccessIssue]

from remembrancer.core.errors import NotAStore, StoreDamaged
from remembrancer.store.connections import APPLICATION_ID, Mode, address
from remembrancer.store.holding import DAMAGED, FILE, STATE, Hold

SIDES = ("-wal", "-shm", "-journal")
MENDS = "run `remembrancer doctor --mend`"
_OURS = b"CREATE TABLE memory ("  # stands in the file of every store
_LOOKED_THROUGH = 16 << 20  # bytes of a file whose beginning is gone that are searched for that


def unfinished(path: Path) -> Path:
    """The file that says that a salvaged store is being put in the place of a damaged one."""
    return Path(f"{path}-mending")


def log_size(path: Path) -> int:
    """How many bytes the write-ahead log has; -1 where there is none."""
    try:
        return Path(f"{path}-wal").stat().st_size
    except OSError:
        return -1


def is_settled(path: Path, version: int, log: bool) -> bool:
    """Whether a file that nobody has open, and that has no log, is of that version and keeps one.

    Its first bytes tell, which is quicker than letting SQLite make a log to find out.
    """
    if log_size(path) > 0:
        return False
    with path.open("rb") as file:
        head = file.read(100)
    return head[18:20] == bytes([2 if log else 1] * 2) and head[60:64] == version.to_bytes(4, "big")


def look(path: Path) -> None:
    """See that a store may stand at `path`; raises NotAStore or StoreDamaged. Nothing changes."""
    if unfinished(path).exists():
        raise StoreDamaged(
            f"The mending of {path} was broken off; {MENDS} once more.", code="mending",
            path=str(path),
        )  # fmt: skip
    if not path.exists():
        _look_at_nothing(path)
    elif not path.is_file():
        raise NotAStore(f"{path} is no file; name the file of a store.", code="no_file")
    elif path.stat().st_size == 0:
        raise NotAStore(
            f"{path} is an empty file, not a store; move it away, then try again.", code="empty"
        )
    else:
        _look_at_file(path)


def _look_at_nothing(path: Path) -> None:
    """A log without its store must not be played into a new one."""
    if log_size(path) > 0:
        raise StoreDamaged(
            f"{path} is not there, but its log {path}-wal is: put the store back beside it, or "
            "move the log away to begin a new store.", code="log_alone", path=str(path),
        )  # fmt: skip


def _look_at_file(path: Path) -> None:
    try:
        ours, objects = _header(path)
    except sqlite3.OperationalError:  # it may not be read; opening it says so
        return
    except sqlite3.DatabaseError:
        raise _without_beginning(path) from None
    if ours != APPLICATION_ID:
        raise _foreign(path, objects)


def _header(path: Path) -> tuple[int, int]:
    """The mark of the program in the file, and how many objects it has.

    Where the power went while the log was taken in, the file's first page is torn and the log has
    it whole: then the file is read with its log.
    """
    try:
        return _header_by(path, Mode.FROZEN)
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:
        if log_size(path) <= 0:
            raise
        return _header_by(path, Mode.READ)


def _header_by(path: Path, mode: Mode) -> tuple[int, int]:
    with closing(sqlite3.connect(address(path, mode), uri=True)) as conn:
        mark = int(conn.execute("PRAGMA application_id").fetchone()[0])
        if mark == APPLICATION_ID:
            return mark, 0
        return mark, int(conn.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])


def _foreign(path: Path, objects: int) -> NotAStore | StoreDamaged:
    if objects == 0 and path.stat().st_size > 4096 and _holds_our_table(path):
        return _damaged_beginning(path)
    if objects == 0:
        return NotAStore(
            f"{path} is an empty database, not a store; move it away, then try again.", code="empty"
        )
    return NotAStore(
        f"{path} is the database of another program; choose another file.", code="foreign"
    )


def _without_beginning(path: Path) -> NotAStore | StoreDamaged:
    if _holds_our_table(path):
        return _damaged_beginning(path)
    return NotAStore(f"{path} is not a store of memories; choose another file.", code="foreign")


def _damaged_beginning(path: Path) -> StoreDamaged:
    return StoreDamaged(
        f"The beginning of {path} is damaged. Nothing was changed; {MENDS} to save what can be "
        "read.", code="damaged", path=str(path),
    )  # fmt: skip


def _holds_our_table(path: Path) -> bool:
    """Whether the bytes of a file that SQLite cannot read are those of a store."""
    try:
        with path.open("rb") as file:
            return _OURS in file.read(_LOOKED_THROUGH)
    except OSError:
        return False


def judge_note(path: Path, hold: Hold) -> None:
    """Raise StoreDamaged where the last who had it open found damage that is still there."""
    state = hold.note.get(STATE, "")
    if not state.startswith(DAMAGED):
        return
    told = state.removeprefix(DAMAGED).strip()
    if hold.alone:
        told = next(iter(faults_of(path)), "")
        if not told:
            hold.write(state="")
            return
    raise damaged(path, told)


def damaged(path: Path, told: str) -> StoreDamaged:
    """The sentence for a store whose check failed."""
    return StoreDamaged(
        f"{path} is damaged ({told.rstrip('.')}). Nothing was changed; {MENDS} to save what can "
        "be read.", code="damaged", path=str(path), told=told,
    )  # fmt: skip


def faults_of(path: Path) -> list[str]:
    """What SQLite's integrity check finds wrong; empty for a sound file. Nothing is changed."""
    try:
        with closing(sqlite3.connect(address(path, Mode.READ), uri=True)) as conn:
            return checked(conn)
    finally:
        let_go(path)


def let_go(path: Path) -> None:
    """After reading alone: let SQLite take away the empty log that reading has made beside it."""
    if log_size(path) == 0 and may_write(path):
        with suppress(sqlite3.Error), closing(sqlite3.connect(address(path), uri=True)) as conn:
            conn.execute("PRAGMA schema_version").fetchone()


def may_write(path: Path) -> bool:
    """Whether a store's file and its folder may be written to."""
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def checked(conn: Any, most: int = 20) -> list[str]:
    """The same on an open connection. A lock that is not to be had is an error, not damage."""
    try:
        found = conn.execute(f"PRAGMA integrity_check({most})").fetchall()
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError as error:
        return [f"SQLite: {error}"]
    lines = (line for (text,) in found for line in str(text).splitlines())
    return [line for line in lines if line != "ok" and not line.startswith("***")]


def judge_log(path: Path, hold: Hold) -> None:
    """Refuse to play a log into a file that has taken the place of the log's own.

    Known only where the last to have the store open ended in the middle and had noted its file.
    """
    number = hold.note.get(FILE)
    if not (hold.left and number) or log_size(path) <= 0:
        return
    if number != str(path.stat().st_ino):
        raise StoreDamaged(
            f"{path} was replaced while the log of the former file stands beside it; nothing was "
            f"changed. Move {path}-wal and {path}-shm away to open the present file, or put the "
            "former file back.", code="stale_log", path=str(path),
        )  # fmt: skip


def remember_file(path: Path, hold: Hold) -> None:
    """Note which file is open, where files have lasting numbers."""
    number = path.stat().st_ino
    if hold.alone and number:
        hold.write(file=str(number))
