"""Ends of a program that must not outlive those it serves: with its parent, and within a bound.

Standard library only: a client waits for the bridge, which loads this.
"""

from __future__ import annotations

import os
import sys
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

LOOK = 0.5  # seconds between two looks at the parent, where one cannot wait for its end


def when_parent_ends(act: Callable[[], None]) -> None:
    """Call `act`, in a thread of its own, once the process that started this one has ended.

    The end of the input alone does not tell: another child of that process may hold the pipe open.
    """
    parent = os.getppid()
    if sys.platform == "win32" or parent <= 1:  # told by its input alone
        return

    def watch() -> None:
        _wait_for(parent)
        act()

    threading.Thread(target=watch, name="parent", daemon=True).start()


def leave_within(seconds: float, code: int = 0) -> threading.Timer:
    """End the program after so long if it is still there; returns what can be cancelled.

    Whatever still runs then is broken off, which harms nothing: what was acknowledged is on the
    disk, and what was not is a transaction that never was.
    """
    timer = threading.Timer(seconds, os._exit, [code])
    timer.daemon = True
    timer.start()
    return timer


def _wait_for(process: int) -> None:
    try:
        handle = os.pidfd_open(process)
    except (AttributeError, OSError):  # only Linux has these, and not every Linux
        while os.getppid() == process:
            threading.Event().wait(LOOK)
        return
    import select

    try:
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        poll.poll()
    finally:
        os.close(handle)
