"""What is answered to requests about prompts, and how their arguments are completed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from mcp import types
from mcp.shared.exceptions import MCPError

from remembrancer.agents.answers import well_formed_text
from remembrancer.agents.arguments import Arguments
from remembrancer.agents.discretion import discreet
from remembrancer.agents.requests import Ground
from remembrancer.agents.tool_requests import CACHED
from remembrancer.agents.who import Context
from remembrancer.core.errors import RemembrancerError

T = TypeVar("T")
LONGEST = 8_000  # characters of an argument


class PromptRequests:
    """Lists and gives the prompts of one dialect."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._arguments = {p.name: Arguments(_schema(p)) for p in ground.dialect.prompts()}

    async def listed(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListPromptsResult:
        """The prompts there are."""
        await self._ground.arrived(context)
        prompts = list(self._ground.dialect.prompts())
        return types.ListPromptsResult(prompts=prompts, ttl_ms=CACHED, cache_scope="private")

    async def get(
        self, context: Context, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        """One prompt, with its arguments put in."""
        visit = await self._ground.arrived(context)
        caller = self._ground.who.caller(visit)
        checks = self._arguments.get(params.name)
        if checks is None:
            _refuse(f"Unknown prompt: {discreet(params.name)[:100]}")

        def give() -> types.GetPromptResult:
            checked = checks.check(params.arguments or {})
            return self._ground.dialect.prompt(params.name, checked, caller)

        with self._ground.who.presence.request(visit):
            return await self._ground.workers.run(_told, give)

    async def complete(
        self, context: Context, params: types.CompleteRequestParams
    ) -> types.CompleteResult:
        """How what was begun may go on."""
        caller = await self._ground.caller(context)
        name, begun = params.argument.name, params.argument.value

        def find() -> types.Completion:
            return self._ground.dialect.complete(params.ref, name, begun, caller)

        return types.CompleteResult(completion=await self._ground.workers.run(_told, find))


def _schema(prompt: types.Prompt) -> dict[str, Any]:
    arguments = prompt.arguments or []
    text = {"type": "string", "minLength": 1, "maxLength": LONGEST}
    return {
        "type": "object",
        "properties": {each.name: text for each in arguments},
        "required": [each.name for each in arguments if each.required],
        "additionalProperties": False,
    }


def _told(work: Callable[[], T]) -> T:
    """What the work gives; what goes wrong in it as we would say it, for there is no result."""
    try:
        return work()
    except RemembrancerError as error:
        _refuse(str(error))


def _refuse(sentence: str) -> NoReturn:
    raise MCPError(types.INVALID_PARAMS, discreet(well_formed_text(sentence)))
