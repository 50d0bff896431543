"""A small OpenAI-compatible server on loopback that says and does what a test tells it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

MODEL = "small-judge"
Act = Callable[["Exchange"], None]


@dataclass
class Exchange:
    """One request, and the means to answer it."""

    handler: BaseHTTPRequestHandler
    verb: str
    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    released: threading.Event

    @property
    def prompt(self) -> str:
        """What the model is asked."""
        return self.body["messages"][0]["content"]

    def reply(self, status: int, body: bytes, **headers: str) -> None:
        """Answer with that status and body."""
        self.handler.send_response(status)
        for name, value in headers.items():
            self.handler.send_header(name.replace("_", "-"), value)
        self.handler.send_header("Content-Length", str(len(body)))
        self.handler.end_headers()
        self.handler.wfile.write(body)

    def say(self, words: object) -> None:
        """Answer as a model that says `words`."""
        choice = {"index": 0, "message": {"role": "assistant", "content": words}}
        self.reply(200, json.dumps({"choices": [choice]}).encode())

    def trickle(self) -> None:
        """Begin an answer and never finish it, one byte after the other until the end."""
        self.handler.send_response(200)
        self.handler.end_headers()
        while not self.released.wait(0.01):
            self.handler.wfile.write(b" ")
            self.handler.wfile.flush()


@dataclass
class JudgeServer:
    """Lists its models, answers each question by the next of `script` (the last one stays).

    A line of the script is what the model says, or something to do with the exchange.
    """

    script: Sequence[str | Act] = ("WIDERSPRUCH",)
    models: Sequence[str] | Act = (MODEL, "another")
    exchanges: list[Exchange] = field(default_factory=list[Exchange])
    released: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> JudgeServer:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                server._take(self, {})

            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                server._take(self, json.loads(self.rfile.read(length)))

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._http = Quiet(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,))
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.released.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    @property
    def address(self) -> str:
        """Where it listens, without /v1."""
        return f"http://127.0.0.1:{self._http.server_port}"

    @property
    def questions(self) -> list[Exchange]:
        """The questions it was asked, without the probes."""
        return [e for e in self.exchanges if e.verb == "POST"]

    @property
    def probes(self) -> int:
        """How often it was asked for its models."""
        return len(self.exchanges) - len(self.questions)

    def _take(self, handler: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
        exchange = Exchange(
            handler, handler.command, handler.path, dict(handler.headers), body, self.released
        )
        self.exchanges.append(exchange)
        if exchange.verb == "GET":
            self._list(exchange)
            return
        act = self.script[min(len(self.questions), len(self.script)) - 1]
        exchange.say(act) if isinstance(act, str) else act(exchange)

    def _list(self, exchange: Exchange) -> None:
        if callable(self.models):
            self.models(exchange)
        else:
            listed = {"data": [{"id": name, "object": "model"} for name in self.models]}
            exchange.reply(200, json.dumps(listed).encode())


class Quiet(ThreadingHTTPServer):
    """Says nothing when a client hangs up, and waits at its end for what is under way."""

    daemon_threads = False

    def handle_error(self, request: object, client_address: object) -> None:
        pass


class Seconds:
    """A clock of seconds that stands still until a test moves it."""

    def __init__(self) -> None:
        self.at = 1_000.0

    def __call__(self) -> float:
        return self.at


def set_up(monkeypatch: pytest.MonkeyPatch, address: str, **more: str) -> None:
    """Name a judge in the environment: its address, its model, and what else is given."""
    for name, value in {"URL": address, "MODELL": MODEL, **more}.items():
        monkeypatch.setenv(f"MEMORY_FC_{name}", value)
