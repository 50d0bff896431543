"""What the knowledge graph dialect's tests say over and over."""

from __future__ import annotations

from typing import Any

from agents.dialects.speaking import Speaker, text_of

Answer = dict[str, Any]


def entity(name: str, *observations: str, kind: str = "t") -> Answer:
    return {"name": name, "entityType": kind, "observations": list(observations)}


def link(drawn: str) -> Answer:
    """The relation in `a -knows-> b`."""
    source, rest = drawn.split(" -", 1)
    kind, target = rest.split("-> ", 1)
    return {"from": source, "to": target, "relationType": kind}


def create(graph: Speaker, *entities: Answer | str) -> list[Answer]:
    wanted = [entity(each) if isinstance(each, str) else each for each in entities]
    return graph("create_entities", entities=wanted)


def relate(graph: Speaker, *drawn: str) -> list[Answer]:
    return graph("create_relations", relations=[link(each) for each in drawn])


def observe(graph: Speaker, name: str, *contents: str) -> list[str]:
    added = [{"entityName": name, "contents": list(contents)}]
    [result] = graph("add_observations", observations=added)
    assert result["entityName"] == name
    return result["addedObservations"]


def forget(graph: Speaker, name: str, *observations: str) -> str:
    gone = [{"entityName": name, "observations": list(observations)}]
    return done(graph, "delete_observations", deletions=gone)


def done(graph: Speaker, tool: str, **arguments: Any) -> str:
    """The sentence of a call that deletes; it never fails."""
    result = graph.result(tool, arguments)
    message = text_of(result)
    assert result.structured_content == {"success": True, "message": message}
    return message


def shown(answer: Answer) -> str:
    """A graph in one line: entities with their observations, then relations."""
    nodes = [
        e["name"] + (f"({', '.join(e['observations'])})" if e["observations"] else "")
        for e in answer["entities"]
    ]
    links = [f"{r['from']} -{r['relationType']}-> {r['to']}" for r in answer["relations"]]
    return "; ".join([*nodes, *links])


def whole(graph: Speaker) -> str:
    return shown(graph("read_graph"))


def found(graph: Speaker, query: str) -> list[str]:
    return [e["name"] for e in graph("search_nodes", query=query)["entities"]]


def failure_of(graph: Speaker, tool: str, **arguments: Any) -> str:
    """The sentence of an answer that is an error."""
    result = graph.result(tool, arguments)
    assert result.is_error, text_of(result)
    assert result.structured_content is None
    return text_of(result)
