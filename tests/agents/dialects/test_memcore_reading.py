"""Entries, lists, earlier versions, the audit log and the numbers, as memcore shows them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agents.dialects.memcore_phrases import get, missing, names, rows, told, write, wrote
from agents.dialects.speaking import Speaker
from conftest import Hand
from notation import WINDOW, build
from remembrancer.agents.dialects.memcore import Memcore
from remembrancer.core.clock import DAY
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Draft, Edit
from remembrancer.service.graph import NewEntity
from remembrancer.service.library import Library


@pytest.fixture
def memcore(library: Library) -> Speaker:
    return Speaker(Memcore(library))


def large(name: str, memories: int) -> NewEntity:
    """An entity with so many memories."""
    return NewEntity(name, "site", tuple(f"word {n} of many" for n in range(memories)))


# --- one entry


def test_an_entry_has_these_fields_in_this_order(memcore: Speaker, clock: Hand) -> None:
    clock.at = 1_767_225_600_000_000 - 1
    wrote(memcore, "web", "port", "80", type="project", description="The port")
    assert list(get(memcore, "web", "port").items()) == [
        ("id", 1),
        ("scope", "web"),
        ("type", "project"),
        ("name", "port"),
        ("description", "The port"),
        ("content", "80"),
        ("source_path", None),
        ("created_at", "2026-01-01T00:00:00.000000+00:00"),
        ("updated_at", "2026-01-01T00:00:00.000000+00:00"),
        ("archived_at", None),
        ("archived_by", None),
        ("archive_reason", None),
        ("source_mtime", None),
        ("embedded_at", None),
    ]


def test_what_is_not_there_is_no_block_at_all(memcore: Speaker) -> None:
    wrote(memcore, "web", "port", "80")
    assert missing(memcore, "web", "Port")
    assert missing(memcore, "Web", "port")
    assert missing(memcore, "", "port")
    assert missing(memcore, "web", "")


def test_expired_entries_are_shown_and_deleted_ones_never(
    memcore: Speaker, library: Library, clock: Hand
) -> None:
    build(library, "web:site")
    short = Draft("Listens until May.", "web", key="old", expires_at=clock() + DAY)
    library.memories.remember(short, **WINDOW)
    gone = library.memories.remember(Draft("Listens no more.", "web", key="gone"), **WINDOW)
    library.memories.delete(gone.id, **WINDOW)
    clock.advance(2)
    for tool, arguments in (("list", {}), ("recent", {}), ("search", {"query": "listens"})):
        assert names(memcore, tool, **arguments) == ["old"]
    assert missing(memcore, "web", "gone", include_archived=True)
    assert names(memcore, "recent", include_archived=True) == ["old"]
    assert {e["name"] for e in rows(memcore, "events")} == {"old"}
    assert rows(memcore, "history", scope="web", name="gone") == []
    assert wrote(memcore, "web", "gone", "Listens again.") != gone.id


# --- lists


def test_recent_is_newest_first(memcore: Speaker) -> None:
    for name in ("a", "b", "c"):
        wrote(memcore, "web", name, f"of {name}", description=f"about {name}")
    wrote(memcore, "mail", "d", "of d")
    wrote(memcore, "web", "a", "of a, again")
    memcore("memory_archive", scope="web", name="b", reason="gone")
    assert names(memcore, "recent") == ["a", "d", "c"]
    assert names(memcore, "recent", scope="web") == ["a", "c"]
    assert names(memcore, "recent", scope="") == ["a", "d", "c"]
    assert names(memcore, "recent", include_archived=True) == ["b", "a", "d", "c"]
    assert names(memcore, "recent", include_archived=True, limit=2) == ["b", "a"]
    assert names(memcore, "recent", scope="nowhere") == []
    [row] = rows(memcore, "recent", limit=1)
    assert list(row) == ["id", "scope", "type", "name", "description", "updated_at"]


def test_lists_are_by_scope_and_name(memcore: Speaker, library: Library) -> None:
    for scope, name in (("web", "b"), ("web", "B"), ("mail", "z"), ("unfiled", "a"), ("zoo", "a")):
        wrote(memcore, scope, name, f"{scope} {name}")
    build(library, "web: no name")
    shown = [f"{r['scope']}/{r['name']}" for r in rows(memcore, "list")]
    assert shown == ["mail/z", "unfiled/a", "web/B", "web/b", "web/m-6", "zoo/a"]
    assert names(memcore, "list", scope="web", limit=2) == ["B", "b"]
    assert [r["scope"] for r in rows(memcore, "list", limit=2)] == ["mail", "unfiled"]
    memcore("memory_archive", scope="web", name="b", reason="gone")
    [row] = rows(memcore, "list", archived=True)
    assert list(row) == ["id", "scope", "type", "name", "description", "updated_at", "archived_at"]
    assert row["archived_at"] == row["updated_at"]
    assert "b" not in names(memcore, "list")


@pytest.mark.parametrize("limit", [-5, 0, 1, 200, 1_000])
@pytest.mark.parametrize("tool", ["recent", "list", "search", "events", "history"])
def test_limits_lie_between_1_and_200(library: Library, tool: str, limit: int) -> None:
    memcore = Speaker(Memcore(library))
    library.graph.create([large("web", 205)], **WINDOW)
    wrote(memcore, "web", "port", "word 0")
    for n in range(1, 4):
        wrote(memcore, "web", "port", f"word number {n}")
    arguments: dict[str, Any] = {
        "search": {"query": "word"},
        "history": {"scope": "web", "name": "port"},
    }.get(tool, {})
    found = rows(memcore, tool, limit=limit, **arguments)
    assert len(found) == min(max(1, min(limit, 200)), 3 if tool == "history" else 200)


def test_a_filter_by_type_finds_what_is_shown_as_it(memcore: Speaker, library: Library) -> None:
    build(library, "web:site")
    for kind in Kind:
        library.memories.remember(Draft(kind.value, "web", kind=kind), **WINDOW)
    everything = rows(memcore, "list")
    assert len(everything) == len(Kind)
    for type_ in ("user", "feedback", "project", "reference"):
        found = rows(memcore, "list", type=type_)
        assert found == [row for row in everything if row["type"] == type_]
        assert found
    assert memcore.refused("memory_list", type="fact").startswith('"type" must be one of')


# --- earlier versions


def test_history_has_a_version_for_each_change_of_the_text(
    memcore: Speaker, library: Library
) -> None:
    entry = wrote(memcore, "web", "port", "80", description="first")
    wrote(memcore, "web", "port", "80", description="second")
    wrote(memcore, "web", "port", "80", description="second", type="user")
    library.memories.revise(entry, Edit(pinned=True, kind=Kind.PREFERENCE), **WINDOW)
    memcore("memory_archive", scope="web", name="port", reason="gone")
    memcore("memory_restore", scope="web", name="port", reason="back")
    wrote(memcore, "web", "port", "443", type="user")
    replaced = get(memcore, "web", "port")
    found = rows(memcore, "history", scope="web", name="port")
    assert [(v["type"], v["description"], v["content"]) for v in found] == [
        ("user", "second", "80"),
        ("reference", "second", "80"),
        ("reference", "first", "80"),
    ]
    assert list(found[0]) == ["scope", "name", "type", "description", "content", "replaced_at"]
    assert found[0]["replaced_at"] == replaced["updated_at"]
    assert {(v["scope"], v["name"]) for v in found} == {("web", "port")}
    assert len(rows(memcore, "history", scope="web", name="port", limit=2)) == 2
    assert rows(memcore, "history", scope="web", name="other") == []


# --- the audit log


def test_an_event_has_these_fields_in_this_order(memcore: Speaker) -> None:
    wrote(memcore, "web", "port", "80")
    [event] = rows(memcore, "events")
    assert list(event.items()) == [
        ("id", 2),
        ("occurred_at", get(memcore, "web", "port")["created_at"]),
        ("operation", "memory_create"),
        ("actor", "robin"),
        ("origin", "memcore"),
        ("session_ref", None),
        ("scope", "web"),
        ("name", "port"),
        ("entry_id", 1),
        ("outcome", "ok"),
        ("reason", None),
        ("details_json", None),
    ]


def test_what_others_did_is_told_as_the_nearest_operation(
    memcore: Speaker, library: Library
) -> None:
    build(library, "web/port: 80; a -r-> b")
    library.memories.verify(1, **WINDOW)
    library.memories.postpone(1, 3, **WINDOW)
    library.memories.archive(1, why="old", **WINDOW)
    library.memories.revive(1, **WINDOW)
    library.memories.restore(1, 1, **WINDOW)
    assert [line.split(" ", 1)[0] for line in told(memcore)] == [
        "memory_update",
        "memory_restore",
        "memory_archive",
        "memory_update",
        "memory_update",
        "memory_create",
    ]
    assert {(e["actor"], e["origin"]) for e in rows(memcore, "events")} == {("you", "window")}


def test_events_are_chosen_by_scope_and_name(memcore: Speaker) -> None:
    for scope, name in (("web", "port"), ("web", "host"), ("mail", "port")):
        wrote(memcore, scope, name, f"{scope} {name}")
    assert told(memcore, scope="web") == [
        "memory_create web/host ok -",
        "memory_create web/port ok -",
    ]
    assert told(memcore, name="port") == [
        "memory_create mail/port ok -",
        "memory_create web/port ok -",
    ]
    assert told(memcore, scope="mail", name="port") == ["memory_create mail/port ok -"]
    assert told(memcore, scope="mail", name="host") == told(memcore, scope="") == []
    assert len(told(memcore, limit=1)) == 1


def test_the_log_of_a_large_scope_is_read_from_its_newest_line(
    memcore: Speaker, library: Library
) -> None:
    library.graph.create([large("web", 2_100)], **WINDOW)
    wrote(memcore, "mail", "port", "80")
    wrote(memcore, "web", "port", "80")
    assert told(memcore, scope="web", limit=2) == [
        "memory_create web/port ok -",
        "memory_create web/m-2100 ok -",
    ]


def test_a_renamed_scope_takes_its_log_along(memcore: Speaker, library: Library) -> None:
    wrote(memcore, "web", "port", "80")
    library.graph.change("web", new_name="site", **WINDOW)
    assert told(memcore, scope="site") == ["memory_create site/port ok -"]
    assert told(memcore, scope="web") == []


def test_a_purged_memory_leaves_no_event(memcore: Speaker, library: Library) -> None:
    entry = wrote(memcore, "web", "port", "80")
    library.memories.purge(entry, **WINDOW)
    assert rows(memcore, "events") == []


# --- numbers


def test_the_numbers_count_active_and_archived_entries(memcore: Speaker, library: Library) -> None:
    for n in range(3):
        wrote(memcore, "web", f"n{n}", f"{n}")
    wrote(memcore, "mail", "a", "1")
    wrote(memcore, "air", "a", "1")
    memcore("memory_archive", scope="web", name="n0", reason="gone")
    scopes = [
        {"scope": "web", "count": 2},
        {"scope": "air", "count": 1},
        {"scope": "mail", "count": 1},
    ]
    assert rows(memcore, "scopes") == scopes
    assert list(memcore("memory_stats").items()) == [
        ("total_entries", 4),
        ("archived_entries", 1),
        ("db_path", str(library.path)),
        ("scopes", scopes),
    ]
    assert list(memcore("memory_embed_status").items()) == [
        ("semantic_available", False),
        ("model", None),
        ("entries", 4),
        ("embedded", 0),
        ("stale_or_missing", 4),
    ]


def test_the_self_test_leaves_no_trace(memcore: Speaker, library: Library) -> None:
    wrote(memcore, "web", "port", "80")
    before = library.path.read_bytes(), library.version(), library.journal.head()
    answer = memcore("memory_healthcheck")
    assert (library.path.read_bytes(), library.version(), library.journal.head()) == before
    assert list(answer) == ["ok", "checks", "db_path"]
    assert answer["ok"]
    assert answer["db_path"] == str(library.path)
    assert [list(check) for check in answer["checks"]] == [["check", "ok", "detail"]] * 9
    assert [check["check"] for check in answer["checks"]] == [
        "write",
        "read",
        "search_and",
        "search_or_fallback",
        "history",
        "optimistic_conflict",
        "archive_restore",
        "secret_guard_redacts",
        "delete",
    ]
    assert rows(memcore, "search", query="healthcheck") == []
    assert rows(memcore, "scopes") == [{"scope": "web", "count": 1}]


def test_the_self_test_reads_the_real_store_too(memcore: Speaker, library: Library) -> None:
    library.close()
    library._store.connections.path.unlink()
    answer = memcore("memory_healthcheck")
    failed = [check["check"] for check in answer["checks"] if not check["ok"]]
    assert not answer["ok"]
    assert failed == ["read"]


def test_an_answer_is_json_with_two_blanks_a_level(memcore: Speaker) -> None:
    wrote(memcore, "web", "port", "80 ä")
    [text] = memcore.texts("memory_recent")
    assert text == json.dumps(json.loads(text), indent=2, ensure_ascii=False)
    assert write(memcore, "web", "port", "80 ä")["ok"]
