"""Calling a dialect as its server does, and through a real client in memory."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any, Literal

from jsonschema import Draft202012Validator
from mcp.client import Client
from mcp.types import CallToolResult, TextContent

from remembrancer.agents.answers import answered
from remembrancer.agents.arguments import Arguments
from remembrancer.agents.caller import Caller
from remembrancer.agents.dialect import Dialect
from remembrancer.agents.journal_resource import JOURNAL
from remembrancer.agents.notices import Notices
from remembrancer.agents.presence import Presence
from remembrancer.agents.server import make_server
from remembrancer.agents.who import Who
from remembrancer.agents.work import Workers
from remembrancer.core.author import Access, Agent, Author, AuthorKind
from remembrancer.core.errors import RemembrancerError
from remembrancer.service.library import Library

ERAS: tuple[Literal["auto", "legacy"], ...] = ("auto", "legacy")
ROBIN = Caller(Author("robin", AuthorKind.AGENT), "session", 100_000, "en")


def limited(
    *, access: Access = Access.WRITE, entity: str | None = None, budget: int | None = 100_000,
    language: str = "en",
) -> Caller:  # fmt: skip
    """A caller under a policy."""
    author = replace(ROBIN.author, access=access, entity=entity)
    return Caller(author, "session", budget, language)


@dataclass(frozen=True)
class Speaker:
    """One caller of one dialect; answers are checked against the tool's output schema."""

    dialect: Dialect
    caller: Caller = ROBIN

    def as_(self, caller: Caller) -> Speaker:
        """The same dialect for another caller."""
        return replace(self, caller=caller)

    def result(self, tool: str, arguments: Mapping[str, Any]) -> CallToolResult:
        """What the server would send."""
        offered = next(t for t in self.dialect.offered(self.caller) if t.name == tool)
        trimmed = self.dialect.trimmed.get(tool, frozenset())
        check = Arguments(offered.input_schema, trimmed).check

        def call() -> CallToolResult:
            return self.dialect.call(tool, check(dict(arguments)), self.caller)

        def failed(error: RemembrancerError) -> CallToolResult:
            return self.dialect.failed(tool, error, self.caller)

        result = answered(call, failed)
        if not result.is_error and offered.output_schema is not None:
            Draft202012Validator(offered.output_schema).validate(result.structured_content)
        return result

    def texts(self, tool: str, **arguments: Any) -> list[str]:
        """The text blocks of an answer that is no error."""
        result = self.result(tool, arguments)
        assert not result.is_error, text_of(result)
        return [block.text for block in result.content if isinstance(block, TextContent)]

    def text(self, tool: str, **arguments: Any) -> str:
        """The one text block of an answer that is no error."""
        texts = self.texts(tool, **arguments)
        assert len(texts) == 1, texts[1:]
        return texts[0]

    def __call__(self, tool: str, **arguments: Any) -> Any:
        """The one text block of an answer, read as JSON."""
        return json.loads(self.text(tool, **arguments))

    def refused(self, tool: str, **arguments: Any) -> str:
        """The sentence of an answer that is an error."""
        result = self.result(tool, arguments)
        assert result.is_error, text_of(result)
        assert text_of(result).startswith("Error: ")
        return text_of(result).removeprefix("Error: ")


def text_of(result: CallToolResult) -> str:
    """The first text of an answer."""
    block = result.content[0]
    assert isinstance(block, TextContent)
    return block.text


@asynccontextmanager
async def connected(
    library: Library, dialect: Dialect, agent: Agent, mode: Literal["auto", "legacy"], **client: Any
) -> AsyncIterator[Client]:
    """A client that speaks to the dialect's server as this agent, in this era of the protocol.

    It hears of changes; `client` is what a client may declare beside that.
    """
    presence = Presence()
    with ThreadPoolExecutor(2) as pool:
        workers = Workers(pool, library.interrupt)
        notices = Notices(presence, [JOURNAL.uri], library.journal.head, workers)
        who = Who(library, presence, agent)
        server = make_server(dialect, library, workers, who, notices)
        stop, telling = library.bell.listen(notices.ring), asyncio.create_task(notices.run())
        try:
            async with Client(server, mode=mode, **client) as speaking:
                yield speaking
        finally:
            stop()
            telling.cancel()
