"""One JSON-RPC message a line, read strictly: what JSON may not hold is not let in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from typing import Any, cast

from mcp import types
from pydantic import PrivateAttr
from pydantic_core import from_json

from remembrancer.agents.wording import given, listed
from remembrancer.core.edge import LARGEST_REQUEST, is_finite

LONGEST_LINE = LARGEST_REQUEST
_SPELLED = "remembrancer/spelled"
_LONGEST_NAME = 256  # characters of a method, a tool or a prompt
_KEPT = 1024  # bytes of each end of a line that was too long: its id stands near one of them

# A number that may be beyond all numbers, which the parser takes for infinity.
_IMMENSE = re.compile(rb"\d[eE]\+?\d{3}|\d{300}")
_NO_NUMBER = re.compile(rb"\b(?:NaN|Infinity)\b")
_MEMBER = rb'"(jsonrpc|id|method)"\s*:\s*("(?:[^"\\]|\\.){0,200}"|-?\d{1,16})\s*(?=[,}])'
_MEMBERS = re.compile(_MEMBER)
_FIRST = re.compile(rb"\s*\{\s*" + _MEMBER + rb"(?:,\s*" + _MEMBER + rb")*")
_LAST = re.compile(rb"(?:,\s*" + _MEMBER + rb")+\}\s*\Z")

_become_lines: ContextVar[bool] = ContextVar("become_lines", default=False)


class BadLine(Exception):
    """A line that is no message; `answer` is what its sender gets."""

    def __init__(self, code: int, sentence: str, id: str | int | None = None) -> None:
        super().__init__(sentence)
        error = types.ErrorData(code=code, message=sentence)
        self.answer = types.JSONRPCError(jsonrpc="2.0", id=id, error=error)


class Cut(bytes):
    """The two ends of a line that was too long."""


class Lines:
    """Whole lines out of pieces as they are read, without their ends; Cut for one too long."""

    def __init__(self) -> None:
        self._held = bytearray()
        self._begun: bytes | None = None  # how a line began that is too long already

    def feed(self, piece: bytes) -> Iterator[bytes | None]:
        """The lines that end in this piece; an empty piece is the end of all."""
        if not piece:
            if self._held or self._begun is not None:
                yield self._taken()
            return
        *ended, rest = piece.split(b"\n")
        for end in ended:
            self._held += end
            yield self._taken()
        self._held += rest
        self._shorten()

    def _shorten(self) -> None:
        if len(self._held) > LONGEST_LINE:
            self._begun = self._begun or bytes(self._held[:_KEPT])
        if self._begun is not None:
            del self._held[:-_KEPT]

    def _taken(self) -> bytes:
        self._shorten()
        held, begun = bytes(self._held), self._begun
        self._held, self._begun = bytearray(), None
        return held if begun is None else Cut(begun + b" " + held)


def parsed(line: bytes | None) -> types.JSONRPCMessage:
    """The message that a line holds; raises BadLine. None is a long line of unknown beginning."""
    if line is None or isinstance(line, Cut) or len(line) > LONGEST_LINE:
        told = f"Parse error: a message of over {LONGEST_LINE:,} bytes; send less in one call"
        raise BadLine(types.PARSE_ERROR, told, _id_in(line or b""))
    value = _value(line)
    try:
        message = types.jsonrpc_message_adapter.validate_python(value, by_name=False)
    except ValueError as error:
        told = "Not a JSON-RPC message"
        if isinstance(value, list):
            told = "Not a JSON-RPC message but a list; send one message at a time"
        raise BadLine(types.INVALID_REQUEST, told, _id_of(cast("object", value))) from error
    if isinstance(message, types.JSONRPCNotification) and "id" in value:
        # It wants an answer, but its id is none, so that it was taken for a notification.
        raise BadLine(types.INVALID_REQUEST, "An id must be text or a whole number")
    if isinstance(message, types.JSONRPCRequest):
        fault = _fault_of(message.method, message.params or {})
        if fault is not None:
            raise BadLine(types.INVALID_PARAMS, fault, message.id)
    return message


def complaint(body: bytes) -> bytes | None:
    """What to answer to a body that holds no message, as JSON; None for one that does."""
    try:
        parsed(body)
    except BadLine as bad:
        return unparsed(bad.answer)
    return None


def _fault_of(method: str, params: dict[str, Any]) -> str | None:
    """What is wrong with the frame of a request, where the SDK would only say that it is wrong."""
    if len(method) > _LONGEST_NAME:
        return f"A method of {len(method):,} characters is not known here."
    meta = params.get("_meta")
    token = cast("dict[str, Any]", meta).get("progressToken", "") if isinstance(meta, dict) else ""
    if type(token) not in (str, int):
        return f'"progressToken" must be text or a whole number, but was {given(token)}.'
    if method not in ("tools/call", "prompts/get"):
        return None
    name = params.get("name")
    if not isinstance(name, str) or len(name) > _LONGEST_NAME:
        return f'"name" must be text of at most {_LONGEST_NAME} characters, but was {given(name)}.'
    arguments = params.get("arguments")
    if not isinstance(arguments, dict | None):
        return f'"arguments" must be an object, but was {given(arguments)}.'
    return _untold(cast("dict[str, Any]", arguments or {})) if method == "prompts/get" else None


def _untold(arguments: dict[str, Any]) -> str | None:
    for name, value in arguments.items():
        if not isinstance(value, str):
            return f"The argument {listed([name[:100]])} must be text, but was {given(value)}."
    return None


def _value(line: bytes) -> Any:
    try:
        value = from_json(line.strip(), allow_inf_nan=False)
    except ValueError as error:
        told = f"Parse error: {error}{_hint(line, str(error))}"
        whole = not str(error).startswith("EOF")
        raise BadLine(types.PARSE_ERROR, told, _id_in(line, whole=whole)) from error
    if _IMMENSE.search(line) and not is_finite(value):
        told = "Parse error: a number beyond all that JSON can carry"
        raise BadLine(types.PARSE_ERROR, told, _id_in(line))
    return value


def _hint(line: bytes, problem: str) -> str:
    if problem.startswith(("expected value", "invalid number")) and _NO_NUMBER.search(line):
        return "; NaN and Infinity are no JSON"
    return "; a text holds half of a surrogate pair" if "hex escape" in problem else ""


def _id_in(line: bytes, *, whole: bool = True) -> str | int | None:
    """The id of a request that cannot be read, if it stands at one of its ends.

    One that is not `whole` may end anywhere, in an object that is not its own.
    """
    ends = (_FIRST.match(line[:_KEPT]), _LAST.search(line[-_KEPT:]) if whole else None)
    found = dict(pair for end in ends if end for pair in _MEMBERS.findall(end[0] + b"}"))
    if b"method" not in found or b"id" not in found:  # an answer's id is not one of its sender's
        return None
    try:
        return from_json(found[b"id"])
    except ValueError:
        return None


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
