"""History and review, rule by rule."""

from __future__ import annotations

from agents.dialects.phrases import (
    contents,
    create,
    remember,
    revise,
    scope,
)
from agents.dialects.speaking import Speaker
from conftest import Hand
from remembrancer.core.author import PERSON
from remembrancer.core.clock import DAY
from remembrancer.core.memory import Draft
from remembrancer.service.library import Library

# --- history


def test_history_tells_the_state_before_each_change_newest_first(native: Speaker) -> None:
    create(native, "edge")
    facts = [remember(native, "edge", "x")]
    for change in (
        {"content": "y"},
        {"verified": True},
        {"status": "archived", "verified": True},
        {"status": "active"},
    ):
        facts.append(revise(native, facts[-1], **change))
    entries = native("memory_history", id=facts[0]["id"])
    assert [e["action"] for e in entries] == ["active", "archived", "verify", "revise"]
    assert [e["fact"] for e in entries] == facts[-2::-1]
    assert [e["changedAt"] for e in entries] == [f["updatedAt"] for f in facts[:0:-1]]
    assert len({e["id"] for e in entries}) == 4
    assert native.refused("memory_history", id=77) == "Memory not found"


def test_history_goes_back_a_hundred_changes(native: Speaker) -> None:
    create(native, "edge")
    now = remember(native, "edge", "0")
    for n in range(1, 103):
        now = revise(native, now, content=str(n))
    entries = native("memory_history", id=now["id"])
    assert [e["fact"]["content"] for e in entries] == [str(n) for n in range(101, 1, -1)]


# --- review


def test_review_filters_by_state(native: Speaker, clock: Hand) -> None:
    create(native, "edge")
    soon = clock.at // 1_000 + 1_000
    for content, more in (
        ("plain", {}),
        ("pinned", {"pinned": True}),
        ("expires", {"expiresAt": soon}),
    ):
        remember(native, "edge", content, **more)
    revise(native, remember(native, "edge", "archived"), status="archived")
    sure = revise(native, remember(native, "edge", "sure", confidence=0.9), verified=True)
    clock.advance(1)

    def state(name: str) -> list[str]:
        return contents(native("memory_review", state=name))

    assert state("active") == ["pinned", "sure", "plain"]
    assert state("pinned") == ["pinned"]
    assert state("archived") == ["archived"]
    assert state("review") == ["pinned", "expires", "plain"]
    assert state("all") == ["pinned", "sure", "archived", "expires", "plain"]
    clock.at = sure["verifiedAt"] * 1_000 + 90 * DAY
    assert "sure" not in state("review")
    clock.advance(1)
    assert "sure" in state("review")


def test_what_is_deleted_is_in_no_state(native: Speaker) -> None:
    create(native, "edge")
    seen = remember(native, "edge", "gone")
    native.text(
        "memory_delete_observations",
        deletions=[{"entityName": "edge", "observations": ["gone"]}],
    )
    for state in ("active", "review", "pinned", "archived", "all"):
        assert native("memory_review", state=state)["total"] == 0
    assert native.refused("memory_history", id=seen["id"]) == "Memory not found"
    assert native.refused("memory_revise", id=seen["id"], expectedRevision=2) == "Memory not found"


def test_review_narrows_by_entity_kind_scope_and_words(native: Speaker) -> None:
    create(native, "a", "b")
    remember(native, "a", "uplink is fibre", kind="lesson")
    remember(native, "b", "uplink is copper")
    scope(native, "b", "shared", 0, confirmSharing=True)
    for more, expected in (
        ({"entityName": "a"}, ["uplink is fibre"]),
        ({"entityName": "nobody"}, []),
        ({"kind": "lesson"}, ["uplink is fibre"]),
        ({"scope": "shared"}, ["uplink is copper"]),
        ({"scope": "device"}, ["uplink is fibre"]),
        ({"scope": "group"}, []),
        ({"query": "copper"}, ["uplink is copper"]),
        ({"query": 'fib" OR'}, ["uplink is fibre"]),
        ({"query": "!? \"'"}, []),
        ({"query": "   "}, ["uplink is copper", "uplink is fibre"]),
    ):
        answer = native("memory_review", **more)
        assert contents(answer) == expected, more
        assert answer["total"] == len(expected)


def test_review_pages_with_an_exact_total(native: Speaker) -> None:
    create(native, "edge")
    for n in range(7):
        remember(native, "edge", f"n{n}")
    first = native("memory_review", limit=3)
    assert (first["total"], first["limit"], first["offset"]) == (7, 3, 0)
    last = native("memory_review", limit=3, offset=6)
    assert contents(first) == ["n6", "n5", "n4"]
    assert contents(last) == ["n0"]
    assert native("memory_review", offset=50) == {
        "items": [], "total": 7, "limit": 30, "offset": 50,
    }  # fmt: skip


def test_an_unfiled_memory_has_no_entity_and_the_narrowest_scope(
    native: Speaker, library: Library
) -> None:
    library.memories.remember(Draft("loose end"), author=PERSON, origin="window")
    for more in ({}, {"scope": "device"}):
        [item] = native("memory_review", **more)["items"]
        assert (item["entityName"], item["scope"]) == (None, "device")
    [hit] = native("memory_recall", query="loose")["items"]
    assert hit["entityName"] is None
