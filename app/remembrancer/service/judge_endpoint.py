"""The client of an OpenAI-compatible server: two questions, bounded in time and in bytes.

It goes to the given address alone: no proxy, no redirect. An answer is never shown or logged.
"""

from __future__ import annotations

import json
import socket
import threading
from contextlib import closing, suppress
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, cast

from remembrancer.service.judge_address import Address

if TYPE_CHECKING:
    # Half a tenth of a second to import, and most libraries have no judge.
    from http.client import HTTPConnection, HTTPResponse

MODELS_LIMIT = 4 * 1024 * 1024  # bytes; some servers list thousands of models
ANSWER_LIMIT = 256 * 1024  # bytes
MOST_TOKENS = 16


class Failure(StrEnum):
    """Why a server gave no answer that can be used."""

    REFUSED = "refused"
    UNREACHABLE = "unreachable"
    LATE = "late"
    STATUS = "status"
    REDIRECT = "redirect"
    TOO_LONG = "too_long"
    UNREADABLE = "unreadable"
    UNKNOWN_MODEL = "unknown_model"


class Silent(Exception):
    """There is no answer; `status` is the server's, where it gave one."""

    def __init__(self, failure: Failure, status: int = 0) -> None:
        super().__init__(failure.value)
        self.failure = failure
        self.status = status


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One model of one server. Every method may raise Silent and nothing else."""

    address: Address
    model: str
    key: str = field(default="", repr=False)

    def probe(self, seconds: float) -> None:
        """Make sure within `seconds` that the server offers the model."""
        listed = _dict(self._called("GET", "/models", None, MODELS_LIMIT, seconds)).get("data")
        if not isinstance(listed, list):
            raise Silent(Failure.UNREADABLE)
        if self.model not in [_dict(each).get("id") for each in cast("list[Any]", listed)]:
            raise Silent(Failure.UNKNOWN_MODEL)

    def ask(self, prompt: str, seconds: float) -> str:
        """What the model answers within `seconds`; empty where it says nothing."""
        question = {
            "model": self.model,
            "messages": [{"role": "user", "content": prompt}],
            "max_tokens": MOST_TOKENS,
            "temperature": 0,
            "stream": False,
        }
        answer = _dict(self._called("POST", "/chat/completions", question, ANSWER_LIMIT, seconds))
        try:
            content = answer["choices"][0]["message"].get("content")
        except (LookupError, TypeError, AttributeError):
            raise Silent(Failure.UNREADABLE) from None
        return content if isinstance(content, str) else ""

    def _called(self, verb: str, path: str, value: object, limit: int, seconds: float) -> object:
        headers = {"Accept": "application/json"}
        if value is not None:
            headers["Content-Type"] = "application/json"
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        body = None if value is None else json.dumps(value).encode("ascii")
        call = _Call(self.address, verb, self.address.path + path, body, headers, limit)
        try:
            return json.loads(call.answered(seconds))
        except (ValueError, RecursionError):
            raise Silent(Failure.UNREADABLE) from None


class _Call:
    """One exchange on a thread of its own: no name server and no slow trickle can hold it up."""

    def __init__(
        self, address: Address, verb: str, path: str, body: bytes | None,
        headers: dict[str, str], limit: int,
    ) -> None:  # fmt: skip
        self._address = address
        self._request = (verb, path, body, headers)
        self._limit = limit
        self._sock: socket.socket | None = None
        self._given_up = False
        self._done = threading.Event()
        self._answer = b""
        self._silent: Silent | None = None

    def answered(self, seconds: float) -> bytes:
        """The body of the answer; after `seconds` the connection is cut off."""
        thread = threading.Thread(
            target=self._run, args=(seconds,), name="judge-question", daemon=True
        )
        thread.start()
        if not self._done.wait(seconds):
            self._cut_off()
            raise Silent(Failure.LATE)
        if self._silent is not None:
            raise self._silent
        return self._answer

    def _run(self, seconds: float) -> None:
        try:
            self._answer = self._exchange(seconds)
        except Silent as silent:
            self._silent = silent
        except ConnectionRefusedError:
            self._silent = Silent(Failure.REFUSED)
        except TimeoutError:
            self._silent = Silent(Failure.LATE)
        except OSError:
            self._silent = Silent(Failure.UNREACHABLE)
        except Exception:
            # Whatever http.client makes of a foreign server: its words may quote the key.
            self._silent = Silent(Failure.UNREADABLE)
        finally:
            self._done.set()

    def _exchange(self, seconds: float) -> bytes:
        verb, path, body, headers = self._request
        with closing(_connection(self._address, seconds)) as connection:
            connection.connect()
            # The connection itself lets go of it as soon as an answer says that it is the last.
            self._sock = connection.sock
            if self._given_up:
                raise Silent(Failure.LATE)
            connection.request(verb, path, body, headers)
            with closing(connection.getresponse()) as answer:
                return self._read(answer)

    def _read(self, answer: HTTPResponse) -> bytes:
        if answer.status != 200:
            moved = 300 <= answer.status < 400
            raise Silent(Failure.REDIRECT if moved else Failure.STATUS, answer.status)
        read = answer.read(self._limit + 1)
        if len(read) > self._limit:
            raise Silent(Failure.TOO_LONG)
        return read

    def _cut_off(self) -> None:
        self._given_up = True
        if self._sock is not None:
            with suppress(OSError):
                self._sock.shutdown(socket.SHUT_RDWR)


def _connection(address: Address, seconds: float) -> HTTPConnection:
    from http.client import HTTPConnection, HTTPSConnection

    kind = HTTPSConnection if address.secure else HTTPConnection
    return kind(address.host, address.port, timeout=seconds)


def _dict(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
