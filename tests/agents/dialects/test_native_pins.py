"""Seven stories that hold the dialect together, each told from beginning to end."""

from __future__ import annotations

from typing import Any

import pytest

from agents.dialects.phrases import create, remember
from agents.dialects.speaking import Speaker
from conftest import Hand
from remembrancer.core.journal import Deed
from remembrancer.service.library import Library


def share(native: Speaker, entity: str, to: str, *members: str, revision: int = 0) -> Any:
    return native(
        "memory_set_scope", entityName=entity, scope=to, members=list(members),
        expectedRevision=revision, confirmSharing=True,
    )  # fmt: skip


def recalled(native: Speaker, **question: Any) -> set[str]:
    return {item["content"] for item in native("memory_recall", **question)["items"]}


def test_a_keyed_memory_keeps_its_identity_and_its_history(native: Speaker) -> None:
    create(native, "edge")
    first = remember(native, "edge", "ISP is A", key="wan.provider", source="call")
    verified = native("memory_revise", id=first["id"], expectedRevision=1, verified=True)
    assert verified["verifiedAt"] is not None
    second = remember(native, "edge", "ISP is B", key="wan.provider", source="call")
    assert (second["id"], second["verifiedAt"], second["revision"]) == (first["id"], None, 3)
    history = native("memory_history", id=first["id"])
    assert [e["fact"]["content"] for e in history] == ["ISP is A", "ISP is A"]
    stale = native.refused("memory_revise", id=first["id"], expectedRevision=1, content="C")
    assert "changed since" in stale
    remember(native, "edge", "other")
    native.refused("memory_revise", id=first["id"], expectedRevision=3, content="other")
    assert native("memory_history", id=first["id"]) == history


@pytest.fixture
def network(native: Speaker) -> dict[str, Any]:
    """Two routers, a shared policy, a group of one of them, and somebody unrelated."""
    create(native, "edge", "core", "policy", "site", "stranger")
    share(native, "policy", "shared")
    share(native, "site", "group", "edge")
    remember(native, "edge", "ntp is local", key="ntp")
    remember(native, "edge", "keep ether1 up", kind="constraint")
    shared = remember(native, "policy", "ntp is central", key="ntp", pinned=True)
    remember(native, "site", "power is out on Sundays", pinned=True)
    remember(native, "stranger", "ntp is elsewhere", key="ntp", pinned=True)
    return shared


def test_policy_is_inherited_and_disagreement_is_shown(
    native: Speaker, network: dict[str, Any]
) -> None:
    answer = native("memory_recall", entityName="edge", query="zebra")
    found = {i["content"] for i in answer["items"]}
    mandatory = {"keep ether1 up", "ntp is central", "power is out on Sundays"}
    assert found == mandatory
    [conflict] = answer["conflicts"]
    assert conflict["key"] == "ntp"
    assert {m["entityName"] for m in conflict["memories"]} == {"edge", "policy"}
    assert recalled(native, entityName="edge", query="?!") == mandatory
    tiny = native("memory_recall", entityName="edge", maxChars=500)
    assert len(tiny["context"]) <= 500
    assert "conflict" in tiny["context"]
    assert tiny["constraintsOmitted"] > 0
    assert any("Do not change" in w for w in tiny["warnings"])
    share(native, "site", "group", revision=1)
    assert "power is out on Sundays" not in recalled(native, entityName="edge")
    native("memory_revise", id=network["id"], expectedRevision=1, status="archived")
    for name in ("edge", "core"):
        assert "ntp is central" not in recalled(native, entityName=name)


def test_a_scope_changes_step_by_step(native: Speaker, library: Library) -> None:
    create(native, "edge", "core", "site")

    def refused(**more: Any) -> str:
        arguments = {"entityName": "site", "expectedRevision": 0, **more}
        return native.refused("memory_set_scope", **arguments)

    assert "confirm sharing" in refused(scope="shared")
    group = {"scope": "group", "confirmSharing": True}
    assert "not found" in refused(members=["nobody"], **group)
    assert share(native, "site", "group", "edge")["revision"] == 1
    assert "changed since" in refused(members=["core"], **group)
    told = refused(entityName="edge", scope="shared", confirmSharing=True)
    assert "remove this entity" in told
    assert "nested groups" in refused(entityName="core", members=["site"], **group)
    assert share(native, "site", "group", "edge", "core", revision=1)["revision"] == 2
    native.text("memory_delete_entities", entityNames=["core"])
    assert native("memory_get_scope", entityName="site")["members"] == ["edge"]
    assert share(native, "site", "device", revision=2)["revision"] == 3
    deeds = [line.deed for line in library.journal.newest(20)]
    assert deeds.count(Deed.SET_SCOPE) == 4  # three calls, and the member that was deleted


def test_what_is_near_expired_or_archived_is_told_apart(native: Speaker, clock: Hand) -> None:
    create(native, "edge", "core")
    native.text(
        "memory_create_relations",
        relations=[{"from": "core", "to": "edge", "relationType": "feeds"}],
    )
    remember(native, "core", "next door")
    remember(native, "edge", "over", expiresAt=clock.at // 1_000 + 1_000)
    put_away = remember(native, "edge", "put away")
    native("memory_revise", id=put_away["id"], expectedRevision=1, status="archived")
    remember(native, "edge", "plain")
    clock.advance(1)
    assert recalled(native, entityName="edge") == {"next door", "plain"}
    assert recalled(native, entityName="edge", includeRelated=False) == {"plain"}
    totals = {s: native("memory_review", state=s)["total"] for s in ("active", "review", "all")}
    assert totals == {"active": 2, "review": 3, "all": 4}
    told = native.refused("memory_recall", entityName="nobody")
    assert "never substitutes" in told
    assert len(native("memory_review", limit=1, offset=1)["items"]) == 1


def test_words_are_literal_in_every_script_and_secrets_stay_out(native: Speaker) -> None:
    create(native, "دفتر")
    remember(native, "دفتر", "روتر اصلی در تهران است")
    remember(native, "دفتر", "مرزی " * 200)
    for query in ("تهران", "تهران AND (", '"تهران', "NEAR(تهران)"):
        assert any("تهران" in c for c in recalled(native, query=query)), query
    answer = native("memory_recall", query="مرزی", maxChars=500)
    assert len(answer["context"]) <= 500
    for tool, arguments in (
        ("memory_remember", {"entityName": "دفتر", "content": "api-key: 0123456789abcdef"}),
        (
            "memory_add_observations",
            {"observations": [{"entityName": "دفتر", "contents": ["password=hunter2hunter2"]}]},
        ),
    ):
        assert "credential vault" in native.refused(tool, **arguments)
    assert native.text("memory_search_nodes", query="%").startswith("No entities matching")
