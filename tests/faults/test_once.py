"""A call that is sent again with its key has one effect, whatever became of its commit."""

from __future__ import annotations

from pathlib import Path

import pytest

from faults import once, shim
from faults.length import at_length, broken

pytestmark = pytest.mark.skipif(shim.missing() is not None, reason=str(shim.missing()))


def test_a_commit_reported_as_failed_has_one_effect_when_sent_again(tmp_path: Path) -> None:
    assert broken(once.measure(tmp_path, commits=4)) == []


@at_length
def test_a_hundred_uncertain_commits_have_one_effect_each(tmp_path: Path) -> None:
    assert broken(once.measure(tmp_path, commits=100)) == []
