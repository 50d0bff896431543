"""There is one window over a store, also after one was killed; what it writes is this user's."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from agents.test_guard import open_to_others
from doors.playing import patiently
from faults.stopping import BOUND, Stage, stage
from remembrancer import places

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux is told of here")


def opened(on: Stage, stack: ExitStack) -> subprocess.Popen[bytes]:
    """A window that hosts the store, in a process of its own."""
    words = [sys.executable, "-m", "remembrancer", "--store", str(on.store), "window"]
    window = stack.enter_context(subprocess.Popen(words, env=on.environment))
    stack.callback(window.kill)
    assert patiently(lambda: hosted_by(on, window) or window.poll() is not None)
    return window


def hosted_by(on: Stage, window: subprocess.Popen[bytes]) -> bool:
    """Whether the window has said, beside the store, where its bridges come in."""
    file = places.host_file(on.store)
    return file.exists() and file.stat().st_mtime >= started(window)


def started(window: subprocess.Popen[bytes]) -> float:
    return Path(f"/proc/{window.pid}").stat().st_mtime


def test_a_window_that_was_killed_makes_room_for_the_next_and_nobody_else_may_read() -> None:
    with stage() as on, ExitStack() as stack:
        first = opened(on, stack)
        second = subprocess.run(
            [sys.executable, "-m", "remembrancer", "--store", str(on.store), "window"],
            env=on.environment, timeout=BOUND, check=False,
        )  # fmt: skip
        assert second.returncode == 0
        assert first.poll() is None
        assert open_to_others(on.store.parent) == []
        first.send_signal(signal.SIGKILL)
        first.wait(BOUND)
        places.host_file(on.store).unlink()  # so that the next one's is told apart
        third = opened(on, stack)
        assert third.poll() is None
        third.send_signal(signal.SIGTERM)
        assert third.wait(BOUND) == 0
        assert not places.host_file(on.store).exists()
        assert not Path(f"{on.store}-wal").exists()


def test_every_file_of_the_command_line_is_this_users_alone(tmp_path: Path) -> None:
    home, store = tmp_path / "home", tmp_path / "home" / "data" / "memories.db"
    told = {**os.environ, "REMEMBRANCER_HOME": str(home)}
    for words in (["agent", "add", "anna"], ["backup"], ["doctor"]):
        command = [sys.executable, "-m", "remembrancer", *words]
        subprocess.run(command, env=told, timeout=BOUND, check=True, capture_output=True, umask=0)
    assert store.exists()
    assert list(home.rglob("*.token"))
    assert open_to_others(tmp_path) == []
