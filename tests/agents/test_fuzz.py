"""No call whatever of any tool of any dialect gets anything but an answer or a sentence."""

from __future__ import annotations

from faults import calls


def test_bent_calls_of_every_tool_get_an_answer_or_a_sentence() -> None:
    told = calls.tried(240)
    assert told.wrong == []
    assert 0 < told.refused < told.examples
