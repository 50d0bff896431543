"""The graph tools of native: what is created, skipped, deleted, read, and in which words."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agents.dialects.speaking import Speaker
from conftest import Hand
from remembrancer.core.author import PERSON
from remembrancer.core.memory import Draft
from remembrancer.service.graph import Triple
from remembrancer.service.library import Library

CREDENTIAL = "Memory is not a credential vault"
SECRET = "password: hunter2hunter2"


def create(native: Speaker, **entities: list[str]) -> str:
    wanted = [{"name": n, "entityType": "device", "observations": o} for n, o in entities.items()]
    return native.text("memory_create_entities", entities=wanted)


def link(*ends: str) -> dict[str, Any]:
    return {"relations": [dict(zip(("from", "relationType", "to"), ends, strict=True))]}


def observe(native: Speaker, entity: str, *contents: str) -> str:
    added = [{"entityName": entity, "contents": list(contents)}]
    return native.text("memory_add_observations", observations=added)


def forget(native: Speaker, entity: str, *contents: str) -> str:
    gone = [{"entityName": entity, "observations": list(contents)}]
    return native.text("memory_delete_observations", deletions=gone)


def shown(native: Speaker) -> dict[str, list[str]]:
    graph = native("memory_read_graph")
    return {e["name"]: e["observations"] for e in graph["entities"]}


def test_entities_are_created_once(native: Speaker) -> None:
    assert create(native, edge=["a", "a"], core=[]) == (
        "Created 2 entities:\n  - edge (device)\n  - core (device)"
    )
    none = "No new entities created (all names already exist)."
    assert create(native, edge=["never seen"]) == none
    assert shown(native) == {"core": [], "edge": ["a"]}
    twice = [{"name": "x", "entityType": "t"}, {"name": "x", "entityType": "u"}]
    told = native.text("memory_create_entities", entities=twice)
    assert told == "Created 1 entities:\n  - x (t)"


def test_two_spellings_of_one_name_are_one_entity(native: Speaker) -> None:
    create(native, **{"Zu\u0308rich": []})
    assert create(native, **{"Z\u00fcrich": []}).startswith("No new entities")
    assert observe(native, "Zu\u0308rich", "lake") == (
        "Added observations:\n  - Z\u00fcrich: +1 observations"
    )
    assert native("memory_get_scope", entityName="Zu\u0308rich")["entityName"] == "Z\u00fcrich"
    found = native("memory_search_nodes", query="ZU\u0308R".replace("U", "u"))
    assert [e["name"] for e in found["entities"]] == ["Z\u00fcrich"]


def test_one_secret_refuses_everything(native: Speaker) -> None:
    for entity in (
        {"name": SECRET, "entityType": "t"},
        {"name": "b", "entityType": SECRET},
        {"name": "b", "entityType": "t", "observations": ["fine", SECRET]},
    ):
        wanted = [{"name": "a", "entityType": "t"}, entity]
        assert native.refused("memory_create_entities", entities=wanted).startswith(CREDENTIAL)
    assert native.text("memory_read_graph") == "The knowledge graph is empty."
    create(native, a=[], b=[])
    told = native.refused("memory_create_relations", **link("a", SECRET, "b"))
    assert told.startswith(CREDENTIAL)
    wanted = [{"entityName": "a", "contents": ["ok", SECRET]}]
    assert native.refused("memory_add_observations", observations=wanted).startswith(CREDENTIAL)
    assert shown(native) == {"a": [], "b": []}


def test_relations_need_both_ends_and_come_once(native: Speaker) -> None:
    create(native, a=[], b=[])
    none = "No new relations created (all already exist or endpoints missing)."
    assert native.text("memory_create_relations", **link("a", "feeds", "nobody")) == none
    assert native.text("memory_create_relations", **link("a", "feeds", "")) == none
    told = native.text("memory_create_relations", **link("a", "feeds", "b"))
    assert told == "Created 1 relations:\n  - a --[feeds]--> b"
    assert native.text("memory_create_relations", **link("a", "feeds", "b")) == none
    assert native.text("memory_create_relations", **link("b", "feeds", "a")).startswith("Created")


def test_a_ghost_is_no_entity_until_it_is_created(native: Speaker, library: Library) -> None:
    create(native, a=[])
    library.graph.relate([Triple("a", "g", "near")], ghosts=True, author=PERSON, origin="import")
    assert shown(native) == {"a": []}
    assert native.text("memory_open_nodes", names=["g"]) == "None of the requested entities exist."
    assert observe(native, "g", "x").startswith("No observations added")
    assert create(native, g=[]).startswith("Created 1")
    [relation] = native("memory_open_nodes", names=["g"])["relations"]
    assert (relation["from"], relation["relationType"], relation["to"]) == ("a", "near", "g")


def test_observations_are_memories_with_plain_metadata(native: Speaker) -> None:
    create(native, edge=["first"])
    assert observe(native, "edge", "second", "first") == (
        "Added observations:\n  - edge: +1 observations"
    )
    none = "No observations added (entities not found or all duplicates)."
    assert observe(native, "edge", "second") == none
    assert observe(native, "nobody", "x") == none
    assert observe(native, "", "x") == none
    fact = native("memory_review", query="second")["items"][0]
    fields = ("kind", "source", "confidence", "pinned", "key", "verifiedAt", "revision")
    assert [fact[f] for f in fields] == ["fact", "legacy", 0.5, False, None, None, 1]
    native("memory_remember", entityName="edge", content="third", key="k")
    assert shown(native) == {"edge": ["first", "second", "third"]}


def test_what_is_hidden_still_takes_its_text(native: Speaker, clock: Hand) -> None:
    create(native, edge=["archived"])
    fact = native("memory_review")["items"][0]
    native("memory_revise", id=fact["id"], expectedRevision=1, status="archived")
    soon = clock.at // 1_000 + 1_000
    native("memory_remember", entityName="edge", content="expired", expiresAt=soon)
    clock.advance(1)
    assert shown(native) == {"edge": []}
    assert observe(native, "edge", "archived", "expired").startswith("No observations added")
    assert native.text("memory_search_nodes", query="archived").startswith("No entities matching")
    assert forget(native, "edge", "archived", "expired") == "Deleted 2 observations."


def test_deleting_makes_room_and_can_be_undone(native: Speaker, library: Library) -> None:
    create(native, a=["x", "y"], b=[])
    native.text("memory_create_relations", **link("a", "feeds", "b"))
    assert forget(native, "a", "x", "x", "z") == "Deleted 1 observations."
    assert forget(native, "a", "x") == "No matching observations found."
    assert forget(native, "nobody", "x") == "No matching observations found."
    assert observe(native, "a", "x").startswith("Added")
    assert native.text("memory_delete_relations", **link("a", "feeds", "b")) == (
        "Deleted 1 relations."
    )
    gone = native.text("memory_delete_relations", **link("a", "feeds", "b"))
    assert gone == "No matching relations found."
    native.text("memory_create_relations", **link("a", "feeds", "b"))
    assert native.text("memory_delete_entities", entityNames=["a", "a", "nobody", ""]) == (
        "Deleted 1 entities (and their observations/relations)."
    )
    assert native.text("memory_delete_entities", entityNames=["a"]) == "No matching entities found."
    assert shown(native) == {"b": []}
    assert native("memory_read_graph")["relations"] == []
    [last] = library.journal.newest(1)
    library.journal.undo(last.batch, author=PERSON, origin="window")
    assert shown(native) == {"a": ["y", "x"], "b": []}
    assert len(native("memory_read_graph")["relations"]) == 1


def test_the_whole_graph_is_pretty_json_by_name(native: Speaker, clock: Hand) -> None:
    assert native.text("memory_read_graph") == "The knowledge graph is empty."
    create(native, b=["z", "a"], a=[])
    at = clock.at // 1_000
    native.text("memory_create_relations", **link("b", "feeds", "a"))
    expected = {
        "entities": [
            {
                "name": "a", "entityType": "device", "observations": [], "createdAt": at,
                "updatedAt": at,
            },
            {
                "name": "b", "entityType": "device", "observations": ["z", "a"], "createdAt": at,
                "updatedAt": at,
            },
        ],
        "relations": [{"from": "b", "to": "a", "relationType": "feeds", "createdAt": at}],
    }  # fmt: skip
    assert native.text("memory_read_graph") == json.dumps(expected, indent=2)


def test_search_is_literal_and_blind_to_ascii_case_only(native: Speaker) -> None:
    create(native, edge=["100% up"], Core=["a_b\\c"], z=["Ärger"])

    def found(query: str, **more: Any) -> list[str]:
        graph = json.loads(native.text("memory_search_nodes", query=query, **more))
        return [e["name"] for e in graph["entities"]]

    for query, expected in (
        ("core", ["Core"]),
        ("DEVICE", ["Core", "edge", "z"]),
        ("", ["Core", "edge", "z"]),
        ("0%", ["edge"]),
        ("_b\\", ["Core"]),
        ("rger", ["z"]),
    ):
        assert found(query) == expected, query
    assert native.text("memory_search_nodes", query="%%") == 'No entities matching "%%".'
    assert native.text("memory_search_nodes", query="ärger") == 'No entities matching "ärger".'
    assert native.text("memory_search_nodes", query='it\'s "q"').startswith("No entities")
    assert native.text("memory_search_nodes", query="x" * 100_000).startswith("No entities")
    assert found("", limit=2) == ["Core", "edge"]


def test_a_search_shows_fifty_or_what_was_asked_up_to_a_hundred(native: Speaker) -> None:
    create(native, **{f"n{n:03}": [] for n in range(120)})
    for limit, count in ((None, 50), (7, 7), (100, 100), (2**53 - 1, 100)):
        more = {} if limit is None else {"limit": limit}
        assert len(native("memory_search_nodes", query="n", **more)["entities"]) == count


def test_relations_with_one_end_in_the_answer_are_shown(native: Speaker) -> None:
    create(native, a=[], b=[], c=[])
    for ends in (("a", "b"), ("b", "c"), ("c", "c")):
        native.text("memory_create_relations", **link(ends[0], "to", ends[1]))
    opened = native("memory_open_nodes", names=["a"])
    assert [(r["from"], r["to"]) for r in opened["relations"]] == [("a", "b")]
    searched = native("memory_search_nodes", query="c")
    assert [(r["from"], r["to"]) for r in searched["relations"]] == [
        ("a", "b"), ("b", "c"), ("c", "c"),
    ]  # fmt: skip


def test_opening_keeps_the_order_and_skips_the_unknown(native: Speaker) -> None:
    create(native, a=[], b=[], c=[])
    opened = native("memory_open_nodes", names=["c", "nobody", " ", "a", "x" * 2_000, "c"])
    assert [e["name"] for e in opened["entities"]] == ["c", "a"]


@pytest.mark.parametrize("name", ["", "   ", "x" * 1_001])
def test_an_impossible_name_is_refused_when_created(native: Speaker, name: str) -> None:
    wanted = [{"name": "fine", "entityType": "t"}, {"name": name, "entityType": "t"}]
    assert "name of the entity" in native.refused("memory_create_entities", entities=wanted)
    assert native.text("memory_read_graph") == "The knowledge graph is empty."


def test_unfiled_memories_are_not_in_the_graph(native: Speaker, library: Library) -> None:
    library.memories.remember(Draft("loose"), author=PERSON, origin="window")
    assert native.text("memory_read_graph") == "The knowledge graph is empty."
    assert native.text("memory_search_nodes", query="loose").startswith("No entities matching")
