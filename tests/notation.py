"""A library in a few lines of text, both ways: what a test starts from, and what it ended with.

    ann:person -knows-> bob         entities (of type `thing` unless said), relations
    ann: likes tea                  a memory
    ann/drink: coffee               a memory under a key
    policy = shared                 a scope
    site = {ann, bob}               a group and its members

Statements end with a line or a semicolon. A sketch also shows ghosts (`?name`), unfiled memories
(`: text`), and what is unusual about a memory (`ann: likes tea [archived, pinned]`).
"""

from __future__ import annotations

import re

from remembrancer.core.author import PERSON
from remembrancer.core.entity import Scope
from remembrancer.core.filters import Filter, Order, State
from remembrancer.core.memory import Draft, Memory
from remembrancer.service.desk import Doing
from remembrancer.service.graph import NewEntity, Triple
from remembrancer.service.library import Library

WINDOW: Doing = {"author": PERSON, "origin": "window"}

_MEMORY = re.compile(r"(?P<entity>[^:=/]*)(?:/(?P<key>[^:=]+))?: (?P<content>.+)", re.DOTALL)
_SCOPE = re.compile(r"(?P<entity>[^=]+) = (?P<scope>shared|device|\{(?P<members>.*)\})")
_RELATION = re.compile(r" -(?P<type>[^>]+)-> ")


def build(library: Library, text: str, doing: Doing = WINDOW) -> Library:
    """Add what `text` says to a library, statement by statement, and return it."""
    for line in re.split(r"[;\n]", text):
        if statement := line.strip():
            _add(library, statement, doing)
    return library


def sketch(library: Library) -> str:
    """What a library holds, in the notation: entities, relations, memories, each sorted."""
    graph, _ = library.map.drawing()
    entities = [library.graph.named(node.name) for node in graph]
    shown = [_entity(library, e.id) for e in sorted(entities, key=lambda e: e.name)]
    links = {r for e in entities for r in library.map.relations(e.id)}
    relations = sorted(f"{r.source} -{r.type}-> {r.target}" for r in links)
    chosen = Filter(state=State.ALL)
    memories = library.memories.browse(chosen, Order.NEWEST, limit=10_000)
    return "\n".join([*shown, *relations, *sorted(map(_memory, memories))])


def _add(library: Library, statement: str, doing: Doing) -> None:
    if scope := _SCOPE.fullmatch(statement):
        _set_scope(library, scope, doing)
    elif memory := _MEMORY.fullmatch(statement):
        entity = _named(library, memory["entity"], doing) if memory["entity"] else None
        draft = Draft(memory["content"], entity, key=memory["key"])
        library.memories.remember(draft, **doing)
    else:
        names = [_named(library, n, doing) for n in _RELATION.split(statement)[::2]]
        types = [found["type"] for found in _RELATION.finditer(statement)]
        links = zip(names, names[1:], types, strict=False)
        library.graph.relate([Triple(a, b, kind) for a, b, kind in links], **doing)


def _set_scope(library: Library, found: re.Match[str], doing: Doing) -> None:
    entity = _named(library, found["entity"], doing)
    members = [_named(library, m, doing) for m in (found["members"] or "").split(",") if m.strip()]
    scope = Scope.GROUP if found["members"] is not None else Scope(found["scope"])
    expected = library.scopes.get(entity).revision
    library.scopes.set(
        entity, scope, members=members, expected=expected, confirmed=True, **doing
    )  # fmt: skip


def _named(library: Library, word: str, doing: Doing) -> str:
    """The name in `name` or `name:type`, created when it is not there yet."""
    name, _, kind = word.strip().partition(":")
    library.graph.create([NewEntity(name, kind or "thing")], **doing)
    return name


def _entity(library: Library, entity_id: int) -> str:
    entity = library.map.entity(entity_id)
    assert entity is not None
    if entity.ghost:
        return f"?{entity.name}"
    members = ", ".join(library.map.scope(entity).members)
    scope = {Scope.DEVICE: "", Scope.SHARED: " = shared", Scope.GROUP: f" = {{{members}}}"}
    return f"{entity.name}:{entity.type}{scope[entity.scope]}"


def _memory(memory: Memory) -> str:
    key = f"/{memory.key}" if memory.key else ""
    odd = [
        memory.status.value if memory.status != "active" else "",
        memory.kind.value if memory.kind != "fact" else "",
        "pinned" if memory.pinned else "",
        "verified" if memory.verified_at is not None else "",
        f"from {memory.source}" if memory.source not in ("unspecified", "legacy") else "",
        f"titled {memory.title}" if memory.title else "",
        *(f"#{tag}" for tag in memory.tags),
    ]
    flags = f" [{', '.join(filter(None, odd))}]" if any(odd) else ""
    return f"{memory.entity or ''}{key}: {memory.content}{flags}"
