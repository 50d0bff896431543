"""Calls that come with an idempotency key: done once, however often they are sent.

A client puts the key into the request's `_meta`, or into the HTTP header `Idempotency-Key`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

from mcp import types

from remembrancer.core.errors import BadValue, RemembrancerError

if TYPE_CHECKING:
    from remembrancer.agents.who import Context
    from remembrancer.core.author import Author
    from remembrancer.service.library import Library

META = "remembrancer/idempotency-key"
_HEADER = b"idempotency-key"


def key_of(context: Context, params: types.CallToolRequestParams) -> object:
    """The key that a request names, whatever it is; None when it names none."""
    meta: Mapping[str, Any] = params.meta or {}
    if META in meta:
        return meta[META]
    scope: Mapping[str, Any] = {} if context.request is None else context.request.scope
    named = [value for name, value in scope.get("headers", ()) if name == _HEADER]
    return named[0].decode("latin-1") if named else None


class Repeats:
    """One call under its key, if it has one."""

    def __init__(self, library: Library, author: Author, key: object, asked: object) -> None:
        self._library = library
        self._agent = author.agent_id
        self._key = key
        self._asked = asked

    def once(self) -> AbstractContextManager[object]:
        """The context in which the call is carried out; raises BadValue for what is no key."""
        if self._key is None:
            return nullcontext()
        if not isinstance(self._key, str):
            raise BadValue(f"An idempotency key in {META!r} must be a text.", code="key")
        asked = json.dumps(self._asked, sort_keys=True)
        digest = hashlib.sha256(asked.encode()).digest()
        return self._library.once(self._agent, self._key, digest)

    def answer(self, tool: types.Tool, error: RemembrancerError) -> types.CallToolResult | None:
        """What is said when a call that was carried out before can no longer give its answer."""
        done = isinstance(self._key, str) and error.code != "key_reused"
        if not done or not self._library.was_done(self._agent, str(self._key)):
            return None
        text = (
            "This call was carried out before, and nothing was done again. "
            f"It cannot be answered once more ({error}); read what is there now."
        )
        return noted(tool, text)


def noted(tool: types.Tool, text: str) -> types.CallToolResult:
    """A sentence in the place of an answer, where a call neither failed nor has one."""
    # A client insists on structured content where a tool promises it, except in a failure.
    said = types.TextContent(type="text", text=text)
    return types.CallToolResult(content=[said], is_error=tool.output_schema is not None)
