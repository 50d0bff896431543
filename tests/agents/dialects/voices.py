"""Every vocabulary behind one set of verbs: what tests of more than one of them speak with."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple

from mcp.shared.exceptions import MCPError
from mcp.types import CallToolResult, TextContent

from remembrancer.core import kinds
from remembrancer.core.memory import Memory

WORD = "merkwort"  # stands at the head of every text, so that a search finds it


class Seen(NamedTuple):
    """A memory as a vocabulary shows it; None for what it does not show."""

    text: str
    entity: Any = None
    kind: str | None = None
    title: str | None = None
    key: str | None = None
    tags: tuple[str, ...] | None = None


class Denied(Exception):
    """A call that was answered with an error; says the sentence."""


class Voice(ABC):
    """One agent that speaks one vocabulary, through a client of its own."""

    hides: ClassVar[bool] = False  # whether it can put a memory away
    revives: ClassVar[bool] = False  # whether it can bring it back
    deletes: ClassVar[bool] = False
    shows_expired: ClassVar[bool] = True

    def __init__(self, name: str, ask: Callable[[str, dict[str, Any]], CallToolResult]) -> None:
        self.name = name
        self._ask = ask

    def result(self, tool: str, arguments: Mapping[str, Any]) -> CallToolResult:
        """The answer as the client got it; an error of the protocol too is a result."""
        try:
            return self._ask(tool, dict(arguments))
        except MCPError as error:
            told = TextContent(type="text", text=f"{error}")
            return CallToolResult(is_error=True, content=[told])

    def __call__(self, tool: str, **arguments: Any) -> Any:
        """The structured content of an answer that is no error."""
        result = self.result(tool, arguments)
        if result.is_error:
            raise Denied(everything(result))
        return result.structured_content

    @abstractmethod
    def write(self, entity: str | None, text: str) -> None:
        """Store a text under an entity (None: unfiled, where that is possible)."""

    @abstractmethod
    def view(self, entity: str | None) -> list[Seen]:
        """What the default view shows of an entity."""

    @abstractmethod
    def revise(self, memory: Memory, text: str) -> None:
        """Let a memory say something else."""

    @abstractmethod
    def expected(self, memory: Memory, type_: str) -> Seen:
        """How the table of crossing says that this vocabulary shows a memory."""

    @abstractmethod
    def read(self, memory: Memory) -> str | None:
        """The text of one memory, by the shortest way to it."""

    @abstractmethod
    def beside(self, text: str, said: str) -> list[str]:
        """Write `said` with `text` in the fields beside it; what these show when they are read."""

    def behind(self, memory: Memory) -> list[str]:
        """The texts shown by the switch that reaches what was put away."""
        return []

    def hide(self, memory: Memory) -> None:
        """Put a memory away."""
        raise NotImplementedError

    def revive(self, memory: Memory) -> None:
        """Bring a memory back that was put away."""
        raise NotImplementedError

    def delete(self, memory: Memory) -> None:
        """Delete a memory."""
        raise NotImplementedError


class NativeVoice(Voice):
    """Scopes, keys, revisions."""

    hides = revives = deletes = True
    shows_expired = False

    def write(self, entity: str | None, text: str) -> None:
        assert entity is not None
        # Its tools for memories trim the name they are given, its tools for the graph do not.
        new = {"name": entity.strip(), "entityType": "thing"}
        self("memory_create_entities", entities=[new])
        self("memory_remember", entityName=entity, content=text, kind="lesson")

    def view(self, entity: str | None) -> list[Seen]:
        return [
            Seen(i["content"], i["entityName"], i["kind"], key=i["key"])
            for i in self._items("active", entity)
        ]

    def read(self, memory: Memory) -> str | None:
        found = self._items("all", memory.entity)
        return next((i["content"] for i in found if i["id"] == memory.id), None)

    def beside(self, text: str, said: str) -> list[str]:
        self("memory_create_entities", entities=[{"name": said, "entityType": text}])
        made = self("memory_remember", entityName=said, content=said, key=text, source=text)
        [seen] = self._items("active", said)
        assert seen == made
        return [seen["key"], seen["source"]]

    def behind(self, memory: Memory) -> list[str]:
        return [i["content"] for i in self._items("archived", memory.entity)]

    def revise(self, memory: Memory, text: str) -> None:
        self._revise(memory, content=text)

    def hide(self, memory: Memory) -> None:
        self._revise(memory, status="archived")

    def revive(self, memory: Memory) -> None:
        self._revise(memory, status="active")

    def delete(self, memory: Memory) -> None:
        gone = {"entityName": memory.entity, "observations": [memory.content]}
        self("memory_delete_observations", deletions=[gone])

    def expected(self, memory: Memory, type_: str) -> Seen:
        word = kinds.word(memory.kind, kinds.NATIVE)
        return Seen(memory.content, memory.entity, word, key=memory.key)

    def _revise(self, memory: Memory, **more: Any) -> None:
        self("memory_revise", id=memory.id, expectedRevision=memory.revision, **more)

    def _items(self, state: str, entity: str | None) -> list[dict[str, Any]]:
        where = {} if entity is None else {"entityName": entity}
        items = self("memory_review", state=state, limit=100, **where)["items"]
        return [i for i in items if (i["entityName"] is None) == (entity is None)]


class GraphVoice(Voice):
    """Entities with plain observations."""

    deletes = True
    shows_expired = False

    def write(self, entity: str | None, text: str) -> None:
        assert entity is not None
        new = {"name": entity, "entityType": "thing", "observations": []}
        self("create_entities", entities=[new])
        self._add(entity, text)

    def view(self, entity: str | None) -> list[Seen]:
        if entity is None:
            nodes = self("read_graph")["entities"]
        else:
            nodes = self("open_nodes", names=[entity])["entities"]
        return [Seen(text, node["name"]) for node in nodes for text in node["observations"]]

    def read(self, memory: Memory) -> str | None:
        return next((seen.text for seen in self.view(memory.entity)), None)

    def beside(self, text: str, said: str) -> list[str]:
        self("create_entities", entities=[{"name": said, "entityType": text, "observations": []}])
        link = {"from": said, "to": said, "relationType": text}
        self("create_relations", relations=[link])
        graph = self("open_nodes", names=[said])
        return [graph["entities"][0]["entityType"], graph["relations"][0]["relationType"]]

    def revise(self, memory: Memory, text: str) -> None:
        self.delete(memory)
        assert memory.entity is not None
        self._add(memory.entity, text)

    def delete(self, memory: Memory) -> None:
        gone = {"entityName": memory.entity, "observations": [memory.content]}
        self("delete_observations", deletions=[gone])

    def expected(self, memory: Memory, type_: str) -> Seen:
        return Seen(memory.content, memory.entity)

    def _add(self, entity: str, text: str) -> None:
        self("add_observations", observations=[{"entityName": entity, "contents": [text]}])


def texts(result: CallToolResult) -> list[str]:
    """The texts of an answer."""
    return [block.text for block in result.content if isinstance(block, TextContent)]


def everything(result: CallToolResult) -> str:
    """All that a client reads in an answer."""
    structured = json.dumps(result.structured_content, ensure_ascii=False)
    return "\n".join([*texts(result), structured])
