"""A host made of one thread, which says what the test says, and the bridge as a process."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from remembrancer import places

BOUND = 30.0  # seconds after which what a test waits for will not come


class Played:
    """A host at a port, played by the test: it takes one connection at a time."""

    def __init__(self, store: Path) -> None:
        self._store = store
        self._listening: socket.socket | None = None
        self._peer: socket.socket | None = None
        self.file = places.host_file(store)

    def appear(self) -> None:
        """Listen, and tell it beside the store."""
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._listening.settimeout(BOUND)
        port = self._listening.getsockname()[1]
        places.write_private(self.file, json.dumps({"port": port, "secret": "s", "proof": "p"}))

    def take(self, **answer: Any) -> dict[str, Any]:
        """Take a connection, answer its hello and return that."""
        assert self._listening is not None
        self._peer, _ = self._listening.accept()
        self._peer.settimeout(BOUND)
        self._lines = self._peer.makefile("rb")
        hello = json.loads(self._lines.readline())
        self.say(json.dumps({"ok": True, "proof": "p", **answer}).encode())
        return hello

    def wake(self) -> None:
        """Say an empty hello to oneself, where nobody came to say one."""
        if self._peer is not None:
            return
        assert self._listening is not None
        with socket.create_connection(self._listening.getsockname()) as oneself:
            oneself.sendall(b"{}\n")
            oneself.recv(1_000)

    def hear(self) -> bytes:
        """The next line of the bridge, without its end; empty when it sends no more."""
        return self._lines.readline().removesuffix(b"\n")

    def heard(self) -> dict[str, Any]:
        """The next message of the bridge."""
        return json.loads(self.hear())

    def say(self, line: bytes, end: bytes = b"\n") -> None:
        """Send a line."""
        assert self._peer is not None
        self._peer.sendall(line + end)

    def answer(self, id: object, **result: Any) -> None:
        """Answer a request as our server spells it."""
        message = {"jsonrpc": "2.0", "id": id, "result": result}
        self.say(json.dumps(message, separators=(",", ":")).encode())

    def hang_up(self) -> None:
        """End the connection and go on listening."""
        if self._peer is not None:
            self._lines.close()
            self._peer.close()
            self._peer = None

    def vanish(self) -> None:
        """Be gone as one that was killed, which leaves its file."""
        if self._listening is not None:
            self._listening.close()
            self._listening = None
        self.hang_up()


class Bridged:
    """A client that spawned `remembrancer mcp` and speaks in lines."""

    def __init__(self, store: Path, *flags: str) -> None:
        command = [sys.executable, "-m", "remembrancer", "mcp", "--store", str(store), *flags]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._in, self._out = self.process.stdin, self.process.stdout

    def say(self, line: bytes) -> None:
        self._in.write(line + b"\n")
        self._in.flush()

    def tell(self, method: str, id: object = None, **params: Any) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        self.say(json.dumps(message if id is None else {**message, "id": id}).encode())

    def hear(self) -> bytes:
        return self._out.readline().removesuffix(b"\n")

    def heard(self) -> dict[str, Any]:
        return json.loads(self.hear())

    def hang_up(self) -> int:
        """Close both pipes and return the exit code, which must come within two seconds."""
        self._in.close()
        code = self.process.wait(2.5)
        self.close()
        return code

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for stream in (self._in, self._out, self.process.stderr):
            if stream is not None:
                stream.close()


def alive(pid: int) -> bool:
    """Whether a process is still there and no zombie."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def children(pid: int) -> list[int]:
    """The processes that a process started (Linux)."""
    found = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for each in found for child in each.read_text().split()]


def patiently(true: Callable[[], object]) -> bool:
    """Whether something becomes true before the bound."""
    waiting = threading.Event()
    for _ in range(int(BOUND / 0.02)):
        if true():
            return True
        waiting.wait(0.02)
    return False
