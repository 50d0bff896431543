"""Asking the person at the client, in both protocol eras, before a call may pass."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
from typing import Any

from mcp import types
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.shared.exceptions import MCPError
from mcp.types.version import HANDSHAKE_PROTOCOL_VERSIONS
from pydantic import ValidationError

from remembrancer.agents.dialect import Dialect, Question
from remembrancer.agents.who import Context, Who

log = logging.getLogger(__name__)

PATIENCE = 2.0  # seconds in which a client has to show that it hears us
_KEY = "confirm"
# To accept is to agree: there is nothing to fill in.
_FORM: dict[str, Any] = {"type": "object", "properties": {}}


def boundary(dialect: Dialect, who: Who) -> RequestStateBoundary:
    """Seals what a question was about, for the caller that it was put to, in this process.

    Without it a client could answer questions that nobody saw.
    """

    def principal(context: Context) -> str:
        visit = who.visit(context)
        return f"{visit.agent.id} {visit.session}"

    security = RequestStateSecurity(keys=[os.urandom(32)], bind_principal=principal)
    return RequestStateBoundary(security, default_audience=f"remembrancer/{dialect.name}")


def can_ask(context: Context) -> bool:
    """Whether the client declared that it shows a form; a bare declaration means it does."""
    capabilities = context.session.client_capabilities
    asking = None if capabilities is None else capabilities.elicitation
    return asking is not None and (asking.form is not None or asking.url is None)


async def asked(
    context: Context, params: types.CallToolRequestParams, question: Question
) -> bool | types.InputRequiredResult:
    """Whether the person agreed; a 2026 client gets the question as the call's result first."""
    if context.protocol_version in HANDSHAKE_PROTOCOL_VERSIONS:
        return await _asked_at_once(context, question)
    about = _digest(question)
    answer = (params.input_responses or {}).get(_KEY)
    if params.request_state == about and isinstance(answer, types.ElicitResult):
        return answer.action == "accept"
    return types.InputRequiredResult(
        input_requests={_KEY: types.ElicitRequest(params=_form(question))}, request_state=about
    )


async def _asked_at_once(context: Context, question: Question) -> bool:
    session = context.session
    # Where the answer will be one piece of JSON, only the client's open stream is left to ask by.
    related = context.request_id if session.can_send_request else None
    if related is None and not await _hears(context):
        return False
    try:
        answer = await session.elicit_form(question.message, _FORM, related)
    except (MCPError, ValidationError):
        log.info("a client could not ask the person", exc_info=True)
        return False
    return answer.action == "accept"


async def _hears(context: Context) -> bool:
    """Whether the client reads what is sent to it beside its requests."""
    try:
        async with asyncio.timeout(PATIENCE):
            await context.session.send_ping()
    except (TimeoutError, MCPError):
        return False
    return True


def _form(question: Question) -> types.ElicitRequestFormParams:
    return types.ElicitRequestFormParams(message=question.message, requested_schema=_FORM)


def _digest(question: Question) -> str:
    return hashlib.sha256(question.message.encode()).hexdigest()
