"""A reading connection of the knowledge graph writes nothing, a locked one sees only its own."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agents.dialects.graphing import (
    create,
    done,
    entity,
    failure_of,
    forget,
    link,
    observe,
    relate,
    shown,
    whole,
)
from agents.dialects.speaking import Speaker, limited
from remembrancer.agents.dialects.knowledge_graph import KnowledgeGraph
from remembrancer.core.author import PERSON, Access
from remembrancer.service.graph import Triple
from remembrancer.service.library import Library

URI = "memory://knowledge-graph"
WRITES: list[tuple[str, dict[str, Any]]] = [
    ("create_entities", {"entities": [entity("new", "x")]}),
    ("create_relations", {"relations": [link("theirs -r-> mine")]}),
    ("add_observations", {"observations": [{"entityName": "theirs", "contents": ["x"]}]}),
    ("add_observations", {"observations": [{"entityName": "nobody", "contents": ["x"]}]}),
    ("delete_entities", {"entityNames": ["theirs"]}),
    ("delete_entities", {"entityNames": ["mine", "nobody"]}),
    ("delete_observations", {"deletions": [{"entityName": "theirs", "observations": ["s"]}]}),
    ("delete_relations", {"relations": [link("mine -near-> theirs")]}),
]
READS: list[tuple[str, dict[str, Any]]] = [
    ("read_graph", {}),
    ("search_nodes", {"query": ""}),
    ("search_nodes", {"query": "their"}),
    ("search_nodes", {"query": "n"}),
    ("search_nodes", {"query": "mine"}),
    ("open_nodes", {"names": ["mine", "theirs", "nobody"]}),
]


@pytest.fixture
def graph(library: Library) -> Speaker:
    graph = Speaker(KnowledgeGraph(library))
    create(graph, entity("mine", "my own"), entity("theirs", "their secret"))
    relate(graph, "mine -near-> theirs", "theirs -near-> mine", "mine -is-> mine")
    library.graph.relate(
        [Triple("mine", "ghost", "saw")], ghosts=True, author=PERSON, origin="window"
    )
    return graph


@pytest.mark.parametrize("access", [Access.READ, Access.PROPOSE])
@pytest.mark.parametrize(("tool", "arguments"), WRITES)
def test_a_connection_that_may_not_write_changes_nothing(
    graph: Speaker, library: Library, tool: str, arguments: Any, access: Access
) -> None:
    before, head = graph.text("read_graph"), library.journal.head()
    reader = graph.as_(limited(access=access))
    if access is Access.READ:  # who may propose is answered as usual where nothing would change
        assert "nothing was changed" in failure_of(reader, tool, **arguments)
    else:
        reader.result(tool, arguments)
    assert library.journal.head() == head
    assert reader.text("read_graph") == before


@pytest.mark.parametrize(("tool", "arguments"), WRITES)
def test_a_locked_connection_changes_nothing_of_others(
    graph: Speaker, library: Library, tool: str, arguments: Any
) -> None:
    head = library.journal.head()
    locked = graph.as_(limited(entity="mine"))
    told = failure_of(locked, tool, **arguments)
    assert told == "This connection is locked to the entity 'mine'; nothing was changed."
    assert library.journal.head() == head


@pytest.mark.parametrize("warm", [False, True])
@pytest.mark.parametrize(("tool", "arguments"), READS)
def test_under_a_lock_no_other_name_is_told(
    graph: Speaker, tool: str, arguments: Any, warm: bool
) -> None:
    if warm:
        graph.text("read_graph")
    text = graph.as_(limited(entity="mine")).text(tool, **arguments)
    assert "their" not in text
    assert "ghost" not in text


def test_a_locked_connection_works_on_its_own_entity(graph: Speaker) -> None:
    locked = graph.as_(limited(entity="mine"))
    assert whole(locked) == "mine(my own); mine -is-> mine"
    assert shown(locked("search_nodes", query="OWN")) == "mine(my own); mine -is-> mine"
    assert shown(locked("search_nodes", query="nowhere")) == ""
    assert observe(locked, "mine", "more") == ["more"]
    assert forget(locked, "mine", "more") == "Observations deleted successfully"
    assert relate(locked, "mine -likes-> mine") == [link("mine -likes-> mine")]
    assert done(locked, "delete_relations", relations=[link("mine -likes-> mine")])
    content = json.loads(locked.dialect.read(URI, locked.caller))
    assert shown(content) == "mine(my own); mine -is-> mine"


def test_a_lock_to_a_name_that_is_not_there_yet_shows_nothing(graph: Speaker) -> None:
    locked = graph.as_(limited(entity="later"))
    assert whole(locked) == shown(locked("search_nodes", query="m")) == ""
    assert create(locked, entity("later", "x")) == [entity("later", "x")]
    assert whole(locked) == "later(x)"


def test_the_resource_is_the_graph_as_its_reader_may_see_it(graph: Speaker) -> None:
    reader = graph.as_(limited(access=Access.READ))
    assert reader.dialect.read(URI, reader.caller) == graph.text("read_graph")
