"""A server on standard input and output answers every line, and ends when its input does."""

from __future__ import annotations

import json
import os
import queue
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from agents.echo import BOUND, Echo, House
from remembrancer.agents.lines import LONGEST_LINE
from remembrancer.agents.stdio import serve_stdio

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
JOURNAL = "memory://journal"
MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "raven", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "raven", "version": "1"},
}

NO_JSON = [
    b"hello",
    b"{",
    b"",
    b"   ",
    b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"x":NaN}}',
    b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"x":-Infinity}}',
    b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"x":"\\ud800"}}',
    b'{"jsonrpc":"2.0","id":1,"method":"\xff"}',
    b'{"jsonrpc":"2.0","id":1,"method":"ping"} trailing',
    b"[" * 100_000,
    b"9" * 10_000,
    b'"' + b"x" * LONGEST_LINE + b'"',
]


def id_in(line: bytes) -> int | None:
    """The id that a request of `NO_JSON` carries, which is answered under it all the same."""
    return 1 if b'"id":1' in line else None


NO_MESSAGE = [
    (b"[]", None),
    (b"5", None),
    (b"{}", None),
    (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', None),
    (b'{"id":3,"method":"ping"}', 3),
    (b'{"jsonrpc":"2.0","id":"a","method":5}', "a"),
    (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', None),
]


class Wire:
    """A client that spawned the server and speaks in lines."""

    def __init__(self, house: House) -> None:
        self.dialect = Echo(house.library)
        server_in, self._out = os.pipe()
        self._in, server_out = os.pipe()
        self._streams = [os.fdopen(server_in, "rb"), os.fdopen(server_out, "wb")]
        self._answers: queue.Queue[dict[str, Any]] = queue.Queue()
        self._id = 0
        self.modern = False
        self.server = threading.Thread(target=self._serve, args=(house,))
        self.server.start()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _serve(self, house: House) -> None:
        serve_stdio(house.library, self.dialect, lambda: house.anna, *self._streams)
        for stream in self._streams:
            stream.close()

    def _read(self) -> None:
        with os.fdopen(self._in, "rb") as lines:
            for line in lines:
                self._answers.put(json.loads(line))

    def send(self, line: bytes) -> None:
        line += b"\n"
        while line:
            line = line[os.write(self._out, line) :]

    def tell(self, method: str, params: dict[str, Any] | None = None, **more: Any) -> None:
        params = {**(params or {}), **({"_meta": MODERN} if self.modern else {})}
        message = {"jsonrpc": "2.0", "method": method, "params": params, **more}
        self.send(json.dumps(message).encode())

    def request(self, method: str, **params: Any) -> int:
        self._id += 1
        self.tell(method, params, id=self._id)
        return self._id

    def answer(self) -> dict[str, Any]:
        return self._answers.get(timeout=BOUND)

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        asked = self.request(method, **params)
        answer = self.answer()
        assert answer["id"] == asked
        return answer

    def say(self, tool: str, **arguments: Any) -> str:
        answer = self.ask("tools/call", name=tool, arguments=arguments)
        return answer["result"]["content"][0]["text"]

    def open(self, era: str) -> None:
        self.modern = era == "2026"
        if not self.modern:
            self.ask("initialize", **HELLO)
            self.tell("notifications/initialized")

    def end(self) -> None:
        os.close(self._out)
        self._out = -1
        self.server.join(BOUND / 2)
        assert not self.server.is_alive()
        self._reader.join(BOUND)

    def left(self) -> list[dict[str, Any]]:
        return list(self._answers.queue)


@pytest.fixture
def wire(house: House) -> Iterator[Wire]:
    wire = Wire(house)
    yield wire
    if wire.server.is_alive():
        wire.end()


eras = pytest.mark.parametrize("era", ["2025", "2026"])


@eras
def test_a_client_is_served_in_either_era(wire: Wire, era: str) -> None:
    wire.open(era)
    names = [tool["name"] for tool in wire.ask("tools/list")["result"]["tools"]]
    assert "echo" in names
    assert wire.say("echo", text=" hi ", times=2) == "hihi"
    assert wire.say("whoami") == "raven 1 write de"
    assert wire.say("half") == "a?b"
    assert wire.ask("tools/call", name="nothing")["error"]["message"] == "Unknown tool: nothing"


@eras
def test_lines_that_are_no_json_are_answered_and_end_nothing(wire: Wire, era: str) -> None:
    for line in NO_JSON:
        wire.send(line)
        answer = wire.answer()
        assert (answer["id"], answer["error"]["code"]) == (id_in(line), PARSE_ERROR)
    wire.open(era)
    for line in NO_JSON:
        wire.send(line)
        assert wire.answer()["error"]["code"] == PARSE_ERROR
        assert wire.say("echo", text="still") == "still"


@pytest.mark.parametrize(("line", "id_"), NO_MESSAGE)
def test_json_that_is_no_message_is_answered_under_its_id(
    wire: Wire, line: bytes, id_: object
) -> None:
    wire.send(line)
    answer = wire.answer()
    assert (answer["id"], answer["error"]["code"]) == (id_, INVALID_REQUEST)
    wire.open("2025")
    assert wire.say("echo", text="still") == "still"


def test_lines_may_end_the_way_windows_ends_them(wire: Wire) -> None:
    wire.send(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\r')
    assert wire.answer() == {"jsonrpc": "2.0", "id": 1, "result": {}}


@eras
def test_what_a_tool_prints_does_not_reach_the_wire(wire: Wire, era: str) -> None:
    wire.open(era)
    assert wire.say("noisy") == "quiet"
    assert wire.say("echo", text="still") == "still"


def test_it_ends_with_an_input_that_held_nothing(wire: Wire) -> None:
    wire.end()
    assert wire.left() == []


@eras
def test_what_was_asked_before_the_input_ended_is_answered(wire: Wire, era: str) -> None:
    wire.open(era)
    wire.request("tools/call", name="echo", arguments={"text": "last"})
    wire.end()
    (last,) = wire.left()
    assert last["result"]["content"][0]["text"] == "last"


def test_the_last_line_needs_no_end(wire: Wire) -> None:
    os.write(wire._out, b'{"jsonrpc":"2.0","id":7,"method":"ping"}')
    wire.end()
    assert [each["id"] for each in wire.left()] == [7]


@eras
def test_it_ends_with_its_input_although_a_call_does_not(wire: Wire, era: str) -> None:
    wire.open(era)
    wire.request("tools/call", name="wait", arguments={})
    assert wire.dialect.waiting.wait(BOUND)
    wire.end()
    wire.dialect.go_on.set()


def test_a_cancelled_call_is_not_waited_for(wire: Wire) -> None:
    wire.open("2025")
    asked = wire.request("tools/call", name="wait", arguments={})
    assert wire.dialect.waiting.wait(BOUND)
    wire.tell("notifications/cancelled", {"requestId": asked})
    assert wire.say("echo", text="still") == "still"
    wire.dialect.go_on.set()


def test_it_ends_when_nobody_reads_its_answers(house: House) -> None:
    server_in, client_out = os.pipe()
    client_in, server_out = os.pipe()
    os.close(client_in)
    with os.fdopen(server_in, "rb") as stdin, os.fdopen(server_out, "wb") as stdout:
        arguments = (house.library, Echo(house.library), lambda: house.anna, stdin, stdout)
        server = threading.Thread(target=serve_stdio, args=arguments)
        server.start()
        os.write(client_out, b"hello\n")
        server.join(BOUND)
        assert not server.is_alive()
        os.close(client_out)


def test_an_earlier_client_that_subscribed_is_told(wire: Wire, house: House) -> None:
    wire.open("2025")
    wire.ask("resources/subscribe", uri=JOURNAL)
    house.remember("thing")
    assert wire.answer()["params"] == {"uri": JOURNAL}


def test_a_client_of_2026_that_listens_is_told(wire: Wire, house: House) -> None:
    wire.open("2026")
    wire.request("subscriptions/listen", notifications={"resourceSubscriptions": [JOURNAL]})
    assert wire.answer()["method"] == "notifications/subscriptions/acknowledged"
    house.remember("thing")
    told = wire.answer()
    assert told["method"] == "notifications/resources/updated"
    assert told["params"]["uri"] == JOURNAL
