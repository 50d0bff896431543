"""How fast and large a stdio client's server is: the bridge to a host, and the direct one."""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from common import ME, store

from remembrancer.service.graph import NewEntity
from remembrancer.service.library import Library

STARTS, CALLS = 9, 300
HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}


class Server:
    """One `remembrancer mcp` process and the milliseconds until it answered its handshake."""

    def __init__(self, path: Path) -> None:
        command = [sys.executable, "-m", "remembrancer", "mcp", "--store", str(path)]
        pipe = subprocess.PIPE
        began = time.perf_counter()
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe)
        self._ask(1, "initialize", HELLO)
        self.ready = (time.perf_counter() - began) * 1_000
        self.work = self._work()
        self._say({"method": "notifications/initialized"})

    def call(self) -> float:
        """The milliseconds of one small call."""
        params = {"name": "memory_get_scope", "arguments": {"entityName": "bench"}}
        began = time.perf_counter()
        answer = self._ask(2, "tools/call", params)
        assert not answer["result"].get("isError"), answer
        return (time.perf_counter() - began) * 1_000

    def _work(self) -> float:
        """The milliseconds its threads have computed so far (Linux), whatever else runs here."""
        threads = Path(f"/proc/{self._process.pid}/task").glob("*/schedstat")
        return sum(int(each.read_text().split()[0]) for each in threads) / 1e6

    def memory(self) -> float:
        """Its resident memory in MB (Linux)."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1_024

    def end(self) -> float:
        """The milliseconds it takes to end once its client has hung up."""
        began = time.perf_counter()
        self._process.communicate()
        return (time.perf_counter() - began) * 1_000

    def _ask(self, id: int, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self._say({"id": id, "method": method, "params": params})
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())

    def _say(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self._process.stdin.flush()


def interpreter(*flags: str) -> float:
    """The median milliseconds that the interpreter itself takes to start and end."""
    found: list[float] = []
    for _ in range(STARTS):
        began = time.perf_counter()
        subprocess.run([sys.executable, *flags, "-c", "pass"], check=True)
        found.append((time.perf_counter() - began) * 1_000)
    return statistics.median(found)


def measure(name: str, path: Path) -> None:
    """Print the figures of one way in."""
    Server(path).end()  # warms up
    starts: list[Server] = []
    for _ in range(STARTS):
        starts.append(Server(path))
        starts[-1].end()
    ready, work = [each.ready for each in starts], [each.work for each in starts]
    server = Server(path)
    server.call()
    calls = sorted(server.call() for _ in range(CALLS))
    memory, end = server.memory(), server.end()
    print(
        f"{name:<8} ready {statistics.median(ready):7.1f} ms (best {min(ready):.1f}, of"
        f" its own work {statistics.median(work):.1f})"
        f"   {memory:5.1f} MB   call p50 {statistics.median(calls):5.2f}"
        f" p95 {calls[int(CALLS * 0.95)]:5.2f} ms   ends in {end:.0f} ms"
    )


@contextmanager
def hosted(path: Path) -> Iterator[None]:
    """A host of that store, in a process of its own as the window is."""
    command = [sys.executable, "-m", "remembrancer", "serve", "--port", "0", "--store", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as host:
        assert host.stdout is not None
        host.stdout.readline()
        yield
        host.terminate()


def main(memories: int) -> None:
    """Measure both, on a copy of a store of that size."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["REMEMBRANCER_HOME"] = folder
        # As an installation has it: compiled once, whatever this shell says about that.
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = f"{folder}/compiled"
        path = Path(shutil.copy(store(memories), folder))
        with Library.open(path) as library:
            library.graph.create([NewEntity("bench", "thing")], **ME)
        print(f"{memories:,} memories; the interpreter alone {interpreter():.1f} ms", end="")
        print(f", without site-packages {interpreter('-S'):.1f}, isolated {interpreter('-I'):.1f}")
        measure("direct", path)
        with hosted(path):
            measure("bridge", path)


main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000)
