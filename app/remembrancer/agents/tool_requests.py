"""What is answered to requests about tools: which there are, and what a call gives."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from mcp import types
from mcp.shared.exceptions import MCPError

from remembrancer.agents.answers import answered, well_formed_text
from remembrancer.agents.arguments import Arguments
from remembrancer.agents.asking import asked, can_ask
from remembrancer.agents.caller import Caller
from remembrancer.agents.dialect import Dialect, Question
from remembrancer.agents.discretion import discreet
from remembrancer.agents.progress import Reports, telling
from remembrancer.agents.repeats import Repeats, key_of, noted
from remembrancer.agents.requests import Ground
from remembrancer.agents.who import Context
from remembrancer.core.errors import RemembrancerError, Waiting

CACHED = 60_000  # milliseconds for which a client need not ask for the tools again


def told_tools(dialect: Dialect, caller: Caller) -> types.ListToolsResult:
    """What a client is told of the tools of a dialect."""
    tools = list(dialect.offered(caller))
    return types.ListToolsResult(tools=tools, ttl_ms=CACHED, cache_scope="private")


class ToolRequests:
    """Lists and calls the tools of one dialect."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        dialect = ground.dialect
        self._arguments = {
            id(tool): Arguments(tool.input_schema, dialect.trimmed.get(tool.name, frozenset()))
            for tool in dialect.tools
        }

    async def listed(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        """The tools that this caller may call."""
        return told_tools(self._ground.dialect, await self._ground.caller(context))

    async def call(
        self, context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        """The answer of one tool or, before it, the question that the person has to answer."""
        visit = await self._ground.arrived(context)
        caller = self._ground.who.caller(visit)
        tool, given = self._tool(params.name, caller), params.arguments or {}
        asked_for = [self._ground.dialect.name, params.name, given]
        key = key_of(context, params)
        repeats = Repeats(self._ground.library, caller.author, key, asked_for)
        checks = self._arguments[id(tool)]
        call = _Call(self._ground.dialect, tool, checks, given, caller, repeats)
        with self._ground.who.presence.request(visit):
            call.may_ask = can_ask(context)
            result = await self._run(context, call)
            if call.question is None:
                return result
            agreed = await asked(context, params, call.question)
            if isinstance(agreed, types.InputRequiredResult):
                return agreed
            return await self._run(context, call.agreed(call.question)) if agreed else result

    async def _run(self, context: Context, call: _Call) -> types.CallToolResult:
        async with Reports(context) as reports:
            return await self._ground.workers.run_known(call.sort(), call.run, reports)

    def _tool(self, name: str, caller: Caller) -> types.Tool:
        for tool in self._ground.dialect.offered(caller):
            if tool.name == name:
                return tool
        raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {discreet(well_formed_text(name))}")


@dataclass
class _Call:
    """One call, run in a worker; `question` is what would let it pass, once it was refused."""

    dialect: Dialect
    tool: types.Tool
    checks: Arguments
    given: dict[str, Any]
    caller: Caller
    repeats: Repeats
    may_ask: bool = False
    question: Question | None = None
    checked: dict[str, Any] = field(default_factory=dict[str, Any])

    def agreed(self, question: Question) -> _Call:
        """The same call with what the person agreed to; it asks no more."""
        return replace(self, given=question.arguments, may_ask=False, question=None, checked={})

    def sort(self) -> str:
        """What calls that take about as long have in common: the tool, and how much it is given."""
        return f"{self.tool.name} {len(str(self.given)).bit_length()}"

    def run(self, reports: Reports) -> types.CallToolResult:
        with telling(reports):
            return answered(self._answer, self._failed)

    def _answer(self) -> types.CallToolResult:
        self.checked = self.checks.check(self.given)
        with self.repeats.once():
            return self.dialect.call(self.tool.name, self.checked, self.caller)

    def _failed(self, error: RemembrancerError) -> types.CallToolResult:
        told = self.repeats.answer(self.tool, error)
        if told is not None:
            return told
        if isinstance(error, Waiting):
            return noted(self.tool, str(error))
        name = self.tool.name
        if self.may_ask and self.checked:
            self.question = self.dialect.question(name, self.checked, error, self.caller)
        return self.dialect.failed(name, error, self.caller)
