"""The knowledge graph tools: what is created, added, found, deleted, and in which words."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents.dialects.graphing import (
    create,
    done,
    entity,
    failure_of,
    forget,
    found,
    link,
    observe,
    relate,
    shown,
    whole,
)
from agents.dialects.speaking import Speaker, text_of
from conftest import Hand
from remembrancer.agents.dialects.knowledge_graph import KnowledgeGraph
from remembrancer.core import secrets
from remembrancer.core.author import PERSON
from remembrancer.core.filters import Filter
from remembrancer.core.memory import Draft, Edit
from remembrancer.service.desk import Doing
from remembrancer.service.graph import _APART, Triple
from remembrancer.service.library import Library

WINDOW: Doing = {"author": PERSON, "origin": "window"}
SECRET = "password: hunter2hunter2"


@pytest.fixture
def graph(library: Library) -> Speaker:
    return Speaker(KnowledgeGraph(library))


def both(graph: Speaker, tool: str, **arguments: Any) -> tuple[Any, Any]:
    """What stands in the first text, as JSON, and the structured content."""
    result = graph.result(tool, arguments)
    return json.loads(text_of(result)), result.structured_content


def test_texts_are_pretty_json_and_the_structure_says_the_same(graph: Speaker) -> None:
    wanted = [entity("a", 'says "no"\n', "Ärger \u2028 \x7f\x01"), entity("b")]
    text = graph.text("create_entities", entities=wanted)
    assert text == json.dumps(wanted, indent=2, ensure_ascii=False)
    assert both(graph, "create_entities", entities=[entity("c")]) == (
        [entity("c")], {"entities": [entity("c")]},
    )  # fmt: skip
    links = [link("a -r-> b")]
    assert both(graph, "create_relations", relations=links) == (links, {"relations": links})
    added = [{"entityName": "b", "contents": ["x"]}]
    results = [{"entityName": "b", "addedObservations": ["x"]}]
    assert both(graph, "add_observations", observations=added) == (results, {"results": results})
    expected = {"entities": [*wanted[:1], entity("b", "x"), entity("c")], "relations": links}
    text = json.dumps(expected, indent=2, ensure_ascii=False)
    assert graph.text("read_graph") == text
    assert graph.text("search_nodes", query="") == text
    assert both(graph, "read_graph") == (expected, expected)


def test_an_empty_graph_is_two_empty_lists(graph: Speaker) -> None:
    for tool, arguments in (
        ("read_graph", {}),
        ("search_nodes", {"query": "x"}),
        ("search_nodes", {"query": ""}),
        ("open_nodes", {"names": ["x"]}),
        ("open_nodes", {"names": []}),
    ):
        assert graph.text(tool, **arguments) == '{\n  "entities": [],\n  "relations": []\n}'
    assert graph.text("create_entities", entities=[]) == "[]"
    assert graph.text("create_relations", relations=[]) == "[]"
    assert graph.text("add_observations", observations=[]) == "[]"


def test_an_existing_name_is_skipped_and_what_is_lost_is_said(graph: Speaker) -> None:
    assert create(graph, entity("a", "first"), entity("b")) == [entity("a", "first"), entity("b")]
    wanted = [entity("a", "second"), entity("c"), entity("b")]
    answer, note = graph.texts("create_entities", entities=wanted)
    assert json.loads(answer) == [entity("c")]
    assert "Skipped, because the names exist: a. " in note
    assert "add_observations" in note
    assert create(graph, "a", "b") == []
    assert whole(graph) == "a(first); b; c"


def test_duplicates_inside_a_call_are_kept_once(graph: Speaker) -> None:
    answer, note = graph.texts(
        "create_entities", entities=[entity("a", "x", "x"), entity("a", "y")]
    )
    assert json.loads(answer) == [entity("a", "x")]
    assert "names exist: a" in note
    assert relate(graph, "a -r-> a", "a -r-> a") == [link("a -r-> a")]
    assert observe(graph, "a", "z", "z") == ["z"]
    assert whole(graph) == "a(x, z); a -r-> a"


def test_relations_are_new_ones_only_and_may_lead_back(graph: Speaker) -> None:
    create(graph, "a", "b")
    assert relate(graph, "a -knows-> b", "b -is-> b") == [link("a -knows-> b"), link("b -is-> b")]
    assert relate(graph, "a -knows-> b", "a -likes-> b", "b -knows-> a") == [
        link("a -likes-> b"), link("b -knows-> a"),
    ]  # fmt: skip
    assert whole(graph) == "a; b; a -knows-> b; b -is-> b; a -likes-> b; b -knows-> a"


def test_the_first_unknown_name_is_named_and_nothing_is_written(
    graph: Speaker, library: Library
) -> None:
    create(graph, "a", "b")
    head = library.journal.head()
    links = [link("a -r-> b"), link("a -r-> x"), link("y -r-> b")]
    told = failure_of(graph, "create_relations", relations=links)
    assert told == "Entity with name x not found"
    added = [{"entityName": n, "contents": ["lost"]} for n in ("a", "x", "y")]
    told = failure_of(graph, "add_observations", observations=added)
    assert told == "Entity with name x not found"
    assert library.journal.head() == head
    assert whole(graph) == "a; b"


def test_only_what_is_new_counts_as_added(graph: Speaker) -> None:
    create(graph, entity("a", "x"))
    assert observe(graph, "a", "x", "y") == ["y"]
    assert observe(graph, "a", "x", "y") == []
    assert observe(graph, "a") == []
    assert whole(graph) == "a(x, y)"


def test_deleting_says_what_matched_nothing(graph: Speaker) -> None:
    create(graph, entity("a", "x", "y", "z"), "b", "c", "d")
    relate(graph, "a -r-> b", "b -r-> c", "c -r-> d")
    assert forget(graph, "a", "x") == "Observations deleted successfully"
    assert forget(graph, "a", "x", "y", "y") == "Deleted 1 of 2 observations."
    assert forget(graph, "n", "x") == "Deleted 0 of 1 observations. Entities not found: n"
    relations = [link("a -r-> b"), link("a -r-> c")]
    told = done(graph, "delete_relations", relations=relations)
    assert told == "Deleted 1 of 2 relations. The rest matched nothing."
    told = done(graph, "delete_relations", relations=[link("b -r-> c")])
    assert told == "Relations deleted successfully"
    told = done(graph, "delete_entities", entityNames=["a", "m", "n", "a"])
    assert told == "Deleted 1 of 3 entities. Not found: m, n"
    assert done(graph, "delete_entities", entityNames=["b"]) == "Entities deleted successfully"
    for tool in ("delete_entities", "delete_observations", "delete_relations"):
        names = {"delete_entities": "entityNames", "delete_observations": "deletions"}
        told = done(graph, tool, **{names.get(tool, "relations"): []})
        assert told.endswith("deleted successfully")
    assert whole(graph) == "c; d; c -r-> d"


def test_an_entity_takes_its_relations_along(graph: Speaker) -> None:
    create(graph, "a", "b", "c")
    relate(graph, "a -r-> b", "b -r-> c", "c -r-> b", "a -r-> c")
    done(graph, "delete_entities", entityNames=["b"])
    assert whole(graph) == "a; c; a -r-> c"
    create(graph, "b")
    assert whole(graph) == "a; c; b; a -r-> c"


def test_deleting_can_be_undone_and_makes_room(graph: Speaker, library: Library) -> None:
    create(graph, entity("a", "x"))
    forget(graph, "a", "x")
    assert observe(graph, "a", "x") == ["x"]
    done(graph, "delete_entities", entityNames=["a"])
    library.journal.undo(library.journal.newest(1)[0].batch, **WINDOW)
    assert whole(graph) == "a(x)"


def test_search_is_for_one_piece_of_text_whatever_the_case(graph: Speaker) -> None:
    create(
        graph, entity("Ada", "Likes TEA", kind="Person"), entity("b", "ÄRGER im Büro"),
        entity("日本", "東京タワー"), entity("d", 'it\'s "100%" a_b\\c'),
        entity("e", "ΟΔΟΣ İzmir ABİ"),
    )  # fmt: skip
    relate(graph, "Ada -near-> b", "b -near-> d")
    for query, names in {
        "tea": ["Ada"], "likes tea": ["Ada"], "tea likes": [], "PERSON": ["Ada"], "ADA": ["Ada"],
        "ärger": ["b"], "büro": ["b"], "bü": ["b"], "BÜ": ["b"], "buro": [], "本": ["日本"],
        "京タ": ["日本"], "京タワ": ["日本"], "100%": ["d"], "%": ["d"], "_b\\": ["d"],
        '"100': ["d"], "'s": ["d"], "*": [], "a OR b": [], "near": [], "οδος": ["e"],
        "οδοσ": [], "i\u0307zmir": ["e"], "izmir": [], "abi": ["e"], "i": ["Ada", "b", "d", "e"],
        "q" * 2_048: [],
    }.items():  # fmt: skip
        assert found(graph, query) == names, query
    assert shown(graph("search_nodes", query="likes")) == "Ada(Likes TEA); Ada -near-> b"
    answer = graph("search_nodes", query="büro")
    assert [r["from"] for r in answer["relations"]] == ["Ada", "b"]
    assert "2048" in failure_of(graph, "search_nodes", query="q" * 2_049)


def test_everything_is_in_the_order_of_its_creation(graph: Speaker) -> None:
    create(graph, entity("z", "b", "a"), "m", "a")
    relate(graph, "z -r-> a", "a -r-> m")
    expected = "z(b, a); m; a; z -r-> a; a -r-> m"
    assert whole(graph) == expected
    opened = graph("open_nodes", names=["a", "nobody", "z", "m", "a"])
    assert shown(opened) == expected
    assert shown(graph("search_nodes", query="T")) == expected
    assert shown(graph("open_nodes", names=["a"])) == "a; z -r-> a; a -r-> m"


def test_two_spellings_of_a_name_are_one_entity(graph: Speaker) -> None:
    create(graph, entity("Zu\u0308rich", "Zu\u0308g"))
    answer, _ = graph.texts("create_entities", entities=[entity("Z\u00fcrich", "lost")])
    assert answer == "[]"
    assert found(graph, "ZU\u0308RICH") == found(graph, "z\u00fcrich") == ["Z\u00fcrich"]
    assert found(graph, "u\u0308g") == ["Z\u00fcrich"]
    added = [{"entityName": "Zu\u0308rich", "contents": ["lake"]}]
    [result] = graph("add_observations", observations=added)
    assert result == {"entityName": "Z\u00fcrich", "addedObservations": ["lake"]}
    assert done(graph, "delete_entities", entityNames=["Zu\u0308rich", "Z\u00fcrich"]) == (
        "Entities deleted successfully"
    )


def test_credentials_are_masked_and_that_is_said(graph: Speaker) -> None:
    answer, note = graph.texts("create_entities", entities=[entity("a", SECRET, kind=SECRET)])
    assert "hunter2" not in answer
    assert "[REDACTED:" in answer
    assert "masked" in note
    added = [{"entityName": "a", "contents": [f"{SECRET}!", "harmless"]}]
    answer, note = graph.texts("add_observations", observations=added)
    assert "masked" in note
    relations = [{**link("a -r-> a"), "relationType": SECRET}]
    answer, note = graph.texts("create_relations", relations=relations)
    assert "masked" in note
    answer, note = graph.texts("create_entities", entities=[entity(SECRET, "x")])
    assert "Skipped" not in note
    assert "masked" in note
    assert observe(graph, "a", "nothing of the sort") == ["nothing of the sort"]
    assert "hunter2" not in graph.text("read_graph")


PIECES = st.sampled_from(
    [
        SECRET, "password:", "hunter2hunter2", "root pass", "username / Xy9$kQ2!pzLm", "api key =",
        "ghp_" + "a1B2" * 10, "-----BEGIN PRIVATE KEY-----\nabc", "Passwort:\nhunter2hunter2",
        "AKIAIOSFODNN7EXAMPLE", "postgres://u:hunter2secret@h/db", "tea", "", " ", "\n", "use", ":",
        "Private-Lines: 2\nAAAA1111\n", "Bearer", "a1B2c3D4e5F6g7H8", "login",
    ]
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(texts=st.lists(st.lists(PIECES, max_size=3).map(" ".join), max_size=6))
def test_what_is_masked_does_not_hang_on_the_other_texts(texts: list[str]) -> None:
    together = bool(secrets.find(_APART.join(texts)))
    assert together or [secrets.mask(text)[0] for text in texts] == texts


@pytest.mark.parametrize(
    "refused", [entity(""), entity(" "), entity("a" * 1_001), entity("b", "fine", "")]
)
def test_what_cannot_be_kept_is_refused_in_a_sentence(graph: Speaker, refused: Any) -> None:
    told = failure_of(graph, "create_entities", entities=[entity("fine"), refused])
    assert told.startswith("The ")
    assert whole(graph) == ""
    create(graph, "a")
    added = [{"entityName": "a", "contents": ["fine", ""]}]
    assert failure_of(graph, "add_observations", observations=added).startswith("The content")
    assert whole(graph) == "a"
    assert failure_of(graph, "create_entities", entities=[{"name": "a"}])
    assert failure_of(graph, "read_graph", limit=1).startswith("Unknown argument")


def hidden(library: Library, clock: Hand) -> None:
    """Hide two of the observations of `a`: one is archived, one expires."""
    one, two = library.memories.browse(Filter(entity="a"), limit=2)
    library.memories.revise(one.id, Edit(pinned=True, source="a book"), **WINDOW)
    library.memories.archive(one.id, **WINDOW)
    library.memories.revise(two.id, Edit(expires_at=clock.at + 1_000_000), **WINDOW)
    clock.advance(1)


def test_what_another_vocabulary_hid_is_not_there(
    graph: Speaker, library: Library, clock: Hand
) -> None:
    create(graph, entity("a", "kept"))
    observe(graph, "a", "expired", "archived")
    assert whole(graph) == "a(kept, expired, archived)"
    hidden(library, clock)
    assert whole(graph) == "a(kept)"
    assert found(graph, "expired") == found(graph, "archived") == []
    assert forget(graph, "a", "archived", "expired") == "Deleted 0 of 2 observations."
    assert shown(graph("open_nodes", names=["a"])) == "a(kept)"


def test_adding_what_is_hidden_shows_it_again(
    graph: Speaker, library: Library, clock: Hand
) -> None:
    create(graph, entity("a", "kept"))
    observe(graph, "a", "expired", "archived")
    hidden(library, clock)
    assert observe(graph, "a", "kept", "expired", "archived") == ["expired", "archived"]
    assert whole(graph) == "a(kept, expired, archived)"
    again = {m.content: m for m in library.memories.browse(Filter(entity="a"))}
    assert (again["archived"].pinned, again["archived"].source) == (True, "a book")
    assert again["archived"].archived_at is None
    assert again["expired"].expires_at is None
    assert [line.deed for line in library.journal.newest(2)] == ["revive", "revise"]
    assert observe(graph, "a", "expired", "archived") == []


def test_ghosts_and_unfiled_memories_are_not_shown(graph: Speaker, library: Library) -> None:
    create(graph, "a")
    library.graph.relate([Triple("a", "ghost", "near")], ghosts=True, **WINDOW)
    library.memories.remember(Draft("unfiled"), **WINDOW)
    assert whole(graph) == "a; a -near-> ghost"
    assert found(graph, "ghost") == found(graph, "unfiled") == []
    assert failure_of(graph, "create_relations", relations=[link("a -r-> ghost")]) == (
        "Entity with name ghost not found"
    )
    told = done(graph, "delete_entities", entityNames=["ghost"])
    assert told == "Deleted 0 of 1 entities. Not found: ghost"
    told = forget(graph, "ghost", "x")
    assert told == "Deleted 0 of 1 observations. Entities not found: ghost"
    create(graph, "ghost")
    assert whole(graph) == "a; ghost; a -near-> ghost"


def test_what_others_remember_is_an_observation(graph: Speaker, library: Library) -> None:
    create(graph, "a")
    library.memories.remember(Draft("keyed", "a", key="k", title="t"), **WINDOW)
    assert whole(graph) == "a(keyed)"
    assert observe(graph, "a", "keyed") == []
    assert forget(graph, "a", "keyed") == "Observations deleted successfully"


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=40)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=TEXTS.filter(str.strip), kind=TEXTS, texts=st.lists(TEXTS, max_size=4, unique=True))
def test_whatever_is_written_is_read_back(
    graph: Speaker, name: str, kind: str, texts: list[str]
) -> None:
    [made] = create(graph, entity(name, *texts, kind=kind))
    assert made["observations"] == texts
    [opened] = graph("open_nodes", names=[name])["entities"]
    assert opened == made
    for text in (name, kind, *texts):
        assert made["name"] in found(graph, text)
        assert made["name"] in found(graph, text.lower())
    assert made in graph("read_graph")["entities"]
    assert done(graph, "delete_entities", entityNames=[name]).endswith("successfully")
