"""Answers of every reading tool over ten thousand memories: their size, and the way to the rest."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcp.client import Client
from mcp.types import CallToolResult, TextContent

from agents.dialects.rooms import Room, room
from notation import WINDOW
from remembrancer.service.library import Library

MEMORIES = 10_000
BUDGET = 100_000  # characters
Ask = Callable[[str, dict[str, Any]], CallToolResult]

_TEXTS = (
    "Der Behälter für größere Übungsmengen fasst {n} Liter; geprüft wird jährlich im März.",
    "容器编号{n}的压力阀每年检查一次，结果写入维护记录，下一次检查由值班人员安排。" * 2,
    "🔧🚢 pump {n} 🛟⚓ runs quietly 😀👩‍🔧 and is oiled on every second Tuesday 🗓️",
    "Valve {n} is rated for 16 bar; its seat was ground in by hand and must not be replaced alone. "
    * 3,
)


def fill(path: Path, memories: int = MEMORIES) -> None:
    """A store with one entity of three tenths of all memories, and many small ones; all linked."""
    rows: list[dict[str, Any]] = []
    big = memories * 3 // 10
    rows.append(_entity("Hafen", range(big)))
    rows += [_entity(f"ding {n}", range(n, n + 10)) for n in range(big, memories, 10)]
    names = [str(row["name"]) for row in rows]
    rows += [
        {"type": "relation", "from": name, "to": "Hafen", "relationType": "gehört zu"}
        for name in names[1:]
    ]
    file = path.with_suffix(".jsonl")
    file.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), "utf-8")
    with Library.open(path) as library:
        library.transfer.bring_in(file)


def _entity(name: str, numbers: range) -> dict[str, Any]:
    texts = [_TEXTS[n % len(_TEXTS)].replace("{n}", str(n)) for n in numbers]
    return {"type": "entity", "name": name, "entityType": "project", "observations": texts}


# What is asked of every dialect: the calls whose answers could be largest.
ASKED: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "native": [
        ("memory_recall", {"query": "valve", "maxChars": 16_000, "limit": 50}),
        ("memory_recall", {"entityName": "Hafen", "maxChars": 16_000, "limit": 50}),
        ("memory_review", {"limit": 100, "state": "all"}),
        ("memory_review", {"query": "容器", "limit": 100}),
        ("memory_read_graph", {}), ("memory_search_nodes", {"query": "a", "limit": 10_000}),
        ("memory_open_nodes", {"names": ["Hafen"]}), ("memory_history", {"id": 1}),
        ("memory_get_scope", {"entityName": "Hafen"}),
    ],
    "memcore": [
        ("memory_search", {"query": "valve", "limit": 200}), ("memory_recent", {"limit": 200}),
        ("memory_search", {"query": "valve", "limit": 200, "debug": True}),
        ("memory_list", {"limit": 200}), ("memory_events", {"limit": 200}), ("memory_scopes", {}),
        ("memory_stats", {}), ("memory_history", {"scope": "Hafen", "name": "m-1"}),
        ("memory_get", {"scope": "Hafen", "name": "m-1"}), ("memory_embed_status", {}),
    ],
    "knowledge_graph": [
        ("read_graph", {}), ("search_nodes", {"query": "a"}), ("open_nodes", {"names": ["Hafen"]}),
    ],
    "memo": [
        ("recall", {"query": "valve", "limit": 100_000, "full": True}), ("topics", {"all": True}),
        ("topics", {"tag": "Hafen", "all": True}), ("consolidate", {"groups": 100}),
        ("show", {"ids": ",".join(map(str, range(1, 5_001))), "full": True}),
        ("check", {"ids": "1,2,3"}),
    ],
    "brain": [
        ("select_brain_memory", {}), ("select_brain_memory", {"query": "valve"}),
        ("select_brain_memory", {"scope_modul": "Hafen"}),
    ],
}  # fmt: skip


@dataclass
class Sizes:
    """The largest answer, and every one that was too large or could not be followed."""

    answers: int = 0
    characters: int = 0
    bytes: int = 0
    wrong: tuple[str, ...] = ()


def measured(folder: Path, memories: int = MEMORIES) -> Sizes:
    """Ask everything of every dialect, and follow what is left to its end."""
    path, sizes = folder / "large.db", Sizes()
    fill(path, memories)
    with Library.open(path) as library, room(library) as here:
        for dialect, asked in ASKED.items():
            agent, _ = library.agents.add(dialect, dialect=dialect, answer_budget=BUDGET, **WINDOW)
            ask = _asking(here, here.client(dialect, agent))
            for tool, arguments in asked:
                _weigh(f"{dialect} {tool} {str(arguments)[:60]}", ask(tool, arguments), sizes)
            if dialect in _FOLLOWED:
                every = _FOLLOWED[dialect](ask)
                if len(every) != memories:
                    sizes.wrong += (f"{dialect}: {len(every):,} of {memories:,} could be reached",)
    return sizes


def _asking(here: Room, client: Client) -> Ask:
    def ask(tool: str, arguments: dict[str, Any]) -> CallToolResult:
        return here.portal.call(client.call_tool, tool, arguments)

    return ask


def _weigh(what: str, result: CallToolResult, sizes: Sizes) -> None:
    text = _text(result)
    sizes.answers += 1
    sizes.characters = max(sizes.characters, len(text))
    sizes.bytes = max(sizes.bytes, len(text.encode()))
    if result.is_error or len(text) > BUDGET:
        sizes.wrong += (f"{what}: {len(text):,} characters, {text[:200]}",)


def _text(result: CallToolResult) -> str:
    return "\n".join(b.text for b in result.content if isinstance(b, TextContent))


def _through_review(ask: Ask) -> set[Any]:
    """Native's graph names memory_review for what is left: page by page, to the end."""
    assert "memory_review" in _text(ask("memory_read_graph", {}))
    found: set[Any] = set()
    while page := json.loads(_text(ask("memory_review", {"limit": 100, "offset": len(found)})))[
        "items"
    ]:
        found |= {row["id"] for row in page}
    return found


def _through_topics(ask: Ask) -> set[Any]:
    """Memo's lists name the next page themselves."""
    tags = {line.split("  ")[0] for line in _text(ask("topics", {"all": True})).splitlines()}
    found: set[Any] = set()
    for tag in tags:
        page = 1
        while page:
            told = _text(ask("topics", {"tag": tag, "limit": 200, "page": page}))
            found |= set(re.findall(r"^  #(\d+) ", told, re.MULTILINE))
            page = page + 1 if f"page={page + 1}" in told else 0
    return found


_FOLLOWED: dict[str, Callable[[Ask], set[Any]]] = {
    "native": _through_review,
    "memo": _through_topics,
}
