"""One JSON-RPC message a line, read strictly: what JSON may not hold is not let in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from typing import Any, cast

from mcp import types
from pydantic import PrivateAttr
from pydantic_core import from_json

LONGEST_LINE = 4 << 20  # bytes
_SPELLED = "remembrancer/spelled"

_become_lines: ContextVar[bool] = ContextVar("become_lines", default=False)


class BadLine(Exception):
    """A line that is no message; `answer` is what its sender gets."""

    def __init__(self, code: int, sentence: str, id: str | int | None = None) -> None:
        super().__init__(sentence)
        error = types.ErrorData(code=code, message=sentence)
        self.answer = types.JSONRPCError(jsonrpc="2.0", id=id, error=error)


class Lines:
    """Whole lines out of pieces as they are read, without their ends; None for one too long."""

    def __init__(self) -> None:
        self._held = bytearray()
        self._too_long = False

    def feed(self, piece: bytes) -> Iterator[bytes | None]:
        """The lines that end in this piece; an empty piece is the end of all."""
        if not piece:
            if self._held or self._too_long:
                yield self._taken()
            return
        *ended, rest = piece.split(b"\n")
        for end in ended:
            self._held += end
            yield self._taken()
        self._held += rest
        if len(self._held) > LONGEST_LINE:
            self._held, self._too_long = bytearray(), True

    def _taken(self) -> bytes | None:
        held, too_long = self._held, self._too_long or len(self._held) > LONGEST_LINE
        self._held, self._too_long = bytearray(), False
        return None if too_long else bytes(held)


def parsed(line: bytes | None) -> types.JSONRPCMessage:
    """The message that a line holds; raises BadLine."""
    if line is None:
        raise BadLine(types.PARSE_ERROR, f"Parse error: a line of over {LONGEST_LINE} bytes")
    try:
        value = from_json(line.strip(), allow_inf_nan=False)
    except ValueError as error:
        raise BadLine(types.PARSE_ERROR, f"Parse error: {error}") from error
    try:
        message = types.jsonrpc_message_adapter.validate_python(value, by_name=False)
    except ValueError as error:
        raise BadLine(types.INVALID_REQUEST, "Not a JSON-RPC message", _id_of(value)) from error
    if isinstance(message, types.JSONRPCNotification) and "id" in value:
        # It wants an answer, but its id is none, so that it was taken for a notification.
        raise BadLine(types.INVALID_REQUEST, "An id must be text or a whole number")
    return message


def answers_become_lines() -> None:
    """Say that every answer of this context, and of tasks it begins, will go through `unparsed`."""
    _become_lines.set(True)


class Prepared(types.CallToolResult):
    """An answer whose `content` and `structuredContent` are spelled as JSON already.

    It is an answer like any other, except that a line takes over the spelling where
    `answers_become_lines` was said: making JSON of a large answer costs more than finding it.
    """

    _spelled: str = PrivateAttr()

    @classmethod
    def of(
        cls, content: Sequence[types.TextContent], structured: dict[str, Any], spelled: str
    ) -> Prepared:
        """An answer, and `spelled`: its two members as JSON, `"content":[…],"structured…":{…}`."""
        made = cls(content=[*content], structured_content=structured)
        made._spelled = spelled
        return made

    def model_dump(self, **how: Any) -> dict[str, Any]:
        """The answer as plain values; on its way to a line with the spelling instead of them."""
        if not _become_lines.get():
            return super().model_dump(**how)
        rest = super().model_dump(**how, exclude={"content", "structured_content"})
        return {**rest, "content": [], "_meta": {_SPELLED: self._spelled}}


def unparsed(message: types.JSONRPCMessage) -> bytes:
    """The line that holds a message, with its end."""
    if isinstance(message, types.JSONRPCResponse) and _SPELLED in (
        message.result.get("_meta") or ()
    ):
        return _spelled_out(message)
    try:
        text = message.model_dump_json(by_alias=True, exclude_unset=True)
    except ValueError:  # a lone surrogate in an error's text, say: its sender still waits
        problem = types.ErrorData(code=types.INTERNAL_ERROR, message="The answer is not JSON")
        answer = types.JSONRPCError(jsonrpc="2.0", id=getattr(message, "id", None), error=problem)
        text = answer.model_dump_json(by_alias=True, exclude_unset=True)
    return text.encode() + b"\n"


def _spelled_out(message: types.JSONRPCResponse) -> bytes:
    """The line with an answer that was prepared."""
    meta = dict(message.result["_meta"])
    spelled: str = meta.pop(_SPELLED)
    left_out = ("content", "_meta") if not meta else ("content",)
    rest = {name: value for name, value in message.result.items() if name not in left_out}
    shorter = message.model_copy(update={"result": rest | ({"_meta": meta} if meta else {})})
    begun = shorter.model_dump_json(by_alias=True, exclude_unset=True).removesuffix("}}")
    comma = b"" if begun.endswith("{") else b","
    return b"".join([begun.encode(), comma, spelled.encode(), b"}}\n"])


def _id_of(value: object) -> str | int | None:
    if not isinstance(value, dict):
        return None
    found = cast("dict[str, Any]", value).get("id")
    return found if isinstance(found, (str, int)) and not isinstance(found, bool) else None
