"""Clients as light as can be: sessions over HTTP with their own token, and over two pipes."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from faults.shim import own_paths
from remembrancer import places

PATIENCE = 60.0  # seconds after which an answer will not come
VERSION = "2025-06-18"
_HELLO = {"protocolVersion": VERSION, "capabilities": {}}


class Failed(Exception):
    """What a tool answered as an error."""


@dataclass(frozen=True)
class Served:
    """A process that serves a store: its number and its port."""

    pid: int
    port: int


@contextmanager
def serving(store: Path) -> Iterator[Served]:
    """A `remembrancer serve` over a store, with a home of its own beside it."""
    command = [sys.executable, "-m", "remembrancer", "serve", "--store", str(store), "--port", "0"]
    with subprocess.Popen(command, stdout=-1, text=True, env=home_of(store)) as process:
        assert process.stdout is not None
        try:
            address = json.loads(process.stdout.readline())["address"]
            yield Served(process.pid, int(address.split(":")[2].split("/")[0]))
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE)


def home_of(store: Path) -> dict[str, str]:
    """The environment of a process that belongs to that store."""
    return {**own_paths(), places.HOME_VARIABLE: str(store.parent / "home")}


class Session:
    """One session of an earlier client over HTTP, on one connection that is kept."""

    def __init__(self, port: int, token: str, name: str) -> None:
        self._port, self._token, self._name = port, token, name
        self._session = ""
        self._id = 0

    async def open(self) -> None:
        """Connect and say hello."""
        self._in, self._out = await asyncio.open_connection("127.0.0.1", self._port)
        said = {**_HELLO, "clientInfo": {"name": self._name, "version": "1"}}
        await self.ask("initialize", said)
        await self._post({"jsonrpc": "2.0", "method": "notifications/initialized"})

    async def call(self, tool: str, **arguments: Any) -> Any:
        """The structured answer of a tool; raises Failed with what it says instead."""
        return answer(await self.ask("tools/call", {"name": tool, "arguments": arguments}))

    async def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """The result of a request."""
        self._id += 1
        body = await self._post(
            {"jsonrpc": "2.0", "id": self._id, "method": method, "params": params}
        )
        said = json.loads(body)
        if "result" not in said or said["id"] != self._id:
            raise RuntimeError(f"no answer to {method}: {said}")
        return said["result"]

    async def close(self) -> None:
        """Hang up."""
        self._out.close()
        await self._out.wait_closed()

    async def _post(self, message: dict[str, Any]) -> bytes:
        body = json.dumps(message).encode()
        head = (
            f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\n"
            f"Authorization: Bearer {self._token}\r\nContent-Type: application/json\r\n"
            f"Accept: application/json, text/event-stream\r\nContent-Length: {len(body)}\r\n"
        )
        if self._session:
            head += f"Mcp-Session-Id: {self._session}\r\nMcp-Protocol-Version: {VERSION}\r\n"
        self._out.write(head.encode() + b"\r\n" + body)
        return await asyncio.wait_for(self._answer(), PATIENCE)

    async def _answer(self) -> bytes:
        status, *lines = (await self._in.readuntil(b"\r\n\r\n")).decode().split("\r\n")[:-2]
        headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
        body = await self._in.readexactly(int(headers.get("content-length", "0")))
        if status.split()[1] not in ("200", "202"):
            raise RuntimeError(f"{status}: {body.decode()}")
        self._session = headers.get("mcp-session-id", self._session)
        return body


class Piped:
    """A client that started `remembrancer mcp` and speaks with it in lines."""

    def __init__(self, store: Path, name: str) -> None:
        command = [sys.executable, "-m", "remembrancer", "mcp", "--store", str(store)]
        self._process = subprocess.Popen(command, stdin=-1, stdout=-1, env=home_of(store))
        self.pid = self._process.pid
        self._id = 0
        self._ask("initialize", {**_HELLO, "clientInfo": {"name": name, "version": "1"}})
        self._say({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def call(self, tool: str, **arguments: Any) -> Any:
        """The structured answer of a tool; raises Failed with what it says instead."""
        return answer(self._ask("tools/call", {"name": tool, "arguments": arguments}))

    def close(self) -> None:
        """Hang up and wait for the process."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(PATIENCE)
        self._process.stdout.close()

    def _ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self._id += 1
        self._say({"jsonrpc": "2.0", "id": self._id, "method": method, "params": params})
        assert self._process.stdout is not None
        while line := self._process.stdout.readline():
            said = json.loads(line)
            if said.get("id") == self._id:
                return said["result"]
        raise RuntimeError(f"no answer to {method}")

    def _say(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()


def answer(result: dict[str, Any]) -> Any:
    """What a call gave, or Failed."""
    if result.get("isError"):
        raise Failed(" ".join(block.get("text", "") for block in result["content"]))
    return result["structuredContent"]


class Holdings(NamedTuple):
    """What a process holds: kB of memory, open files, threads."""

    memory: int
    files: int
    threads: int


def holdings(pid: int) -> Holdings:
    """What a process holds now (Linux)."""
    status = Path(f"/proc/{pid}/status").read_text().splitlines()
    memory = next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
    return Holdings(
        memory, len(os.listdir(f"/proc/{pid}/fd")), len(os.listdir(f"/proc/{pid}/task"))
    )
