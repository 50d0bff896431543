"""A server that agents use for a long time stays as large as it was once warm."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from faults import soak
from faults.length import at_length, broken

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what a process holds is in /proc")

WARMING = ("soak: open files", "soak: threads")  # a short soak is over before all workers are there


def test_a_server_does_not_grow_while_agents_use_it(tmp_path: Path) -> None:
    rows = soak.measure(tmp_path, agents=4, calls=90, seconds=0, growth=0.2)
    assert broken(rows, but=WARMING) == []


@at_length
def test_a_server_that_twenty_agents_use_for_half_an_hour_does_not_grow(tmp_path: Path) -> None:
    assert broken(soak.measure(tmp_path)) == []
