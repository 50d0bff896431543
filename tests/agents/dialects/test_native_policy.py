"""A reading connection writes nothing, a locked one sees nothing but its own."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agents.dialects.phrases import (
    NOT_FOUND,
    contents,
    create,
    remember,
    scope,
)
from agents.dialects.speaking import Speaker, limited
from remembrancer.core.author import Access
from remembrancer.service.library import Library

WRITES: list[tuple[str, dict[str, Any]]] = [
    ("memory_set_scope", {"entityName": "a", "scope": "device", "expectedRevision": 0}),
    ("memory_remember", {"entityName": "a", "content": "x"}),
    ("memory_revise", {"id": 1, "expectedRevision": 1, "pinned": True}),
    ("memory_create_entities", {"entities": [{"name": "n", "entityType": "t"}]}),
    ("memory_create_relations", {"relations": [{"from": "a", "to": "b", "relationType": "r"}]}),
    ("memory_add_observations", {"observations": [{"entityName": "a", "contents": ["x"]}]}),
    ("memory_delete_entities", {"entityNames": ["a"]}),
    ("memory_delete_observations", {"deletions": [{"entityName": "a", "observations": ["s"]}]}),
    ("memory_delete_relations", {"relations": [{"from": "a", "to": "b", "relationType": "r"}]}),
]


@pytest.mark.parametrize(("tool", "arguments"), WRITES, ids=[tool for tool, _ in WRITES])
def test_a_reading_connection_changes_nothing(
    native: Speaker, library: Library, tool: str, arguments: dict[str, Any]
) -> None:
    create(native, "a", "b")
    remember(native, "a", "seen")
    head = library.journal.head()
    reader = native.as_(limited(access=Access.READ))
    assert "may only read" in reader.refused(tool, **arguments)
    assert library.journal.head() == head
    assert contents(reader("memory_review")) == ["seen"]


@pytest.fixture
def locked(native: Speaker) -> Speaker:
    """A caller locked to `mine`, in a library where others are linked to it."""
    create(native, "mine", "theirs", "policy")
    scope(native, "policy", "shared", 0, confirmSharing=True)
    scope(native, "mine", "group", 0, "theirs", confirmSharing=True)
    remember(native, "mine", "my own")
    remember(native, "theirs", "not mine", pinned=True)
    remember(native, "policy", "not mine either", kind="constraint")
    relation = {"from": "mine", "to": "theirs", "relationType": "near"}
    native.text("memory_create_relations", relations=[relation])
    return native.as_(limited(entity="mine"))


READS: list[tuple[str, dict[str, Any]]] = [
    ("memory_get_scope", {"entityName": "mine"}),
    ("memory_recall", {}),
    ("memory_recall", {"entityName": "mine", "query": "not mine"}),
    ("memory_review", {"state": "all"}),
    ("memory_review", {"entityName": "theirs"}),
    ("memory_review", {"scope": "shared"}),
    ("memory_read_graph", {}),
    ("memory_search_nodes", {"query": "m"}),
    ("memory_open_nodes", {"names": ["mine", "theirs", "policy"]}),
    ("memory_history", {"id": 1}),
]


@pytest.mark.parametrize(("tool", "arguments"), READS)
def test_under_a_lock_no_other_name_is_told(
    locked: Speaker, tool: str, arguments: dict[str, Any]
) -> None:
    text = locked.text(tool, **arguments)
    assert "theirs" not in text
    assert "policy" not in text.replace("inherited policy", "")
    assert "not mine" not in text


def test_a_locked_connection_works_on_its_own_entity(locked: Speaker) -> None:
    assert contents(locked("memory_recall")) == ["my own"]
    assert locked("memory_review")["total"] == 1
    graph = locked("memory_read_graph")
    assert [e["name"] for e in graph["entities"]] == ["mine"]
    assert graph["relations"] == []
    remember(locked, "mine", "more")


def test_a_locked_connection_cannot_reach_others(locked: Speaker) -> None:
    for tool, arguments in (
        ("memory_get_scope", {"entityName": "theirs"}),
        ("memory_recall", {"entityName": "theirs"}),
    ):
        assert locked.refused(tool, **arguments) == NOT_FOUND
    assert locked.refused("memory_history", id=2) == "Memory not found"
    assert locked.refused("memory_revise", id=2, expectedRevision=1) == "Memory not found"
    for tool, arguments in WRITES:
        if tool != "memory_revise":
            told = locked.refused(tool, **json.loads(json.dumps(arguments)))
            assert "locked" in told
