"""A judge with settings of its own, with nothing about it in the environment."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from judge_server import Seconds
from notation import build
from remembrancer.core.memory import Memory
from remembrancer.service.judge import JudgeDesk
from remembrancer.service.library import Library


@pytest.fixture
def seconds() -> Seconds:
    return Seconds()


@pytest.fixture
def judge(seconds: Seconds, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> JudgeDesk:
    """A judge that is not set up; its clock is `seconds`."""
    for name in [n for n in os.environ if n.startswith("MEMORY_FC_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("REMEMBRANCER_HOME", str(tmp_path / "home"))
    return JudgeDesk(seconds)


@pytest.fixture
def memories(library: Library) -> list[Memory]:
    """Five memories of one entity, in the order of their ids."""
    build(library, "nas: 4 GB; nas: 8 GB; nas: two disks; nas: is loud; nas: is blue")
    found = [library.memories.get(n) for n in range(1, 6)]
    return [m for m in found if m is not None]
