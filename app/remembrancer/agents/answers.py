"""Answers on their way out: failures as text a model reads, and nothing that is not Unicode."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, cast

from mcp.types import CallToolResult, ContentBlock, TextContent
from pydantic_core import to_json

from remembrancer.agents.discretion import discreet_result
from remembrancer.agents.lines import Prepared
from remembrancer.core.edge import well_formed_text
from remembrancer.core.errors import RemembrancerError

log = logging.getLogger(__name__)

_OURS = "The call failed inside Remembrancer; nothing was changed. The log has the details."


def failure(sentence: str, prefix: str = "Error: ") -> CallToolResult:
    """An answer that tells the model what went wrong."""
    text = TextContent(type="text", text=prefix + well_formed_text(sentence))
    return CallToolResult(is_error=True, content=[text])


def answered(
    call: Callable[[], CallToolResult],
    failed: Callable[[RemembrancerError], CallToolResult] = lambda error: failure(str(error)),
) -> CallToolResult:
    """What the call returns or, if it fails, what `failed` makes of that; always well formed."""
    try:
        return well_formed(call())
    except RemembrancerError as error:
        return well_formed(discreet_result(failed(_without_path(error))))
    except Exception:
        log.exception("a tool call failed")
        return well_formed(failed(RemembrancerError(_OURS)))


def _without_path(error: RemembrancerError) -> RemembrancerError:
    """The same failure without the store's path, which is no business of an agent."""
    path = error.facts.get("path")
    if path is None:
        return error
    told = str(error).replace(str(path), "the store")
    return type(error)(told[:1].upper() + told[1:], error.code)


def well_formed(result: CallToolResult) -> CallToolResult:
    """The answer without lone surrogates, which no encoder takes; itself where it has none."""
    if isinstance(result, Prepared):  # it was JSON once
        return result
    if _encodes(result.structured_content) and all(map(_encodes, result.content)):
        return result
    changes = {
        "content": [_well_formed_block(block) for block in result.content],
        "structured_content": _well_formed_value(result.structured_content),
    }
    return result.model_copy(update=changes)


def _encodes(value: object) -> bool:
    try:
        to_json(value)
    except ValueError:
        return False
    return True


def _well_formed_block(block: ContentBlock) -> ContentBlock:
    return type(block).model_validate(_well_formed_value(block.model_dump()))


def _well_formed_value(value: Any) -> Any:
    if isinstance(value, str):
        return well_formed_text(value)
    if isinstance(value, list):
        return [_well_formed_value(each) for each in cast("list[Any]", value)]
    if isinstance(value, dict):
        pairs = cast("dict[str, Any]", value).items()
        return {well_formed_text(key): _well_formed_value(each) for key, each in pairs}
    return value
