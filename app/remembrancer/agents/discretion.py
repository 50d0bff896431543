"""What a call said is not told back, nor to the log, where it holds a secret."""

from __future__ import annotations

import logging
from typing import Any, cast

from mcp.types import CallToolResult, TextContent

from remembrancer.core import secrets

# At DEBUG these write whole messages, at INFO the ids of sessions.
_TALKATIVE = ("mcp", "sse_starlette", "uvicorn.protocols", "httptools", "h11")


def keep_messages_out_of_the_log() -> None:
    """Let the libraries that carry messages never log what is in them, whatever the level."""
    for name in _TALKATIVE:
        logging.getLogger(name).setLevel(logging.WARNING)


def discreet(text: str) -> str:
    """The text with every credential in it masked."""
    return secrets.mask(text)[0]


def discreet_result(result: CallToolResult) -> CallToolResult:
    """The answer with every credential in it masked; for failures, which quote what was said."""
    content = [
        block.model_copy(update={"text": discreet(block.text)})
        if isinstance(block, TextContent)
        else block
        for block in result.content
    ]
    value = _discreet_value(result.structured_content)
    return result.model_copy(update={"content": content, "structured_content": value})


def _discreet_value(value: Any) -> Any:
    if isinstance(value, str):
        return discreet(value)
    if isinstance(value, list):
        return [_discreet_value(each) for each in cast("list[Any]", value)]
    if isinstance(value, dict):
        pairs = cast("dict[str, Any]", value).items()
        return {discreet(key): _discreet_value(each) for key, each in pairs}
    return value
