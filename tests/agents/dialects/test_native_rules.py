"""Scopes, remember and revise, rule by rule."""

from __future__ import annotations

import pytest

from agents.dialects.phrases import (
    CREDENTIAL,
    NOT_FOUND,
    create,
    remember,
    revise,
    scope,
)
from agents.dialects.speaking import Speaker
from conftest import Hand
from remembrancer.core.author import PERSON
from remembrancer.core.kinds import Kind
from remembrancer.core.memory import Draft
from remembrancer.service.library import Library

FACT = (
    "id entityName content key scope kind source confidence pinned expiresAt verifiedAt status "
    "createdAt updatedAt revision"
)


# --- scopes


def test_an_entity_that_was_never_shared_reads_as_device_at_revision_0(native: Speaker) -> None:
    create(native, "edge")
    expected = '{"entityName":"edge","scope":"device","revision":0,"members":[]}'
    assert native.text("memory_get_scope", entityName="edge") == expected


def test_scope_checks_come_in_their_order(native: Speaker) -> None:
    create(native, "a", "b", "c", "g")
    wrong = {"expectedRevision": 7, "scope": "shared", "members": ["b"]}
    changed = "Scope changed since you opened it. Refresh before editing."
    assert native.refused("memory_set_scope", entityName="no", **wrong) == NOT_FOUND
    assert native.refused("memory_set_scope", entityName="a", **wrong) == changed
    wrong["expectedRevision"] = 0
    only_groups = "Invalid scope: only groups can have members"
    assert native.refused("memory_set_scope", entityName="a", **wrong) == only_groups
    wrong["members"] = []
    assert "confirm sharing" in native.refused("memory_set_scope", entityName="a", **wrong)
    scope(native, "g", "group", 0, "a", confirmSharing=True)
    wrong["confirmSharing"] = True
    told = native.refused("memory_set_scope", entityName="a", **wrong)
    assert "remove this entity from its groups" in told
    group = {"entityName": "b", "scope": "group", "expectedRevision": 0, "confirmSharing": True}
    assert NOT_FOUND in native.refused("memory_set_scope", members=["nobody"], **group)
    for member in ("b", "g"):  # itself, a group
        told = native.refused("memory_set_scope", members=[member], **group)
        assert "nested groups are not supported" in told
    assert native("memory_get_scope", entityName="b")["revision"] == 0


def test_revisions_of_a_scope_count_up_and_never_back(native: Speaker) -> None:
    create(native, "g", "b", "a")
    grown = scope(native, "g", "group", 0, "b", "a", "b", confirmSharing=True)
    assert grown == {"entityName": "g", "scope": "group", "revision": 1, "members": ["a", "b"]}
    same = scope(native, "g", "group", 1, "a", "b", confirmSharing=True)
    assert same == grown
    assert scope(native, "g", "group", 1, confirmSharing=True)["revision"] == 2
    private = scope(native, "g", "device", 2)
    assert private == {"entityName": "g", "scope": "device", "revision": 3, "members": []}
    assert "Scope changed" in native.refused(
        "memory_set_scope", entityName="g", scope="device", expectedRevision=0
    )


def test_a_deleted_member_leaves_its_groups_without_a_new_revision(native: Speaker) -> None:
    create(native, "g", "a", "b")
    scope(native, "g", "group", 0, "a", "b", confirmSharing=True)
    native.text("memory_delete_entities", entityNames=["a"])
    record = native("memory_get_scope", entityName="g")
    assert record == {"entityName": "g", "scope": "group", "revision": 1, "members": ["b"]}


# --- remember


def test_a_fact_has_all_its_fields_in_milliseconds(native: Speaker, clock: Hand) -> None:
    create(native, "edge")
    at = clock.at // 1_000
    fact = remember(native, " edge ", "  MTU is 1500  ", confidence=1, expiresAt=at + 9_000)
    assert " ".join(fact) == FACT
    assert fact == {
        "id": 1, "entityName": "edge", "content": "MTU is 1500", "key": None, "scope": "device",
        "kind": "fact", "source": "unspecified", "confidence": 1, "pinned": False,
        "expiresAt": at + 9_000, "verifiedAt": None, "status": "active", "createdAt": at,
        "updatedAt": at, "revision": 1,
    }  # fmt: skip
    raw = native.text("memory_revise", id=1, expectedRevision=1)
    assert '"confidence":1,' in raw
    assert " " not in raw.replace("MTU is 1500", "")


def test_an_unknown_entity_must_be_created_first(native: Speaker) -> None:
    told = native.refused("memory_remember", entityName="no", content="x")
    assert told == "Entity not found; create it first"


@pytest.mark.parametrize("field", ["entityName", "content", "source", "key"])
def test_a_secret_in_any_field_refuses_the_call(native: Speaker, field: str) -> None:
    create(native, "edge")
    arguments = {"entityName": "edge", "content": "x", field: "password: hunter2hunter2"}
    assert native.refused("memory_remember", **arguments).startswith(CREDENTIAL)
    assert native("memory_review", state="all")["total"] == 0


def test_the_same_key_replaces_every_field_and_brings_it_back(native: Speaker) -> None:
    create(native, "edge")
    first = remember(
        native, "edge", "ISP is A", key="wan", kind="constraint", source="s", confidence=0.9,
        pinned=True, expiresAt=9_999_999_999_999,
    )  # fmt: skip
    verified = revise(native, first, verified=True)
    revise(native, verified, status="archived")
    again = remember(native, "edge", "ISP is B", key="wan")
    assert again["id"] == first["id"]
    assert again["revision"] == 4
    assert (again["kind"], again["source"], again["confidence"]) == ("fact", "unspecified", 0.5)
    assert (again["pinned"], again["expiresAt"], again["verifiedAt"]) == (False, None, None)
    assert again["status"] == "active"


def test_the_same_content_gives_the_memory_that_is_there(native: Speaker) -> None:
    create(native, "edge")
    first = remember(native, "edge", "two uplinks")
    assert remember(native, "edge", "two uplinks", kind="lesson", pinned=True) == first
    archived = revise(native, first, status="archived")
    assert remember(native, "edge", "two uplinks") == archived
    told = native.refused("memory_remember", entityName="edge", content="two uplinks", key="k")
    assert told == "This content already exists under another memory; edit it instead"


def test_a_key_keeps_title_and_tags_of_other_vocabularies(
    native: Speaker, library: Library
) -> None:
    create(native, "edge")
    draft = Draft("old", "edge", key="k", title="A title", tags=("x",))
    library.memories.remember(draft, author=PERSON, origin="window")
    fact = remember(native, "edge", "new", key="k")
    kept = library.memories.get(fact["id"])
    assert (kept.title, kept.tags, kept.content) == ("A title", ("x",), "new")


def test_an_expiry_beyond_all_calendars_is_kept_as_the_end_of_time(native: Speaker) -> None:
    create(native, "edge")
    fact = remember(native, "edge", "for ever", expiresAt=2**53 - 1)
    assert fact["expiresAt"] == 253_402_300_799_999
    assert revise(native, fact, expiresAt=fact["expiresAt"]) == fact


# --- revise


def test_revise_refuses_what_is_unknown_or_stale(native: Speaker) -> None:
    create(native, "edge")
    seen = remember(native, "edge", "x")
    assert native.refused("memory_revise", id=9, expectedRevision=1) == "Memory not found"
    revise(native, seen, pinned=True)
    told = native.refused("memory_revise", id=seen["id"], expectedRevision=1, pinned=False)
    assert told == "Memory changed since you opened it. Refresh before editing."


def test_content_and_source_reset_verification_and_nothing_else_does(native: Speaker) -> None:
    create(native, "edge")
    now = revise(native, remember(native, "edge", "x"), verified=True)
    assert now["verifiedAt"] is not None
    for change in (
        {"kind": "lesson"},
        {"confidence": 0.9},
        {"pinned": True},
        {"expiresAt": 9_999_999_999_999},
        {"status": "archived"},
        {"status": "active"},
    ):
        now = revise(native, now, **change)
        assert now["verifiedAt"] is not None, change
    assert revise(native, now, source="manual")["verifiedAt"] is None
    now = native("memory_review")["items"][0]
    both = revise(native, now, content="y", verified=True)
    assert both["verifiedAt"] == both["updatedAt"]
    assert both["expiresAt"] == now["expiresAt"]
    assert revise(native, both, content="z")["verifiedAt"] is None


def test_no_change_is_no_revision_but_verifying_always_is_one(native: Speaker) -> None:
    create(native, "edge")
    seen = remember(native, "edge", "x", kind="lesson")
    same = revise(native, seen, content=" x ", kind="lesson", source="unspecified", status="active")
    assert same == seen
    once = revise(native, seen, verified=True)
    assert revise(native, once, verified=True)["revision"] == 3


def test_a_borrowed_kind_written_back_stays_what_it_is(native: Speaker, library: Library) -> None:
    create(native, "edge")
    draft = Draft("we chose OSPF", "edge", kind=Kind.DECISION)
    library.memories.remember(draft, author=PERSON, origin="window")
    seen = native("memory_review", kind="fact")["items"][0]
    assert revise(native, seen, kind=seen["kind"]) == seen
    assert library.memories.get(seen["id"]).kind is Kind.DECISION
    assert revise(native, seen, kind="lesson")["kind"] == "lesson"


def test_a_content_that_another_memory_has_is_refused_and_leaves_no_trace(native: Speaker) -> None:
    create(native, "edge")
    remember(native, "edge", "x")
    seen = remember(native, "edge", "y")
    told = native.refused("memory_revise", id=seen["id"], expectedRevision=1, content="x")
    assert "already exists under another memory" in told
    assert native("memory_history", id=seen["id"]) == []


@pytest.mark.parametrize("field", ["content", "source"])
def test_revise_looks_for_secrets(native: Speaker, field: str) -> None:
    create(native, "edge")
    seen = remember(native, "edge", "x")
    secret = {field: "api key = 0123456789abcdef0123"}
    told = native.refused("memory_revise", id=seen["id"], expectedRevision=1, **secret)
    assert told.startswith(CREDENTIAL)
