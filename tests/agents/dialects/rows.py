"""Calls of every tool of every vocabulary, about one's own and about what others have.

A tool without a row makes the tests of policies fail.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from agents.dialects.rooms import LANGUAGES, SPOKEN, name_of
from agents.dialects.voices import WORD

OWN, OTHER = "mine", "zorblax"
# Words that stand only in what others have.
MARKS = ("zorblax", "glarf", "quibkey", "wibtitle", "snorktag", "flumtype", "phantomx", "crowdx")


@dataclass(frozen=True)
class Target:
    """What a call is about: an entity and a memory of it, by every name it has."""

    entity: str
    id: int
    hidden: int
    text: str
    key: str
    tag: str
    type: str


MINE = Target(OWN, 1, 2, f"{WORD} alpha", "k-own", "own", "modul")
THEIRS = Target(OTHER, 3, 4, f"{WORD} glarf", "quibkey", "snorktag", "flumtype")
TARGETS = (MINE, THEIRS)

Row = Callable[[Target], dict[str, Any]]


def nothing(_: Target) -> dict[str, Any]:
    return {}


def _relation(t: Target) -> dict[str, Any]:
    return {"relations": [{"from": OWN, "to": t.entity, "relationType": "near"}]}


def _observations(t: Target) -> dict[str, Any]:
    return {"observations": [{"entityName": t.entity, "contents": ["new"]}]}


def _deletions(t: Target) -> dict[str, Any]:
    return {"deletions": [{"entityName": t.entity, "observations": [t.text]}]}


def _created(t: Target) -> dict[str, Any]:
    names = [t.entity, f"{t.entity}-new"]
    return {"entities": [{"name": n, "entityType": t.type, "observations": ["new"]} for n in names]}


def _entry(t: Target) -> dict[str, Any]:
    return {"scope": t.entity, "name": t.key}


def _brain_scope(t: Target) -> dict[str, Any]:
    return {"scope_typ": t.type, "scope_modul": t.entity}


GRAPH: dict[str, list[Row]] = {
    "create_entities": [_created],
    "create_relations": [_relation],
    "add_observations": [_observations],
    "delete_entities": [lambda t: {"entityNames": [t.entity]}],
    "delete_observations": [_deletions],
    "delete_relations": [_relation],
    "read_graph": [nothing],
    "search_nodes": [lambda t: {"query": t.text}, lambda t: {"query": t.type}],
    "open_nodes": [lambda t: {"names": [t.entity, OWN]}],
}
ROWS: dict[str, dict[str, list[Row]]] = {
    "native": {
        **{f"memory_{tool}": rows for tool, rows in GRAPH.items()},
        "memory_get_scope": [lambda t: {"entityName": t.entity}],
        "memory_set_scope": [
            lambda t: {"entityName": t.entity, "scope": "shared", "expectedRevision": 1,
                       "confirmSharing": True},
            lambda t: {"entityName": OWN, "scope": "group", "expectedRevision": 1,
                       "members": [t.entity], "confirmSharing": True},
        ],
        "memory_remember": [
            lambda t: {"entityName": t.entity, "content": "new"},
            lambda t: {"entityName": OWN, "content": t.text, "key": t.key},
        ],
        "memory_recall": [
            nothing,
            lambda t: {"entityName": t.entity, "query": t.text},
            lambda t: {"query": f"{t.text} {WORD}", "limit": 50},
        ],
        "memory_review": [
            lambda _: {"state": "all", "limit": 100},
            lambda t: {"entityName": t.entity, "state": "all"},
            lambda t: {"query": t.text, "scope": "shared"},
        ],
        "memory_revise": [lambda t: {"id": t.id, "expectedRevision": 1, "content": "new"}],
        "memory_history": [lambda t: {"id": t.id}],
    },
    "knowledge_graph": GRAPH,
    "memcore": {
        "memory_search": [
            lambda t: {"query": t.text},
            lambda t: {"query": WORD, "scope": t.entity, "debug": True, "semantic": True},
        ],
        "memory_embed_status": [nothing],
        "memory_recent": [
            lambda t: {"scope": t.entity, "include_archived": True}, lambda _: {"limit": 200},
        ],
        "memory_get": [lambda t: {**_entry(t), "include_archived": True},
                       lambda t: {"scope": t.entity, "name": f"m-{t.hidden}"}],
        "memory_list": [nothing, lambda t: {"scope": t.entity, "archived": True}],
        "memory_events": [nothing, lambda t: {**_entry(t)}],
        "memory_scopes": [nothing],
        "memory_stats": [nothing],
        "memory_history": [_entry],
        "memory_write": [lambda t: {**_entry(t), "type": "user", "content": "new"}],
        "memory_archive": [lambda t: {**_entry(t), "reason": "so"}],
        "memory_restore": [
            lambda t: {"scope": t.entity, "name": f"m-{t.hidden}", "reason": "so"},
        ],
        "memory_healthcheck": [nothing],
    },
    "memo": {
        "remember": [
            lambda t: {"text": f"{t.text} anew", "tags": f"{t.entity} {t.tag}"},
            lambda t: {"text": t.text, "tags": OWN, "ersetzt": f"#{t.id}"},
            lambda t: {"text": f"{WORD} untagged"},
        ],
        "recall": [
            lambda t: {"query": t.text, "mit_veraltet": True, "art": "alle"},
            lambda t: {"query": WORD, "marke": t.entity, "voll": True},
        ],
        "verdichten": [nothing, lambda t: {"marke": t.entity, "schwelle": 0.01}],
        "pruefe": [lambda t: {"ids": f"{t.id},{t.hidden},1"}],
        "vergessen": [lambda t: {"ids": f"{t.id}", "grund": "so"}],
        "themen": [nothing, lambda t: {"marke": t.entity}, lambda t: {"marke": t.tag}],
        "zeige": [lambda t: {"ids": f"{t.id},{t.hidden}", "voll": True}],
        "einordnen": [lambda t: {"ids": f"{t.id}", "art": "messwert"}],
    },
    "brain": {
        "select_brain_memory": [
            nothing, _brain_scope, lambda t: {"ID": t.id}, lambda t: {"query": t.text},
            lambda t: {"scope_typ": t.type}, lambda _: {"scope_typ": "global"},
            lambda _: {"agent_ID": 1},
        ],
        "insert_brain_memory": [
            lambda t: {"titel": "n", "inhalt": "new", **_brain_scope(t)},
            lambda t: {"titel": "n", "inhalt": "new", "scope_typ": "modul",
                       "scope_modul": t.entity},
            lambda _: {"titel": "n", "inhalt": "new"},
        ],
        "update_brain_memory": [
            lambda t: {"ID": t.id, "revision": 1, "inhalt": "new"},
            lambda t: {"ID": 1, "revision": 1, "scope_modul": t.entity},
        ],
        "delete_brain_memory": [lambda t: {"ID": t.id, "revision": 1, "grund": "so"}],
    },
}  # fmt: skip
ENGLISH = {
    "verdichten": "consolidate", "pruefe": "check", "vergessen": "forget", "themen": "topics",
    "zeige": "show", "einordnen": "classify", "art": "kind", "ersetzt": "supersedes",
    "marke": "tag", "schwelle": "threshold", "gruppen": "groups", "voll": "full",
    "mit_veraltet": "include_superseded", "seite": "page", "alle": "all", "grund": "reason",
    "messwert": "measurement",
}  # fmt: skip
CASES = [
    (dialect, language, tool)
    for dialect, language in SPOKEN
    for tool in ROWS.get(dialect, {"no row": []})
]
NAMED = [f"{name_of(dialect, language)} {tool}" for dialect, language, tool in CASES]


def calls(dialect: str, language: str, tool: str) -> list[tuple[Target, str, dict[str, Any]]]:
    """Every call to be made of one tool, as (what it is about, tool, arguments)."""
    english = dialect in LANGUAGES and language == "en"
    words = ENGLISH if english else {}
    found: list[tuple[Target, str, dict[str, Any]]] = []
    for row in ROWS[dialect][tool]:
        for target in TARGETS:
            said = {words.get(k, k): words.get(v, v) if k == "art" else v
                    for k, v in row(target).items()}  # fmt: skip
            found.append((target, words.get(tool, tool), said))
    return found
