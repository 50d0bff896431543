"""Who has a store open: every process keeps a lock on a small file beside it, and takes it away.

So the first to come knows that nobody else is there, and whether the last to go said goodbye: a
file that is left, with nobody holding it, was left by a process that ended in the middle. What the
next one should know stands in it.
"""

from __future__ import annotations

import json
import os
import sys
import time
from contextlib import suppress
from pathlib import Path

from remembrancer.core.errors import StoreBusy

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

STATE, FILE = "state", "file"  # of a note: how the store was left, and the number of its file
UNCHECKED, DAMAGED = "unchecked", "damaged"
_PATIENCE = 5.0  # seconds to wait for somebody who prepares or mends the store
_LOOK = 0.02  # seconds between two attempts
_SLOTS, _FAR = 64, 1 << 20  # Windows: one byte for each of those who share, far behind the text
_LONGEST = 4_000


def file_beside(store: Path) -> Path:
    """The file whose lock says that a store is open."""
    return Path(f"{store}-open")


def left_behind(store: Path) -> bool:
    """Whether the last to have the store open ended in the middle; nothing is changed."""
    try:
        handle = os.open(file_beside(store), os.O_RDWR if os.name == "nt" else os.O_RDONLY)
    except OSError:
        return False
    try:
        return _nobody(handle)
    except OSError:
        return False
    finally:
        os.close(handle)


class Hold:
    """This process's part in a store: alone, or shared with others; none where no lock can be had.

    `alone` holds from taking until `share`. `left` says that the last holder ended in the middle;
    `note` is what stands in the file: under STATE how the store was left (begins with UNCHECKED or
    DAMAGED), under FILE the number of the store's file.
    """

    def __init__(self, store: Path, *, alone: bool = False) -> None:
        """Take part. With `alone`, raises StoreBusy at once where somebody else is there."""
        self._file = file_beside(store)
        self._handle: int | None = None
        self._slot = 0
        self._writable = True
        self.alone = self.left = False
        self.note: dict[str, str] = {}
        self._take(time.monotonic() + (0 if alone else _PATIENCE), alone)

    @property
    def kept(self) -> bool:
        """Whether there is a lock; not on a disk or in a folder that allows none."""
        return self._handle is not None

    def share(self) -> None:
        """Let others in."""
        if self.alone and self._handle is not None:
            self.alone = False
            _share(self, self._handle)

    def write(self, **changes: str) -> None:
        """Change the note for who comes next; an empty value takes its line away."""
        if self._handle is None:
            return
        before = self.note
        self.note = {k: v for k, v in {**_read(self._handle), **changes}.items() if v}
        if self._writable and self.note != before:
            text = json.dumps(self.note).encode()
            with suppress(OSError):
                os.lseek(self._handle, 0, os.SEEK_SET)
                os.write(self._handle, text)
                os.ftruncate(self._handle, len(text))

    def release(self) -> None:
        """Go; the last one takes the file away, unless the store was left in some state."""
        handle, self._handle = self._handle, None
        if handle is None:
            return
        if self._writable and (self.alone or _alone(self, handle)) and STATE not in _read(handle):
            with suppress(OSError):
                self._file.unlink(missing_ok=True)
        self.alone = False
        os.close(handle)

    def _take(self, until: float, alone: bool) -> None:
        while self._handle is None:
            handle, born = self._opened()
            if handle is None:
                return
            try:
                got = _alone(self, handle)
                shared = not got and not alone and _share(self, handle)
            except OSError:  # this disk knows no locks
                os.close(handle)
                return
            if (got or shared) and _same(handle, self._file):
                self._handle, self.alone = handle, got
                self.left, self.note = got and not born, _read(handle)
                if self.left and STATE not in self.note:
                    self.write(state=UNCHECKED)  # until somebody has looked
                return
            os.close(handle)
            if not (got or shared):
                _wait(until, self._file)

    def _opened(self) -> tuple[int | None, bool]:
        """The file's handle, and whether it was made now; None where the folder allows none."""
        for _ in range(_SLOTS):  # it may come and go between two attempts
            try:
                return os.open(self._file, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), True
            except FileExistsError:
                with suppress(FileNotFoundError):
                    return self._existing(), False
            except OSError:
                break
        with suppress(FileNotFoundError):
            return self._existing(), False
        return None, False

    def _existing(self) -> int | None:
        try:
            return os.open(self._file, os.O_RDWR)
        except FileNotFoundError:
            raise
        except OSError:
            self._writable = False
        with suppress(OSError):
            return os.open(self._file, os.O_RDONLY)
        return None


def _wait(until: float, file: Path) -> None:
    if time.monotonic() >= until:
        store = str(file).removesuffix("-open")
        raise StoreBusy(
            f"Another program has {store} open; close it, then try again.", code="open", path=store
        )
    time.sleep(_LOOK)


def _same(handle: int, file: Path) -> bool:
    """Whether the file was not taken away between opening and locking it."""
    try:
        return os.path.samestat(os.fstat(handle), os.stat(file))
    except OSError:
        return False


def _read(handle: int) -> dict[str, str]:
    try:
        os.lseek(handle, 0, os.SEEK_SET)
        read = json.loads(os.read(handle, _LONGEST) or b"{}")
    except (OSError, ValueError):
        return {}
    return {str(k): str(v) for k, v in read.items()} if isinstance(read, dict) else {}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


if sys.platform == "win32":

    def _nobody(handle: int) -> bool:
        return _locked(handle, 0, _SLOTS)

    def _alone(hold: Hold, handle: int) -> bool:
        """Try to have the file alone; what was shared before is let go."""
        _unlock(hold, handle)
        if _locked(handle, 0, _SLOTS):
            hold._slot = -1  # pyright: ignore[reportPrivateUsage]
            return True
        return False

    def _share(hold: Hold, handle: int) -> bool:
        """Try to have the file together with others."""
        _unlock(hold, handle)
        for slot in range(1, _SLOTS + 1):
            if _locked(handle, slot - 1, 1):
                hold._slot = slot  # pyright: ignore[reportPrivateUsage]
                return True
        return False

    def _locked(handle: int, first: int, count: int) -> bool:
        os.lseek(handle, _FAR + first, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, count)
        except OSError:
            return False
        return True

    def _unlock(hold: Hold, handle: int) -> None:
        slot, hold._slot = hold._slot, 0  # pyright: ignore[reportPrivateUsage]
        if slot:
            os.lseek(handle, _FAR + max(slot - 1, 0), os.SEEK_SET)
            with suppress(OSError):
                msvcrt.locking(handle, msvcrt.LK_UNLCK, _SLOTS if slot < 0 else 1)

else:

    def _nobody(handle: int) -> bool:
        return _flocked(handle, fcntl.LOCK_EX)

    def _alone(hold: Hold, handle: int) -> bool:
        """Try to have the file alone; what was shared before may be lost when that fails."""
        return _flocked(handle, fcntl.LOCK_EX)

    def _share(hold: Hold, handle: int) -> bool:
        """Try to have the file together with others."""
        return _flocked(handle, fcntl.LOCK_SH)

    def _flocked(handle: int, how: int) -> bool:
        try:
            fcntl.flock(handle, how | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
