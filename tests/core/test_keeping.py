"""What a call gave comes back from its line of JSON as it was, and nothing else does."""

from __future__ import annotations

import json
from typing import Any

import pytest

from remembrancer.core import keeping
from remembrancer.core.entity import Relation, Scope, ScopeRecord
from remembrancer.core.errors import BadFile, NotFound

RECORD = ScopeRecord("shed", Scope.GROUP, 3, ("lamp", "Öl"))
RELATION = Relation(1, 2, 3, "a", "b", "near", 7)


@pytest.mark.parametrize(
    "value",
    [
        None, 3, 0.5, True, "text", "半", [], (), [1, "a"], (1, (2, None)), RECORD,
        [RELATION, None], [("shed", ["one", "two"])], (Scope.SHARED, [RECORD]),
    ],
)  # fmt: skip
def test_a_value_comes_back_as_it_was(value: object) -> None:
    again = keeping.value(keeping.line(value))
    assert again == value
    assert type(again) is type(value)


@pytest.mark.parametrize("value", [{"a": 1}, {1}, b"bytes", object(), json.JSONDecodeError])
def test_what_is_none_of_ours_is_not_kept(value: object) -> None:
    with pytest.raises(TypeError):
        keeping.line(value)


@pytest.mark.parametrize(
    "held",
    [
        {"is": "os:system", "of": "true"},
        {"is": "subprocess:Popen", "of": ["true"]},
        {"is": "remembrancer.core.keeping:line", "of": ["a"]},
        {"is": "remembrancer.core.keeping:sys", "of": []},
        {"is": "remembrancer.nowhere:Thing", "of": []},
        {"is": f"{NotFound.__module__}:NotFound", "of": ["a"]},
        {"is": f"{RECORD.__module__}:ScopeRecord", "of": {"entity": "a"}},
        {"is": f"{RECORD.__module__}:Scope", "of": "galaxy"},
        {"of": 1},
    ],
)
def test_a_line_that_names_anything_else_is_refused(held: Any) -> None:
    with pytest.raises(BadFile):
        keeping.value(json.dumps(held))


def test_what_is_no_json_is_refused() -> None:
    with pytest.raises(BadFile):
        keeping.value("{")
