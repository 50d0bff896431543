"""Every door through which an agent's bytes come in, as one client that says anything at all."""

from __future__ import annotations

import http.client
import itertools
import json
import os
import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from remembrancer import __version__, places
from remembrancer.agents.dialect import Dialect, path_of
from remembrancer.agents.dialects import DIALECTS
from remembrancer.agents.host import Host
from remembrancer.agents.local_terms import PROTOCOL, STDIO
from remembrancer.agents.stdio import serve_stdio
from remembrancer.core.author import PERSON, Agent
from remembrancer.doors.links import host_at
from remembrancer.service.library import Library

BOUND = 20.0  # seconds after which an answer will not come
ERAS = ("2025", "2026")
CLIENT = {"name": "raven", "version": "1"}
MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": CLIENT,
    "io.modelcontextprotocol/clientCapabilities": {},
}
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": CLIENT}


@dataclass(frozen=True, slots=True)
class Heard:
    """What came back: the status over HTTP (200 elsewhere), and the text of it."""

    status: int
    text: str

    @property
    def message(self) -> dict[str, Any]:
        """The JSON-RPC message in it; an empty one where there is none."""
        try:
            value = json.loads(self.text)
        except ValueError:
            return {}
        return value if isinstance(value, dict) else {}


class Door:
    """One connection of a client of one era. `hear` says bytes and returns the answer."""

    def __init__(self, name: str, era: str) -> None:
        self.name = f"{name} {era}"
        self.modern = era == "2026"
        self._ids = itertools.count(1_000)

    def hear(self, body: bytes, method: str = "", tool: str = "") -> Heard:
        """What is answered to these bytes; TimeoutError when nothing is."""
        raise NotImplementedError

    def tell(self, body: bytes, method: str) -> None:
        """Say what wants no answer."""
        raise NotImplementedError

    def ask(
        self, method: str, params: str = "", tool: str = "", id: str = "", meta: str = ""
    ) -> Heard:
        """Ask, with `params` and `meta` (members of the object, spelled as JSON) as they stand."""
        body = self.body(method, params, id or str(next(self._ids)), meta)
        return self.hear(body, method, tool)

    def call(self, tool: str, arguments: str, **more: str) -> Heard:
        """Call a tool with arguments that are spelled as JSON, more or less."""
        params = f'"name":{json.dumps(tool)},"arguments":{arguments}'
        return self.ask("tools/call", params, tool, **more)

    def body(self, method: str, params: str, id: str, meta: str = "") -> bytes:
        """The bytes of a request."""
        metas = [json.dumps(MODERN)[1:-1]] if self.modern else []
        metas += [meta] if meta else []
        members = [params] if params else []
        members += [f'"_meta":{{{",".join(metas)}}}'] if metas else []
        told = f'{{"jsonrpc":"2.0","id":{id},"method":{json.dumps(method)}'
        text = f'{told},"params":{{{",".join(members)}}}}}'
        return text.encode("utf-8", "surrogatepass")

    def begin(self) -> None:
        """Shake hands, where the era does."""
        if not self.modern:
            self.ask("initialize", json.dumps(HELLO)[1:-1])
            self.tell(b'{"jsonrpc":"2.0","method":"notifications/initialized"}', "")


class Posted(Door):
    """Over HTTP."""

    def __init__(self, era: str, port: int, dialect: str, token: str) -> None:
        super().__init__("http", era)
        self._port, self._path, self._token = port, path_of(dialect), token
        self._session = ""

    def hear(self, body: bytes, method: str = "", tool: str = "") -> Heard:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=BOUND)
        try:
            with suppress(ConnectionError):  # what is refused need not be read to its end
                connection.request("POST", self._path, body, self._headers(method, tool))
            response = connection.getresponse()
            text = response.read().decode()
        finally:
            connection.close()
        self._session = self._session or response.headers.get("mcp-session-id", "")
        return Heard(response.status, _data(text))

    def tell(self, body: bytes, method: str) -> None:
        self.hear(body, method)

    def _headers(self, method: str, tool: str) -> dict[str, str]:
        version = "2026-07-28" if self.modern else "2025-11-25"
        named = (
            {"Mcp-Name": tool}
            if 0 < len(tool) < 4_000 and tool.isascii() and tool.isprintable()
            else {}
        )
        era = {"Mcp-Method": method[:4_000] or "tools/call", **named} if self.modern else {}
        session = {"Mcp-Session-Id": self._session} if self._session else {}
        return {
            "Authorization": f"Bearer {self._token}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": version,
            **era,
            **session,
        }


class Lined(Door):
    """Over lines, however they are carried."""

    def __init__(
        self, name: str, era: str, send: Callable[[bytes], object], lines: Iterator[bytes]
    ) -> None:
        super().__init__(name, era)
        self._send = send
        self._answers: queue.Queue[bytes] = queue.Queue()
        self.reader = threading.Thread(target=lambda: [self._answers.put(li) for li in lines])
        self.reader.start()

    def hear(self, body: bytes, method: str = "", tool: str = "") -> Heard:
        self._send(body + b"\n")
        try:
            return Heard(200, self._answers.get(timeout=BOUND).decode())
        except queue.Empty:
            raise TimeoutError("no answer") from None

    def tell(self, body: bytes, method: str) -> None:
        self._send(body + b"\n")


@dataclass(frozen=True)
class House:
    """A library, a host of it, and the doors of one dialect."""

    library: Library
    dialect: str
    doors: list[Door]


@contextmanager
def doors(library: Library, dialect: str) -> Iterator[House]:
    """All doors to one dialect of a library, begun."""
    agent, token = library.agents.add("anna", dialect=dialect, author=PERSON, origin="window")
    host = Host(library, tuple(DIALECTS.values()))
    host.start()
    with ExitStack() as stack:
        stack.callback(host.stop)
        if not host.wait_until_ready(BOUND):
            raise RuntimeError("the host did not start")
        made: list[Door] = []
        for era in ERAS:
            made.append(Posted(era, host.port or 0, dialect, token))
            made.append(
                stack.enter_context(_standard(library, DIALECTS[dialect](library), agent, era))
            )
            made.append(stack.enter_context(over_socket(library, dialect, era)))
        for door in made:
            door.begin()
        yield House(library, dialect, made)


@contextmanager
def _standard(library: Library, dialect: Dialect, agent: Agent, era: str) -> Iterator[Door]:
    server_in, client_out = os.pipe()
    client_in, server_out = os.pipe()
    streams = os.fdopen(server_in, "rb"), os.fdopen(server_out, "wb")

    def serve() -> None:
        serve_stdio(library, dialect, lambda: agent, *streams)
        for stream in streams:
            stream.close()

    server = threading.Thread(target=serve)
    server.start()
    with os.fdopen(client_in, "rb") as answers:
        door = Lined("stdio", era, lambda line: _write(client_out, line), iter(answers))
        try:
            yield door
        finally:
            os.close(client_out)
            server.join(BOUND)
            door.reader.join(BOUND)


@contextmanager
def over_socket(
    library: Library, dialect: str, era: str, *, read_only: bool = False, scope: str | None = None
) -> Iterator[Door]:
    """A client at the private socket of the host that serves the library, under these flags."""
    policy = {
        "dialect": dialect, "language": "en", "readOnly": read_only, "scope": scope,
        "answerBudget": 100_000,
    }  # fmt: skip
    hello = {
        "protocol": PROTOCOL, "version": __version__, "store": str(library.path),
        "agent": STDIO, "pid": 1, "policy": policy,
    }  # fmt: skip
    link = host_at(str(places.host_file(library.path)), hello)
    if link is None:
        raise RuntimeError("there is no host")
    door = Lined("socket", era, link.send, link.lines())
    try:
        yield door
    finally:
        link.cut()
        door.reader.join(BOUND)
        link.close()


def _write(descriptor: int, line: bytes) -> None:
    view = memoryview(line)
    while view:
        view = view[os.write(descriptor, view) :]


def _data(text: str) -> str:
    """The last message of a stream of events, or the text as it is."""
    events = [line[6:] for line in text.splitlines() if line.startswith("data: ") and line[6:]]
    return events[-1] if events else text
