"""A reading connection writes nothing, a locked one sees and touches nothing but its own."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agents.dialects.memcore_phrases import get, names, rows, told, write, wrote
from agents.dialects.speaking import Speaker, limited
from notation import WINDOW, build
from remembrancer.agents.dialects.memcore import Memcore
from remembrancer.core.author import Access
from remembrancer.core.errors import NotFound, StoreBusy
from remembrancer.core.filters import Filter
from remembrancer.service.library import Library

AT: dict[str, Any] = {"scope": "theirs", "name": "port"}
TOOLS: dict[str, dict[str, Any]] = {
    "memory_search": {"query": "listens"},
    "memory_embed_status": {},
    "memory_recent": {"scope": "theirs", "include_archived": True},
    "memory_get": AT,
    "memory_list": {"scope": "theirs"},
    "memory_events": {},
    "memory_scopes": {},
    "memory_stats": {},
    "memory_history": AT,
    "memory_write": {**AT, "type": "user", "content": "Mine listens at 99."},
    "memory_archive": {**AT, "reason": "because"},
    "memory_restore": {**AT, "reason": "because"},
    "memory_healthcheck": {},
}
WRITES = list(TOOLS)[-4:]


@pytest.fixture
def memcore(library: Library) -> Speaker:
    return Speaker(Memcore(library))


@pytest.fixture
def locked(memcore: Speaker, library: Library) -> Speaker:
    """A caller locked to `mine`, in a library where others hold more."""
    for scope in ("theirs", "mine"):
        wrote(memcore, scope, "port", f"Of {scope} it listens at 80.", type="project")
        wrote(memcore, scope, "port", f"Of {scope} it listens at 81.", type="project")
    for n in range(5):
        wrote(memcore, "theirs", f"theirs-{n}", f"It listens at {n}, so theirs says.")
    memcore("memory_archive", scope="theirs", name="theirs-1", reason="theirs is gone")
    build(library, ": theirs is loose; mine -near-> theirs")
    return memcore.as_(limited(entity="mine"))


def test_every_tool_is_in_the_matrix(memcore: Speaker) -> None:
    assert list(TOOLS) == [tool.name for tool in memcore.dialect.tools]


@pytest.mark.parametrize("tool", TOOLS)
def test_a_reading_connection_is_offered_only_what_reads(
    memcore: Speaker, library: Library, tool: str
) -> None:
    wrote(memcore, "theirs", "port", "It listens at 80.")
    head = library.journal.head()
    reader = memcore.as_(limited(access=Access.READ))
    offered = {each.name for each in reader.dialect.offered(reader.caller)}
    assert (tool in offered) == (tool not in WRITES)
    if tool in offered:
        assert not reader.result(tool, TOOLS[tool]).is_error
    assert library.journal.head() == head


@pytest.mark.parametrize("tool", TOOLS)
def test_whoever_may_only_propose_changes_nothing(
    memcore: Speaker, library: Library, tool: str
) -> None:
    wrote(memcore, "theirs", "port", "It listens at 80.")
    head = library.journal.head()
    proposer = memcore.as_(limited(access=Access.PROPOSE))
    result = proposer.result(tool, TOOLS[tool])
    assert not result.is_error
    if tool in ("memory_write", "memory_archive"):
        assert result.structured_content is not None
        assert result.structured_content["ok"] is False
        assert "propose" in result.structured_content["error"]
    assert library.journal.head() == head


@pytest.mark.parametrize("tool", TOOLS)
def test_under_a_lock_no_other_name_is_told(locked: Speaker, library: Library, tool: str) -> None:
    result = locked.result(tool, TOOLS[tool])
    assert not result.is_error
    answer = result.model_dump_json()
    assert "theirs" not in answer
    assert str(library.path) not in answer


@pytest.mark.parametrize("scope", ["theirs", "unfiled", "", "new"])
def test_whatever_scope_is_asked_for_it_is_the_locked_one(
    locked: Speaker, memcore: Speaker, library: Library, scope: str
) -> None:
    theirs = rows(memcore, "list", scope="theirs")
    assert get(locked, scope, "port")["content"] == "Of mine it listens at 81."
    for tool, arguments in (("recent", {}), ("list", {}), ("search", {"query": "listens"})):
        assert names(locked, tool, scope=scope, **arguments) == ["port"]
    assert [v["content"] for v in rows(locked, "history", scope=scope, name="port")] == [
        "Of mine it listens at 80."
    ]
    assert len(told(locked, scope=scope, name="port")) == 2
    wrote(locked, scope, "new", "Something new.")
    assert locked("memory_archive", scope=scope, name="port", reason="gone") == {"ok": True}
    assert locked("memory_archive", scope=scope, name="theirs-0", reason="gone") == {"ok": False}
    assert locked("memory_restore", scope=scope, name="theirs-1", reason="back") == {"ok": False}
    assert rows(memcore, "list", scope="theirs") == theirs
    assert names(memcore, "list", scope="mine") == ["new"]


def test_the_numbers_of_a_locked_connection_are_its_own(locked: Speaker) -> None:
    assert rows(locked, "scopes") == [{"scope": "mine", "count": 1}]
    assert locked("memory_stats") == {
        "total_entries": 1,
        "archived_entries": 0,
        "db_path": None,
        "scopes": [{"scope": "mine", "count": 1}],
    }
    assert locked("memory_embed_status")["entries"] == 1
    assert {e["scope"] for e in rows(locked, "events")} == {"mine"}
    assert locked("memory_healthcheck")["db_path"] is None


def test_the_rank_under_a_lock_does_not_count_the_words_of_others(
    locked: Speaker, memcore: Speaker
) -> None:
    before = rows(locked, "search", query="listens")
    for n in range(30):
        wrote(memcore, "theirs", f"more-{n}", f"It listens and listens {n}.")
    assert rows(locked, "search", query="listens") == before


def test_a_lock_on_an_entity_that_is_not_there_yet(memcore: Speaker) -> None:
    wrote(memcore, "theirs", "port", "80")
    locked = memcore.as_(limited(entity="mine"))
    for tool in ("recent", "list", "events", "scopes"):
        assert rows(locked, tool) == []
    assert locked("memory_stats")["total_entries"] == 0
    wrote(locked, "theirs", "port", "81")
    assert rows(locked, "scopes") == [{"scope": "mine", "count": 1}]


def test_a_lock_on_an_entity_called_unfiled(memcore: Speaker, library: Library) -> None:
    build(library, ": loose; unfiled:thing")
    locked = memcore.as_(limited(entity="unfiled"))
    wrote(locked, "x", "port", "80")
    assert [r["scope"] for r in rows(locked, "list")] == ["entity:unfiled"]
    assert [m.entity for m in library.memories.browse(Filter(entity="unfiled"))] == ["unfiled"]


def test_what_a_memory_was_before_it_moved_here_is_not_told(
    memcore: Speaker, library: Library
) -> None:
    build(library, "theirs: a secret plan; mine:thing")
    library.memories.revise(1, {"entity": "mine", "content": "a plain plan"}, **WINDOW)
    locked = memcore.as_(limited(entity="mine"))
    assert rows(locked, "history", scope="mine", name="m-1") == []
    assert len(rows(locked, "events")) == 1
    assert [v["content"] for v in rows(memcore, "history", scope="mine", name="m-1")] == [
        "a secret plan"
    ]


def test_the_same_content_elsewhere_is_nobodys_business(locked: Speaker) -> None:
    assert write(locked, "x", "copy", "Of theirs it listens at 81.")["ok"]


@pytest.mark.parametrize("tool", ["memory_write", "memory_stats"])
def test_a_failing_store_tells_a_locked_connection_no_path(
    locked: Speaker, memcore: Speaker, library: Library, tool: str
) -> None:
    error = StoreBusy(f"Another program is writing to {library.path}; try again.")
    whole = memcore.dialect.failed(tool, error, memcore.caller).model_dump_json()
    narrow = locked.dialect.failed(tool, error, locked.caller).model_dump_json()
    assert str(library.path) in whole
    assert str(library.path) not in narrow
    assert "db_busy" in narrow


def test_an_error_of_a_reading_tool_is_an_error(memcore: Speaker) -> None:
    failed = memcore.dialect.failed("memory_get", NotFound("Not there."), memcore.caller)
    assert failed.is_error
    assert json.loads(failed.model_dump_json())["content"][0]["text"] == "Error: Not there."
