"""Writing, archiving and restoring: the order of the checks, the lock, what an update leaves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from peewee import sqlite3  # pyright: ignore[reportAttributeAccessIssue]

from agents.dialects.memcore_phrases import (
    ARCHIVED,
    STALE,
    get,
    missing,
    names,
    rows,
    told,
    write,
    wrote,
)
from agents.dialects.speaking import Speaker, limited
from notation import WINDOW, build, sketch
from remembrancer.agents.dialects.memcore import Memcore
from remembrancer.core.filters import Filter
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Edit
from remembrancer.service.graph import Triple
from remembrancer.service.library import Library


@pytest.fixture
def memcore(library: Library) -> Speaker:
    return Speaker(Memcore(library))


def archive(memcore: Speaker, name: str, reason: str = "gone", scope: str = "web") -> Any:
    return memcore("memory_archive", scope=scope, name=name, reason=reason)


def restore(memcore: Speaker, name: str, reason: str = "back", scope: str = "web") -> Any:
    return memcore("memory_restore", scope=scope, name=name, reason=reason)


# --- what is refused, in which order


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"scope": " ", "name": ""}, "scope must not be empty"),
        ({"name": "\t", "type": "x"}, "name must not be empty"),
        (
            {"type": "fact", "name": "n" * 501},
            "type must be one of ['feedback', 'project', 'reference', 'user'], got 'fact'",
        ),
        ({"name": "n" * 501, "content": ""}, "scope/name must be under 500 chars"),
        ({"scope": "s" * 501}, "scope/name must be under 500 chars"),
        ({"content": " \n"}, "content must not be empty"),
        ({"content": "c" * 200_001}, "content exceeds 200000 chars (200001)"),
    ],
)
def test_a_bad_argument_is_answered_and_nothing_is_written(
    memcore: Speaker, library: Library, changes: dict[str, str], error: str
) -> None:
    arguments = {"scope": "web", "name": "port", "type": "user", "content": "80", **changes}
    assert memcore("memory_write", **arguments) == {"ok": False, "error": error}
    assert library.journal.head() == 0


def test_the_longest_names_and_contents_are_taken(memcore: Speaker) -> None:
    wrote(memcore, "s" * 500, "n" * 500, "c" * 200_000)
    unbounded = memcore.as_(limited(budget=None))
    assert len(get(unbounded, "s" * 500, "n" * 500)["content"]) == 200_000


def test_a_long_description_is_cut_before_anything_else(memcore: Speaker) -> None:
    wrote(memcore, "web", "a", "1", description="d" * 500)
    wrote(memcore, "web", "b", "2", description="d" * 501)
    assert get(memcore, "web", "a")["description"] == "d" * 500
    assert get(memcore, "web", "b")["description"] == "d" * 499 + "…"


def test_a_missing_argument_is_an_error_of_the_call(memcore: Speaker) -> None:
    refused = memcore.refused("memory_write", scope="web", type="user", name="port")
    assert refused.startswith('The argument "content" is missing')


# --- a new entry, and an update


def test_an_unknown_scope_becomes_a_project_with_the_entry(
    memcore: Speaker, library: Library
) -> None:
    wrote(memcore, "web", "port", "It listens at 80.", type="project", description="The port")
    assert sketch(library) == (
        "web:project\nweb/port: It listens at 80. [work, from memcore, titled The port]"
    )
    lines = library.journal.newest()
    assert [line.deed for line in lines] == ["remember", "create entity"]
    assert len({line.batch for line in lines}) == 1


def test_a_ghost_becomes_the_scope(memcore: Speaker, library: Library) -> None:
    library.graph.relate([Triple("a", "web", "r")], ghosts=True, **WINDOW)
    wrote(memcore, "web", "port", "80")
    assert "web:project" in sketch(library)
    assert "a -r-> web" in sketch(library)


def test_a_refused_write_creates_no_scope(memcore: Speaker, library: Library) -> None:
    assert not write(memcore, "web", "port", "80", type="nothing")["ok"]
    assert sketch(library) == ""


def test_an_update_keeps_the_id_and_leaves_all_else(memcore: Speaker, library: Library) -> None:
    build(library, "web:site; web/port: 80")
    [memory] = library.memories.browse(Filter())
    edit = Edit(pinned=True, confidence=0.9, tags=("x",), source="the manual", kind=Kind.DECISION)
    library.memories.revise(memory.id, edit, **WINDOW)
    assert wrote(memcore, "web", "port", "443", type="project", description="d") == memory.id
    after = library.memories.get(memory.id)
    assert (after.content, after.title, after.entity) == ("443", "d", "web")
    assert (after.pinned, after.confidence, after.tags) == (True, 0.9, ("x",))
    assert after.source == "the manual"
    assert after.kind is Kind.DECISION  # which is shown as a project
    assert after.created_at == memory.created_at
    wrote(memcore, "web", "port", "443", type="user")
    assert library.memories.get(memory.id).kind is Kind.PROFILE
    assert library.memories.get(memory.id).title == ""


def test_the_very_same_again_is_an_event_and_moves_the_time(memcore: Speaker) -> None:
    wrote(memcore, "web", "port", "80")
    before = get(memcore, "web", "port")
    wrote(memcore, "web", "port", "80")
    after = get(memcore, "web", "port")
    assert after["updated_at"] > before["updated_at"]
    assert after["created_at"] == before["created_at"]
    assert rows(memcore, "history", scope="web", name="port") == []
    assert told(memcore) == ["memory_update web/port ok -", "memory_create web/port ok -"]


def test_composed_and_decomposed_spellings_of_a_scope_are_one(memcore: Speaker) -> None:
    first = wrote(memcore, "Caf\u00e9", "port", "80")
    assert wrote(memcore, "Cafe\u0301", "port", "81") == first
    assert get(memcore, "Cafe\u0301", "port")["scope"] == "Caf\u00e9"
    assert rows(memcore, "scopes") == [{"scope": "Caf\u00e9", "count": 1}]


def test_the_content_of_another_entry_is_not_written_twice(memcore: Speaker) -> None:
    wrote(memcore, "web", "port", "80")
    refused = write(memcore, "web", "other", "80")
    assert not refused["ok"]
    assert "'port'" in refused["error"]
    archive(memcore, "port")
    assert "archived entry" in write(memcore, "web", "other", "80")["error"]
    assert missing(memcore, "web", "other")
    assert wrote(memcore, "else", "other", "80")


# --- the lock


def test_the_exact_time_that_was_read_lets_the_write_pass(memcore: Speaker) -> None:
    wrote(memcore, "web", "port", "80")
    lock = get(memcore, "web", "port")["updated_at"]
    wrote(memcore, "web", "port", "81", expected_updated_at=lock)
    refused = write(memcore, "web", "port", "82", expected_updated_at=lock)
    assert refused == {"ok": False, "error": STALE}
    assert get(memcore, "web", "port")["content"] == "81"
    assert told(memcore, limit=1) == ["memory_write web/port conflict stale_version"]


@pytest.mark.parametrize(
    "change", [lambda t: t.replace("+00:00", "Z"), lambda t: "", lambda t: t + " "]
)
def test_any_other_text_of_the_time_is_stale(memcore: Speaker, change: Any) -> None:
    wrote(memcore, "web", "port", "80")
    lock = change(get(memcore, "web", "port")["updated_at"])
    assert write(memcore, "web", "port", "81", expected_updated_at=lock)["error"] == STALE


def test_a_lock_on_what_is_not_there_is_ignored(memcore: Speaker) -> None:
    assert wrote(memcore, "web", "port", "80", expected_updated_at="whatever")


def test_an_archived_entry_is_refused_before_a_stale_lock(memcore: Speaker) -> None:
    wrote(memcore, "web", "port", "80")
    archive(memcore, "port")
    assert write(memcore, "web", "port", "81") == {"ok": False, "error": ARCHIVED}
    assert write(memcore, "web", "port", "81", expected_updated_at="x")["error"] == ARCHIVED
    assert told(memcore, limit=2) == ["memory_write web/port conflict entry_archived"] * 2
    assert get(memcore, "web", "port", include_archived=True)["content"] == "80"


def test_an_attempt_is_no_revision(memcore: Speaker, library: Library) -> None:
    entry = wrote(memcore, "web", "port", "80")
    write(memcore, "web", "port", "81", expected_updated_at="x")
    assert library.memories.get(entry).revision == 1
    assert len(library.memories.history(entry)) == 1


def test_a_busy_store_asks_to_try_again(
    memcore: Speaker, library: Library, store_path: Path
) -> None:
    library._store.write(  # the wait of the writer alone, which is five seconds otherwise
        lambda: library._store.connections.sql("PRAGMA busy_timeout = 1")
    )
    other = sqlite3.connect(store_path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        answer = write(memcore, "web", "port", "80")
    finally:
        other.execute("ROLLBACK")
        other.close()
    assert not answer["ok"]
    assert answer["error"].startswith("db_busy: ")
    assert answer["error"].endswith(" — retry")
    assert wrote(memcore, "web", "port", "80")


# --- archive and restore


def test_archiving_hides_until_restored(memcore: Speaker) -> None:
    wrote(memcore, "web", "port", "It listens")
    first = get(memcore, "web", "port")
    assert archive(memcore, "port", "moved away") == {"ok": True}
    assert missing(memcore, "web", "port")
    assert names(memcore, "recent") == names(memcore, "list") == []
    assert rows(memcore, "search", query="listens") == []
    hidden = get(memcore, "web", "port", include_archived=True)
    assert hidden["archived_by"] == "robin"
    assert hidden["archive_reason"] == "moved away"
    assert first["updated_at"] < hidden["archived_at"] <= hidden["updated_at"]
    assert restore(memcore, "port", "moved back") == {"ok": True}
    again = get(memcore, "web", "port")
    assert again["updated_at"] > hidden["updated_at"]
    assert (again["archived_at"], again["archived_by"], again["archive_reason"]) == (None,) * 3
    assert told(memcore, limit=2) == [
        "memory_restore web/port ok moved back",
        "memory_archive web/port ok moved away",
    ]


def test_what_is_so_already_is_no_event(memcore: Speaker, library: Library) -> None:
    wrote(memcore, "web", "port", "80")
    archive(memcore, "port", "first")
    head, before = library.journal.head(), get(memcore, "web", "port", include_archived=True)
    assert archive(memcore, "port", "second") == {"ok": True}
    assert get(memcore, "web", "port", include_archived=True) == before
    assert library.journal.head() == head
    restore(memcore, "port")
    head, before = library.journal.head(), get(memcore, "web", "port")
    assert restore(memcore, "port") == {"ok": True}
    assert get(memcore, "web", "port") == before
    assert library.journal.head() == head


@pytest.mark.parametrize("verb", ["archive", "restore"])
def test_an_unknown_entry_and_a_blank_reason(memcore: Speaker, library: Library, verb: str) -> None:
    tool = f"memory_{verb}"
    assert memcore(tool, scope="web", name="port", reason="why") == {"ok": False}
    blank = memcore(tool, scope="web", name="port", reason=" \n")
    assert blank == {"ok": False, "error": f"{verb} reason must not be empty"}
    long = memcore(tool, scope="web", name="port", reason="w" * 2_001)
    assert not long["ok"]
    assert sketch(library) == ""


# --- names of what other vocabularies wrote


def test_a_memory_without_key_is_named_by_its_id_everywhere(
    memcore: Speaker, library: Library
) -> None:
    build(library, "web: It listens at 80.")
    assert names(memcore, "list") == names(memcore, "search", query="listens") == ["m-1"]
    assert get(memcore, "web", "m-1")["id"] == 1
    assert wrote(memcore, "web", "m-1", "It listens at 81.") == 1
    assert archive(memcore, "m-1")["ok"]
    assert restore(memcore, "m-1")["ok"]
    assert len(rows(memcore, "history", scope="web", name="m-1")) == 1
    assert [e["name"] for e in rows(memcore, "events", name="m-1")] == ["m-1"] * 4
    assert sketch(library) == "web:thing\nweb: It listens at 81."


def test_a_generated_name_holds_only_in_its_scope(memcore: Speaker, library: Library) -> None:
    build(library, "web: 80")
    assert missing(memcore, "other", "m-1")
    assert missing(memcore, "web", "m-01")
    assert wrote(memcore, "other", "m-1", "81") == 2
    assert get(memcore, "other", "m-1")["id"] == 2


def test_what_has_no_entity_is_the_scope_unfiled(memcore: Speaker, library: Library) -> None:
    wrote(memcore, "unfiled", "tea", "Likes tea.", type="user")
    build(library, ": loose")
    assert sketch(library) == "/tea: Likes tea. [profile, from memcore]\n: loose"
    assert wrote(memcore, "unfiled", "tea", "Likes green tea.", type="user") == 1
    assert names(memcore, "list", scope="unfiled") == ["m-2", "tea"]
    assert rows(memcore, "scopes") == [{"scope": "unfiled", "count": 2}]


def test_an_entity_that_is_called_unfiled_is_told_apart(memcore: Speaker, library: Library) -> None:
    build(library, "unfiled/tea: green; : loose")
    assert [r["scope"] for r in rows(memcore, "list")] == ["entity:unfiled", "unfiled"]
    assert get(memcore, "entity:unfiled", "tea")["content"] == "green"
    assert missing(memcore, "unfiled", "tea")
