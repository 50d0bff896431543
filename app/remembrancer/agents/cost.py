"""What it costs an agent to know its tools: the characters of their definitions."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from remembrancer.agents.caller import Caller
from remembrancer.agents.dialects import DIALECTS

if TYPE_CHECKING:
    from remembrancer.core.author import Agent
    from remembrancer.service.library import Library


def tool_cost(library: Library, agent: Agent) -> int | None:
    """The characters of the answer in which this agent is told of its tools, as compact JSON.

    None for a dialect that this version does not have. The first call loads mcp: a second or two.
    """
    if agent.dialect not in DIALECTS:
        return None
    from remembrancer.agents.tool_requests import told_tools

    caller = Caller(agent.author(), "", agent.answer_budget, agent.language)
    told = told_tools(DIALECTS[agent.dialect](library), caller)
    plain = told.model_dump(mode="json", by_alias=True, exclude_none=True)
    return len(json.dumps(plain, ensure_ascii=False, separators=(",", ":")))
