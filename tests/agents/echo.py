"""A small dialect, enough to see what carries it, in a house with two agents."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from mcp.types import CallToolResult, Resource, TextContent, Tool

from remembrancer.agents.caller import Caller
from remembrancer.agents.dialect import Dialect
from remembrancer.agents.host import Host
from remembrancer.core.author import PERSON, Agent
from remembrancer.core.errors import NotFound
from remembrancer.service.graph import NewEntity
from remembrancer.service.library import Library

BOUND = 20.0  # seconds after which what a test waits for will not come


def tool(name: str, **properties: Any) -> Tool:
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return Tool(name=name, description=name, input_schema=schema)


class Echo(Dialect):
    """Says what it was told, in the ways a dialect can answer."""

    name = "native"
    title = "Echo"
    instructions = "Say something."
    tools = (
        tool(
            "echo", text={"type": "string", "maxLength": 5}, times={"type": "integer", "default": 1}
        ),
        tool("whoami"),
        tool("half"),
        tool("fail", how={"type": "string", "enum": ["expected", "unexpected"]}),
        tool("wait"),
        tool("writers_only"),
        tool("noisy"),
    )
    trimmed: ClassVar[Mapping[str, frozenset[str]]] = {"echo": frozenset({"text"})}

    def __init__(self, library: Library) -> None:
        self.library = library
        self.waiting = threading.Event()
        self.go_on = threading.Event()

    def offered(self, caller: Caller) -> tuple[Tool, ...]:
        reading = caller.author.access == "read"
        return tuple(each for each in self.tools if not reading or each.name != "writers_only")

    def call(self, tool: str, arguments: dict[str, Any], caller: Caller) -> CallToolResult:
        return getattr(self, tool)(caller, **arguments)

    def echo(self, caller: Caller, text: str, times: int) -> CallToolResult:
        return answer(text * times)

    def whoami(self, caller: Caller) -> CallToolResult:
        author = caller.author
        return answer(f"{author.name} {author.agent_id} {author.access} {caller.language}")

    def half(self, caller: Caller) -> CallToolResult:
        return CallToolResult(
            content=[text_block("a\ud800b")], structured_content={"\udfff": ["\udfff"]}
        )

    def fail(self, caller: Caller, how: str) -> CallToolResult:
        raise NotFound("There is no such thing.") if how == "expected" else ZeroDivisionError

    def wait(self, caller: Caller) -> CallToolResult:
        self.waiting.set()
        return answer("went on" if self.go_on.wait(BOUND) else "gave up")

    def noisy(self, caller: Caller) -> CallToolResult:
        print("this is not for the wire")
        return answer("quiet")

    def writers_only(self, caller: Caller) -> CallToolResult:
        return answer("written")

    def resources(self) -> tuple[Resource, ...]:
        return (Resource(name="echo", uri="memory://echo", mime_type="text/plain"),)

    def read(self, uri: str, caller: Caller) -> str:
        return f"{uri} for {caller.author.name}"


class Memo(Echo):
    """A second vocabulary, at a path of its own."""

    name = "memo"


def text_block(text: str) -> TextContent:
    return TextContent(type="text", text=text)


def answer(text: str) -> CallToolResult:
    return CallToolResult(content=[text_block(text)], structured_content={"text": text})


@dataclass
class House:
    """An open library, its agents, and the dialects that the host made last."""

    library: Library
    anna: Agent
    token: str
    memo_token: str
    made: list[Echo] = field(default_factory=list[Echo])

    def host(self) -> Host:
        return Host(self.library, [self._made(Echo), self._made(Memo)])

    def _made(self, kind: type[Echo]) -> Any:
        def make(library: Library) -> Echo:
            self.made.append(kind(library))
            return self.made[-1]

        return make

    def remember(self, content: str) -> None:
        self.library.graph.create([NewEntity(content, "thing")], author=PERSON, origin="window")
